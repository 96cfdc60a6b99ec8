"""These tests need Ray, an extra: `make cluster` installs it and runs them."""

import os
from importlib.util import find_spec

collect_ignore_glob = [] if find_spec("ray") else ["test_*.py"]

# A machine that is busy takes its time to start Ray.
os.environ.setdefault("RAY_raylet_start_wait_time_s", "180")
