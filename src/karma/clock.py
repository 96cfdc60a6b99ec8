"""Clock: the time, as an argument of whatever needs it."""

import asyncio
import time
from typing import Protocol


class Clock(Protocol):
    """The time, real or virtual."""

    def now(self) -> int:
        """Milliseconds since 1970."""

    async def sleep(self, seconds: float) -> None:
        """Waits."""


class WallClock:
    """The real time."""

    def now(self) -> int:
        """Milliseconds since 1970."""
        return time.time_ns() // 1_000_000

    async def sleep(self, seconds: float) -> None:
        """Waits."""
        await asyncio.sleep(seconds)
