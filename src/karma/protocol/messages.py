"""The messages of the WebSocket: what a client sends, and what a table answers."""

from typing import Annotated

from msgspec import Meta, Struct, field

from karma.advice import Reason
from karma.protocol.codes import ErrorCode, Parameters, Phrase
from karma.protocol.state import (
    Happening,
    Hex32,
    Seat,
    SeatNumber,
    Settings,
    TableInfo,
    ViewData,
    You,
)

ActionId = Annotated[str, Meta(min_length=1, max_length=64, pattern="^[A-Za-z0-9_.-]+$")]
GameNumber = Annotated[int, Meta(ge=0, le=2**31 - 1)]
Ply = Annotated[int, Meta(ge=0, le=2**31 - 1)]
MoveText = Annotated[str, Meta(min_length=1, max_length=5)]


class ClientMessage(Struct, tag_field="type", frozen=True, forbid_unknown_fields=True):
    """What a client sends; each class is one message, its tag is the `type`."""


class Action(ClientMessage, frozen=True, kw_only=True):
    """A client's message that changes something: answered by one `ack` or `refused` with its id."""

    id: ActionId


class Hello(ClientMessage, tag="hello", frozen=True, kw_only=True):
    """The first message, and again whenever the client wants the whole truth."""

    protocol: int
    version: Annotated[int, Meta(ge=0)] | None = None
    """The last version the client has; null for none."""


class Heartbeat(ClientMessage, tag="heartbeat", frozen=True, kw_only=True):
    """Sent every few seconds; the answer `beat` shows that the connection lives."""

    beat: Annotated[int, Meta(ge=0, le=2**53 - 1)] = 0


class Act(Action, tag="act", frozen=True, kw_only=True):
    """A move, or, while choosing, up to three `^` moves at once."""

    game: GameNumber
    ply: Ply
    """The ply of the View that this answers."""
    moves: Annotated[list[MoveText], Meta(min_length=1, max_length=3)]


class Commit(Action, tag="commit", frozen=True, kw_only=True):
    """The commitment to this seat's seed of the fair deal."""

    game: GameNumber
    commitment: Hex32


class Reveal(Action, tag="reveal", frozen=True, kw_only=True):
    """This seat's seed of the fair deal."""

    game: GameNumber
    seed: Hex32


class Say(Action, tag="say", frozen=True, kw_only=True):
    """A preset phrase."""

    phrase: Phrase


class Chat(Action, tag="chat", frozen=True, kw_only=True):
    """A line of free text."""

    text: Annotated[str, Meta(min_length=1, max_length=500)]


class Mute(Action, tag="mute", frozen=True, kw_only=True):
    """Stop, or start again, hearing what a seat says."""

    seat: SeatNumber
    muted: bool


class StepAway(Action, tag="step_away", frozen=True, kw_only=True):
    """Let a bot cover for you."""


class TakeBack(Action, tag="take_back", frozen=True, kw_only=True):
    """Take your seat back from the bot that covers for you."""


class Rematch(Action, tag="rematch", frozen=True, kw_only=True):
    """Ask for another game; it begins when every person present has asked."""


class Leave(Action, tag="leave", frozen=True, kw_only=True):
    """Give up the seat for good; during a game a bot plays on in it."""


class Hint(Action, tag="hint", frozen=True, kw_only=True):
    """Ask what a good bot would do; only where one person plays against bots."""


class Undo(Action, tag="undo", frozen=True, kw_only=True):
    """Take back your last move and what followed; only against bots, and then it is practice."""

    game: GameNumber
    ply: Ply
    """The ply of the View from which the client asks."""


class Start(Action, tag="start", frozen=True, kw_only=True):
    """Host: begin the game, or the next one."""


class AddBot(Action, tag="add_bot", frozen=True, kw_only=True):
    """Host: seat a bot of a level (in the next seat), or change a bot's level."""

    level: Annotated[str, Meta(min_length=1, max_length=32)]
    seat: SeatNumber | None = None


class Remove(Action, tag="remove", frozen=True, kw_only=True):
    """Host: take a bot's seat away, before a game or between games."""

    seat: SeatNumber


