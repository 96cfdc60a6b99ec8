"""Decisions: what a move cost, judged by what its maker knew, never by the cards that were hidden.

Worlds are dealt anew from the mover's view. The move made and the move that the judge would have
made are played on in the same worlds, by the judge in every seat; the difference is the loss. The
judge's move is picked by samples of its own, so that no luck of the picking is counted as skill.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from karma.bots.chance import word
from karma.bots.encoding import encode
from karma.bots.net import opinions
from karma.bots.network import (
    KEEPS,
    Weights,
    Work,
    add_rows,
    best_move,
    chance,
    head,
    new_work,
    second_layer,
)
from karma.bots.rollouts import LONGEST
from karma.bots.steady import first_steady
from karma.core import apply, determinize, legal, prepare
from karma.core.kernel import count, entry, kernel
from karma.core.layout import GIVE, KINDS, NOBODY, OVER, PICK_UP, POOL, TURN_OVER, Record
from karma.core.rules import cards_of, size
from karma.moves import Move
from karma.packing import new_states
from karma.review.facts import FACTS
from karma.review.values import Judge, NetJudge
from karma.view import View

Array = Any
PLIES = 20
"""How far a network plays a move on before it says what the position is worth."""
ROOM, WORLD, TRIAL, SPARE = range(4)

# The columns of the facts, in their order.
NEXT_PICKS_UP, I_PICK_UP, I_AM_OUT, I_LOSE, SET_FALLS = range(5)
CARDS_HELD, KARMA_HELD, HIGH_HELD, TABLE_LEFT, OTHERS_HELD, OTHERS_LEFT = range(5, len(FACTS))
HIGH = 11 - 1
"""The kind from which on numbers are called high."""


class Trials(NamedTuple):
    """How moves did: a row for each move, a column for each world."""

    values: Array
    facts: Array  # moves by worlds by facts


class Decision(NamedTuple):
    """A move, the move that the judge would have made, and how both did in the same worlds."""

    made: Move
    best: Move
    loss: float
    error: float
    trials: Trials | None  # None where the judge would have made the same move


# ---- playing on ---------------------------------------------------------------------------------


@kernel
def cards_between(zone: Array, first: int, end: int) -> int:
    """How many cards of the kinds from the first up to the end a zone has."""
    number = 0
    for w in range(len(zone)):
        for kind in range(first, end):
            number += count(zone[w] & cards_of(kind))
    return number


@kernel
def table_cards(state: Record, seat: int) -> int:
    return size(state.face_up[seat]) + count(state.covered[seat])


@kernel
def note_move(before: Record, after: Record, seat: int, moved: Array, facts: Array) -> None:
    """Notes what a person would see of a move: who picks up, and whether a set falls.

    `moved` says whether another seat has moved since the decision, and then the seat itself.
    """
    actor = before.actor
    grown = size(after.hand[actor]) > size(before.hand[actor])
    picked = grown and after.drawn == before.drawn and after.pile_top == after.pile_bottom
    if actor != seat and not moved[0]:
        moved[0] = 1
        facts[NEXT_PICKS_UP] = 1.0 * picked
    elif actor == seat and moved[0] and not moved[1]:
        moved[1] = 1
        facts[I_PICK_UP] = 1.0 * picked
    elif actor == seat and not moved[0]:
        gone = size(after.removed) - size(before.removed)
        if gone > 1 and after.pile_top == after.pile_bottom:
            facts[SET_FALLS] = 1.0


@kernel
def note_end(state: Record, seat: int, facts: Array) -> None:
    facts[I_AM_OUT] = 1.0 * (state.holders >> seat & 1 == 0)
    facts[I_LOSE] = 1.0 * (state.loser == seat)
    facts[CARDS_HELD] = size(state.hand[seat])
    facts[KARMA_HELD] = cards_between(state.hand[seat], GIVE, KINDS)
    facts[HIGH_HELD] = cards_between(state.hand[seat], HIGH, GIVE)
    facts[TABLE_LEFT] = table_cards(state, seat)
    held = left = 0
    for other in range(state.seats):
        if other != seat:
            held += size(state.hand[other])
            left += table_cards(state, other)
    facts[OTHERS_HELD] = held / (state.seats - 1)
    facts[OTHERS_LEFT] = left / (state.seats - 1)


@kernel
def outcome(state: Record, seat: int) -> float:
    if state.loser == NOBODY:
        return 1 - 1 / state.seats  # type: ignore[no-any-return]
    return 1.0 * (state.loser != seat)  # type: ignore[no-any-return]


@entry
def try_by_net(
    rules: Array,
    views: Array,
    states: Array,
    moves: Array,
    weights: Weights,
    work: Work,
    rng: Array,
    trials: Trials,
) -> None:
    """Plays moves on in the same worlds: some plies by the network, then its word."""
    pool = np.zeros(POOL, np.int64)
    moved = np.zeros(2, np.int64)
    seat = views[0].seat
    trial = states[TRIAL]
    length = prepare(rules[0], views[0], states[ROOM], pool)
    for i in range(trials.values.shape[1]):
        states[WORLD] = states[ROOM]
        determinize(views[0], states[WORLD], pool, length, rng)
        for m in range(len(moves)):
            states[TRIAL] = states[WORLD]
            moved[:] = 0
            move = moves[m]
            last = trial.ply + PLIES
            while trial.phase != OVER and trial.ply < last:
                if move < 0:
                    move, _ = best_move(rules[0], states, TRIAL, SPARE, weights, work)
                states[SPARE] = states[TRIAL]
                apply(rules[0], trial, move, None)
                note_move(states[SPARE], trial, seat, moved, trials.facts[m, i])
                move = np.int64(-1)
            note_end(trial, seat, trials.facts[m, i])
            if trial.phase == OVER:
                trials.values[m, i] = outcome(trial, seat)
            else:
                encode(rules[0], trial, trial, seat, 0, work.after)
                add_rows(weights, work.after, work.sums)
                second_layer(weights, work.sums, work.layer)
                trials.values[m, i] = chance(head(weights, work.layer, KEEPS))


@entry
def try_by_rollouts(
    rules: Array, views: Array, states: Array, moves: Array, rng: Array, trials: Trials
) -> None:
    """Plays moves on in the same worlds, to the end, by steady in every seat."""
    pool = np.zeros(POOL, np.int64)
    moved = np.zeros(2, np.int64)
    seat = views[0].seat
    trial = states[TRIAL]
    length = prepare(rules[0], views[0], states[ROOM], pool)
    for i in range(trials.values.shape[1]):
        states[WORLD] = states[ROOM]
        determinize(views[0], states[WORLD], pool, length, rng)
        for m in range(len(moves)):
            states[TRIAL] = states[WORLD]
            moved[:] = 0
            move = moves[m]
            near = trial.ply + PLIES
            last = trial.ply + LONGEST
            while trial.phase != OVER and trial.ply < last:
                if move < 0:
                    plays, others = legal(rules[0], trial)
                    move = first_steady(rules[0], trial, plays, others)
                states[SPARE] = states[TRIAL]
                apply(rules[0], trial, move, None)
                if trial.ply <= near:
                    note_move(states[SPARE], trial, seat, moved, trials.facts[m, i])
                if trial.ply == near or (trial.phase == OVER and trial.ply < near):
                    note_end(trial, seat, trials.facts[m, i])
                move = np.int64(-1)
            trials.values[m, i] = outcome(trial, seat)


# ---- judging ------------------------------------------------------------------------------------

PICKING, VALUING = range(2)


def different(view: View) -> list[int]:
    """The numbers of a view's moves that differ: nobody knows one face-down card from another."""
    numbers = [move.number for move in view.legal]
    turning = [number for number in numbers if TURN_OVER <= number < PICK_UP]
    return [number for number in numbers if number not in turning[1:]]


