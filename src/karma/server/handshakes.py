"""Handshakes: a WebSocket's commonest one read and answered in one step.

Two libraries read it one after the other, and cost more than the table that a person comes back to.
Whatever is not just one whole handshake as browsers send it, all in order, is left to them.
"""

import re
from base64 import b64encode
from hashlib import sha1
from typing import NamedTuple

GUID = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
"""What the protocol adds to a key, to answer it."""
MOST_BYTES, MOST_LINES = 8 * 1024, 50
_REQUEST = re.compile(rb"GET (/[!-~]*) HTTP/1\.1")
_NAME = re.compile(rb"[!#$%&'*+\-.^_`|~0-9A-Za-z]+")
_VALUE = re.compile(rb"[ -~]+")
_KEY = re.compile(rb"[A-Za-z0-9+/]{21}[AQgw]==")
_ONCE = (b"host", b"upgrade", b"connection", b"sec-websocket-version", b"sec-websocket-key")
_NEVER = (b"content-length", b"transfer-encoding", b"expect")
"""A body, or something to say before one: no handshake has that."""


class Handshake(NamedTuple):
    """A request for a WebSocket."""

    target: bytes
    headers: list[tuple[bytes, bytes]]
    key: bytes

    @property
    def acceptance(self) -> bytes:
        """The answer after which there is one."""
        return (
            b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            b"Sec-WebSocket-Accept: %s\r\n\r\n" % b64encode(sha1(self.key + GUID).digest())
        )


def whole_handshake(data: bytes) -> Handshake | None:
    """The handshake that these bytes are; None if they are anything else, or not in order."""
    line, *lines = data.split(b"\r\n", MOST_LINES)
    request = _REQUEST.fullmatch(line)
    if request is None or lines[-2:] != [b"", b""] or len(data) > MOST_BYTES:
        return None
    headers: list[tuple[bytes, bytes]] = []
    for line in lines[:-2]:
        name, _, value = line.partition(b":")
        if not _NAME.fullmatch(name) or not _VALUE.fullmatch(value := value.strip(b" \t")):
            return None
        headers.append((name.lower(), value))
    names = [name for name, _ in headers]
    if any(names.count(name) != 1 for name in _ONCE) or any(name in names for name in _NEVER):
        return None
    values = dict(headers)
    options = [option.strip() for option in values[b"connection"].lower().split(b",")]
    key = values[b"sec-websocket-key"]
    if (
        b"upgrade" not in options
        or values[b"upgrade"].lower() != b"websocket"
        or values[b"sec-websocket-version"] != b"13"
        or not _KEY.fullmatch(key)
    ):
        return None
    return Handshake(request[1], headers, key)
