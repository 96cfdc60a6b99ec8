"""The handshakes that are read in one step are those that the libraries would have let in."""

import h11
import pytest
from hypothesis import given
from hypothesis import strategies as st
from websockets.server import ServerProtocol

from karma.server.handshakes import whole_handshake

PLAIN = {
    "Host": "karma.example:8000",
    "Upgrade": "websocket",
    "Connection": "Upgrade",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
}
BROWSER = PLAIN | {
    "Connection": "keep-alive, Upgrade",
    "Origin": "http://karma.example:8000",
    "Cookie": "karma=abc; other=d e f",
    "Sec-WebSocket-Extensions": "permessage-deflate; client_max_window_bits",
    "User-Agent": "Mozilla/5.0 (X11; Linux x86_64)",
}


def head(headers: dict[str, str], request: str = "GET /api/tables/a/socket?b=c HTTP/1.1") -> bytes:
    lines = [request, *(f"{name}: {value}" for name, value in headers.items())]
    return "\r\n".join([*lines, "", ""]).encode()


def read_by_libraries(data: bytes) -> tuple[bytes, list[tuple[bytes, bytes]], str]:
    """What they make of a handshake: its target, its headers, and the answer to its key."""
    connection = h11.Connection(h11.SERVER)
    connection.receive_data(data)
    request = connection.next_event()
    assert isinstance(request, h11.Request)
    library = ServerProtocol()
    library.receive_data(data)
    (event,) = library.events_received()
    answer = library.accept(event)  # type: ignore[arg-type]
    assert answer.status_code == 101
    return request.target, list(request.headers), answer.headers["Sec-WebSocket-Accept"]


def agrees(data: bytes) -> None:
    handshake = whole_handshake(data)
    assert handshake is not None
    target, headers, accept = read_by_libraries(data)
    assert (handshake.target, handshake.headers) == (target, headers)
    assert f"\r\nSec-WebSocket-Accept: {accept}\r\n".encode() in handshake.acceptance


@pytest.mark.parametrize("headers", [PLAIN, BROWSER])
def test_a_handshake_is_read_as_the_libraries_would(headers: dict[str, str]) -> None:
    agrees(head(headers))


@given(st.data())
def test_nothing_is_let_in_that_the_libraries_would_not(data: st.DataObject) -> None:
    whole = bytearray(head(data.draw(st.sampled_from([PLAIN, BROWSER]))))
    for _ in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.integers(0, len(whole) - 1))
        some = data.draw(st.sampled_from([b"", b" ", b"\t", b"\r\n", b":", b"a", b"\x00", b"\xff"]))
        whole[place : place + data.draw(st.integers(0, 2))] = some
    if whole_handshake(bytes(whole)) is not None:
        agrees(bytes(whole))


OTHERS = {
    "nothing": b"",
    "a piece": head(PLAIN)[:-1],
    "more than it": head(PLAIN) + b"x",
    "a page": head({"Host": "karma.example"}),
    "another method": head(PLAIN, "POST / HTTP/1.1"),
    "another HTTP": head(PLAIN, "GET / HTTP/1.0"),
    "a whole address": head(PLAIN, "GET http://karma.example/ HTTP/1.1"),
    "no host": head({name: PLAIN[name] for name in PLAIN if name != "Host"}),
    "two hosts": head(PLAIN | {"host": "other.example"}),
    "two keys": head(PLAIN | {"sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ=="}),
    "a short key": head(PLAIN | {"Sec-WebSocket-Key": "dGhlIHNhbXBsZQ=="}),
    "another version": head(PLAIN | {"Sec-WebSocket-Version": "8"}),
    "another upgrade": head(PLAIN | {"Upgrade": "h2c"}),
    "a connection that stays": head(PLAIN | {"Connection": "keep-alive"}),
    "a body": head(PLAIN | {"Content-Length": "3"}),
    "a body in pieces": head(PLAIN | {"Transfer-Encoding": "chunked"}),
    "a header in two lines": head(PLAIN | {"Cookie": "a\r\n b"}),
    "a space before the colon": head(PLAIN | {"Cookie ": "a"}),
    "a zero": head(PLAIN | {"Cookie": "a\x00b"}),
    "too long": head(PLAIN | {"Cookie": "a" * 9000}),
    "too many lines": head(PLAIN | {f"x{number}": "y" for number in range(100)}),
}


@pytest.mark.parametrize("what", OTHERS)
def test_anything_else_is_left_to_the_libraries(what: str) -> None:
    assert whole_handshake(OTHERS[what]) is None
