"""Requests: what may be asked of a table, checked, as the entries that would do it."""

import msgspec

from karma.protocol.kinds import union
from karma.protocol.messages import FromClient
from karma.table.requests import game, host, seats, talk
from karma.table.requests.request import Request

__all__ = [
    "ANY",
    "Request",
    "decode",
    "game",
    "host",
    "seats",
    "talk",
]

ANY = union(FromClient, game, seats, talk, host)
"""One of the messages that a client sends."""
_decoder: msgspec.json.Decoder[FromClient] = msgspec.json.Decoder(ANY)


def decode(frame: bytes | str) -> FromClient:
    """Reads a client's frame; msgspec.ValidationError or DecodeError when it is none."""
    return _decoder.decode(frame)
