"""After every test of the server, nobody is left behind."""

from collections.abc import AsyncIterator

import pytest

from stranger import send_everybody_home


@pytest.fixture(autouse=True)
async def nobody_left_behind() -> AsyncIterator[None]:
    yield
    await send_everybody_home()