def trials(view: View, moves: list[int], judge: Judge, worlds: int, rng: Array) -> Trials:
    """How moves do in so many worlds that fit a view."""
    found = Trials(np.zeros((len(moves), worlds)), np.zeros((len(moves), worlds, len(FACTS))))
    room = view.packed_rules, view.record, new_states(view.rules, 4), np.array(moves, np.int64)
    if isinstance(judge, NetJudge):
        try_by_net(*room, judge.weights, new_work(judge.weights), rng, found)
    else:
        try_by_rollouts(*room, rng, found)
    return found


def best(view: View, judge: Judge, worlds: int, seed: int) -> int:
    """The number of the move that the judge would make."""
    numbers = different(view)
    if len(numbers) == 1:
        return numbers[0]
    if isinstance(judge, NetJudge):
        thought = opinions(view, judge.weights)
        return max(thought, key=lambda move: (thought[move].worth, -move.number)).number
    tried = trials(view, numbers, judge, worlds, word(seed, view.ply, PICKING))
    return numbers[int(np.argmax(tried.values.mean(axis=1)))]


def decide(view: View, made: Move, judge: Judge, worlds: int, seed: int) -> Decision:
    """What a move cost, beside the one that the judge would have made."""
    number = _alike(made, view)
    chosen = best(view, judge, worlds, seed)
    if chosen == number:
        return Decision(made, made, 0.0, 0.0, None)
    tried = trials(view, [chosen, number], judge, worlds, word(seed, view.ply, VALUING))
    gap = tried.values[0] - tried.values[1]
    error = float(gap.std(ddof=1) / np.sqrt(worlds)) if worlds > 1 else float("inf")
    named = next(move for move in view.legal if move.number == chosen)
    return Decision(made, named, float(gap.mean()), error, tried)


def all_losses(
    view: View, found: Decision, judge: Judge, worlds: int, seed: int
) -> list[tuple[Move, float]]:
    """What each move that differs would cost beside the best one.

    Of the two that were compared it is known; the others are tried in the first half of the same
    worlds, which is enough to tell whoever tries one how far off it is.
    """
    known = {found.best.number: 0.0, _alike(found.made, view): found.loss}
    numbers = [number for number in different(view) if number not in known]
    if numbers:
        some = -(-worlds // 2)
        rng = word(seed, view.ply, VALUING)
        best, *others = trials(view, [found.best.number, *numbers], judge, some, rng).values
        known |= {n: float((best - other).mean()) for n, other in zip(numbers, others, strict=True)}
    return [(move, known[move.number]) for move in view.legal if move.number in known]


def _alike(move: Move, view: View) -> int:
    """The number by which a move is tried: one face-down card is like another."""
    if TURN_OVER <= move.number < PICK_UP:
        return min(other for other in different(view) if other >= TURN_OVER)
    return move.number
