"""Faults between real processes, for `make faults`; other runs pass them over.

All chance comes from one seed, which is told at the end: `make faults SEED=…` does the same again,
as far as several programs can.
"""

import json
import os
import time
import zlib
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import disks
import network
from servers import House, house
from stranger import send_everybody_home

TEST_SECONDS = 1800
SEED = int(os.environ.get("SEED") or time.time())
NEEDS = {"namespace": network.can_be_had, "disk": disks.are_to_be_had}
"""What only root can have: tests that ask for a fixture of this name are left out without it."""


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Only who asks for these tests by name has the servers that they need."""
    asked = any("faults" in str(argument) for argument in config.args)
    return None if asked else True


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    ours = [item for item in items if Path(__file__).parent in item.path.parents]
    for item in ours:
        item.add_marker(pytest.mark.timeout(TEST_SECONDS, func_only=True))
    missing = {name for name, can_be_had in NEEDS.items() if not can_be_had()}
    left_out = [each for each in ours if missing & set(getattr(each, "fixturenames", ()))]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item not in left_out]


def pytest_terminal_summary(terminalreporter: Any) -> None:
    terminalreporter.line(f"the seed was {SEED}: make faults SEED={SEED} does the same again")
    for name, can_be_had in NEEDS.items():
        if not can_be_had():
            terminalreporter.line(f"left out, for it needs root and `make services`: {name}")


@pytest.fixture
def chance(request: pytest.FixtureRequest) -> np.random.Generator:
    """This test's part of the seed."""
    return np.random.default_rng([SEED, zlib.crc32(request.node.name.encode())])


@pytest.fixture
def figure() -> Callable[..., None]:
    """Writes down a figure for docs/reliability.md, if somebody wants it."""

    def write(what: str, **figures: object) -> None:
        if wanted := os.environ.get("FIGURES"):
            with Path(wanted).open("a") as file:
                file.write(json.dumps({"what": what, **figures}) + "\n")

    return write


@pytest.fixture
def namespace() -> Iterator[network.Network]:
    with network.network() as made:
        yield made


@pytest.fixture
def disk() -> Iterator[disks.Disk]:
    """A disk that is soon full; large enough for a PostgreSQL."""
    with disks.small_disk(200) as made:
        yield made


@pytest.fixture
def shared(tmp_path: Path) -> Iterator[House]:
    """A database and a Redis; its workers are started when a test needs them."""
    with house(tmp_path) as made:
        yield made


@pytest.fixture(autouse=True)
async def nobody_left_behind() -> AsyncIterator[None]:
    yield
    await send_everybody_home()
