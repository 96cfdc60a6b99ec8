"""Load: many tables of people at a real server; latency, losses, CPU for an action, memory.

`python tests/load.py --tables 100 --seats 6 --rate 60 --seconds 30` starts a server, fills its
tables, and has people act at a steady rate all together. The time of an action runs from sending it
until every seat of its table has seen it; the first game's choosing is over before the measuring
begins. Each line printed is one JSON object: people alone; the same with as many clients as a fifth
of them that never read; the same beside tables of bots; then everybody's connection is lost at
once; then the server is killed. With `--workers 1 2 4`, all of it once more on a PostgreSQL and a
Redis that it starts, served by so many workers.
"""

import argparse
import asyncio
import contextlib
import gc
import json
import resource
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import uvloop

import processes
from bare_socket import BareSocket
from houses import OnPostgres, OnSqlite
from load_server import Http, Nginx, Server
from stranger import promise

SEED = bytes(32)
SILENCE_SECONDS, BEAT_SECONDS = 4, 15  # as browsers do
FIRST_PAUSE, LONGEST_PAUSE = 0.5, 4.0
CHANCE = np.random.default_rng(1)


class Seat:
    """One person: a socket, and the newest view; comes back after every lost connection."""

    def __init__(self, table: "LoadTable", token: str) -> None:
        self.table, self.token = table, token
        self.socket: BareSocket | None = None
        self.view: dict[str, Any] | None = None
        self.info: dict[str, Any] = {}
        self.you: dict[str, Any] = {}
        self.version = 0
        self.sent = 0
        self.heard = 0.0
        self.here = False
        self._step: Any = None

    async def live(self, port: int) -> None:
        path = f"/api/tables/{self.table.name}/socket"
        beating = asyncio.create_task(self._beat())
        pause = FIRST_PAUSE
        try:
            while True:
                with contextlib.suppress(OSError):
                    self.socket = await BareSocket.to(port, path, self.token, self._take)
                    self.send(type="hello", protocol=1, version=self.version)
                    pause = FIRST_PAUSE
                    await self.socket.closed
                self.here = False
                await asyncio.sleep(CHANCE.uniform(0, pause))
                pause = min(2 * pause, LONGEST_PAUSE)
        finally:
            beating.cancel()
            if self.socket is not None:
                self.socket.abort()

    def drop(self) -> None:
        """Loses the connection."""
        self.here = False
        if self.socket is not None:
            self.socket.abort()

    async def _beat(self) -> None:
        """A heartbeat after every silence, and now and then whatever comes."""
        at_least = time.perf_counter() + CHANCE.uniform(0, BEAT_SECONDS)  # people came one by one
        asked = 0.0
        while True:
            due = min(max(self.heard, asked) + SILENCE_SECONDS, at_least)
            await asyncio.sleep(max(due - time.perf_counter(), 0.01))
            now = time.perf_counter()
            if now < min(max(self.heard, asked) + SILENCE_SECONDS, at_least):
                continue  # something has come meanwhile
            asked = now
            while at_least <= now:  # no pause of this process brings their hearts into step
                at_least += BEAT_SECONDS
            if self.here:
                self.send(type="heartbeat")

    def send(self, **message: Any) -> None:
        if self.socket is not None:
            self.socket.send(msgspec.json.encode(message))

    def _take(self, frame: bytes) -> None:
        self.heard = time.perf_counter()
        message = msgspec.json.decode(frame)
        kind = message["type"]
        if kind == "ack":
            self.table.acked += 1
        elif kind == "refused":
            self.table.refused.append(message["code"])
        if kind not in ("welcome", "update"):
            return
        self.here = True
        steps = message["happened"] if kind == "update" else []
        if steps and steps[0]["version"] != self.version + 1:
            self.table.gaps += 1
        self.version = message["version"]
        self.view = message["view"] or self.view
        self.info = message["table"] or self.info
        self.you = message["you"] or self.you
        self.table.seen(self)
        if kind == "welcome" or message["table"]:
            self._share()

    def _share(self) -> None:
        fair, seat = self.info["fair"], self.you["seat"]
        step = self.info["phase"], self.info["game"], fair and fair["state"]
        if step == self._step:
            return
        self._step = step
        if self.info["phase"] == "over" and self.you["host"]:
            self.act(type="start")
        elif self.info["phase"] == "deal" and fair is not None:
            part, game = fair["seats"][seat], self.info["game"]
            if fair["state"] == "committing" and part["commitment"] is None:
                commitment = promise(self.table.name, game, seat, SEED)
                self.act(type="commit", game=game, commitment=commitment)
            elif fair["state"] == "revealing" and part["seed"] is None:
                self.act(type="reveal", game=game, seed=SEED.hex())

    def act(self, **message: Any) -> None:
        self.sent += 1
        self.table.sent += 1
        self.send(id=f"a{self.sent}", **message)


