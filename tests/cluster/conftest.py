"""These tests need Ray and PyTorch: `make cluster` installs them and runs them."""

import os
from importlib.util import find_spec

collect_ignore_glob = [] if find_spec("ray") else ["test_*.py"]
if not find_spec("torch"):
    collect_ignore_glob.append("test_training.py")

# A machine that is busy takes its time to start Ray.
os.environ.setdefault("RAY_raylet_start_wait_time_s", "180")
