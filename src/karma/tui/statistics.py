"""Statistics: one game in numbers, told from its events; and the games of one player."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from karma.cards import KARMA_CARDS
from karma.events import CompletedSet, Event, Gave, PickedUp, Played, TurnedOver
from karma.record import Record


@dataclass
class SeatStatistics:
    """What one seat did in a game."""

    played: int = 0
    karma: int = 0
    sets: int = 0
    picked_up: int = 0
    cards_taken: int = 0
    largest: int = 0
    misfits: int = 0


class GameStatistics:
    """A game in numbers, seat by seat."""

    def __init__(self, seats: int) -> None:
        self.seats = [SeatStatistics() for _ in range(seats)]

    @classmethod
    def of(cls, record: Record) -> GameStatistics:
        """A recorded game in numbers."""
        statistics, game = cls(len(record.players)), record.deal()
        for move in record.moves:
            statistics.count(game.push(move))
        return statistics

    def count(self, events: Iterable[Event]) -> None:
        """Counts what happened next."""
        for event in events:
            match event:
                case Played(seat=seat, kind=kind, count=count):
                    self.seats[seat].played += count
                    self.seats[seat].karma += count if kind in KARMA_CARDS else 0
                case TurnedOver(seat=seat, kind=kind, fits=fits):
                    self.seats[seat].misfits += not fits
                    self.seats[seat].played += fits
                    self.seats[seat].karma += kind in KARMA_CARDS
                case PickedUp(seat=seat, count=count) if count:
                    self.seats[seat].picked_up += 1
                    self._takes(seat, count)
                case Gave(to=to, count=count):
                    self._takes(to, count)
                case CompletedSet(seat=seat):
                    self.seats[seat].sets += 1

    def _takes(self, seat: int, count: int) -> None:
        self.seats[seat].cards_taken += count
        self.seats[seat].largest = max(self.seats[seat].largest, count)


@dataclass
class PlayerStatistics:
    """Games of one player: how many, and how many of them lost, by edition."""

    played: Counter[str] = field(default_factory=Counter)
    lost: Counter[str] = field(default_factory=Counter)
    practice: int = 0
    streak: int = 0
    """How many games in a row were not lost, up to now."""

    @classmethod
    def of(cls, records: Iterable[Record]) -> PlayerStatistics:
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
        elif finished:
            name = record.rules.edition
            self.played[name] += 1
            self.lost[name] += loser == seat
            self.streak = 0 if loser == seat else self.streak + 1
