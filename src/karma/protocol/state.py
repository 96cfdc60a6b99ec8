"""What a client is shown: the table, its seats, the fair deal, a View, and what has happened."""

from typing import Annotated, Literal

from msgspec import Meta, Struct, field

from karma.events import AnyEvent
from karma.protocol.codes import (
    Cover,
    FairState,
    MoveClock,
    NoticeCode,
    Parameters,
    Privacy,
    Spectators,
    TablePhase,
)
from karma.view import MustPlay, Run

Name = Annotated[str, Meta(min_length=1, max_length=64)]
SeatNumber = Annotated[int, Meta(ge=0, le=11)]
Hex32 = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
Hex64 = Annotated[str, Meta(pattern="^[0-9a-f]{128}$")]
GamePhase = Literal["choose", "play", "give", "draw", "over"]
Source = Literal["hand", "face_up", "face_down"]
Option = bool | int | str
Rules = dict[str, Option]


class Settings(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What the host decides about a table; everything may change between games."""

    edition: str = "classic"
    rules: Rules = field(default_factory=dict)
    """House rules: the options overridden."""
    clock: MoveClock = "none"
    days: Annotated[int, Meta(ge=1, le=14)] = 3
    """Days for a move; of meaning with the clock `days` only."""
    privacy: Privacy = "private"
    """A public table is listed, and can be joined without an invite."""
    spectators: Spectators = "live"
    """`delayed`: they see everything half a minute late."""
    chat: bool = True
    memory_aid: bool = True
    """Whether clients should show what each hand is known to hold (`view.known`)."""
    rated: bool = False
    """Whether the games count for ratings."""


class Portrait(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """How somebody is drawn."""

    face: Annotated[int, Meta(ge=0, le=23)] | None = None
    """0 to 11 are the bots' characters, 12 to 23 are for people; null for the name's initial."""
    colour: Annotated[int, Meta(ge=0, le=11)] | None = None
    """One of twelve around the wheel of colours; null for the seat's own."""


class Seat(Struct, frozen=True, kw_only=True):
    """Who sits in a seat, and how they are."""

    seat: SeatNumber
    name: str
    portrait: Portrait = Portrait()
    bot: str | None = None
    """A bot's level; null for a person."""
    host: bool = False
    connected: bool = False
    away_since: int | None = None
    """Since when this person is not connected, in milliseconds since 1970; null while they are."""
    covered: Cover | None = None
    """Why a bot plays for this person at the moment; null when the person plays."""
    failed: bool = False
    """The seat's bot failed in this game, and safe moves were made for it."""
    preparing: bool = False
    """The seat's bot cannot think yet: after an installation strong ones are compiled first."""
    chosen: bool = False
    """While the table chooses: this seat has."""
    coverable: int | None = None
    """From when on everybody at the table may ask a bot to `cover` for this person, who is gone;
    in milliseconds since 1970; null where only the host may, and where nobody is gone."""
    deadline: int | None = None
    """When this seat's time to decide runs out, in milliseconds since 1970; null if it does not.

    At a table without a clock that is when a bot covers for a person who is not connected."""
    remaining: int | None = None
    """Milliseconds left for the decision while the table is paused."""
    rematch: bool = False
    """After a game: this person wants another."""
    offered: bool = False
    """The host lets somebody who joins take this seat over in the running game."""


class Score(Struct, frozen=True, kw_only=True):
    """One player's evening: games finished and games lost at this table."""

    name: str
    seat: SeatNumber | None
    """Where they sit now; null if they left."""
    played: int
    lost: int


class FairSeat(Struct, frozen=True, kw_only=True):
    """A seat's part in the fair deal."""

    commitment: Hex32 | None = None
    """SHA-256 over the seat's seed; null if it takes no part (a bot) or has not committed yet."""
    seed: Hex32 | None = None
    """The 32 bytes revealed; null until they are."""
    missing: bool = False
    """The seat is a person's and did not commit or reveal in time: it counts with zeros."""


class Fair(Struct, frozen=True, kw_only=True):
    """The fair deal of a game: what was promised, and, when it is over, all of it."""

    version: int
    table: str
    game: int
    state: FairState
    commitment: Hex32
    """SHA-256 over the server's secret, published before any seat commits."""
    secret: Hex64 | None
    """The server's secret; null until the game has ended or was given up."""
    seats: list[FairSeat]
    deadline: int | None = None
    """When missing commitments, or seeds, become zeros; milliseconds since 1970."""


class TableInfo(Struct, frozen=True, kw_only=True):
    """Everything about a table that its people may know, but for the cards."""

    table: str
    phase: TablePhase
    paused: bool
    game: int
    """The number of the present or last game, from 1; 0 before the first."""
    settings: Settings
    rules: Rules
    """The value of every option, as the present game (or the next one) is played."""
    least_players: int
    most_players: int
    move_seconds: int | None
    """Time for a decision; null without a clock."""
    dealer: SeatNumber | None
    score: list[Score]
    fair: Fair | None
    practice: bool
    """The game was begun from a position of an earlier one: it counts for nothing."""
    hints: bool
    """Hints may be asked for: one person plays against bots."""
    spectators: int
    """How many are watching."""
    watching: list[str] = field(default_factory=list)
    """Their names, which are nobody else's at the table."""
    given_up: list[int] = field(default_factory=list)
    """The games that were begun, or dealt for, and given up: nobody deals again unseen."""


class ViewData(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A View: what one seat (or the audience, seat null) may know of the game."""

    seat: SeatNumber | None
    ply: int
    edition: str
    rules: Rules
    players: list[str]
    dealer: SeatNumber
    phase: GamePhase
    actor: SeatNumber | None
    legal: list[str]
    hand: list[str] | None
    hand_sizes: list[int]
    known: list[list[str]]
    face_up: list[list[str | None]]
    face_down: list[list[bool]]
    pile: list[str]
    draw_pile: int
    removed: list[str]
    run: Run | None
    """The identical cards played in a row onto the pile."""
    source: Source | None
    """Where the actor's play comes from; null outside the phase `play`."""
    must_play: MustPlay
    """What the next play has to satisfy: `at_least` a number, `at_most` 5, or a `table-card`."""
    quiet: int
    places: list[SeatNumber]
    loser: SeatNumber | None


class Counts(Struct, frozen=True, kw_only=True):
    """What the rules count for a View, so that no client has to know how."""

    to_choose: int
    """How many cards more the seat is asked to put face up."""
    most_at_once: int
    """How many identical cards a play can have."""
    in_a_row: int | None
    """How many identical cards count towards a set now; null where they cannot become one."""
    makes_set: int
    """How many in a row make a set."""
    quiet_left: int | None
    """How many quiet turns more end the game; null while they are many."""


class Notice(Struct, frozen=True):
    """Something that happened at the table rather than in the game."""

    code: NoticeCode
    parameters: Parameters = field(default_factory=dict)


class Happening(Struct, frozen=True, kw_only=True):
    """One step of the table's history: game events, notices, or both."""

    version: int
    at: int
    """Milliseconds since 1970."""
    game: int
    ply: int
    """The game's ply after this step."""
    events: list[AnyEvent] = field(default_factory=list)
    """Public events of the game, in order, each with its name under `event`."""
    notices: list[Notice] = field(default_factory=list)


class You(Struct, frozen=True, kw_only=True):
    """What the client is to the table."""

    player: str
    """Your public id; it opens nothing."""
    name: str
    seat: SeatNumber | None
    """Null for a spectator."""
    host: bool
    invite: str | None
    """The code that lets friends in; null for spectators."""
