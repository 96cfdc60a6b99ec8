"""A player's luck over many games: the sum of what chance gave, and how unusual that is.

Luck has mean zero in every game, whoever plays, and adds up to zero over the seats of each table.
So the sum over many games is near zero, within what the squares of the single games say.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import erf, sqrt

from karma.review.ledger import Review

FEWEST = 10
"""Of fewer games nothing is said to be unusual."""


@dataclass(frozen=True)
class Lifetime:
    """What chance gave in some games."""

    games: int = 0
    luck: float = 0.0
    squares: float = 0.0

    def __add__(self, other: Lifetime) -> Lifetime:
        return Lifetime(
            self.games + other.games, self.luck + other.luck, self.squares + other.squares
        )

    @property
    def usual(self) -> float:
        """One standard deviation of so much luck."""
        return sqrt(self.squares)

    @property
    def luckier(self) -> float | None:
        """The share of players with such games who had less luck; None for a few games."""
        if self.games < FEWEST or not self.squares:
            return None
        return (1 + erf(self.luck / self.usual / sqrt(2))) / 2


def received(reviews: Iterable[Review], name: str) -> Lifetime:
    """What the player of a name received in finished games; practice is left out."""
    total = Lifetime()
    for found in reviews:
        if found.result is not None and not found.record.extra.get("practice"):
            for seat, player in enumerate(found.record.players):
                if player == name:
                    given = sum(found.luck(seat).values())
                    total += Lifetime(1, given, given**2)
    return total
