"""The protocol: every message between a table and those who sit at it; no web in it.

Server, terminal and the programs of strangers share these structs; what a client may ask of a table
is in `karma.table.requests`. `docs/protocol.md` is the
reference; `python -m karma.protocol` prints the JSON Schema.
"""

import msgspec

from karma.protocol.bodies import Problem
from karma.protocol.codes import PROTOCOL, ErrorCode, NoticeCode, Parameters, Phrase
from karma.protocol.kinds import union
from karma.protocol.messages import Error, FromClient, FromServer, Update, Welcome
from karma.protocol.state import Happening, Notice, Seat, Settings, TableInfo, ViewData, You

__all__ = [
    "PROTOCOL",
    "Error",
    "ErrorCode",
    "FromClient",
    "FromServer",
    "Happening",
    "Notice",
    "NoticeCode",
    "Parameters",
    "Phrase",
    "Problem",
    "Seat",
    "Settings",
    "TableInfo",
    "Update",
    "ViewData",
    "Welcome",
    "You",
    "decode_server",
    "encode",
]

_encoder = msgspec.json.Encoder()
_from_server: msgspec.json.Decoder[FromServer] = msgspec.json.Decoder(union(FromServer))

encode = _encoder.encode


def decode_server(frame: bytes | str) -> FromServer:
    """Read a server's frame."""
    return _from_server.decode(frame)
