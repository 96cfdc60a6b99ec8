"""Collector: Python's cycles are collected where they arise, so that no pause is felt at a table.

Left alone, the collector looks through all that came since it last ran: a tenth of a second and
more when thousands play. But play leaves no cycles behind: answered requests do, which are young
then, and lost connections, some eighty objects each. So what is young is looked through after
requests, and otherwise put aside unseen, but for a sample. All of it is looked through only when
sockets enough have ended to make it worth while. While everybody comes back at once, nothing is.
"""

import asyncio
import gc
from collections.abc import Callable
from itertools import count

YOUNG_SECONDS = 0.2
SAMPLE = 25
"""One in so many times, what is young is looked through though no request was answered."""
MOST_STRAYS = 100_000
"""So many objects may be in cycles that nobody thought of, to judge by the samples."""
LEAST_ENDED = 1000
"""So many sockets have to end before everything is looked through, or half of those open."""
CALM = 5
"""So many times in a row none has ended or begun: then those who lost a connection are back."""
LATEST = 50
"""So many times that is waited for at most."""


def put_aside() -> None:
    """Collects everything once, and looks again at what is left only together with all else."""
    gc.collect()
    gc.freeze()


class Collector:
    """Collects for ever, in place of Python's own collector."""

    def __init__(
        self,
        *,
        ended: Callable[[], int],
        still_open: Callable[[], int],
        answered: Callable[[], int],
    ) -> None:
        self._ended, self._still_open, self._answered = ended, still_open, answered
        self._seen_ended = ended()
        self._last = ended(), still_open()
        self._seen_answered = answered()
        self._strays = self._calm = self._waited = 0

    async def run(self) -> None:
        """Looks from time to time."""
        gc.disable()
        try:
            for times in count(1):
                await asyncio.sleep(YOUNG_SECONDS)
                self._look(times)
        finally:
            gc.enable()

    def _look(self, times: int) -> None:
        if self._worth_while():
            self._seen_ended, self._strays = self._ended(), 0
            gc.unfreeze()
            gc.collect()
        elif self._calm and self._answered() != self._seen_answered:
            self._seen_answered = self._answered()
            gc.collect(0)
        elif times % SAMPLE == 0:
            self._strays += SAMPLE * gc.collect(0)
        gc.freeze()

    def _worth_while(self) -> bool:
        """Whether there may be much to collect, and everybody is back who lost a connection."""
        ended, still_open = self._ended(), self._still_open()
        self._calm = self._calm + 1 if (ended, still_open) == self._last else 0
        self._last = ended, still_open
        much = ended - self._seen_ended >= max(LEAST_ENDED, still_open / 2)
        if not much and self._strays < MOST_STRAYS:
            self._waited = 0
            return False
        self._waited += 1
        return self._calm >= CALM or self._waited >= LATEST
