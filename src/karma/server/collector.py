"""Collector: Python's cycles are collected in small pieces, so that no pause is felt at a table.

Left alone, the collector looks through all that came since it last ran: a tenth of a second and
more when thousands play. Play leaves no cycles behind at all, a lost connection some eighty
objects. So what was there at the start is never looked at again, what is young often, what has
grown older now and then, and all of it only when sockets enough have ended to make it worth while.
"""

import asyncio
import gc
from collections.abc import Callable
from itertools import count

YOUNG_SECONDS = 0.2
OLDER = 5
"""Every so many times also what has come since the last such time: most of it were requests."""
LEAST_ENDED = 1000
"""So many sockets have to end before everything is looked through, or half of those open."""


def put_aside() -> None:
    """Collects everything once, and never looks again at what is left."""
    gc.collect()
    gc.freeze()


async def collect(ended: Callable[[], int], still_open: Callable[[], int]) -> None:
    """Collects for ever, in place of Python's own collector."""
    gc.disable()
    try:
        seen = ended()
        for times in count(1):
            await asyncio.sleep(YOUNG_SECONDS)
            if ended() - seen >= max(LEAST_ENDED, still_open() / 2):
                seen = ended()
                gc.collect()
            else:
                gc.collect(0 if times % OLDER else 1)
    finally:
        gc.enable()
