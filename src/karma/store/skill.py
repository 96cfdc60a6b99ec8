"""Skill: an OpenSkill rating, and how a finished game changes it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Skill:
    """What is believed of a person: a mean, and how sure it is."""

    mu: float
    sigma: float

    @property
    def shown(self) -> float:
        """What the person is very likely to be worth."""
        return round(self.mu - 3 * self.sigma, 2)


def rate(before: Sequence[Skill | None], loser: int) -> list[Skill]:
    """Everybody's skill after a game, by seat; None is somebody's first rated game.

    One lost, all others won alike: that is all that counts in Karma.
    """
    from openskill.models import PlackettLuce  # slow to load, and not needed for a start

    model = PlackettLuce()
    teams: list[list[Any]] = [
        [model.rating(mu=skill.mu, sigma=skill.sigma) if skill is not None else model.rating()]
        for skill in before
    ]
    ranks = [2.0 if seat == loser else 1.0 for seat in range(len(before))]
    return [Skill(after.mu, after.sigma) for (after,) in model.rate(teams, ranks=ranks)]
