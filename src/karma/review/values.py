"""Values: how good a position is for each seat, as its chance not to lose by what that seat knows.

A judge says a seat's chance from the seat's View alone: a network where one was trained for the
table, quick rollouts in worlds that fit the view everywhere else. The chances of all seats are then
made to fit together: exactly one of them loses, so the values of n seats add up to n - 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from hashlib import sha256
from typing import Any, Protocol

import msgspec
import numpy as np

from karma.bots.chance import words
from karma.bots.choice import FOLDER, chances_at, trained_net
from karma.bots.encoding import encode
from karma.bots.net import net_for, opinion
from karma.bots.network import (
    KEEPS,
    Weights,
    Work,
    add_rows,
    chance,
    first_turning,
    head,
    look_at,
    new_work,
    second_layer,
)
from karma.bots.nodes import next_move
from karma.bots.rollouts import STEADY, rollout
from karma.bots.sources import digest_of
from karma.core import determinize, look, new_log, new_view, observe, prepare, start, step
from karma.core.kernel import entry, kernel
from karma.core.layout import NOBODY, OVER, POOL, WHEN_EMPTY, Record
from karma.core.rules import add_card, next_card
from karma.editions import Rules
from karma.packing import new_states, pack_deck
from karma.view import View

Array = Any
SAFEST = 1 - 1e-9
"""No seat is ever quite sure, so that the chances to lose always add up to something."""
EVERYBODY = -1
ALL_SEEN = 1000
"""A place of the deck that no game reaches: everybody has looked at all they drew."""


class Judge(Protocol):
    """Who says how good positions are for their seats."""

    name: str

    def chances(
        self,
        rules: Rules,
        states: Array,
        *,
        only: int = EVERYBODY,
        mover: int = 0,
        first: int = ALL_SEEN,
    ) -> Array:
        """Every seat's chance not to lose in every state (or only one seat's), by what it knows.

        Whoever draws in the mover's move, which led to the states, has not yet looked at the cards
        from a place of the deck on.
        """


@kernel
def kind_of(card: int) -> int:
    return (card & 63) // 3


@kernel
def drawer(rules: Record, after: Record, mover: int) -> int:
    """Who draws in a move: its maker, or whoever is next with an empty hand."""
    return after.actor if rules.drawing == WHEN_EMPTY else mover


@kernel
def see(rules: Record, state: Record, seat: int, mover: int, first: int, view: Record) -> int:
    """What a seat knows; returns how many of the cards in its hand it has not yet looked at."""
    observe(rules, state, seat, view)
    if state.drawn <= first or seat != drawer(rules, state, mover):
        return 0
    for place in range(first, state.drawn):
        view.hand[kind_of(state.deck[place])] -= 1
    unknown = state.drawn - first
    view.hand_sizes[seat] -= unknown
    view.draw_pile += unknown
    return unknown  # type: ignore[no-any-return]


# ---- by a network -------------------------------------------------------------------------------


@entry
def chances_by_net(
    rules: Array,
    states: Array,
    only: int,
    mover: int,
    first: int,
    views: Array,
    room: Array,
    weights: Weights,
    work: Work,
    found: Array,
) -> None:
    """What a network says to every seat; to the actor, of the move it likes best."""
    pool = np.zeros(POOL, np.int64)
    rng = np.zeros(1, np.int64)
    view = views[0]
    for i in range(len(states)):
        for seat in range(states[i].seats):
            if only != EVERYBODY and seat != only:
                continue
            rng[0] = 1
            unknown = see(rules[0], states[i], seat, mover, first, view)
            length = prepare(rules[0], view, room[0], pool)
            determinize(view, room[0], pool, length, rng)
            if view.actor == seat and unknown == 0:
                found[i, seat] = keeps_by_best(rules, view, room, weights, work)
            else:
                encode(rules[0], room[0], room[0], seat, 0, work.after)
                add_rows(weights, work.after, work.sums)
                second_layer(weights, work.sums, work.layer)
                found[i, seat] = chance(head(weights, work.layer, KEEPS))


@kernel
def keeps_by_best(rules: Array, view: Record, room: Array, weights: Weights, work: Work) -> float:
    """What the network says of the actor's move that it likes best."""
    look_at(rules[0], room, 0, weights, work)
    plays = first_turning(view.plays)
    others = view.others
    highest = keeps = -1.0
    while plays | others:
        move, plays, others = next_move(plays, others)
        worth, kept = opinion(rules[0], room, move, weights, work)
        if worth > highest:
            highest, keeps = worth, kept
    return keeps


