"""Servers: several workers of one Karma, with a PostgreSQL and a Redis of their own, all real."""

import asyncio
import contextlib
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import httpx
import psycopg
import websockets

from databases import ADDRESSES, Postgres
from killing import free_port
from stranger import Stranger

START_SECONDS = 300


class Redis:
    """A Redis of the tests' own, on a socket in a folder; it keeps nothing."""

    def __init__(self) -> None:
        if shutil.which("redis-server") is None:
            raise RuntimeError("Redis is not installed: make services, as root, installs it")
        self.folder = Path(tempfile.mkdtemp(prefix="karma-redis-"))
        self.address = f"unix://{self.folder}/socket"
        self.start()

    def start(self) -> None:
        settings = ["--port", "0", "--unixsocket", self.folder / "socket", "--save", ""]
        self.process = subprocess.Popen(
            ["redis-server", *settings], stdout=subprocess.DEVNULL, cwd=self.folder
        )
        until = time.monotonic() + START_SECONDS
        while subprocess.run(
            ["redis-cli", "-s", self.folder / "socket", "ping"], capture_output=True
        ).returncode:
            assert time.monotonic() < until, "Redis did not start"
            time.sleep(0.05)

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def end(self) -> None:
        self.kill()
        shutil.rmtree(self.folder, ignore_errors=True)


class Worker:
    """One process of `karma serve`, or one with several workers of its own."""

    def __init__(
        self, folder: Path, *flags: object, inside: Sequence[str] = (), python: object = None
    ) -> None:
        self._folder, self._flags = folder, flags
        self._log = folder / "server.log"
        self._told = folder / f"told-{time.monotonic_ns()}"
        command = [*inside, python or sys.executable, "-m", "karma", "serve", "--port", "0"]
        command += ["--no-limits", "--pace", "0", "--data", folder / "token", *flags]
        with self._log.open("ab") as log, self._told.open("wb") as told:
            self.process = subprocess.Popen(list(map(str, command)), stdout=told, stderr=log)
        self.address = ""

    def again(self) -> "Worker":
        """The same on the same port, as whoever looks after processes would start it."""
        port = self.address.rpartition(":")[2]
        return Worker(self._folder, *self._flags, "--port", port)

    async def ready(self) -> "Worker":
        """Waits until it answers."""
        async with asyncio.timeout(START_SECONDS), httpx.AsyncClient() as http:
            while True:
                found = re.search(r"served at (\S+)", self._told.read_text())
                if found:
                    self.address = found[1]
                    with contextlib.suppress(httpx.HTTPError):
                        if (await http.get(f"{self.address}/api/about")).is_success:
                            return self
                assert self.process.poll() is None, self._log.read_text()[-2000:]
                await asyncio.sleep(0.1)

    def send(self, number: signal.Signals) -> None:
        os.kill(self.process.pid, number)

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def end(self) -> None:
        if self.process.poll() is None:
            self.send(signal.SIGCONT)
            self.kill()


class Proxy:
    """An nginx before workers, set up as docs/workers.md says; it sends anybody anywhere."""

    def __init__(self, folder: Path, addresses: list[str]) -> None:
        if shutil.which("nginx") is None:
            raise RuntimeError("nginx is not installed: make services, as root, installs it")
        page = (Path(__file__).parent.parent / "docs" / "workers.md").read_text()
        location = page[
            page.index("    location / {") : page.index("\n}\n```", page.index("nginx"))
        ]
        zone = page[page.index("limit_req_zone") : page.index("upstream karma")]
        server = page[page.index("    server 10.0.0.1:8000") : page.index("    server 10.0.0.2")]
        servers = "".join(
            server.replace("10.0.0.1:8000", each.removeprefix("http://")) for each in addresses
        )
        port = free_port()
        self._settings = folder / "nginx.conf"
        self._settings.write_text(
            f"daemon off; worker_processes 1; pid {folder}/nginx.pid; error_log {folder}/nginx.log;"
            f" events {{}} http {{ access_log off; {temporary(folder)}"
            f" {zone} upstream karma {{ {servers} }}"
            f" server {{ listen 127.0.0.1:{port};\n{location}\n}} }}"
        )
        self.address = f"http://127.0.0.1:{port}"
        self._process = subprocess.Popen(["nginx", "-c", self._settings, "-p", folder])

    @property
    def log(self) -> str:
        """What it complains of."""
        return (self._settings.parent / "nginx.log").read_text()

    def end(self) -> None:
        self._process.terminate()
        self._process.wait()


def temporary(folder: Path) -> str:
    """Where an nginx keeps what it must not keep elsewhere."""
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    return " ".join(f"{kind}_temp_path {folder}/{kind};" for kind in kinds)


