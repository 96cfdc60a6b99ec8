"""Playback: a game that can be wound to any of its moves, and that may grow at its end."""

from __future__ import annotations

from collections.abc import Sequence

from karma.events import Event
from karma.game import Game
from karma.record import Record
from karma.view import View


class Playback:
    """A recorded game, or one that is being played, at one of its moves."""

    def __init__(self, record: Record) -> None:
        self.game: Game = record.deal()
        """The game at this move."""
        self._whole = record.deal()
        self.happened: list[list[Event]] = []
        self.extend(record.moves)

    @property
    def ply(self) -> int:
        return self.game.ply

    @property
    def length(self) -> int:
        """How many moves there are so far."""
        return self._whole.ply

    @property
    def at_end(self) -> bool:
        return self.ply == self.length

    @property
    def latest(self) -> list[Event]:
        """What the move before this position brought about."""
        return self.happened[self.ply - 1] if self.ply else []

    def wind(self, ply: int) -> None:
        """Goes to the position after so many moves, or as near as there is."""
        ply = min(max(0, ply), self.length)
        while self.ply > ply:
            self.game.pop()
        while self.ply < ply:
            self.game.push(self._whole.moves[self.ply])

    def extend(self, moves: Sequence[str]) -> None:
        """Takes the moves made since, given all moves of the game; stays where it is."""
        for move in moves[self.length :]:
            self.happened.append(self._whole.push(move))

    def view(self, seat: int | None) -> View:
        """What a seat knows at this move."""
        return self.game.view(seat)

    def hands(self) -> list[list[str]]:
        """All hands, for those who may see them because they do not play."""
        hands: list[list[str]] = self.game.position()["hands"]
        return hands

    def record(self) -> Record:
        """The record of the whole game."""
        return Record.of(self._whole)
