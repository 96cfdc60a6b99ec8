"""Envelope: an entry as the log keeps it, with when it was made and the request that asked for it.

The log is the truth: a table is what its entries make of it, and starts again by replaying them.
"""

from typing import TYPE_CHECKING

import msgspec
from msgspec import UNSET, Struct, UnsetType

from karma.protocol.kinds import union
from karma.table.log import games, host, seats
from karma.table.log.entry import Entry

if TYPE_CHECKING:
    AnyEntry = Entry
else:
    AnyEntry = union(Entry, games, host, seats)


class Envelope(Struct, frozen=True, kw_only=True):
    """An entry of the log, when it was made, and who asked for it by which request."""

    at: int
    entry: AnyEntry
    player: str | None = None
    action: str | None = None
    """The id of the request; only the last of its entries has it."""
    date: int | UnsetType = UNSET
    """What the machine's clock said, where that was something else: somebody had set it."""


_decoder: msgspec.json.Decoder[Envelope] = msgspec.json.Decoder(Envelope)
encode = msgspec.json.Encoder().encode
decode = _decoder.decode
