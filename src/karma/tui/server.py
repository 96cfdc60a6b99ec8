"""A table on a server: its address, its HTTP side, and a connection that mends itself.

Speaks `docs/protocol.md`: heartbeats, reconnecting with the last version, requests sent again with
the same id until they are answered, and the seat's part in the fair deal.
"""

from __future__ import annotations

import asyncio
import re
import time
from contextlib import suppress
from dataclasses import dataclass
from http.client import HTTPException
from typing import Any, TypeVar
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus, WebSocketException

from karma.protocol import bodies, decode_server, messages
from karma.protocol.codes import PROTOCOL
from karma.protocol.messages import FromClient, FromServer
from karma.protocol.state import TableInfo, You
from karma.table import requests
from karma.tui.connection import TableGone
from karma.tui.home import Home
from karma.tui.seeds import Seeds

BEAT = 5.0
SILENCE = 10.0
FIRST_PAUSE, LONGEST_PAUSE = 0.5, 10.0
FINAL = {4002: "replaced", 4003: "seat_moved", 4004: "closed"}
TIMEOUT = 20
LARGEST = 4 * 1024 * 1024
T = TypeVar("T")


# A backslash that stands for itself is kept, and so are line ends and tabs between texts.
_CONTROL = re.compile(
    rb"(\\\\)|\\u00(?:[0189][0-9a-fA-F]|7[fF])|\\[bfnrt]|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]|\xc2[\x80-\x9f]"
)


class ServerError(Exception):
    """The server said no, or nothing; `code` is one of the protocol's, or `unreachable`."""

    def __init__(self, code: str, parameters: dict[str, Any] | None = None) -> None:
        super().__init__(code)
        self.code = code
        self.parameters = parameters or {}


@dataclass(frozen=True)
class Address:
    """Where a table is: the server, and an invite or the table's own name; neither: a new one."""

    server: str
    invite: str | None = None
    table: str | None = None

    @classmethod
    def parse(cls, url: str) -> Address:
        """An address such as ``http://host:8000/join/K7QM-3XPA`` or ``…/table/NAME``.

        >>> Address.parse("http://127.0.0.1:8000/join/K7QM-3XPA").invite
        'K7QM-3XPA'
        """
        parts = urlsplit(url if "://" in url else f"http://{url}")
        path = [part for part in parts.path.split("/") if part]
        server = f"{parts.scheme}://{parts.netloc}"
        match path if parts.scheme in ("http", "https") and parts.hostname else None:
            case []:
                return cls(server)
            case ["join", code]:
                return cls(server, invite=code)
            case ["table", name]:
                return cls(server, table=name)
        raise ValueError(f"{url!r} is not a table's address, like http://host:8000/join/K7QM-3XPA")


class Server:
    """A server's HTTP side, for one player."""

    def __init__(self, address: str, token: str | None = None) -> None:
        self.address = address
        self.token = token

    def introduce(self, name: str) -> str:
        """Becomes a player; returns the token, which is a secret."""
        body = bodies.NewPlayer(name=name, bearer=True)
        player = self._call("POST", "/api/player", bodies.Player, body)
        assert player.token is not None
        self.token = player.token
        return player.token

    def rename(self, name: str) -> None:
        """Takes another name."""
        self._call("PUT", "/api/player", bodies.Player, bodies.ChangePlayer(name=name))

    def known(self) -> bool:
        """Does the server know this player?"""
        try:
            self._call("GET", "/api/player", bodies.Player)
        except ServerError as error:
            if error.code == "unknown_token":
                return False
            raise
        return True

    def join(self, address: Address, *, spectate: bool, renamed: bool = False) -> bodies.Joined:
        """Sits down at a table, or watches; a seat that one has already is one's own."""
        if address.invite is None and address.table is None:
            return self._call("POST", "/api/tables", bodies.Joined, bodies.NewTable())
        look = self._look(address)
        table = look.table.table
        if look.you is not None and not renamed:
            return bodies.Joined(table=table, seat=look.you, invite=None, link=None)
        seat = None
        if look.table.phase in ("deal", "playing") and not spectate:
            bots = [seat for seat in look.seats if seat.bot is not None]
            free = [seat for seat in look.seats if seat.offered] or bots
            seat = free[0].seat if free else None
        body = bodies.Join(invite=address.invite, seat=seat, spectate=spectate)
        return self._call("POST", f"/api/tables/{table}/join", bodies.Joined, body)

    def _look(self, address: Address) -> bodies.Look:
        if address.invite is not None:
            return self._call("GET", f"/api/invites/{address.invite}", bodies.Look)
        return self._call("GET", f"/api/tables/{address.table}", bodies.Look)

    def _call(self, method: str, path: str, kind: type[T], body: Any = None) -> T:
        data = None if body is None else msgspec.json.encode(body)
        request = Request(self.address + path, data, method=method)
        request.add_header("content-type", "application/json")
        if self.token is not None:
            request.add_header("authorization", f"Bearer {self.token}")
        try:
            with urlopen(request, timeout=TIMEOUT) as answer:
                return msgspec.json.decode(harmless(answer.read(LARGEST)), type=kind)
        except HTTPError as error:
            with error:
                raise _refusal(error.read(LARGEST)) from None
        except (URLError, HTTPException, OSError, msgspec.MsgspecError):
            raise ServerError("unreachable") from None


def reach(address: Address, home: Home, name: str | None, *, spectate: bool) -> tuple[Server, str]:
    """The server as a player it knows, and the table; the token is kept, so that the seat is too.

    A name that is given counts; without one, who comes back keeps theirs.
    """
    server = Server(address.server, home.token(address.server))
    if server.token is None or not server.known():
        home.keep_token(address.server, server.introduce(name or home.player_name))
    elif name is not None:
        server.rename(name)
    renamed = name is not None
    return server, server.join(address, spectate=spectate, renamed=renamed).table