class Kick(Action, tag="kick", frozen=True, kw_only=True):
    """Host: send a person away for good; during a game a bot plays on in the seat."""

    seat: SeatNumber


class CoverSeat(Action, tag="cover", frozen=True, kw_only=True):
    """Host: let a bot cover for a person who is not connected."""

    seat: SeatNumber


class Pause(Action, tag="pause", frozen=True, kw_only=True):
    """Host: stop the clocks and the game."""


class Resume(Action, tag="resume", frozen=True, kw_only=True):
    """Host: go on after a pause."""


class Rotate(Action, tag="rotate", frozen=True, kw_only=True):
    """Host: make a new invite; the old one opens nothing any more."""


class HandOver(Action, tag="hand_over", frozen=True, kw_only=True):
    """Host: make another person the host."""

    seat: SeatNumber


class Change(Action, tag="change", frozen=True, kw_only=True):
    """Host: change the settings; edition, house rules and clock only between games."""

    settings: Settings


class Close(Action, tag="close", frozen=True, kw_only=True):
    """Host: give the present game up, if there is one, and close the table."""


FromClient = (
    Hello
    | Heartbeat
    | Act
    | Commit
    | Reveal
    | Say
    | Chat
    | Mute
    | StepAway
    | TakeBack
    | Rematch
    | Leave
    | Hint
    | Undo
    | Start
    | AddBot
    | Remove
    | Kick
    | CoverSeat
    | Pause
    | Resume
    | Rotate
    | HandOver
    | Change
    | Close
)


class ServerMessage(Struct, tag_field="type", frozen=True):
    """What a table sends; each class is one message, its tag is the `type`."""


class Welcome(ServerMessage, tag="welcome", frozen=True, kw_only=True):
    """The answer to `hello`: the whole truth for this client."""

    protocol: int
    version: int
    now: int
    """The server's clock in milliseconds since 1970; deadlines are by this clock."""
    you: You
    table: TableInfo
    seats: list[Seat]
    view: ViewData | None
    """Null before the first deal."""
    missed: list[Happening]
    """What happened since the version in `hello`, or the last part of it."""
    complete: bool
    """Whether `missed` is all that happened since."""


class Update(ServerMessage, tag="update", frozen=True, kw_only=True):
    """Something changed. What is not null replaces the client's whole copy of it."""

    version: int
    now: int
    happened: list[Happening] = field(default_factory=list)
    you: You | None = None
    table: TableInfo | None = None
    seats: list[Seat] | None = None
    view: ViewData | None = None


class Ack(ServerMessage, tag="ack", frozen=True, kw_only=True):
    """The action was done, and is stored."""

    id: str
    version: int
    """The version of which it is part."""


class Refused(ServerMessage, tag="refused", frozen=True, kw_only=True):
    """The action was not done, and why."""

    id: str
    code: ErrorCode
    parameters: Parameters = field(default_factory=dict)
    game: int
    ply: int
    """The present ply of this client's View."""


class Beat(ServerMessage, tag="beat", frozen=True, kw_only=True):
    """The answer to `heartbeat`; a version above the client's own means: send `hello` again."""

    beat: int
    version: int
    now: int


class Said(ServerMessage, tag="said", frozen=True, kw_only=True):
    """Somebody said something: a phrase or a text, never both."""

    seat: SeatNumber | None
    """Null for a spectator."""
    name: str
    at: int
    phrase: Phrase | None = None
    text: str | None = None


class Advice(ServerMessage, tag="advice", frozen=True, kw_only=True):
    """The answer to `hint`."""

    id: str
    ply: int
    moves: list[str]
    """The best move; while choosing, the cards to put face up."""
    reasons: list[Reason] = field(default_factory=list)
    """Why, the weightiest first."""


class Error(ServerMessage, tag="error", frozen=True, kw_only=True):
    """A message that could not be taken, or, just before the socket closes, the reason for that."""

    code: ErrorCode
    parameters: Parameters = field(default_factory=dict)


FromServer = Welcome | Update | Ack | Refused | Beat | Said | Advice | Error
