"""What many tests start from: editions with their sizes, and seeded chance."""

import signal
from pathlib import Path

import numpy as np
import pytest
import structlog
from hypothesis import HealthCheck, settings

from karma import EDITIONS, Game

# The first example of a run may have to compile the core: no deadlines.
settings.register_profile(
    "karma",
    deadline=None,
    derandomize=True,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.load_profile("karma")

# A shell without job control has its children ignore Ctrl-C, and theirs would too.
signal.signal(signal.SIGINT, signal.default_int_handler)

# What tests share, and programs that they start, are not to be imported in search of doctests.
collect_ignore = [
    path.name for path in Path(__file__).parent.glob("*.py") if not path.name.startswith("test_")
]


def pytest_runtest_teardown() -> None:
    """A log that a test has set up is not for the next one: its file is closed by then."""
    structlog.reset_defaults()


SIZES = [
    (name, players)
    for name, rules in EDITIONS.items()
    for players in range(2, rules.most_players + 1)
]


@pytest.fixture(params=SIZES, ids=lambda size: f"{size[0]}-{size[1]}")
def game(request):
    """A fresh game of every edition and every number of players."""
    name, players = request.param
    return Game(EDITIONS[name], players, seed=players)


@pytest.fixture(params=EDITIONS.values(), ids=list(EDITIONS))
def rules(request):
    """Each edition."""
    return request.param


@pytest.fixture
def rng():
    """Chance that is the same in every run."""
    return np.random.default_rng(20)
