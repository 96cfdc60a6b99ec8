"""Values: how good a position is for each seat, as its chance not to lose by what that seat knows.

A judge says a seat's chance from the seat's View alone: a network where one was trained for the
table, quick rollouts in worlds that fit the view everywhere else. The chances of all seats are then
made to fit together: exactly one of them loses, so the values of n seats add up to n - 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, Protocol

import numpy as np

from karma.bots.chance import word
from karma.bots.choice import FOLDER
from karma.bots.encoding import encode
from karma.bots.net import net_for, net_name, opinions
from karma.bots.network import KEEPS, Weights, Work, add_rows, chance, head, new_work, second_layer
from karma.bots.rollouts import STEADY, rollout
from karma.bots.sources import digest_of
from karma.core import determinize, look, new_log, new_view, prepare, start, step
from karma.core.kernel import entry
from karma.core.layout import NOBODY, OVER
from karma.core.rules import add_card, next_card
from karma.editions import Rules
from karma.packing import new_states, pack_deck
from karma.view import View

Array = Any
SAFEST = 1 - 1e-9
"""No seat is ever quite sure, so that the chances to lose always add up to something."""


class Judge(Protocol):
    """Who says how good a position is for a seat."""

    name: str

    def chance(self, view: View, unknown: int = 0) -> float:
        """The seat's chance not to lose; it is still to draw so many cards of its hand."""


# ---- by a network -------------------------------------------------------------------------------


@entry
def keeps_by_net(
    rules: Array, views: Array, states: Array, weights: Weights, work: Work, rng: Array
) -> float:
    """What a network says of a position that a seat looks at."""
    pool = np.zeros(200, np.int64)
    length = prepare(rules[0], views[0], states[0], pool)
    determinize(views[0], states[0], pool, length, rng)
    encode(rules[0], states[0], states[0], views[0].seat, 0, work.after)
    add_rows(weights, work.after, work.sums)
    second_layer(weights, work.sums, work.layer)
    return chance(head(weights, work.layer, KEEPS))


class NetJudge:
    """A network; the actor's chance is that of the move it likes best."""

    def __init__(self, name: str, weights: Weights) -> None:
        self.name = name
        self.weights = weights

    def chance(self, view: View, unknown: int = 0) -> float:
        """What the network says."""
        if view.actor == view.seat and not unknown:
            thought = opinions(view, self.weights)
            best = max(thought, key=lambda move: (thought[move].worth, -move.number))
            return thought[best].keeps
        states = new_states(view.rules)
        work = new_work(self.weights)
        return float(
            keeps_by_net(view.packed_rules, view.record, states, self.weights, work, word(0))
        )


# ---- by rollouts --------------------------------------------------------------------------------


@entry
def keeps_by_rollouts(
    rules: Array, views: Array, states: Array, unknown: int, number: int, rng: Array
) -> float:
    """How many games, quickly played on in worlds that fit a view, its seat does not lose."""
    pool = np.zeros(200, np.int64)
    seat = views[0].seat
    length = prepare(rules[0], views[0], states[0], pool)
    even = 1 - 1 / views[0].seats
    kept = 0.0
    for _ in range(number):
        states[1] = states[0]
        determinize(views[0], states[1], pool, length, rng)
        for _ in range(unknown):
            add_card(states[1].hand[seat], next_card(states[1]))
        rollout(STEADY, rules[0], states[1], rng)
        if states[1].loser == NOBODY:
            kept += even
        elif states[1].loser != seat:
            kept += 1.0
    return kept


class RolloutJudge:
    """Quick games by steady in every seat; at one ply the same chance for all that might come."""

    def __init__(self, rollouts: int, seed: int) -> None:
        self.name = f"steady, {rollouts} rollouts"
        self.rollouts = rollouts
        self.seed = seed

    def chance(self, view: View, unknown: int = 0) -> float:
        """The share not lost, a little drawn towards the even one."""
        assert view.seat is not None
        kept = keeps_by_rollouts(
            view.packed_rules,
            view.record,
            new_states(view.rules, 2),
            unknown,
            self.rollouts,
            word(self.seed, view.ply, view.seat),
        )
        return float(kept + 1 - 1 / len(view.players)) / (self.rollouts + 1)


def judge_for(rules: Rules, players: int, rollouts: int, seed: int) -> Judge:
    """The network that was trained for a table; so many rollouts where there is none."""
    name, weights = net_name(rules, players), net_for(rules, players)
    if name is None or weights is None:
        return RolloutJudge(rollouts, seed)
    return NetJudge(f"{name}@{_version(name)}", weights)


@cache
def _version(name: str) -> str:
    """A digest of a network: a later one of the same name judges otherwise."""
    return digest_of([FOLDER / f"{name}.npz"])[:8]


# ---- states -------------------------------------------------------------------------------------


def dealt(rules: Rules, players: int, deck: Sequence[str], dealer: int) -> Array:
    """The state of a game before its first move."""
    state = new_states(rules)
    pack_deck(deck, state)
    start(rules.packed, state, players, dealer)
    return state


def moved(state: Array, move: int, rules: Rules) -> Array:
    """The state after a move."""
    after = state.copy()
    step(rules.packed, after, move, new_log())
    return after


# ---- all seats together -------------------------------------------------------------------------


def seen_by(state: Array, seat: int, rules: Rules, players: tuple[str, ...]) -> View:
    """What a seat knows of a state."""
    record = new_view()
    look(rules.packed, state, seat, record)
    return View(record, rules, players)


def without_draws(view: View, kinds: list[int]) -> View:
    """The view of a seat that has not yet looked at the cards, of these kinds, drawn last."""
    record = view.record.copy()
    for kind in kinds:
        record["hand"][0, kind] -= 1
    record["hand_sizes"][0, view.seat] -= len(kinds)
    record["draw_pile"][0] += len(kinds)
    return View(record, view.rules, view.players)


def result(state: Array, players: int) -> Array:
    """The values of a game that is over: all but the loser; even shares where nobody lost."""
    loser = int(state["loser"][0])
    if loser == NOBODY:
        return np.full(players, 1 - 1 / players)
    values = np.ones(players)
    values[loser] = 0.0
    return values


def fit(chances: Array) -> Array:
    """The values of all seats: one of them loses, the likelier the less it hopes not to."""
    risks = 1 - np.minimum(chances, SAFEST)
    return 1 - risks / risks.sum()


def is_over(state: Array) -> bool:
    """Is the game of a state over?"""
    return bool(state["phase"][0] == OVER)


def chances(
    judge: Judge,
    state: Array,
    rules: Rules,
    players: tuple[str, ...],
    drawer: int = -1,
    drawn: tuple[int, ...] = (),
) -> Array:
    """Every seat's chance; the drawer has not yet looked at the kinds it drew last."""
    found = np.zeros(len(players))
    for seat in range(len(players)):
        view = seen_by(state, seat, rules, players)
        if seat == drawer and drawn:
            found[seat] = judge.chance(without_draws(view, list(drawn)), len(drawn))
        else:
            found[seat] = judge.chance(view)
    return found


def values(judge: Judge, state: Array, rules: Rules, players: tuple[str, ...]) -> Array:
    """The values of all seats in a position."""
    if is_over(state):
        return result(state, len(players))
    return fit(chances(judge, state, rules, players))
