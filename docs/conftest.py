"""The page on learning needs the libraries it is about: `make rl` installs them and runs it."""

from importlib.util import find_spec

collect_ignore = [] if find_spec("pettingzoo") and find_spec("pyspiel") else ["learning.md"]
