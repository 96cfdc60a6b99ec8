"""What pytest passes over: modules of extras that are not installed.

Any other file that cannot be imported is an error, not a test less.
"""

from importlib.util import find_spec

NEEDED = {
    "src/karma/rl/gymnasium.py": "gymnasium",
    "src/karma/rl/openspiel.py": "pyspiel",
    "src/karma/rl/pettingzoo.py": "pettingzoo",
    "src/karma/rl/vector.py": "gymnasium",
    "src/karma/train/learner.py": "torch",
    "src/karma/train/run.py": "torch",
}
collect_ignore = [path for path, library in NEEDED.items() if find_spec(library) is None]
