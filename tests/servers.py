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
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
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

    def __init__(self, folder: Path, *flags: object) -> None:
        self._log = folder / "server.log"
        self._told = folder / f"told-{time.monotonic_ns()}"
        command = [sys.executable, "-m", "karma", "serve", "--port", "0", "--no-limits"]
        command += ["--pace", "0", "--data", folder / "token", *map(str, flags)]
        with self._log.open("ab") as log, self._told.open("wb") as told:
            self.process = subprocess.Popen(command, stdout=told, stderr=log)
        self.address = ""

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

    def __init__(self, folder: Path, workers: list[Worker]) -> None:
        if shutil.which("nginx") is None:
            raise RuntimeError("nginx is not installed: make services, as root, installs it")
        page = (Path(__file__).parent.parent / "docs" / "workers.md").read_text()
        location = page[
            page.index("    location / {") : page.index("\n}\n```", page.index("nginx"))
        ]
        servers = "".join(f"server {each.address.removeprefix('http://')};" for each in workers)
        port = free_port()
        self._settings = folder / "nginx.conf"
        self._settings.write_text(
            f"daemon off; worker_processes 1; pid {folder}/nginx.pid; error_log {folder}/nginx.log;"
            f" events {{}} http {{ access_log off; {_temporary(folder)}"
            f" upstream karma {{ {servers} }} server {{ listen 127.0.0.1:{port};\n{location}\n}} }}"
        )
        self.address = f"http://127.0.0.1:{port}"
        self._process = subprocess.Popen(["nginx", "-c", self._settings, "-p", folder])

    def end(self) -> None:
        self._process.terminate()
        self._process.wait()


def _temporary(folder: Path) -> str:
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    return " ".join(f"{kind}_temp_path {folder}/{kind};" for kind in kinds)


class House:
    """Two workers and what they share."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.postgres = Postgres("max_connections=200")
        self.redis = Redis()
        self.database = self.postgres.make("karma")
        (folder / "data").mkdir()
        ADDRESSES[(folder / "data").resolve()] = self.database
        self.workers: list[Worker] = []

    async def add(self, number: int = 1, *flags: object) -> list[Worker]:
        """Starts workers, at once."""
        shared = ["--database", self.database, "--redis", self.redis.address]
        new = [Worker(self.folder, *shared, *flags) for _ in range(number)]
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
def house(folder: Path) -> Iterator[House]:
    """A database and a Redis; workers are added by the test."""
    made = House(folder)
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
            await self.go_to(self.workers[(self.workers.index(self.address) + 1) % 2])
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