class NetJudge:
    """A network; the actor's chance is that of the move it likes best."""

    def __init__(self, name: str, weights: Weights) -> None:
        self.name = name
        self.weights = weights
        self._work = new_work(weights)

    def chances(
        self,
        rules: Rules,
        states: Array,
        *,
        only: int = EVERYBODY,
        mover: int = 0,
        first: int = ALL_SEEN,
    ) -> Array:
        """What the network says."""
        found = np.zeros((len(states), int(states["seats"][0])))
        room = new_states(rules, 2)
        who = only, mover, first
        weighed = self.weights, self._work
        chances_by_net(rules.packed, states, *who, new_view(), room, *weighed, found)
        return found


# ---- by rollouts --------------------------------------------------------------------------------


@entry
def chances_by_rollouts(
    rules: Array,
    states: Array,
    only: int,
    mover: int,
    first: int,
    views: Array,
    room: Array,
    number: int,
    words: Array,
    found: Array,
) -> None:
    """The share of games, quickly played on in worlds that fit its view, that a seat keeps."""
    pool = np.zeros(POOL, np.int64)
    rng = np.zeros(1, np.int64)
    view = views[0]
    for i in range(len(states)):
        even = 1 - 1 / states[i].seats
        for seat in range(states[i].seats):
            if only != EVERYBODY and seat != only:
                continue
            rng[0] = words[seat]
            unknown = see(rules[0], states[i], seat, mover, first, view)
            length = prepare(rules[0], view, room[0], pool)
            kept = 0.0
            for _ in range(number):
                room[1] = room[0]
                determinize(view, room[1], pool, length, rng)
                for _ in range(unknown):
                    add_card(room[1].hand[seat], next_card(room[1]))
                rollout(STEADY, rules[0], room[1], rng)
                if room[1].loser == NOBODY:
                    kept += even
                elif room[1].loser != seat:
                    kept += 1.0
            # A little drawn towards the even share: nothing is certain after a few games.
            found[i, seat] = (kept + even) / (number + 1)


class RolloutJudge:
    """Quick games by steady in every seat; at one ply the same chance for all that might come."""

    def __init__(self, rollouts: int, seed: int) -> None:
        self.name = f"steady, {rollouts} rollouts"
        self.rollouts = rollouts
        self.seed = seed

    def chances(
        self,
        rules: Rules,
        states: Array,
        *,
        only: int = EVERYBODY,
        mover: int = 0,
        first: int = ALL_SEEN,
    ) -> Array:
        """The shares not lost."""
        seats, ply = int(states["seats"][0]), int(states["ply"][0])
        found = np.zeros((len(states), seats))
        room = new_states(rules, 2)
        who = only, mover, first
        seeded = self.rollouts, words(self.seed, ply, np.arange(seats))
        chances_by_rollouts(rules.packed, states, *who, new_view(), room, *seeded, found)
        return found


def judge_for(rules: Rules, players: int, rollouts: int, seed: int) -> Judge:
    """The network that was trained for a table; so many rollouts where there is none."""
    name, weights = trained_net(rules, players), net_for(rules, players)
    if name is None or weights is None:
        return RolloutJudge(rollouts, seed)
    return NetJudge(f"{name}@{_version(name, rules, players)}", weights)


@cache
def _version(name: str, rules: Rules, players: int) -> str:
    """A digest of a network: a later one of the same name judges otherwise."""
    version = digest_of([FOLDER / f"{name}.npz"])[:8]
    own = chances_at(name, rules, players)
    if own is not None:
        version = sha256(version.encode() + msgspec.json.encode(own)).hexdigest()[:8]
    return version


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
    return 1 - risks / risks.sum(axis=-1, keepdims=True)


def is_over(state: Array) -> bool:
    """Is the game of a state over?"""
    return bool(state["phase"][0] == OVER)


def values(judge: Judge, state: Array, rules: Rules, players: tuple[str, ...]) -> Array:
    """The values of all seats in a position."""
    if is_over(state):
        return result(state, len(players))
    return fit(judge.chances(rules, state)[0])
