"""Killing: a real server process that is killed again and again while strangers play at it."""

import asyncio
import contextlib
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import httpx
import numpy as np

from checker import check
from databases import address_for
from karma.table.bots.pool import warm_up
from stranger import Stranger

SCRIPT = Path(__file__).with_name("crashing_server.py")
POINTS = ("before_commit", "after_commit", "after_ack")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Victim:
    """A server process that comes back whenever it dies."""

    def __init__(self, folder: Path, chance: np.random.Generator) -> None:
        self.folder = folder
        self.port = free_port()
        self.address = f"http://127.0.0.1:{self.port}"
        self.chance = chance
        self.deaths = 0
        self.starts: list[float] = []
        self.log = folder / "server.log"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self, point: str = "never", count: int = 0) -> None:
        folder = self.folder / "data"
        command = [sys.executable, SCRIPT, str(self.port), folder, point, str(count)]
        address = address_for(folder)
        if address is not None:
            command.append(address)
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(command, stdout=log, stderr=log)

    async def healthy(self) -> None:
        """Waits until the server answers, or has died already where it was to die."""
        began = time.monotonic()
        async with httpx.AsyncClient(base_url=self.address) as http:
            while True:
                with contextlib.suppress(httpx.HTTPError):
                    if (await http.get("/api/health")).is_success:
                        self.starts.append(time.monotonic() - began)
                        return
                if self._process is not None and self._process.poll() == -signal.SIGKILL:
                    return
                assert self.alive, self.log.read_text()[-2000:]
                await asyncio.sleep(0.05)

    @property
    def alive(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def kill(self) -> None:
        assert self._process is not None
        self._process.send_signal(signal.SIGKILL)
        self._process.wait()

    async def haunt(self, deaths: int, done: Callable[[], bool]) -> None:
        """Kills the server so many times, at marked points and at random instants."""
        for number in range(deaths):
            if number:
                self.start(POINTS[number % 4 - 1] if number % 4 else "never", self._count())
                await self.healthy()
            if number % 4 == 0:
                await asyncio.sleep(float(self.chance.uniform(0.02, 0.2)))  # games are short
                if done():
                    return
                self.kill()
            while self.alive:
                if done():
                    return
                await asyncio.sleep(0.02)
            self.deaths += 1
        self.start()
        await self.healthy()

    def _count(self) -> int:
        return int(self.chance.integers(5, 60))

    def end(self) -> None:
        if self.alive:
            self.kill()


@contextlib.asynccontextmanager
async def victim(folder: Path, seed: int = 0) -> AsyncIterator[Victim]:
    """A server to kill."""
    server = Victim(folder, np.random.default_rng(seed))
    server.start()
    try:
        await server.healthy()
        yield server
    finally:
        server.end()


async def tables_of_two(server: Victim, tables: int, **settings: object) -> list[Stranger]:
    """Strangers in pairs, each pair at a table of its own with a bot, the game begun."""
    everybody = []
    for number in range(tables):
        host = await Stranger(server.address, f"Ana{number}", number).come()
        await host.open(bots=1, **{"edition": "mini", **settings})
        guest = await (await Stranger(server.address, f"Bo{number}", number).come()).join(host)
        for each in (host, guest):
            await each.connect()
        await host.ask("start")
        everybody += [host, guest]
    return everybody


async def main() -> None:
    """`tests/killing.py TABLES DEATHS [SEED]`: two people a table, and a server that is killed."""
    tables, deaths = int(sys.argv[1]), int(sys.argv[2])
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else time.time_ns() % (1 << 31)
    print(f"seed {seed}", flush=True)
    warm_up()  # compiled once for all: a start is measured below, not a compiler
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        async with victim(folder, seed) as server:
            people = await tables_of_two(server, tables)
            playing = asyncio.gather(*(each.play_through() for each in people))
            await server.haunt(deaths, playing.done)
            await playing
            for each in people:
                await each.go()
        check(folder, people)
        slowest = max(server.starts)
        print(f"{tables} games finished, {server.deaths} deaths, nothing lost or doubled;")
        print(f"from exec to an answer: {slowest:.1f} s at most")


if __name__ == "__main__":
    asyncio.run(main())
