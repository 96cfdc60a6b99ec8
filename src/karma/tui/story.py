"""The story of a game in numbers, told from its events; and the statistics of many games."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from karma.cards import KARMA_CARDS
from karma.events import (
    CameBack,
    CompletedSet,
    Event,
    Gave,
    PickedUp,
    Played,
    Removed,
    TurnedOver,
)
from karma.record import Record


@dataclass
class Chapter:
    """What one seat did in a game."""

    played: int = 0
    karma: int = 0
    picked_up: int = 0
    cards_taken: int = 0
    largest: int = 0
    gifts: int = 0
    sets: int = 0
    blind: int = 0
    misfits: int = 0
    back: int = 0


@dataclass
class Story:
    """A game in numbers: a chapter for each seat, and what left the game."""

    chapters: list[Chapter]
    removed: int = 0
    events: list[Event] = field(default_factory=list)

    @classmethod
    def of(cls, events: Iterable[Event], seats: int) -> Story:
        """The story that events tell."""
        story = cls([Chapter() for _ in range(seats)])
        for event in events:
            story.tell(event)
        return story

    def tell(self, event: Event) -> None:
        """Goes on with what happened next."""
        chapters = self.chapters
        match event:
            case Played(seat=seat, kind=kind, count=count):
                chapters[seat].played += count
                chapters[seat].karma += count if kind in KARMA_CARDS else 0
            case TurnedOver(seat=seat, kind=kind, fits=fits):
                chapters[seat].blind += 1
                chapters[seat].misfits += not fits
                chapters[seat].played += fits
                chapters[seat].karma += kind in KARMA_CARDS
            case PickedUp(seat=seat, count=count) if count:
                self._takes(seat, count)
                chapters[seat].picked_up += 1
            case Gave(seat=seat, to=to, count=count):
                self._takes(to, count)
                chapters[seat].gifts += 1
            case CompletedSet(seat=seat):
                chapters[seat].sets += 1
            case CameBack(seat=seat):
                chapters[seat].back += 1
            case Removed(count=count):
                self.removed += count

    def _takes(self, seat: int, count: int) -> None:
        chapter = self.chapters[seat]
        chapter.cards_taken += count
        chapter.largest = max(chapter.largest, count)


def events_of_record(record: Record) -> list[Event]:
    """Everything that happened in a recorded game."""
    game = record.deal()
    return [event for move in record.moves for event in game.push(move)]


@dataclass
class Statistics:
    """Games of one player: how many, and how many of them lost, by edition and by opponents."""

    played: Counter[str] = field(default_factory=Counter)
    lost: Counter[str] = field(default_factory=Counter)
    practice: int = 0
    unfinished: int = 0
    streak: int = 0
    """How many games in a row were not lost, up to now."""

    @classmethod
    def of(cls, records: Iterable[Record]) -> Statistics:
        """The statistics of games in the order they were played."""
        statistics = cls()
        for record in records:
            statistics.count(record)
        return statistics

    def count(self, record: Record) -> None:
        """Adds a game; practice and unfinished games count for nothing."""
        seat = record.extra.get("seat", 0)
        loser = record.result.get("loser")
        finished = loser is not None or len(record.result.get("places", ())) > 0
        if record.extra.get("practice") is True:
            self.practice += 1
        elif not finished:
            self.unfinished += 1
        else:
            name = record.rules.edition
            self.played[name] += 1
            self.lost[name] += loser == seat
            self.streak = 0 if loser == seat else self.streak + 1
