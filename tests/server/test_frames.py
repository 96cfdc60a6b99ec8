"""The frames that are read and written in one step are those that the library would have seen."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from websockets.frames import Frame, Opcode

from karma.server.frames import text_frame, whole_text


def masked(opcode: Opcode, data: bytes, fin: bool = True) -> bytes:
    return Frame(opcode, data, fin).serialize(mask=True)


@given(st.text(max_size=200))
def test_a_short_message_is_read_as_the_library_wrote_it(text: str) -> None:
    data = masked(Opcode.TEXT, text.encode())
    assert whole_text(data) == (text if len(text.encode()) <= 125 else None)


OTHERS = {
    "nothing": b"",
    "a piece": masked(Opcode.TEXT, b"hello")[:-1],
    "two": masked(Opcode.TEXT, b"hello") * 2,
    "the first of several": masked(Opcode.TEXT, b"hello", fin=False),
    "not UTF-8": masked(Opcode.TEXT, b"\xff\xfe"),
    "bytes": masked(Opcode.BINARY, b"hello"),
    "the last of several": masked(Opcode.CONT, b"hello"),
    "a ping": masked(Opcode.PING, b"hello"),
    "the end": masked(Opcode.CLOSE, b"\x03\xe8"),
    "without a mask": Frame(Opcode.TEXT, b"hello").serialize(mask=False),
    "compressed": b"\xc1" + masked(Opcode.TEXT, b"hello")[1:],
}


@pytest.mark.parametrize("what", OTHERS)
def test_anything_else_is_left_to_the_library(what: str) -> None:
    assert whole_text(OTHERS[what]) is None


@pytest.mark.parametrize("size", [0, 1, 125, 126, 0xFFFF, 0x10000, 300_000])
def test_the_library_reads_what_is_written(size: int) -> None:
    text = b"x" * size
    assert text_frame(text) == Frame(Opcode.TEXT, text).serialize(mask=False)
