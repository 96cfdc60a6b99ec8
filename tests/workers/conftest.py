"""What needs PostgreSQL and Redis, for `make databases`; other runs pass it over."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from stranger import send_everybody_home

TEST_SECONDS = 600  # several servers have to start, on a busy machine


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Only who asks for these tests by name has the servers that they need."""
    asked = any("workers" in str(argument) for argument in config.args)
    return None if asked else True


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Some of these tests start half a dozen programs."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.timeout(TEST_SECONDS, func_only=True))


@pytest.fixture(autouse=True)
async def nobody_left_behind() -> AsyncIterator[None]:
    yield
    await send_everybody_home()
