"""`master`: looks ahead in worlds that fit the view, and a network judges what it sees there."""

from __future__ import annotations

import numpy as np

from karma.bots.foresight import NODE, STATES, search
from karma.bots.net import UNLIMITED, net_for, without_net
from karma.bots.network import new_work
from karma.bots.nodes import count_visits, new_tree
from karma.bots.search import Question, only_move
from karma.core.layout import MOVES
from karma.moves import Move
from karma.view import View

CHUNK = 20  # turns of the search between two looks at the clock
NODES = 8  # for each turn: where moves are judged, all of them get one


class MasterBot:
    """A search with a network's judgement; where there is none, the best search without."""

    def __init__(
        self,
        name: str,
        *,
        seed: int = 0,
        turns: int = 1000,
        explore: int = 50,
        milliseconds: int = UNLIMITED,
    ) -> None:
        self.name = name
        self.seed = seed
        self.turns = turns
        self.explore = explore / 100
        self.milliseconds = milliseconds

    def choose(self, view: View) -> Move:
        """The move that was made most often; within the time limit, if there is one."""
        if (only := only_move(view)) is not None:
            return only
        weights = net_for(view.rules, len(view.players))
        if weights is None:
            return without_net(self.seed, self.milliseconds).choose(view)
        question = Question(view, self.seed, self.milliseconds)
        nodes, size = new_tree(NODE, NODES * self.turns + 64)
        states, work, rng = question.states(STATES), new_work(weights), question.chance(0)
        question.spend(
            self.turns,
            CHUNK,
            lambda step: search(
                question.rules,
                question.view,
                states,
                nodes,
                size,
                step,
                self.explore,
                weights,
                work,
                rng,
            ),
        )
        visits = np.zeros(MOVES, np.int64)
        count_visits(nodes, visits)
        # Face-down cards are all alike, and only the first is looked at.
        return max(view.legal, key=lambda move: (visits[move.number], -move.number))
