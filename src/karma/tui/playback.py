"""Playback: a game that can be wound to any of its moves, and that may grow at its end."""

from __future__ import annotations

from karma.events import Event
from karma.game import Game
from karma.moves import Move
from karma.record import Record
from karma.view import View


class Playback:
    """A recorded game, or one that is being played, at one of its moves."""

    def __init__(self, record: Record) -> None:
        self._game = record.deal()
        self.moves = [Move(text) for text in record.moves]
        self.happened: list[list[Event]] = [self._game.push(move) for move in self.moves]
        self.wind(0)

    @property
    def game(self) -> Game:
        """The game at this move."""
        return self._game

    @property
    def ply(self) -> int:
        return self._game.ply

    @property
    def length(self) -> int:
        """How many moves there are so far."""
        return len(self.moves)

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
            self._game.pop()
        while self.ply < ply:
            self._game.push(self.moves[self.ply])

    def grow(self, move: Move) -> None:
        """Makes a move at the end, and stands after it."""
        self.wind(self.length)
        self.happened.append(self._game.push(move))
        self.moves.append(move)

    def view(self, seat: int | None) -> View:
        """What a seat knows at this move."""
        return self._game.view(seat)

    def hands(self) -> list[list[str]]:
        """All hands, for those who may see them because they do not play."""
        hands: list[list[str]] = self._game.position()["hands"]
        return hands

    def record(self) -> Record:
        """The record of the whole game."""
        whole = self._game.copy()
        for move in self.moves[self.ply :]:
            whole.push(move)
        return Record.of(whole)
