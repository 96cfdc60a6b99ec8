"""`net`: the move that a value network likes best, without any search.

Which network plays at a table, and where the strongest search without one plays in its stead, is
known by measurement (see `choice`).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from karma.bots.bot import Bot, check_turn
from karma.bots.chance import word
from karma.bots.choice import NET, load_net, net_at, player_for, trained_net
from karma.bots.network import (
    KEEPS,
    Weights,
    chance,
    first_turning,
    head,
    judge,
    look_at,
    new_work,
)
from karma.bots.nodes import next_move
from karma.bots.registry import BOTS
from karma.core import determinize, prepare
from karma.core.kernel import entry, kernel
from karma.core.layout import MOVES, PICK_UP, POOL, TURN_OVER, Record
from karma.editions import Rules
from karma.moves import Move
from karma.packing import new_states
from karma.view import View

Array = Any
WITHOUT_NET = "expert"  # who plays where no network is better
UNLIMITED = 0


class Opinion(NamedTuple):
    """What a network thinks of a move."""

    worth: float  # sooner wins are worth more
    keeps: float  # the chance not to lose


@kernel
def opinion(
    rules: Record, states: Array, move: int, weights: Weights, work: Any
) -> tuple[float, float]:
    """What the network thinks of a move of the first state, after `look_at`."""
    work.layer[0] = np.inf
    worth = judge(rules, states, 0, 1, move, weights, work)
    over = work.layer[0] == np.inf  # nothing was asked of the layers: the game is over
    return chance(worth), chance(worth if over else head(weights, work.layer, KEEPS))


@entry
def judge_all(
    rules: Array,
    views: Array,
    states: Array,
    weights: Weights,
    work: Any,
    rng: Array,
    worths: Array,
    keeps: Array,
) -> None:
    """Writes down what the network thinks of each legal move of a view."""
    pool = np.zeros(POOL, np.int64)
    view = views[0]
    length = prepare(rules[0], view, states[0], pool)
    determinize(view, states[0], pool, length, rng)
    look_at(rules[0], states, 0, weights, work)
    plays = first_turning(view.plays)
    others = view.others
    while plays | others:
        move, plays, others = next_move(plays, others)
        worths[move], keeps[move] = opinion(rules[0], states, move, weights, work)


def opinions(view: View, weights: Weights) -> dict[Move, Opinion]:
    """What a network thinks of each legal move, from the view alone."""
    worths, keeps = np.zeros(MOVES), np.zeros(MOVES)
    judge_all(
        view.packed_rules,
        view.record,
        new_states(view.rules, 2),
        weights,
        new_work(weights),
        word(0),
        worths,
        keeps,
    )
    thought = {}
    for move in view.legal:
        # Nobody knows one face-down card from another.
        number = move.number
        if TURN_OVER <= number < PICK_UP:
            number = min(m.number for m in view.legal if m.number >= TURN_OVER)
        thought[move] = Opinion(float(worths[number]), float(keeps[number]))
    return thought


def favourite(view: View, weights: Weights) -> Move:
    """The move with the highest worth."""
    thought = opinions(view, weights)
    return max(thought, key=lambda move: (thought[move].worth, -move.number))


def net_for(rules: Rules, players: int) -> Weights | None:
    """The network whose word counts at a table, with the chances that were fitted to it."""
    name = trained_net(rules, players)
    return None if name is None else net_at(name, rules, players)


def without_net(seed: int, milliseconds: int, **changed: int) -> Bot:
    """The strongest bot that needs no network, some of its options changed."""
    return BOTS[WITHOUT_NET].make(seed, changed, milliseconds or None)


class NetBot:
    """The network's favourite move."""

    def __init__(
        self, name: str, *, seed: int = 0, milliseconds: int = UNLIMITED, network: str = ""
    ) -> None:
        self.name = name
        self.seed = seed
        self.milliseconds = milliseconds
        self.network = network

    def choose(self, view: View) -> Move:
        """The network's favourite; expert's move where that is better."""
        check_turn(view)
        if len(view.legal) == 1:
            return view.legal[0]
        name = self.network or player_for(NET, view.rules, len(view.players))
        if name is None:
            return without_net(self.seed, self.milliseconds).choose(view)
        return favourite(view, load_net(name))
