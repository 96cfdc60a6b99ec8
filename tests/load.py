"""Load: many tables of people at a real server; latency, losses, CPU for an action, memory.

`python tests/load.py --tables 100 --seats 6 --rate 60 --seconds 30` starts a server, fills its
tables, and has people act at a steady rate all together; it prints one JSON object. The time of an
action runs from sending it until every seat of its table has seen it.
"""

import argparse
import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import httpx
import msgspec
import numpy as np
import websockets

from killing import free_port
from stranger import promise

TICKS = os.sysconf("SC_CLK_TCK")
SEED = bytes(32)


class Seat:
    """One person: a socket, and the newest view."""

    def __init__(self, table: "LoadTable", token: str) -> None:
        self.table, self.token = table, token
        self.view: dict[str, Any] | None = None
        self.info: dict[str, Any] = {}
        self.you: dict[str, Any] = {}
        self.version = 0
        self.sent = 0
        self._step: Any = None

    async def live(self, address: str) -> None:
        url = address.replace("http", "ws", 1) + f"/api/tables/{self.table.name}/socket"
        headers = {"authorization": f"Bearer {self.token}"}
        async with websockets.connect(
            url, additional_headers=headers, compression=None, open_timeout=120, ping_interval=None
        ) as self.socket:
            await self.send(type="hello", protocol=1)
            beating = asyncio.create_task(self._beat())
            try:
                async for frame in self.socket:
                    await self._take(msgspec.json.decode(frame))
            finally:
                beating.cancel()

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(10)
            await self.send(type="heartbeat")

    async def send(self, **message: Any) -> None:
        await self.socket.send(msgspec.json.encode(message).decode())

    async def _take(self, message: dict[str, Any]) -> None:
        kind = message["type"]
        if kind == "ack":
            self.table.acked += 1
        elif kind == "refused":
            self.table.refused.append(message["code"])
        if kind not in ("welcome", "update"):
            return
        steps = message["happened"] if kind == "update" else []
        if steps and steps[0]["version"] != self.version + 1:
            self.table.gaps += 1
        self.version = message["version"]
        self.view = message["view"] or self.view
        self.info = message["table"] or self.info
        self.you = message["you"] or self.you
        self.table.seen(self)
        if kind == "welcome" or message["table"]:
            await self._share()

    async def _share(self) -> None:
        fair, seat = self.info["fair"], self.you["seat"]
        step = self.info["phase"], self.info["game"], fair and fair["state"]
        if step == self._step:
            return
        self._step = step
        if self.info["phase"] == "over" and self.you["host"]:
            await self.act(type="start")
        elif self.info["phase"] == "deal" and fair is not None:
            part, game = fair["seats"][seat], self.info["game"]
            if fair["state"] == "committing" and part["commitment"] is None:
                commitment = promise(self.table.name, game, seat, SEED)
                await self.act(type="commit", game=game, commitment=commitment)
            elif fair["state"] == "revealing" and part["seed"] is None:
                await self.act(type="reveal", game=game, seed=SEED.hex())

    async def act(self, **message: Any) -> None:
        self.sent += 1
        self.table.sent += 1
        await self.send(id=f"a{self.sent}", **message)


