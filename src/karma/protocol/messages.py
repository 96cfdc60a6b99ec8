"""The messages of the WebSocket: greetings, and what a table answers and tells.

What a client asks of a table is in `karma.table.requests`, each request with its handler.
"""

from typing import Annotated

from msgspec import Meta, Struct, field

from karma.advice import Reason
from karma.protocol.bodies import ReviewedFact
from karma.protocol.codes import ErrorCode, Parameters, Phrase
from karma.protocol.state import (
    Counts,
    Happening,
    Seat,
    SeatNumber,
    TableInfo,
    ViewData,
    You,
)


class FromClient(Struct, tag_field="type", frozen=True, forbid_unknown_fields=True):
    """What a client sends; each class is one message, its tag is the `type`."""


class Hello(FromClient, tag="hello", frozen=True, kw_only=True):
    """The first message; again at any time to get the whole truth."""

    protocol: int
    version: Annotated[int, Meta(ge=0)] | None = None
    """The last version the client has; null for none."""


class Heartbeat(FromClient, tag="heartbeat", frozen=True, kw_only=True):
    """Answered by `beat`, which shows that the connection lives; send one after 5 s of silence, and
    every 15 s.
    """

    beat: Annotated[int, Meta(ge=0, le=2**53 - 1)] = 0


class FromServer(Struct, tag_field="type", frozen=True):
    """What a table sends; each class is one message, its tag is the `type`."""


class Welcome(FromServer, tag="welcome", frozen=True, kw_only=True):
    """The answer to `hello`: the whole truth, and what the client `missed` since its version.

    `complete` is false if older parts of that were left out.
    """

    protocol: int
    version: int
    now: int
    """The server's clock in milliseconds since 1970; deadlines are by this clock."""
    you: You
    table: TableInfo
    seats: list[Seat]
    view: ViewData | None
    """Null before the first deal."""
    counts: Counts | None = None
    """What the rules count for the View; null without one."""
    missed: list[Happening]
    """What happened since the version in `hello`, or the last part of it."""
    complete: bool
    """Whether `missed` is all that happened since."""


class Update(FromServer, tag="update", frozen=True, kw_only=True):
    """Something changed: `happened` says what. What is not null replaces what the client had."""

    version: int
    now: int
    happened: list[Happening] = field(default_factory=list)
    you: You | None = None
    table: TableInfo | None = None
    seats: list[Seat] | None = None
    view: ViewData | None = None
    counts: Counts | None = None
    """Comes with each `view`."""


class Ack(FromServer, tag="ack", frozen=True, kw_only=True):
    """The request `id` was done and is stored; comes before the `update` with that `version`."""

    id: str
    version: int
    """The version of which it is part."""


class Refused(FromServer, tag="refused", frozen=True, kw_only=True):
    """The request `id` was not done, and why."""

    id: str
    code: ErrorCode
    parameters: Parameters = field(default_factory=dict)
    game: int
    ply: int
    """The present ply of this client's View."""


class Beat(FromServer, tag="beat", frozen=True, kw_only=True):
    """The answer to `heartbeat`; a version above the client's own means: send `hello` again."""

    beat: int
    version: int
    now: int


class Said(FromServer, tag="said", frozen=True, kw_only=True):
    """Somebody said something: a phrase or a text, never both."""

    seat: SeatNumber | None
    """Null for a spectator."""
    name: str
    at: int
    phrase: Phrase | None = None
    text: str | None = None


class Advice(FromServer, tag="advice", frozen=True, kw_only=True):
    """The answer to `hint`, besides the `ack`: the best `moves`, and why."""

    id: str
    ply: int
    moves: list[str]
    """The best move; while choosing, the cards to put face up."""
    reasons: list[Reason] = field(default_factory=list)
    """Why, the weightiest first."""
    instead: str | None = None
    """The move of a quick player, with which the `facts` compare."""
    facts: list[ReviewedFact] = field(default_factory=list)
    """What tells the best move from that one, with both numbers: at most two, and often none."""


class Error(FromServer, tag="error", frozen=True, kw_only=True):
    """A message that could not be taken, or, just before the socket closes, the reason for that."""

    code: ErrorCode
    parameters: Parameters = field(default_factory=dict)
