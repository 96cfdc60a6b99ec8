"""Outbox: what waits to be sent on one socket, bounded, with a task of its own that sends it.

A phone that does not read must not keep a table waiting, nor the server's memory: what does not fit
any more ends the connection. Most phones do read, and nothing waits: then a message goes out at
once, past the task.
"""

import asyncio
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Sequence
from typing import Protocol

from starlette.websockets import WebSocket, WebSocketDisconnect

from karma.protocol import encode
from karma.protocol.codes import ErrorCode
from karma.protocol.messages import Ack, Error, FromServer, Refused

MOST_MESSAGES = 64
MOST_BYTES = 256 * 1024
DRAIN_SECONDS = 3

CLOSE_CODES: dict[ErrorCode, int] = {
    "stopping": 1001,
    "too_slow": 1013,
    "bad_message": 4000,
    "wrong_protocol": 4000,
    "hello_first": 4001,
    "replaced": 4002,
    "kicked": 4003,
    "seat_moved": 4003,
    "not_allowed": 4003,
    "closed": 4004,
    "stopped": 4004,
    "too_fast": 4008,
}


class Line(Protocol):
    """The connection under a socket."""

    behind: int
    """How many bytes wait for it in the outbox."""
    take_at_once: Callable[[str, bool], bool] | None
    """Takes a message, with others before it or not; False if it has to wait for its turn."""

    def write(self, texts: Sequence[bytes]) -> bool:
        """Sends messages if they can be taken now; False if they have to wait."""

    def abort(self) -> None:
        """Cuts the connection off."""


class SocketOutbox:
    """One socket's messages on their way."""

    def __init__(
        self,
        socket: WebSocket,
        line: Line | None,
        waited: Callable[[float], None] = lambda seconds: None,
    ) -> None:
        self._waited = waited
        self._asked: OrderedDict[str, float] = OrderedDict()
        self._socket = socket
        self._line = line
        self._waiting: deque[bytes] = deque()
        self._bytes = 0
        self._sending = False
        self._news = asyncio.Event()
        self._running: asyncio.Task[None] | None = None
        self.closing: ErrorCode | None = None

    @property
    def waiting(self) -> int:
        """How many messages wait."""
        return len(self._waiting)

    def note(self, request: str) -> None:
        """Notes that a request has come, to know how long its answer takes."""
        self._asked[request] = time.monotonic()
        if len(self._asked) > MOST_MESSAGES:
            self._asked.popitem(last=False)

    def send(self, *messages: FromServer) -> None:
        """Puts messages behind the others; too many, and the connection ends."""
        for message in messages:
            if isinstance(message, (Ack, Refused)) and message.id in self._asked:
                self._waited(time.monotonic() - self._asked.pop(message.id))
        if self.closing is not None:
            return
        texts = [encode(message) for message in messages]
        if not self._write(texts):
            self._keep(texts)

    def _keep(self, texts: Sequence[bytes]) -> None:
        """Keeps messages until the connection takes them."""
        size = sum(map(len, texts))
        if len(self._waiting) + len(texts) > MOST_MESSAGES or self._bytes + size > MOST_BYTES:
            self._give_up()
            return
        self._waiting += texts
        self._count(size)
        self._news.set()

    def _count(self, size: int) -> None:
        self._bytes += size
        if self._line is not None:
            self._line.behind = self._bytes

    def _write(self, texts: Sequence[bytes]) -> bool:
        """Sends messages past the task, if nothing is before them."""
        if self._line is None or self._sending or self._waiting:
            return False
        return self._line.write(texts)

    def close(self, code: ErrorCode) -> None:
        """Ends the connection after what is on its way, with the reason as the last message."""
        if self.closing is None:
            self.closing = code
            self._news.set()

    def _give_up(self) -> None:
        """Ends the connection at once, though a message is stuck halfway."""
        self._forget()
        self.close("too_slow")
        if self._running is not None:
            self._running.cancel()

    def _forget(self) -> None:
        self._waiting.clear()
        self._count(-self._bytes)

    async def run(self) -> None:
        """Sends until the connection is to end."""
        self._running = asyncio.current_task()
        try:
            while self.closing is None:
                await self._news.wait()
                self._news.clear()
                await self._send_waiting()
        finally:
            self._forget()

    async def _send_waiting(self) -> None:
        self._sending = True
        while self._waiting:
            text = self._waiting.popleft()
            self._count(-len(text))
            await self._transmit(text)
        self._sending = False

    async def _transmit(self, text: bytes) -> None:
        await self._socket.send_text(text.decode())

    async def finish(self) -> None:
        """Says why, and closes; a client that does not even take that is cut off."""
        code = self.closing or "stopping"
        try:
            async with asyncio.timeout(DRAIN_SECONDS):
                reason = encode(Error(code=code)).decode()
                await self._socket.send_text(reason)
                await self._socket.close(CLOSE_CODES.get(code, 1011), code)
        except TimeoutError:
            if self._line is not None:
                self._line.abort()
        except (RuntimeError, OSError, WebSocketDisconnect):
            pass  # the client is gone already
