"""The value network, without torch: how good is each move, from the mover's knowledge alone.

The first layer is sparse and incremental: its input is bits, so it is a sum of rows, and the
position after a move differs from the one before it in a few of them. The second layer skips the
units that are silent. Everything is a kernel, so rollouts can play by the network too.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from karma.bots.encoding import BITS, encode
from karma.bots.nodes import next_move
from karma.core import apply, legal
from karma.core.kernel import Word, kernel, lowest_place
from karma.core.layout import NOBODY, OVER, PICK_UP, TURN_OVER, Record
from karma.core.rules import bit

Array = Any
#: What the network says: how much the position is worth, sooner wins being worth more; whether
#: its player will not lose; and, beyond two players, each place (the last one is losing).
WORTH, KEEPS, PLACES = 0, 1, 2
CERTAIN = 30.0  # the logit of a result that is known
SCALE = np.float32(256)  # of whole numbers: sums are below 30, and there is room up to 128


class Weights(NamedTuple):
    """The layers of a network: weights by input and output, then biases."""

    first: Array  # rows (64 for each word) by units
    first_bias: Array
    second: Array  # units by units
    second_bias: Array
    heads: Array  # heads by units
    heads_bias: Array


class Work(NamedTuple):
    """Room to work in: the position before the move and after it, as words and as sums."""

    before: Array
    after: Array
    before_sums: Array
    sums: Array
    layer: Array


def new_work(weights: Weights) -> Work:
    """Room for a network; the words of seats that nobody takes stay empty."""
    words = len(weights.first) // BITS
    return Work(
        np.zeros(words, np.int64),
        np.zeros(words, np.int64),
        np.zeros_like(weights.first_bias),
        np.zeros_like(weights.first_bias),
        np.zeros_like(weights.second_bias),
    )


def quantised(weights: Weights) -> Weights:
    """The network with a first layer of whole numbers, which are quicker to add: for many games.

    It plays as well, but not each move the same, so bots do not play by it.
    """
    first, bias = (np.round(SCALE * a).astype(np.int16) for a in weights[:2])
    return weights._replace(first=first, first_bias=bias, second=weights.second / SCALE)


@kernel
def add_rows(weights: Weights, words: Array, sums: Array) -> None:
    """The first layer of a position."""
    for unit in range(len(sums)):
        sums[unit] = weights.first_bias[unit]
    for w in range(len(words)):
        rest = words[w]
        while rest:
            row = BITS * w + lowest_place(rest)
            for unit in range(len(sums)):
                sums[unit] += weights.first[row, unit]
            rest &= rest - 1


@kernel
def change_rows(weights: Weights, work: Work) -> None:
    """The first layer of the position after a move, from that of the one before it."""
    for unit in range(len(work.sums)):
        work.sums[unit] = work.before_sums[unit]
    for w in range(len(work.after)):
        rest = work.after[w] & ~work.before[w]
        while rest:
            row = BITS * w + lowest_place(rest)
            for unit in range(len(work.sums)):
                work.sums[unit] += weights.first[row, unit]
            rest &= rest - 1
        rest = work.before[w] & ~work.after[w]
        while rest:
            row = BITS * w + lowest_place(rest)
            for unit in range(len(work.sums)):
                work.sums[unit] -= weights.first[row, unit]
            rest &= rest - 1


@kernel
def second_layer(weights: Weights, sums: Array, layer: Array) -> None:
    for unit in range(len(layer)):
        layer[unit] = weights.second_bias[unit]
    for source in range(len(sums)):
        value = np.float32(sums[source])
        if value > 0:
            for unit in range(len(layer)):
                layer[unit] += value * weights.second[source, unit]


@kernel
def head(weights: Weights, layer: Array, which: int) -> float:
    """What one head says, as a logit."""
    total = np.float64(weights.heads_bias[which])
    for unit in range(len(layer)):
        if layer[unit] > 0:
            total += layer[unit] * weights.heads[which, unit]
    return total


@kernel
def chance(logit: float) -> float:
    return 1 / (1 + np.exp(-logit))  # type: ignore[no-any-return]


@kernel
def certain(state: Record, seat: int) -> float:
    """The logit of a game that is over; a stalled one counts as 1 - 1/n."""
    if state.loser == NOBODY:
        return np.log(state.seats - 1.0)  # type: ignore[no-any-return]
    return -CERTAIN if state.loser == seat else CERTAIN


@kernel
def first_turning(plays: Word) -> Word:
    """Of the face-down cards only the first: nobody knows one from another."""
    turning = plays >> TURN_OVER
    return plays & bit(TURN_OVER) - 1 | (turning & -turning) << TURN_OVER


@kernel
def look_at(rules: Record, states: Array, i: int, weights: Weights, work: Work) -> None:
    """Prepares to judge the moves of a state's actor."""
    encode(rules, states[i], states[i], states[i].actor, 0, work.before)
    add_rows(weights, work.before, work.before_sums)


@kernel
def judge(
    rules: Record, states: Array, i: int, after: int, move: int, weights: Weights, work: Work
) -> float:
    """The worth of a move, as a logit, after `look_at`; `after` is the place of a spare state."""
    seat = states[i].actor
    if TURN_OVER <= move < PICK_UP:
        encode(rules, states[i], states[i], seat, 1, work.after)
    else:
        states[after] = states[i]
        apply(rules, states[after], move, None)
        if states[after].phase == OVER:
            return certain(states[after], seat)
        encode(rules, states[i], states[after], seat, 0, work.after)
    change_rows(weights, work)
    second_layer(weights, work.sums, work.layer)
    return head(weights, work.layer, WORTH)


@kernel
def best_move(
    rules: Record, states: Array, i: int, after: int, weights: Weights, work: Work
) -> tuple[int, float]:
    """The actor's move with the highest worth, and its logit."""
    plays, others = legal(rules, states[i])
    plays = first_turning(plays)
    look_at(rules, states, i, weights, work)
    best: Any = np.int64(-1)
    highest = -np.inf
    while plays | others:
        move, plays, others = next_move(plays, others)
        worth = judge(rules, states, i, after, move, weights, work)
        if worth > highest:
            highest = worth
            best = np.int64(move)
    return best, highest
