"""Task: what is to be learned. The rules and players of a game, its rewards, and its limit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from karma.editions import Rules, edition
from karma.game import Outcome
from karma.simulation.lineup import LIMIT

REWARDS = ("loser", "places")


@dataclass(frozen=True)
class Task:
    """The game that an environment plays, and what its end is worth.

    Games that go round are ended by `stall_limit`, 40 quiet turns for each player unless the rules
    name another; a game of `limit` moves is cut short.

    >>> Task("mini", 2).rules
    edition('mini', stall_limit=80)
    >>> Task("classic", 3, rewards="places").by_place
    (1.0, 0.0, -1.0)
    """

    edition: str
    players: int
    options: Mapping[str, Any] | None = None
    rewards: str = "loser"
    limit: int = LIMIT

    def __post_init__(self) -> None:
        self.rules.check_players(self.players)
        if self.rewards not in REWARDS:
            raise ValueError(f"rewards cannot be {self.rewards!r}; they can be loser or places")
        if self.limit < 1:
            raise ValueError(f"the limit is {self.limit}; it has to be at least one move")

    @cached_property
    def rules(self) -> Rules:
        """The edition with the options that were changed."""
        options = self.options or {}
        return edition(self.edition, **options).for_table(self.players, options)

    @cached_property
    def by_place(self) -> tuple[float, ...]:
        """The reward of each place, in the order of going out; the loser's is the last."""
        if self.rewards == "places":
            return tuple(np.linspace(1, -1, self.players).tolist())
        return (*(1 / (self.players - 1),) * (self.players - 1), -1.0)

    def rewards_of(self, outcome: Outcome) -> list[float]:
        """The rewards by seat; a game without a loser is worth nothing to anybody."""
        rewards = [0.0] * self.players
        if outcome.loser is not None:
            for seat, reward in zip((*outcome.places, outcome.loser), self.by_place, strict=True):
                rewards[seat] = reward
        return rewards
