"""FaceUpChoices: all seats choose their face-up cards at once, though the engine asks one by one.

Each seat is asked in a copy of the game of its own, in which the seats before it have chosen
anything at all; a seat's view does not depend on what. When all have chosen, the real game is told.
"""

from karma.events import Event
from karma.game import Game
from karma.moves import Move
from karma.refusals import IllegalMove
from karma.view import View


class FaceUpChoices:
    """The choices made so far, none of them told to anybody else."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._asked = {seat: _asked(game, seat) for seat in range(len(game.players))}
        self._choices: dict[int, list[Move]] = {seat: [] for seat in self._asked}
        self._views: dict[int, View] = {}

    def copy(self, game: Game) -> "FaceUpChoices":
        """The same choices, to be told to a copy of the game."""
        copy = FaceUpChoices.__new__(FaceUpChoices)
        copy._game = game
        copy._asked = dict(self._asked)
        copy._choices = dict(self._choices)
        copy._views = dict(self._views)
        return copy

    def chosen(self, seat: int) -> bool:
        """Has this seat chosen all its cards?"""
        return not asking(self._asked[seat], seat)

    @property
    def complete(self) -> bool:
        return all(map(self.chosen, self._asked))

    def check(self, seat: int, moves: list[Move]) -> Game:
        """The seat's own copy after these choices; IllegalMove if one cannot be made."""
        asked = self.asked(seat)
        for move in moves:
            if not asking(asked, seat):
                raise IllegalMove("already_chosen", move=str(move))
            asked.push(move)
        return asked

    def choose(self, seat: int, moves: list[Move]) -> None:
        """Keeps a seat's next choices, all or none of them."""
        self._asked[seat] = self.check(seat, moves)
        self._choices[seat] = self._choices[seat] + moves
        self._views.pop(seat, None)

    def asked(self, seat: int) -> Game:
        """The game as the seat is asked in it, to try choices in."""
        return self._asked[seat].copy()

    def view(self, seat: int) -> View:
        """The seat's view, in which it is asked, or has chosen and waits.

        The last seat's own copy shows everybody's face-up cards once it has chosen, and those are
        not real: then it sees the game as it was dealt. The view is the same object until the seat
        chooses again, whatever the others do.
        """
        if seat not in self._views:
            asked = self._asked[seat]
            self._views[seat] = (asked if asked.phase == "choose" else self._game).view(seat)
        return self._views[seat]

    def play(self) -> list[Event]:
        """Tells the game all choices, in the engine's order."""
        events: list[Event] = []
        rest = {seat: iter(moves) for seat, moves in self._choices.items()}
        while self._game.phase == "choose":
            assert self._game.actor is not None
            events += self._game.push(next(rest[self._game.actor]))
        return events


def asking(game: Game, seat: int) -> bool:
    """Does this game ask this seat to choose?"""
    return game.phase == "choose" and game.actor == seat


def _asked(game: Game, seat: int) -> Game:
    copy = game.copy()
    while copy.actor != seat:
        copy.push(copy.legal[0])
    return copy
