"""The wire: raw sockets to a server, for what no library would send."""

import json
import socket
from typing import Any
from urllib.parse import urlsplit

from serving import Served
from stranger import Stranger

NEIGHBOUR = "127.0.0.2"
PING, PONG, TEXT, PIECE, REST = 0x89, 0x8A, 0x81, 0x01, 0x00


def frame(kind: int, text: bytes = b"") -> bytes:
    """A short frame of a client, with a mask that masks nothing."""
    return bytes([kind, 0x80 | len(text)]) + bytes(4) + text


HELLO = frame(TEXT, json.dumps({"type": "hello", "protocol": 1}).encode())


def dial(address: str, source: str = "127.0.0.1", *, window: int | None = None) -> socket.socket:
    parts = urlsplit(address)
    raw = socket.socket()
    raw.settimeout(30)
    if window is not None:
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, window)
    raw.bind((source, 0))
    raw.connect((parts.hostname, parts.port))
    return raw


def get(path: str, token: str = "") -> bytes:
    return f"GET {path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\n\r\n".encode()


def upgrade(table: str, token: str) -> bytes:
    return (
        f"GET /api/tables/{table}/socket HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\n"
        "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
        f"Authorization: Bearer {token}\r\n\r\n"
    ).encode()


def shake_hands(served: Served, who: Stranger, **how: Any) -> socket.socket:
    raw = dial(served.address, **how)
    raw.sendall(upgrade(who.table, who.token))
    answer = b""
    while not answer.endswith(b"\r\n\r\n"):
        answer += raw.recv(1)
    return raw


def read_all(raw: socket.socket) -> bytes:
    """What comes until the other side ends the connection."""
    told = b""
    try:
        while some := raw.recv(65536):
            told += some
    except ConnectionError:
        pass
    return told
