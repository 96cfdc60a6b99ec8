"""Queues: what the connections of one address send is taken in turn, so much of it a second.

A flood of one address would otherwise be read and answered to its end before anybody else's word.
"""

import asyncio
from typing import Protocol

from karma.server.gauges import Gauge

AT_ONCE = 30
"""Pieces of an address that are taken as soon as they come: a page with all that it needs."""
STEP_SECONDS = 0.02
"""So often the next ones are let pass: a few at a time, with room for others between them."""


class Waiting(Protocol):
    """What waits in a queue."""

    def go_on(self) -> None: ...


class Queue:
    """All of an address that wait, the first who came at its head."""

    def __init__(self, per_second: float) -> None:
        self._loop = asyncio.get_running_loop()
        self._gauge = Gauge(AT_ONCE, per_second)
        self._waiting: dict[Waiting, None] = {}
        self._next: asyncio.TimerHandle | None = None

    def __len__(self) -> int:
        return len(self._waiting)

    def lets_pass(self, one: Waiting) -> bool:
        """Whether one goes on at once; if not, it is told to when its turn comes."""
        if not self._waiting and self._takes():
            return True
        self._waiting[one] = None
        if self._next is None:
            self._step_later()
        return False

    def full(self, now: float) -> bool:
        """Whether nobody waits, nor would."""
        return not self._waiting and self._gauge.full(now)

    def leave(self, one: Waiting) -> None:
        """One does not wait any more."""
        self._waiting.pop(one, None)

    def _takes(self) -> bool:
        now = self._loop.time()
        return self._gauge.seconds(now) == 0 and self._gauge.take(now)

    def _step_later(self) -> None:
        self._next = self._loop.call_later(STEP_SECONDS, self._step)

    def _step(self) -> None:
        """Lets as many go on as may."""
        self._step_later()  # first: whatever one may do, the others go on
        while self._waiting and self._takes():
            one = next(iter(self._waiting))
            del self._waiting[one]
            one.go_on()
        if not self._waiting and self._next is not None:
            self._next.cancel()
            self._next = None