def harmless(text: bytes | str) -> bytes:
    """JSON of a stranger's server without control characters, which a terminal would obey."""
    data = text.encode() if isinstance(text, str) else text
    return _CONTROL.sub(lambda found: found[1] or b" ", data)


def _refusal(body: bytes) -> ServerError:
    try:
        problem = msgspec.json.decode(harmless(body))
        return ServerError(str(problem["code"]), dict(problem["parameters"]))
    except (msgspec.MsgspecError, KeyError, TypeError, ValueError):
        return ServerError("unreachable")


class ServerConnection:
    """The connection to a table on a server."""

    def __init__(self, server: Server, table: str) -> None:
        address = "ws" + server.address.removeprefix("http")
        self._url = f"{address}/api/tables/{table}/socket"
        self._token = server.token
        self._inbox: asyncio.Queue[FromServer | TableGone] = asyncio.Queue()
        self._unanswered: dict[str, requests.Request] = {}
        self._socket: ClientConnection | None = None
        self._version: int | None = None
        self._heard = 0.0
        self._down_since: float | None = time.monotonic()
        self._seeds = Seeds()
        self._said: set[str] = set()
        self._you: You | None = None
        self._table: TableInfo | None = None
        self._task = asyncio.get_running_loop().create_task(self._keep())

    @property
    def away(self) -> int | None:
        """For how many seconds the connection has been down; None while it is live."""
        if self._socket is not None and time.monotonic() - self._heard < SILENCE:
            return None
        since = self._down_since if self._down_since is not None else self._heard
        return int(time.monotonic() - since)

    @property
    def left_out(self) -> bool:
        """Whether our seed is not in the present deal, and nobody has said to play on."""
        return self._seeds.left_out

    def play_on(self) -> None:
        """Plays these cards all the same."""
        self._seeds.play_on()

    async def send(self, message: FromClient) -> None:
        """Sends a message, or keeps it to be sent when the connection is up again."""
        if isinstance(message, requests.Request):
            self._unanswered[message.id] = message
        await self._transmit(message)

    async def receive(self) -> FromServer:
        """The next message from the table."""
        message = await self._inbox.get()
        if isinstance(message, TableGone):
            raise message
        return message

    async def close(self) -> None:
        """Hangs up; the seat stays its player's."""
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)

    # ---- keeping it up --------------------------------------------------------------------------

    async def _keep(self) -> None:
        pause = FIRST_PAUSE
        while True:
            try:
                headers = {"Authorization": f"Bearer {self._token}"}
                async with connect(
                    self._url, additional_headers=headers, ping_interval=None, max_size=LARGEST
                ) as socket:
                    pause = FIRST_PAUSE
                    await self._talk(socket)
            except ConnectionClosed as closed:
                code = closed.rcvd.code if closed.rcvd is not None else 1006
                if code in FINAL:
                    reason = closed.rcvd.reason if closed.rcvd is not None else ""
                    self._inbox.put_nowait(TableGone(reason or FINAL[code]))
                    return
            except InvalidStatus as refused:
                if refused.response.status_code in (401, 403, 404):
                    self._inbox.put_nowait(TableGone("no_such_table"))
                    return
            except (OSError, TimeoutError, WebSocketException, msgspec.MsgspecError):
                pass  # and try again
            finally:
                self._socket = None
                if self._down_since is None:
                    self._down_since = time.monotonic()
            await asyncio.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE)

    async def _talk(self, socket: ClientConnection) -> None:
        self._socket = socket
        self._heard = time.monotonic()
        await self._transmit(messages.Hello(protocol=PROTOCOL, version=self._version))
        beating = asyncio.get_running_loop().create_task(self._beat(socket))
        try:
            while True:
                frame = await socket.recv()
                self._heard = time.monotonic()
                await self._take(decode_server(harmless(frame)))
        finally:
            beating.cancel()

    async def _beat(self, socket: ClientConnection) -> None:
        while True:
            await asyncio.sleep(BEAT)
            if time.monotonic() - self._heard > SILENCE:
                await socket.close()
                return
            await self._transmit(messages.Heartbeat())

    async def _transmit(self, message: FromClient) -> None:
        if self._socket is not None:
            with suppress(ConnectionClosed):  # then it is sent again when the connection is up
                await self._socket.send(msgspec.json.encode(message).decode())

    # ---- what comes -----------------------------------------------------------------------------

    async def _take(self, message: FromServer) -> None:
        match message:
            case messages.Beat(version=version):
                if self._version is not None and version > self._version:
                    hello = messages.Hello(protocol=PROTOCOL, version=self._version)
                    await self._transmit(hello)
                return
            case messages.Ack(id=id) | messages.Refused(id=id):
                self._unanswered.pop(id, None)
            case messages.Welcome() | messages.Update():
                self._version = message.version
                self._you = message.you or self._you
                self._table = message.table or self._table
                await self._shuffle()
        self._inbox.put_nowait(message)
        if isinstance(message, messages.Welcome):
            self._down_since = None
            for request in list(self._unanswered.values()):
                await self._transmit(request)

    async def _shuffle(self) -> None:
        """Takes the seat's part in the fair deal, and says so if it was left out."""
        if self._you is None or self._table is None:
            return
        request = self._seeds.request(self._you, self._table)
        if request is not None and request.id not in self._said:
            self._said.add(request.id)
            await self.send(request)