class LoadTable:
    """A table, and the action under way at it."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.seats: list[Seat] = []
        self.sent = self.acked = self.gaps = 0
        self.refused: list[str] = []
        self.times: list[float] = []
        self._began: float | None = None
        self._from = 0

    def seen(self, seat: Seat) -> None:
        if self._began is not None and all(s.version > self._from for s in self.seats):
            self.times.append(time.perf_counter() - self._began)
            self._began = None

    async def act(self, chance: np.random.Generator) -> bool:
        """Has somebody act whose turn it is; False if nobody can now."""
        if self._began is not None:
            return False
        for seat in self.seats:
            view = seat.view
            if view and view["legal"] and seat.info["phase"] == "playing":
                legal = [move for move in view["legal"] if move != "P"] or ["P"]
                move = legal[int(chance.integers(len(legal)))]
                self._from = max(s.version for s in self.seats)
                self._began = time.perf_counter()
                game = seat.info["game"]
                await seat.act(type="act", game=game, ply=view["ply"], moves=[move])
                return True
        return False


def cpu_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def memory(pid: int) -> int:
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


async def fill(address: str, tables: int, seats: int, edition: str) -> list[LoadTable]:
    """Tables full of people, all over HTTP."""
    async with httpx.AsyncClient(base_url=address, timeout=120) as http:

        async def player() -> str:
            answer = await http.post("/api/player", json={"name": "load", "bearer": True})
            return str(answer.json()["token"])

        async def table() -> LoadTable:
            tokens = [await player() for _ in range(seats)]
            bearer = [{"authorization": f"Bearer {token}"} for token in tokens]
            body = {"settings": {"edition": edition}}
            made = (await http.post("/api/tables", json=body, headers=bearer[0])).json()
            for other in bearer[1:]:
                path = f"/api/tables/{made['table']}/join"
                await http.post(path, json={"invite": made["invite"]}, headers=other)
            full = LoadTable(made["table"])
            full.seats = [Seat(full, token) for token in tokens]
            return full

        made = []
        for start in range(0, tables, 20):
            made += await asyncio.gather(*(table() for _ in range(start, min(start + 20, tables))))
        return made


async def load(options: argparse.Namespace, address: str, pid: int) -> dict[str, Any]:
    """The whole run; the figures."""
    chance = np.random.default_rng(0)
    before = memory(pid)
    tables = await fill(address, options.tables, options.seats, options.edition)
    living = [asyncio.create_task(s.live(address)) for t in tables for s in t.seats]
    while not all(seat.info for table in tables for seat in table.seats):
        await asyncio.sleep(0.1)
    for table in tables:
        await table.seats[0].act(type="start")
    while not all(seat.view for table in tables for seat in table.seats):
        await asyncio.sleep(0.1)
    after = memory(pid)
    for table in tables:
        table.times.clear()
    cpu, began, acts, turn = cpu_seconds(pid), time.perf_counter(), 0, 0
    while (elapsed := time.perf_counter() - began) < options.seconds:
        while acts < elapsed * options.rate:
            for _ in range(len(tables)):
                turn += 1
                if await tables[turn % len(tables)].act(chance):
                    acts += 1
                    break
            else:
                break
        await asyncio.sleep(0.001)
    cpu, elapsed = cpu_seconds(pid) - cpu, time.perf_counter() - began
    await asyncio.sleep(1)
    for task in living:
        task.cancel()
    await asyncio.gather(*living, return_exceptions=True)
    times = np.array([each for table in tables for each in table.times]) * 1000
    players = options.tables * options.seats
    return {
        "sockets": players,
        "tables": options.tables,
        "actions": acts,
        "actions_a_second": round(acts / elapsed, 1),
        "p50_ms": round(float(np.percentile(times, 50)), 2),
        "p99_ms": round(float(np.percentile(times, 99)), 2),
        "cpu_ms_an_action": round(cpu / acts * 1000, 3),
        "kib_a_player": round((after - before) / players / 1024, 1),
        "lost": sum(table.sent - table.acked - len(table.refused) for table in tables),
        "refused": sum(len(table.refused) for table in tables),
        "gaps": sum(table.gaps for table in tables),
    }


async def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--tables", type=int, default=100)
    parser.add_argument("--seats", type=int, default=6)
    parser.add_argument("--rate", type=float, default=60)
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--edition", default="classic")
    options = parser.parse_args()
    port = free_port()
    address = f"http://127.0.0.1:{port}"
    with tempfile.TemporaryDirectory() as folder:
        flags = ["--no-limits", "--pace", "0", "--port", str(port), "--data", folder]
        server = subprocess.Popen(
            [sys.executable, "-m", "karma", "serve", *flags], stdout=subprocess.DEVNULL
        )
        try:
            async with httpx.AsyncClient(base_url=address) as http:
                while True:
                    try:
                        await http.get("/api/health")
                        break
                    except httpx.HTTPError:
                        if server.poll() is not None:
                            sys.exit("the server did not start")
                        await asyncio.sleep(0.2)
            print(json.dumps(await load(options, address, server.pid)))
        finally:
            server.terminate()
            server.wait()


if __name__ == "__main__":
    asyncio.run(main())
