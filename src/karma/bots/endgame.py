"""A peer from programs for Shithead: the cheapest card, and a search of nothing but the end."""

from __future__ import annotations

from karma.bots.policies import PolicyBot
from karma.bots.tree import TreeBot
from karma.moves import Move
from karma.view import View


class EndgameBot:
    """Plays the cheapest card; once the draw pile is gone, it looks ahead."""

    def __init__(self, name: str, *, seed: int = 0, rollouts: int) -> None:
        self.name = name
        self._cheapest = PolicyBot("cheapest", seed=seed)
        self._tree = TreeBot(name, seed=seed, rollouts=rollouts)

    def choose(self, view: View) -> Move:
        """The cheapest card, or, near the end, the most promising move."""
        return (self._cheapest if view.draw_pile else self._tree).choose(view)