class LoadTable:
    """A table, and the action under way at it."""

    def __init__(self, name: str, tokens: list[str], invite: str) -> None:
        self.name, self.invite = name, invite
        self.seats = [Seat(self, token) for token in tokens]
        self.sent = self.acked = self.gaps = 0
        self.refused: list[str] = []
        self.times: list[float] = []
        self._began: float | None = None
        self._from = 0

    def seen(self, seat: Seat) -> None:
        if self._began is not None and all(s.version > self._from for s in self.seats):
            self.times.append(time.perf_counter() - self._began)
            self._began = None

    @property
    def lost(self) -> int:
        return self.sent - self.acked - len(self.refused)

    def act(self, chance: np.random.Generator) -> bool:
        """Has somebody act whose turn it is; False if nobody can now."""
        if self._began is not None:
            return False
        for seat in self.seats:
            view = seat.view
            if view and view["legal"] and seat.info["phase"] == "playing":
                self._from = max(s.version for s in self.seats)
                self._began = time.perf_counter()
                moves, game = _moves(view, chance), seat.info["game"]
                seat.act(type="act", game=game, ply=view["ply"], moves=moves)
                return True
        return False


def _moves(view: dict[str, Any], chance: np.random.Generator) -> list[str]:
    """One move by chance, or the three cards to choose; picking up only if there is no other."""
    if view["phase"] == "choose":
        return [f"^{card}" for card in chance.choice(view["hand"], 3, replace=False)]
    legal = [move for move in view["legal"] if move != "P"] or ["P"]
    return [legal[int(chance.integers(len(legal)))]]


async def new_table(port: int, seats: int, settings: dict[str, Any], bots: int = 0) -> LoadTable:
    """A table full of people, or of one and bots, over HTTP."""
    http = await Http.to(port)
    tokens = [await http.player() for _ in range(seats)]
    body = {"settings": settings, "bots": ["steady"] * bots}
    made = await http.post("/tables", body, tokens[0])
    for token in tokens[1:]:
        await http.post(f"/tables/{made['table']}/join", {"invite": made["invite"]}, token)
    http.close()
    return LoadTable(made["table"], tokens, made["invite"])


async def in_groups(jobs: list[Any], size: int = 20) -> list[Any]:
    done: list[Any] = []
    for start in range(0, len(jobs), size):
        done += await asyncio.gather(*jobs[start : start + size])
    return done


