"""The collector: what was there at the start is not looked at again, and cycles still go."""

import subprocess
import sys

SCRIPT = """
import asyncio, gc, weakref
from karma.server import collector

class Line:
    pass

def cycle():
    line = Line()
    line.itself = line
    return weakref.ref(line)

async def main():
    collector.YOUNG_SECONDS = 0.01
    collector.put_aside()
    aside, ended = gc.get_freeze_count(), 0
    task = asyncio.create_task(collector.collect(lambda: ended, lambda: 0))
    young = cycle()
    while young() is not None:
        await asyncio.sleep(0.01)
    old = cycle()
    gc.collect(0) if old() is None else None
    ended = collector.LEAST_ENDED
    while old() is not None:
        await asyncio.sleep(0.01)
    assert gc.get_freeze_count() >= 0.9 * aside > 10_000, (aside, gc.get_freeze_count())
    task.cancel()

asyncio.run(main())
"""


def test_cycles_are_collected_and_the_start_is_left_alone() -> None:
    subprocess.run([sys.executable, "-c", SCRIPT], check=True, timeout=60)
