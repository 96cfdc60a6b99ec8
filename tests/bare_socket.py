"""BareSocket: the WebSocket of a load's people, by hand: a library costs what a server does."""

import asyncio
from collections.abc import Callable
from typing import Any, cast

TEXT = 0x81
OPEN_SECONDS = 60
HEAD = """GET {path} HTTP/1.1\r
host: load\r
upgrade: websocket\r
connection: upgrade\r
sec-websocket-version: 13\r
sec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r
authorization: Bearer {token}\r
\r
"""


class BareSocket(asyncio.Protocol):
    """One connection; messages are given on as they come, until it is closed."""

    def __init__(self, take: Callable[[bytes], None]) -> None:
        self._take = take
        self._received = b""
        self._opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.closed: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    @classmethod
    async def to(
        cls, port: int, path: str, token: str, take: Callable[[bytes], None]
    ) -> "BareSocket":
        """A connection that is open; an OSError if nobody lets it in."""
        loop = asyncio.get_running_loop()
        transport, line = await loop.create_connection(lambda: cls(take), "127.0.0.1", port)
        transport.write(HEAD.format(path=path, token=token).encode())
        try:
            async with asyncio.timeout(OPEN_SECONDS):
                await line._opened
        except BaseException:
            transport.abort()
            raise
        return line

    def send(self, text: bytes) -> None:
        """Sends a message; nobody gets it where the connection is gone."""
        size = len(text)
        length = bytes([0x80 | size]) if size < 126 else b"\xfe" + size.to_bytes(2, "big")
        if not self._transport.is_closing():
            self._transport.write(bytes([TEXT]) + length + bytes(4) + text)

    def abort(self) -> None:
        """Loses the connection."""
        self._transport.abort()

    # ---- what the loop calls --------------------------------------------------------------------

    def connection_made(self, transport: Any) -> None:
        self._transport = cast(asyncio.Transport, transport)

    def data_received(self, data: bytes) -> None:
        self._received += data
        if not self._opened.done():
            answer, end, rest = self._received.partition(b"\r\n\r\n")
            if not end:
                return
            if not answer.startswith(b"HTTP/1.1 101"):
                self.abort()
                return
            self._received = rest
            self._opened.set_result(None)
        self._take_frames()

    def connection_lost(self, error: Exception | None) -> None:
        if not self._opened.done():
            self._opened.set_exception(ConnectionError("not let in"))
        if not self.closed.done():
            self.closed.set_result(None)

    def _take_frames(self) -> None:
        """Gives on what has come whole; whatever is no text is the end."""
        data, at = self._received, 0
        while len(data) >= at + 2:
            start = at + {126: 4, 127: 10}.get(data[at + 1], 2)
            size = data[at + 1] if start == at + 2 else int.from_bytes(data[at + 2 : start], "big")
            if len(data) < start + size:
                break
            if data[at] != TEXT:
                self.abort()
                return
            self._take(data[start : start + size])
            at = start + size
        self._received = data[at:]
