"""A bot that plays master by the best response to master's own network.

``karma arena ./workshop/response_bot.py:Response master --edition mini --players 2 --games 200``
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from karma.bots.master import MasterBot
from karma.bots.network import Weights
from karma.bots.registry import BOTS
from karma.bots.weights import load_average
from karma.moves import Move
from karma.view import View

RUNS = Path(__file__).parent.parent / "training"


class Response:
    """Master, searching by the best response to the network that it searches by itself."""

    def __init__(self, seed: int = 0) -> None:
        self.seed = seed

    def choose(self, view: View) -> Move:
        """The move of a search by the response to the network of this table."""
        name = f"response-{view.rules.edition}-{len(view.players)}"
        options = {**BOTS["master"].options, "trust": 100}
        return MasterBot(name, seed=self.seed, network=response(name), **options).choose(view)


@cache
def response(name: str) -> Weights:
    """The network of a run."""
    return load_average(RUNS / name / "checkpoint.npz")
