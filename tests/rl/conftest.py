"""These tests need Gymnasium, PettingZoo and OpenSpiel: `make rl` installs and runs them.

Those of the examples need PyTorch and sb3-contrib too: `make examples` does.
"""

from importlib.util import find_spec

collect_ignore_glob = [] if find_spec("pettingzoo") and find_spec("pyspiel") else ["test_*.py"]
if not (find_spec("torch") and find_spec("sb3_contrib")):
    collect_ignore_glob.append("test_examples.py")