class Crowd:
    """Everybody at all tables."""

    def __init__(self, server: Server, options: argparse.Namespace) -> None:
        self.server = server
        self.options = options
        self.chance = np.random.default_rng(0)
        self.tables: list[LoadTable] = []
        self.living: list[asyncio.Task[None]] = []

    @property
    def seats(self) -> list[Seat]:
        return [seat for table in self.tables for seat in table.seats]

    async def sit(self) -> float:
        """Fills the tables and begins a game at each; returns the KiB that a player takes."""
        port, before = self.server.door, self.server.memory
        settings = {"edition": self.options.edition, "spectators": "live"}
        people = self.options.seats
        self.tables = await in_groups(
            [new_table(port, people, settings) for _ in range(self.options.tables)]
        )
        self.living += [asyncio.create_task(seat.live(port)) for seat in self.seats]
        await self.until_here()
        for table in self.tables:
            table.seats[0].act(type="start")
        while not all(seat.view and seat.view["phase"] != "choose" for seat in self.seats):
            for table in self.tables:
                table.act(self.chance)
            await asyncio.sleep(0.1)
        while any(table.lost for table in self.tables):
            await asyncio.sleep(0.1)
        kib = (self.server.memory - before) / len(self.seats) / 1024
        gc.collect()  # a pause of the generator would look like one of the server
        gc.freeze()
        gc.disable()
        await asyncio.sleep(2)
        return kib

    async def until_here(self) -> None:
        while not all(seat.here for seat in self.seats):
            await asyncio.sleep(0.02)

    async def play(self, rate: float | None = None) -> dict[str, Any]:
        """Has people act at a steady rate; the figures."""
        rate = rate or self.options.rate
        for table in self.tables:
            table.times.clear()
        cpu, own, everybody = self.server.cpu, time.process_time(), processes.busy()
        sent = sum(table.sent for table in self.tables)
        began, acts, turn = time.perf_counter(), 0, 0
        while (elapsed := time.perf_counter() - began) < self.options.seconds:
            while acts < elapsed * rate:
                for _ in range(len(self.tables)):
                    turn += 1
                    if self.tables[turn % len(self.tables)].act(self.chance):
                        acts += 1
                        break
                else:
                    break
            await asyncio.sleep(0.001)
        cpu, own = self.server.cpu - cpu, time.process_time() - own
        others = processes.busy() - everybody - cpu - own
        elapsed = time.perf_counter() - began
        sent = sum(table.sent for table in self.tables) - sent
        await asyncio.sleep(1)
        times = np.array([each for table in self.tables for each in table.times]) * 1000
        return {
            "actions": acts,
            "actions_a_second": round(acts / elapsed, 1),
            "requests_a_second": round(sent / elapsed, 1),  # and what begins new games
            "p50_ms": round(float(np.percentile(times, 50)), 2),
            "p99_ms": round(float(np.percentile(times, 99)), 2),
            "cpu_ms_an_action": round(cpu / acts * 1000, 3),
            "cpu_of_server": round(cpu / elapsed, 2),
            "cpu_of_generator": round(own / elapsed, 2),
            "cpu_of_others": round(others / elapsed, 2),
            "lost": sum(table.lost for table in self.tables),
            "refused": Counter(code for table in self.tables for code in table.refused),
            "gaps": sum(table.gaps for table in self.tables),
        }

    @contextlib.asynccontextmanager
    async def deaf(self) -> AsyncIterator[None]:
        """Beside every five people, one who never reads, and comes back whenever cut off."""
        port = self.server.door

        async def stay(table: LoadTable, token: str) -> None:
            while True:
                await asyncio.sleep(CHANCE.uniform(0, 2 * LONGEST_PAUSE))
                with contextlib.suppress(OSError):
                    await _watch_without_reading(port, table.name, token)

        async def come(table: LoadTable) -> asyncio.Task[None]:
            http = await Http.to(port)
            token = await http.player()
            body = {"invite": table.invite, "spectate": True}
            await http.post(f"/tables/{table.name}/join", body, token)
            http.close()
            return asyncio.create_task(stay(table, token))

        wanted = len(self.seats) // 5
        tables = [self.tables[number % len(self.tables)] for number in range(wanted)]
        staying = await in_groups([come(table) for table in tables])
        await asyncio.sleep(3 * LONGEST_PAUSE)
        yield
        await end(staying)

    @contextlib.asynccontextmanager
    async def bots(self) -> AsyncIterator[None]:
        """Fifty tables of one person and bots, who play all the time."""
        port = self.server.door
        settings = {"edition": self.options.edition}
        tables = await in_groups([new_table(port, 1, settings, bots=3) for _ in range(50)])
        living = [asyncio.create_task(table.seats[0].live(port)) for table in tables]

        async def go_on(table: LoadTable) -> None:
            while True:
                await asyncio.sleep(CHANCE.uniform(0.25, 0.75))
                if table.seats[0].info.get("phase") == "lobby":
                    table.seats[0].act(type="start")
                table.act(self.chance)

        going = [asyncio.create_task(go_on(table)) for table in tables]
        await asyncio.sleep(3 * LONGEST_PAUSE)
        yield
        await end([*going, *living])

    async def come_back(self) -> tuple[float, float]:
        """All connections are lost: seconds until everybody is back, and the server's of CPU."""
        cpu = self.server.cpu
        for seat in self.seats:
            seat.drop()
        began = time.perf_counter()
        await self.until_here()
        return time.perf_counter() - began, self.server.cpu - cpu

    async def survive(self) -> tuple[float, float]:
        """The server is killed: seconds from exec to listening, and until everybody is back."""
        self.server.end(signal.SIGKILL)
        for seat in self.seats:
            seat.here = False
        began = time.perf_counter()
        await self.server.start()
        listening = time.perf_counter() - began
        await self.until_here()
        return listening, time.perf_counter() - began


async def _watch_without_reading(port: int, table: str, token: str) -> None:
    """Connects, says hello, and reads nothing until the server cuts the connection."""
    loop = asyncio.get_running_loop()
    with socket.socket() as raw:
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        raw.setblocking(False)
        await loop.sock_connect(raw, ("127.0.0.1", port))
        head = f"GET /api/tables/{table}/socket HTTP/1.1\r\nhost: load\r\nupgrade: websocket\r\n"
        head += "connection: upgrade\r\nsec-websocket-version: 13\r\n"
        head += f"sec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\nauthorization: Bearer {token}\r\n"
        await loop.sock_sendall(raw, head.encode() + b"\r\n")
        await loop.sock_recv(raw, 64)
        while True:  # asks for the whole truth again and again, and takes none of it
            hello = b'{"type":"hello","protocol":1}'
            await loop.sock_sendall(raw, bytes([0x81, 0x80 | len(hello)]) + bytes(4) + hello)
            await asyncio.sleep(10)


