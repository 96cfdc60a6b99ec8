"""`net`: the move that a value network likes best, without any search.

The networks are in the package, each with the tables (edition and players) that it was trained for.
At any other table the strongest search without a network plays.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from karma.bots.bot import Bot, check_turn
from karma.bots.chance import word
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
from karma.bots.registry import BOTS, make_bot
from karma.bots.weights import load
from karma.core import determinize, prepare
from karma.core.kernel import entry, lowest_place
from karma.core.layout import MOVES, PICK_UP, TURN_OVER
from karma.editions import EDITIONS, Rules
from karma.moves import Move
from karma.packing import new_states
from karma.view import View

Array = Any
FOLDER = Path(__file__).parent / "nets"
#: Who plays where no network fits: the first of these that exists.
WITHOUT_NET = ("expert", "sharp", "careful", "greedy")
UNLIMITED = 0


class Opinion(NamedTuple):
    """What a network thinks of a move."""

    worth: float  # sooner wins are worth more
    keeps: float  # the chance not to lose


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
    pool = np.zeros(200, np.int64)
    view = views[0]
    length = prepare(rules[0], view, states[0], pool)
    determinize(view, states[0], pool, length, rng)
    look_at(rules[0], states, 0, weights, work)
    plays = first_turning(view.plays)
    others = view.others
    while plays | others:
        if plays:
            move = lowest_place(plays)
            plays &= plays - 1
        else:
            move = PICK_UP + lowest_place(others)
            others &= others - 1
        work.layer[0] = np.inf
        worth = judge(rules[0], states, 0, 1, move, weights, work)
        worths[move] = chance(worth)
        over = work.layer[0] == np.inf  # nothing was asked of the layers: the game is over
        keeps[move] = chance(worth if over else head(weights, work.layer, KEEPS))


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


@cache
def _trained() -> dict[tuple[Rules, int], str]:
    """Which network was trained for which table; where several were, the last by name."""
    found = {}
    for path in sorted(FOLDER.glob("*.json")):
        for table in json.loads(path.read_text())["config"]["tables"]:
            found[EDITIONS[table["edition"]], table["players"]] = path.stem
    return found


@cache
def _load(name: str) -> Weights:
    return load(FOLDER / f"{name}.npz")


def net_name(rules: Rules, players: int) -> str | None:
    """The name of the network that was trained for a table, if there is one."""
    return _trained().get((rules.replace(stall_limit=0), players))


def net_for(rules: Rules, players: int) -> Weights | None:
    """The network that was trained for these rules and this number of players, if there is one."""
    name = net_name(rules, players)
    return None if name is None else _load(name)


def without_net(seed: int, milliseconds: int) -> Bot:
    """The strongest bot that needs no network."""
    name = next(name for name in WITHOUT_NET if name in BOTS)
    return make_bot(name, seed=seed, milliseconds=milliseconds or None)


class NetBot:
    """The network's favourite move."""

    def __init__(self, name: str, *, seed: int = 0, milliseconds: int = UNLIMITED) -> None:
        self.name = name
        self.seed = seed
        self.milliseconds = milliseconds

    def choose(self, view: View) -> Move:
        """The move with the highest worth."""
        check_turn(view)
        weights = net_for(view.rules, len(view.players))
        if weights is None:
            return without_net(self.seed, self.milliseconds).choose(view)
        if len(view.legal) == 1:
            return view.legal[0]
        thought = opinions(view, weights)
        return max(thought, key=lambda move: (thought[move].worth, -move.number))
