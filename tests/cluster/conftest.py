"""These tests need Ray, an extra: `make cluster` installs it and runs them."""

from importlib.util import find_spec

collect_ignore_glob = [] if find_spec("ray") else ["test_*.py"]
