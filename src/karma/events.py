"""Events: what happened. They hold no secret, so everybody is told the same ones."""

from __future__ import annotations

from typing import Any

import msgspec

from karma.cards import KINDS
from karma.core import layout

HAND, TABLE = "hand", "face_up"


class Event(msgspec.Struct, frozen=True, tag_field="event"):
    """Something that happened at the table."""


class Chose(Event, frozen=True, tag="chose"):
    """A player put a card of the six face up; which, nobody sees yet."""

    seat: int


class Revealed(Event, frozen=True, tag="revealed"):
    """All have chosen: the face-up cards are seen."""


class Played(Event, frozen=True, tag="played"):
    """A player played identical cards from the hand or from the face-up cards."""

    seat: int
    kind: str
    count: int
    source: str


class TurnedOver(Event, frozen=True, tag="turned_over"):
    """A player turned a face-down card over; if it does not fit, they pick up the pile with it."""

    seat: int
    place: int
    kind: str
    fits: bool


class PickedUp(Event, frozen=True, tag="picked_up"):
    """A player picked up the pile."""

    seat: int
    count: int


class Gave(Event, frozen=True, tag="gave"):
    """A player gave the pile to another."""

    seat: int
    to: int
    count: int


class CompletedSet(Event, frozen=True, tag="completed_set"):
    """A player completed a set, and plays again."""

    seat: int
    kind: str
    count: int


class Removed(Event, frozen=True, tag="removed"):
    """Cards left the game: the whole pile, or cards of one kind from it."""

    count: int
    kind: str | None


class BroughtUp(Event, frozen=True, tag="brought_up"):
    """Bottoms moved the bottom card of the pile to its top."""

    seat: int
    kind: str


class Drew(Event, frozen=True, tag="drew"):
    """A player drew cards; which, the others do not see."""

    seat: int
    count: int


class LeftDraw(Event, frozen=True, tag="left_draw"):
    """A player left the draw pile alone."""

    seat: int


class WentOut(Event, frozen=True, tag="went_out"):
    """A player holds no cards any more; `place` counts from 1."""

    seat: int
    place: int


class CameBack(Event, frozen=True, tag="came_back"):
    """A player who was out was given the pile."""

    seat: int


class Stalled(Event, frozen=True, tag="stalled"):
    """Too many quiet turns in a row: the game ends without a loser."""

    quiet: int


class Ended(Event, frozen=True, tag="ended"):
    """The game is over."""

    loser: int | None


AnyEvent = (
    Chose
    | Revealed
    | Played
    | TurnedOver
    | PickedUp
    | Gave
    | CompletedSet
    | Removed
    | BroughtUp
    | Drew
    | LeftDraw
    | WentOut
    | CameBack
    | Stalled
    | Ended
)

_MAKERS: dict[int, Any] = {
    layout.CHOSE: lambda seat, kind, count, other: Chose(seat),
    layout.REVEALED: lambda seat, kind, count, other: Revealed(),
    layout.PLAYED_CARDS: lambda seat, kind, count, other: Played(
        seat, KINDS[kind], count, HAND if other else TABLE
    ),
    layout.TURNED_OVER: lambda seat, kind, count, other: TurnedOver(
        seat, other, KINDS[kind], bool(count)
    ),
    layout.PICKED_UP: lambda seat, kind, count, other: PickedUp(seat, count),
    layout.GAVE: lambda seat, kind, count, other: Gave(seat, other, count),
    layout.COMPLETED_SET: lambda seat, kind, count, other: CompletedSet(seat, KINDS[kind], count),
    layout.REMOVED: lambda seat, kind, count, other: Removed(
        count, None if kind == layout.NO_KIND else KINDS[kind]
    ),
    layout.BROUGHT_UP: lambda seat, kind, count, other: BroughtUp(seat, KINDS[kind]),
    layout.DREW: lambda seat, kind, count, other: Drew(seat, count),
    layout.LEFT_DRAW: lambda seat, kind, count, other: LeftDraw(seat),
    layout.WENT_OUT: lambda seat, kind, count, other: WentOut(seat, count),
    layout.CAME_BACK: lambda seat, kind, count, other: CameBack(seat),
    layout.STALLED: lambda seat, kind, count, other: Stalled(count),
    layout.ENDED: lambda seat, kind, count, other: Ended(None if seat == layout.NOBODY else seat),
}


class _Made(dict[int, Event]):
    """Events by their words: there are few different ones, and each is made once."""

    def __missing__(self, word: int) -> Event:
        what, seat, kind, count, other = layout.unpacked(word)
        event: Event = _MAKERS[what](seat, kind, count, other)
        self[word] = event
        return event


_MADE = _Made()


def from_log(log: Any) -> list[Event]:
    """The events that the core wrote down for one move."""
    words = log.tolist()
    number = words[0]
    if number == 1:
        return [_MADE[words[1]]]
    if number == 2:  # nearly all moves have one event or two, and this is quicker
        return [_MADE[words[1]], _MADE[words[2]]]
    return [_MADE[word] for word in words[1 : 1 + number]]
