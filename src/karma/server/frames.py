"""Frames: the WebSocket's commonest ones read and written in one step.

The library parses any frame from any pieces and costs three times as much for what nearly all of
them are: one short message, whole. Whatever is not just that is left to it.
"""

from websockets.frames import apply_mask  # type: ignore[attr-defined]  # compiled, where it could be

TEXT = 0x81
"""The first byte of a message of text that is one frame."""
MASKED = 0x80
SHORT = 125
"""The longest message whose length is a byte; longer ones have it in two, or in eight."""
MEDIUM = 0xFFFF
HEAD = 6
"""The first byte, the length and the mask."""


def whole_text(data: bytes) -> str | None:
    """The message that these bytes are; None if they are anything else than one short message."""
    size = len(data) - HEAD
    if not 0 <= size <= SHORT or data[0] != TEXT or data[1] != MASKED | size:
        return None
    try:
        return str(apply_mask(data[HEAD:], data[2:HEAD]), "utf-8")
    except UnicodeDecodeError:
        return None


def text_frame(text: bytes) -> bytes:
    """A message as a server sends it."""
    size = len(text)
    if size <= SHORT:
        return bytes((TEXT, size)) + text
    if size <= MEDIUM:
        return b"\x81\x7e" + size.to_bytes(2, "big") + text
    return b"\x81\x7f" + size.to_bytes(8, "big") + text
