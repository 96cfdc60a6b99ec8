"""Collector: Python's cycles are collected in small pieces, so that no pause is felt at a table.

Left alone, the collector looks through all that came since it last ran: a tenth of a second and
more when thousands play. Play leaves no cycles behind at all, and a lost connection some eighty
objects. So what is young is looked through often and then put aside, and everything only when
connections enough have ended to make it worth while.
"""

import asyncio
import gc
from collections.abc import Callable

YOUNG_SECONDS = 0.2
LEAST_ENDED = 1000
"""So many connections have to end before everything is looked through, or half of those open."""


def put_aside() -> None:
    """Collects everything once, and never looks again at what is left."""
    gc.unfreeze()
    gc.collect()
    gc.freeze()


async def collect(ended: Callable[[], int], still_open: Callable[[], int]) -> None:
    """Collects for ever, in place of Python's own collector."""
    gc.disable()
    try:
        seen = ended()
        while True:
            await asyncio.sleep(YOUNG_SECONDS)
            if ended() - seen >= max(LEAST_ENDED, still_open() / 2):
                seen = ended()
                put_aside()
            else:
                gc.collect(0)
                gc.freeze()
    finally:
        gc.enable()
