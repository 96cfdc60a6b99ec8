"""The entries of a table's log: everything that ever changed it, in order.

The log is the truth: a table is what its entries make of it, and starts again by replaying them.
Entries hold secrets (choices, the fair deal's secret); what players are told is made by `showing`.
A released entry is never changed, only added to with defaults: old logs must replay for ever.
"""

from typing import Literal

import msgspec
from msgspec import Struct

from karma.protocol.codes import Cover
from karma.protocol.state import Settings

MadeBy = Literal["person", "bot", "clock", "safe"]


class Entry(Struct, tag_field="entry", frozen=True, kw_only=True):
    """One change of a table."""


class Opened(Entry, tag="opened", frozen=True, kw_only=True):
    """The table was opened by its first host, who sits down."""

    player: str
    name: str
    settings: Settings
    invite: str


class Joined(Entry, tag="joined", frozen=True, kw_only=True):
    """A person sat down: in a new seat, or in that of a bot or of somebody who left."""

    player: str
    name: str
    seat: int


class Watching(Entry, tag="watching", frozen=True, kw_only=True):
    """Somebody watches."""

    player: str
    name: str


class Left(Entry, tag="left", frozen=True, kw_only=True):
    """Somebody went away; during a game a bot plays on in the seat."""

    player: str


class Kicked(Entry, tag="kicked", frozen=True, kw_only=True):
    """The host sent somebody away for good."""

    seat: int


class BotSeated(Entry, tag="bot_seated", frozen=True, kw_only=True):
    """A bot got a seat, or a seat's bot another level."""

    seat: int
    level: str


class SeatRemoved(Entry, tag="seat_removed", frozen=True, kw_only=True):
    """A seat was taken away; those after it move up."""

    seat: int


class SeatMoved(Entry, tag="seat_moved", frozen=True, kw_only=True):
    """A seat moved to another device, which is another player to the server."""

    seat: int
    player: str


class Covered(Entry, tag="covered", frozen=True, kw_only=True):
    """A bot covers for a person."""

    seat: int
    why: Cover


class Returned(Entry, tag="returned", frozen=True, kw_only=True):
    """A covered person has the seat back."""

    seat: int


class Changed(Entry, tag="changed", frozen=True, kw_only=True):
    """The host changed the settings."""

    settings: Settings


class Rotated(Entry, tag="rotated", frozen=True, kw_only=True):
    """The host made a new invite."""

    invite: str


class HandedOver(Entry, tag="handed_over", frozen=True, kw_only=True):
    """Another person is the host."""

    seat: int


class Paused(Entry, tag="paused", frozen=True, kw_only=True):
    """The game and its clocks stand still."""


class Resumed(Entry, tag="resumed", frozen=True, kw_only=True):
    """They go on."""


class RematchWanted(Entry, tag="rematch_wanted", frozen=True, kw_only=True):
    """A person wants another game."""

    seat: int


class Shuffling(Entry, tag="shuffling", frozen=True, kw_only=True):
    """The next game's fair deal begins."""

    secret: str
    seats: list[int]
    """The seats that are asked for a seed."""


class Committed(Entry, tag="committed", frozen=True, kw_only=True):
    """A seat promised its seed."""

    seat: int
    commitment: str


class SeedShown(Entry, tag="seed_shown", frozen=True, kw_only=True):
    """A seat showed its seed."""

    seat: int
    seed: str


class SeedsClosed(Entry, tag="seeds_closed", frozen=True, kw_only=True):
    """Time is up for promises, or for seeds."""


class Forked(Entry, tag="forked", frozen=True, kw_only=True):
    """A practice game begins from a position of a finished one."""

    record: str
    ply: int
    seat: int
    """Where the host sits; bots have the other seats."""


class Dealt(Entry, tag="dealt", frozen=True, kw_only=True):
    """A game begins with cards from a seed that somebody named: no fair deal."""

    seed: int
    deck: list[str]


class Made(Entry, tag="made", frozen=True, kw_only=True):
    """A seat's moves: one, or up to three while choosing."""

    seat: int
    moves: list[str]
    by: MadeBy
    why: str | None = None
    """What a bot did wrong, where the move is a safe one in its place."""


class Undone(Entry, tag="undone", frozen=True, kw_only=True):
    """Moves were taken back, in a game of one person against bots."""

    ply: int


class GivenUp(Entry, tag="given_up", frozen=True, kw_only=True):
    """The present game ends without a result."""


class Closed(Entry, tag="closed", frozen=True, kw_only=True):
    """The table is closed."""


AnyEntry = (
    Opened
    | Joined
    | Watching
    | Left
    | Kicked
    | BotSeated
    | SeatRemoved
    | SeatMoved
    | Covered
    | Returned
    | Changed
    | Rotated
    | HandedOver
    | Paused
    | Resumed
    | RematchWanted
    | Shuffling
    | Committed
    | SeedShown
    | SeedsClosed
    | Forked
    | Dealt
    | Made
    | Undone
    | GivenUp
    | Closed
)


class Line(Struct, frozen=True, kw_only=True):
    """A line of the log: an entry, when it was made, and the action that asked for it."""

    at: int
    entry: AnyEntry
    player: str | None = None
    action: str | None = None


_decoder: msgspec.json.Decoder[Line] = msgspec.json.Decoder(Line)
encode_line = msgspec.json.Encoder().encode
decode_line = _decoder.decode