class House:
    """Two workers and what they share."""

    def __init__(self, folder: Path, postgres: Postgres | None = None) -> None:
        self.folder = folder
        self.postgres = postgres or Postgres("max_connections=200")
        self.redis = Redis()
        self.database = self.postgres.make("karma")
        (folder / "data").mkdir()
        ADDRESSES[(folder / "data").resolve()] = self.database
        self.workers: list[Worker] = []

    @property
    def shared(self) -> list[str]:
        """The flags of every worker."""
        return ["--database", self.database, "--redis", self.redis.address]

    async def add(self, number: int = 1, *flags: object) -> list[Worker]:
        """Starts workers, at once."""
        new = [Worker(self.folder, *self.shared, *flags) for _ in range(number)]
        self.workers += new
        return list(await asyncio.gather(*(each.ready() for each in new)))

    async def two(self) -> list[Worker]:
        """Two workers that run: those there are, and new ones for those that were killed."""
        self.workers = [each for each in self.workers if each.process.poll() is None]
        await self.add(2 - len(self.workers))
        return self.workers

    def end(self) -> None:
        for each in self.workers:
            each.end()
        self.redis.end()
        self.postgres.end()


@contextlib.contextmanager
def house(folder: Path, postgres: Postgres | None = None) -> Iterator[House]:
    """A database and a Redis; workers are added by the test."""
    made = House(folder, postgres)
    try:
        yield made
    finally:
        made.end()


class Roamer(Stranger):
    """A stranger who goes to another worker when one does not answer, as a proxy would see to."""

    def __init__(self, workers: list[Worker], name: str, seed: int = 0) -> None:
        super().__init__(workers[0].address, name, seed)
        self.workers = [each.address for each in workers]

    async def connect(self) -> "Roamer":
        try:
            await super().connect()
        except (OSError, websockets.WebSocketException, httpx.HTTPError, TimeoutError):
            await self.go_to(
                self.workers[(self.workers.index(self.address) + 1) % len(self.workers)]
            )
            raise
        return self

    async def go_to(self, address: str) -> None:
        """Uses another worker from now on."""
        await self.http.aclose()
        self.address, self.socket = address, None
        self.http = httpx.AsyncClient(base_url=address, timeout=60)

    async def wait_for(self, so: Any) -> None:
        """Reads until something is so."""
        await self.read_until(lambda: so(self.state))


def over(state: dict[str, Any]) -> bool:
    return bool(state["table"]["phase"] == "over")


def at(ply: int) -> Callable[[dict[str, Any]], bool]:
    """Everybody has chosen and the game has come so far, or is over.

    While they choose, nobody is told how far the others are: who stopped then would leave them
    waiting.
    """

    def come(state: dict[str, Any]) -> bool:
        view = state.get("view")
        return over(state) or bool(view and view["phase"] != "choose" and view["ply"] >= ply)

    return come


async def lease(shared: House, table: str) -> tuple[str, int]:
    """Who owns a table, and how often that has changed; waits until somebody does."""
    async with asyncio.timeout(120):
        while True:
            with psycopg.connect(shared.database) as connection:
                row = connection.execute(
                    "SELECT owner, epoch FROM leases WHERE tbl = %s", (table,)
                ).fetchone()
            if row is not None:
                return str(row[0]), int(row[1])
            await asyncio.sleep(0.1)


def process_of(shared: House, worker: str) -> int:
    """The process of a worker, which it has told in its log."""
    log = (shared.folder / "server.log").read_text()
    return int(re.findall(rf'"worker": "{re.escape(worker)}", "process": (\d+)', log)[0])


async def owning_process(shared: House, table: str) -> int:
    """The process that owns a table; waits until the lease of one that was killed is another's."""
    async with asyncio.timeout(120):
        while True:
            owner, _ = await lease(shared, table)
            process = process_of(shared, owner)
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, 0)
                return process
            await asyncio.sleep(0.1)


async def two_seats(shared: House, one: Worker, other: Worker, **how: Any) -> list[Roamer]:
    """Ana at one worker, which owns the table, and Bo at the other; a bot between them."""
    workers = [one, other]
    ana, bo = Roamer(workers, "Ana"), Roamer(workers, "Bo", 1)
    for each in (ana, bo):
        await each.come()
    await ana.open(bots=1, **{"edition": "mini", **how})
    await ana.connect()
    await lease(shared, ana.table)
    await bo.go_to(other.address)
    await bo.join(ana)
    await bo.connect()
    await ana.wait_for(lambda state: len(state["seats"]) == 3 and state["seats"][2]["connected"])
    await ana.ask("start")
    return [ana, bo]


async def finish(people: list[Roamer]) -> None:
    async with asyncio.timeout(300):
        await asyncio.gather(*(each.play_through() for each in people))
    for each in people:
        await each.go()


async def answers(http: httpx.AsyncClient, path: str) -> None:
    """Waits until a page is there."""
    async with asyncio.timeout(200):
        while True:
            with contextlib.suppress(httpx.HTTPError):
                if (await http.get(path)).is_success:
                    return
            await asyncio.sleep(0.1)
