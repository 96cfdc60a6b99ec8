"""A stranger's client, written from docs/protocol.md alone: it knows JSON, sockets and no rules."""

import asyncio
import hashlib
import itertools
import json
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import httpx
import numpy as np
import websockets

Json = dict[str, Any]
EVERYBODY: list["Stranger"] = []
READ_SECONDS = 240  # the first game of a machine compiles the rules


async def send_everybody_home() -> None:
    """Closes what strangers have left open, after a test that failed or did not care."""
    while EVERYBODY:
        await EVERYBODY.pop().go()


def text(word: str) -> bytes:
    data = word.encode()
    return bytes([len(data)]) + data


def promise(table: str, game: int, seat: int, seed: bytes) -> str:
    """The commitment to a seat's seed, by the page's bytes."""
    head = text("karma fair seed") + b"\x01" + text(table) + game.to_bytes(4, "big")
    return hashlib.sha256(head + bytes([seat]) + seed).hexdigest()


class Stranger:
    """A player with a token, who comes back after every lost connection."""

    def __init__(
        self, address: str, name: str, seed: int = 0, *, source: str | None = None
    ) -> None:
        self.address = address
        self.name = name
        self.chance = np.random.default_rng([seed, *name.encode()])
        self.source = source
        transport = httpx.AsyncHTTPTransport(local_address=source)
        self.http = httpx.AsyncClient(base_url=address, timeout=READ_SECONDS, transport=transport)
        self._sockets: list[Any] = []
        EVERYBODY.append(self)
        self.token = ""
        self.table = ""
        self.invite: str | None = None
        self.frames: list[str] = []
        self.version: int | None = None
        self.state: Json = {}
        self.happened: list[Json] = []
        self.answers: dict[str, Json] = {}
        self.pending: dict[str, Json] = {}
        self.socket: Any = None
        self.patience: float = READ_SECONDS
        """After how much silence a connection counts as lost; heartbeats are answered."""
        self.closed: tuple[int, str] | None = None
        self._greeted: deque[int] = deque()
        """The versions that were named in greetings, until they are answered."""
        self._beating: asyncio.Task[None] | None = None
        self._ids = itertools.count()

    # ---- HTTP -----------------------------------------------------------------------------------

    async def come(self) -> "Stranger":
        answer = await self.post("/api/player", {"name": self.name, "bearer": True})
        self.token = answer["token"]
        return self

    async def post(self, path: str, body: Json | None = None) -> Json:
        response = await self.http.post(path, json=body, headers=self.bearer)
        assert response.status_code < 400, (path, response.text)
        return response.json() if response.content else {}

    async def get(self, path: str) -> Json:
        response = await self.http.get(path, headers=self.bearer)
        assert response.status_code < 400, (path, response.text)
        return response.json()  # type: ignore[no-any-return]

    @property
    def bearer(self) -> dict[str, str]:
        return {"authorization": f"Bearer {self.token}"} if self.token else {}

    async def open(
        self, *, bots: int = 0, level: str = "greedy", start: bool = False, **settings: Any
    ) -> "Stranger":
        body = {"settings": settings, "bots": [level] * bots, "start": start}
        self._sit(await self.post("/api/tables", body))
        return self

    async def join(self, other: "Stranger", **how: Any) -> "Stranger":
        body = {"invite": other.invite, **how}
        self._sit(await self.post(f"/api/tables/{other.table}/join", body))
        return self

    def _sit(self, joined: Json) -> None:
        self.table, self.invite = joined["table"], joined["invite"]

    # ---- the socket -----------------------------------------------------------------------------

    async def connect(self) -> "Stranger":
        """Connects, says hello with the last version, and repeats what was not answered."""
        url = self.address.replace("http", "ws", 1) + f"/api/tables/{self.table}/socket"
        self.socket = await websockets.connect(
            url,
            additional_headers=self.bearer,
            open_timeout=self.patience,
            ping_interval=None,  # a server whose rules are being compiled answers late
            max_queue=None,
            local_addr=(self.source, 0) if self.source else None,
        )
        self._sockets.append(self.socket)
        self._greeted.clear()
        if self._beating is not None:
            self._beating.cancel()
        self._beating = asyncio.create_task(self._beat(self.socket))
        await self.send({"type": "hello", "protocol": 1, "version": self.version})
        for message in list(self.pending.values()):
            await self.send(message)
        await self.read_until(lambda: self.frames and "welcome" in self.frames[-1][:20])
        return self

    async def _beat(self, socket: Any) -> None:
        with suppress(websockets.ConnectionClosed):
            while True:
                await asyncio.sleep(5)
                await socket.send('{"type": "heartbeat"}')

    async def send(self, message: Json) -> None:
        if message["type"] == "hello":
            self._greeted.append(message["version"] or 0)
        await self.socket.send(json.dumps(message))

    async def read(self) -> Json:
        """The next message, kept."""
        frame = await asyncio.wait_for(self.socket.recv(), self.patience)
        self.frames.append(frame)
        message: Json = json.loads(frame)
        kind = message["type"]
        if kind in ("welcome", "update"):
            steps = message["missed" if kind == "welcome" else "happened"]
            if kind == "update" and steps:
                assert steps[0]["version"] == self.version + 1
            if kind == "welcome" and (since := self._greeted.popleft()) <= message["version"]:
                assert all(step["version"] > since for step in steps), "told what was known"
                # Who greets twice with one version is told twice what is new since then.
                steps = [step for step in steps if step["version"] > (self.version or 0)]
            self.version = message["version"]
            self.happened += steps
            for part in ("you", "table", "seats", "view"):
                if message[part] is not None:
                    self.state[part] = message[part]
        elif kind in ("ack", "refused"):
            self.answers[message["id"]] = message
            self.pending.pop(message["id"], None)
        return message

    async def read_until(self, done: Callable[[], Any]) -> None:
        while not done():
            await self.read()

    async def ask(self, kind: str, **fields: Any) -> Json:
        """Sends an action and returns its answer."""
        message = self.action(kind, **fields)
        await self.send(message)
        await self.read_until(lambda: message["id"] in self.answers)
        return self.answers[message["id"]]

    def action(self, kind: str, **fields: Any) -> Json:
        message = {"type": kind, "id": f"{self.name.replace(' ', '')}.{next(self._ids)}", **fields}
        self.pending[message["id"]] = message
        return message

    # ---- playing --------------------------------------------------------------------------------

    def move(self) -> Json | None:
        """What to answer now, at random; None if nothing is asked."""
        table, you, view = self.state["table"], self.state["you"], self.state.get("view")
        seat, game = you["seat"], table["game"]
        if self.pending or seat is None:
            return None
        if table["phase"] == "deal":
            fair, part = table["fair"], table["fair"]["seats"][seat]
            seed = hashlib.sha256(f"{self.name} {game}".encode()).digest()
            if fair["state"] == "committing" and part["commitment"] is None:
                commitment = promise(table["table"], game, seat, seed)
                return self.action("commit", game=game, commitment=commitment)
            if fair["state"] == "revealing" and part["commitment"] and part["seed"] is None:
                return self.action("reveal", game=game, seed=seed.hex())
            return None
        if table["phase"] != "playing" or table["paused"] or not view or not view["legal"]:
            return None
        # Picking up without need makes games long.
        legal = [move for move in view["legal"] if move != "P"] or ["P"]
        picked = legal[int(self.chance.integers(len(legal)))]
        return self.action("act", game=game, ply=view["ply"], moves=[picked])

    async def play(self, until: Callable[[Json], Any] | None = None) -> None:
        """Plays until the game is over, or until something else is so."""
        until = until or (lambda state: state["table"]["phase"] == "over")
        while not until(self.state):
            message = self.move()
            if message is not None:
                await self.send(message)
            await self.read()

    async def play_through(self, until: Callable[[Json], Any] | None = None) -> None:
        """The same, through lost connections."""
        until = until or (lambda state: state["table"]["phase"] == "over")
        while True:
            try:
                if self.socket is None:
                    await self.connect()
                await self.play(until)
                return
            except (OSError, websockets.WebSocketException, httpx.HTTPError):
                if self.socket is not None:
                    self.socket.transport.abort()  # or a dead line would be closed politely
                self.socket = None
                await asyncio.sleep(0.3)

    async def go(self) -> None:
        if self._beating is not None:
            self._beating.cancel()
        for socket in self._sockets:
            await socket.close()
        await self.http.aclose()