async def end(tasks: list[asyncio.Task[None]]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


def tell(what: str, **figures: Any) -> None:
    print(json.dumps({"what": what, **figures}), flush=True)


async def measure(house: OnSqlite | OnPostgres, options: argparse.Namespace) -> None:
    server = Server([*house.flags, *options.flag])
    nginx = None
    if options.behind_nginx and isinstance(house, OnPostgres):
        nginx = Nginx(house.folder, server.port)
        server.door = nginx.port
    crowd = Crowd(server, options)
    try:
        await server.start()
        kib = await crowd.sit()
        before = _figures(house, nginx)
        with _flames(server, options):
            figures = await crowd.play()
        tell(
            "people",
            server=house.name,
            sockets=len(crowd.seats),
            tables=len(crowd.tables),
            kib_a_player=round(kib, 1),
            **figures,
            **_an_action(before, _figures(house, nginx), figures["actions"]),
        )
        if options.peak:
            tell(
                "as many actions as asked for", asked=options.peak, **await crowd.play(options.peak)
            )
        if not options.only_people:
            await suffer(server, crowd)
    finally:
        await end(crowd.living)
        server.end()
        if nginx is not None:
            nginx.end()


def _figures(house: OnSqlite | OnPostgres, nginx: Nginx | None) -> dict[str, float]:
    """What everything beside the server has had to do so far."""
    return house.figures() | ({"cpu_of_nginx": nginx.cpu} if nginx is not None else {})


@contextlib.contextmanager
def _flames(server: Server, options: argparse.Namespace) -> Iterator[None]:
    """Has py-spy draw what the server does meanwhile, if that is wanted; it slows it down."""
    if options.flames is None:
        yield
        return
    command = [Path(sys.executable).with_name("py-spy"), "record", "--rate", "150"]
    command += ["--duration", str(round(options.seconds)), "--output", options.flames]
    with subprocess.Popen([*command, "--pid", str(server.processes[0])]):
        yield


def _an_action(before: dict[str, float], after: dict[str, float], actions: int) -> dict[str, float]:
    """What the database had to do for an action: statements, milliseconds of the processor."""
    spent = {what: (after[what] - before[what]) / actions for what in after}
    return {
        f"{what}_an_action" if what == "statements" else f"{what}_ms_an_action": round(
            each if what == "statements" else each * 1000, 3
        )
        for what, each in spent.items()
    }


async def suffer(server: Server, crowd: Crowd) -> None:
    """The same beside clients that never read, beside bots, and after losing everything."""
    before = server.memory
    async with crowd.deaf():
        figures = await crowd.play()
        more = (server.memory - before) / (len(crowd.seats) // 5) / 1024
        tell("a fifth never reads", kib_a_deaf_client=round(more, 1), **figures)
    async with crowd.bots():
        tell("beside 50 tables of bots", **await crowd.play())
    back, cpu = await crowd.come_back()
    tell("all reconnect", seconds=round(back, 2), cpu_seconds=round(cpu, 2))
    listening, back = await crowd.survive()
    tell(
        "killed",
        listening=round(listening, 2),
        all_back=round(back, 2),
        cpu_seconds=round(server.cpu, 2),
    )


async def measure_all(options: argparse.Namespace) -> None:
    """The server on SQLite, and then on PostgreSQL with each number of workers."""
    for workers in (0, *options.workers):
        with tempfile.TemporaryDirectory() as folder:
            kept = Path(folder)
            house = OnPostgres(kept, workers) if workers else OnSqlite(kept)
            try:
                await measure(house, options)
            finally:
                house.end()


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--tables", type=int, default=100)
    parser.add_argument("--seats", type=int, default=6)
    parser.add_argument("--rate", type=float, default=60)
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--edition", default="classic")
    parser.add_argument("--only-people", action="store_true")
    parser.add_argument("--peak", type=float, help="then so many actions a second, if they can be")
    parser.add_argument("--flames", type=Path, help="an SVG of what the server's time goes to")
    parser.add_argument(
        "--behind-nginx", action="store_true", help="whatever runs on PostgreSQL, not SQLite"
    )
    parser.add_argument(
        "--workers",
        type=int,
        nargs="*",
        default=[],
        help="after SQLite, the same on PostgreSQL with each of these numbers of workers",
    )
    parser.add_argument("--flag", action="append", default=[], help="given to karma serve")
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    uvloop.run(measure_all(parser.parse_args()))


if __name__ == "__main__":
    main()
