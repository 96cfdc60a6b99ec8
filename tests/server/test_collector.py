"""The collector: cycles go soon after requests, after many sockets, and whatever else leaves them;
what play makes is not looked through."""

import subprocess
import sys

import pytest

BEGINNING = """
import asyncio, gc, weakref
from karma.server import collector

collector.YOUNG_SECONDS = 0.001

class Line:
    pass

def cycle():
    line = Line()
    line.itself = line
    return weakref.ref(line)

class Server:
    ended = answered = still_open = 0

looks = []
gc.callbacks.append(lambda phase, info: phase == "stop" and looks.append(info["generation"]))

async def begin():
    collector.put_aside()
    looks.clear()
    collecting = collector.Collector(
        ended=lambda: Server.ended,
        still_open=lambda: Server.still_open,
        answered=lambda: Server.answered,
    )
    asyncio.create_task(collecting.run())
    await asyncio.sleep(0)

async def frozen():
    "Waits until everything has been put aside once more."
    kept = [[]]
    while gc.is_tracked(kept) and any(kept is each for each in gc.get_objects()):
        await asyncio.sleep(0.001)

async def gone(line):
    while line() is not None:
        await asyncio.sleep(0.001)
"""
SCRIPTS = {
    "after a request": """
collector.SAMPLE = 1 << 30
await begin()
young = cycle()
Server.answered += 1
await gone(young)
assert looks == [0], looks
""",
    "of nobody knows what, if there are many": """
collector.SAMPLE, collector.MOST_STRAYS = 50, 51
await begin()
stray = cycle()
await frozen()
assert stray() is not None and looks == [], looks
while stray() is not None:
    cycle()
    await asyncio.sleep(0)
assert looks[0] == 0 and looks[-1] == 2, looks
""",
    "of sockets, when they are many and the others are back": """
collector.SAMPLE, collector.LATEST = 1 << 30, 1 << 30
await begin()
old = cycle()
await frozen()
Server.ended = collector.LEAST_ENDED - 1
for _ in range(20):
    await frozen()
assert old() is not None and looks == [], looks
for _ in range(20):
    Server.ended += 1  # they still go
    await frozen()
assert old() is not None and looks == [], looks
for _ in range(20):
    Server.still_open += 1  # they come back
    await frozen()
assert old() is not None and looks == [], looks
await gone(old)
assert looks == [2], looks
""",
    "of sockets, though they never stop going": """
collector.SAMPLE = 1 << 30
await begin()
old = cycle()
Server.ended = collector.LEAST_ENDED

async def go():
    while True:
        Server.ended += 1
        await asyncio.sleep(0)

going = asyncio.create_task(go())
await gone(old)
""",
    "of requests, but not while sockets go all the time": """
collector.SAMPLE = collector.LEAST_ENDED = 1 << 30
await begin()

async def go():
    while True:
        Server.ended += 1
        Server.answered += 1
        await asyncio.sleep(0)

going = asyncio.create_task(go())
for _ in range(20):
    await frozen()
assert looks == [], looks
going.cancel()
await frozen()
await frozen()
Server.answered += 1
await gone(cycle())
assert set(looks) == {0}, looks
""",
    "but play is never looked through": """
collector.SAMPLE = 1 << 30
await begin()
for _ in range(50):
    await frozen()
assert looks == [], looks
""",
}


@pytest.mark.parametrize("what", SCRIPTS)
def test_cycles_go(what: str) -> None:
    body = "".join(f"    {line}\n" for line in SCRIPTS[what].splitlines())
    script = f"{BEGINNING}\nasync def main():\n{body}\nasyncio.run(main())\n"
    subprocess.run([sys.executable, "-c", script], check=True, timeout=60)
