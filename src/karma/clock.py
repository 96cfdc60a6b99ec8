"""Clock: the time, as an argument of whatever needs it: one for waiting, and one for showing."""

import asyncio
import time
from typing import Protocol

PASSED = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)
"""The machine's clock that nobody sets; a machine's sleep is included where it tells."""


class Clock(Protocol):
    """The time, real or virtual."""

    def now(self) -> int:
        """Milliseconds since 1970, for waiting: nobody sets it."""

    def date(self) -> int:
        """Milliseconds since 1970, for showing and keeping: whatever the machine's clock says."""

    async def sleep(self, seconds: float) -> None:
        """Waits."""


class WallClock:
    """The real time when the clock was made, and from there on as time passes.

    Whoever waits by it waits as long as was said, though somebody set the machine's clock.
    """

    def __init__(self) -> None:
        self._ahead = time.time_ns() - time.clock_gettime_ns(PASSED)

    def now(self) -> int:
        """Milliseconds since 1970, for waiting: nobody sets it."""
        return (self._ahead + time.clock_gettime_ns(PASSED)) // 1_000_000

    def date(self) -> int:
        """Milliseconds since 1970, for showing and keeping: whatever the machine's clock says."""
        return time.time_ns() // 1_000_000

    async def sleep(self, seconds: float) -> None:
        """Waits."""
        await asyncio.sleep(seconds)


class TableClock:
    """A table's clock: it goes on from the table's past, though the machine's clock was set back.

    What was to be waited for when the server stopped is waited for as long as was said.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._ahead = 0

    def go_on_from(self, at: int) -> None:
        """Something happened at this time already: it is not earlier now."""
        self._ahead = max(self._ahead, at - self._clock.now())

    def now(self) -> int:
        """Milliseconds since 1970, for waiting: nobody sets it."""
        return self._clock.now() + self._ahead

    def date(self) -> int:
        """Milliseconds since 1970, for showing and keeping: whatever the machine's clock says."""
        return self._clock.date()

    async def sleep(self, seconds: float) -> None:
        """Waits."""
        await self._clock.sleep(seconds)
