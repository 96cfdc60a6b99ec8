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
    """The real time when the clock was made, and from there on as time passes.

    Whoever waits by it waits as long as was said, though somebody set the machine's clock.
    """

    def __init__(self) -> None:
        self._ahead = time.time_ns() - _passed()

    def now(self) -> int:
        """Milliseconds since 1970."""
        return (self._ahead + _passed()) // 1_000_000

    async def sleep(self, seconds: float) -> None:
        """Waits."""
        await asyncio.sleep(seconds)


def _passed() -> int:
    """Nanoseconds that have passed since some moment, a machine's sleep included if it tells."""
    clock = getattr(time, "CLOCK_BOOTTIME", None)
    return time.monotonic_ns() if clock is None else time.clock_gettime_ns(clock)
