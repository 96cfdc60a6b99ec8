"""Honest chances: the heads that foretell results, fitted anew to games of the network itself.

While it learns, a network meets weaker players and makes moves only to explore, so its chance not
to lose is that of such games. The last layer's heads for the result and the places are a
logistic regression on what the layer before says; here they are fitted to games that a finished
network plays against itself without exploring. The worth, by which moves are chosen, stays.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from karma.bots.chance import words as chance_words
from karma.bots.encoding import BITS
from karma.bots.network import KEEPS, PLACES, Weights, new_work, quantised
from karma.packing import new_states
from karma.train.config import TrainingTable
from karma.train.generator import NO_TEACHER
from karma.train.selfplay import LEARNER, SAMPLE, generate

Array = Any
FITTED = 2**42  # seeds of games that nothing else uses
ENOUGH = 1e-6  # a gain for each decision that is not worth another step
MOST_STEPS = 30
CALM = 1.0  # of the pull towards the heads as they were learned, for units that are hardly used


def calibrate(tables: list[TrainingTable], weights: Weights, number: int) -> Weights:
    """The network with its chances fitted to about so many of its own decisions a table."""
    units, keeps, places = [], [], []
    for table in tables:
        words, samples = own_games(table, weights, number, FITTED)
        units.append(last_units(weights, words))
        keeps.append(samples["keeps"])
        places.append(samples["place"])
    inputs = np.concatenate(units)
    kept = np.concatenate(keeps)
    heads, bias = weights.heads.copy(), weights.heads_bias.copy()
    # Two classes, of which the other one always says nought.
    both = np.stack([1 - kept, kept], 1)
    start = np.stack([np.zeros_like(heads[KEEPS]), heads[KEEPS]])
    rows, biases = fit(inputs, both, start, np.array([0, bias[KEEPS]]))
    heads[KEEPS], bias[KEEPS] = rows[1] - rows[0], biases[1] - biases[0]
    if len(heads) > PLACES:
        place = np.concatenate(places)
        known = place >= 0
        ended = np.eye(len(heads) - PLACES, dtype=np.float32)[place[known]]
        heads[PLACES:], bias[PLACES:] = fit(inputs[known], ended, heads[PLACES:], bias[PLACES:])
    return weights._replace(heads=heads, heads_bias=bias)


def own_games(
    table: TrainingTable, weights: Weights, number: int, seed: int
) -> tuple[Array, Array]:
    """Positions of games of a network against itself, and what came of them."""
    weights = quantised(weights)
    samples = np.zeros(number, SAMPLE)
    words = np.zeros((number, len(weights.first) // BITS), np.int64)
    length = generate(
        table.rules.packed,
        new_states(table.rules, 2),
        np.full((1, table.players), LEARNER),
        weights,
        weights,
        new_work(weights),
        NO_TEACHER,
        0.0,
        1.0,
        1.0,
        1.0,
        chance_words(seed),
        words,
        samples,
        np.zeros(3, np.int64),
    )
    return words[:length], samples[:length]


def last_units(weights: Weights, words: Array) -> Array:
    """What the heads are computed from, by plain NumPy."""
    units = []
    for part in np.array_split(words, max(1, len(words) // 4096)):
        bits = np.unpackbits(part.view(np.uint8), axis=1, bitorder="little").astype(np.float32)
        one = np.maximum(bits @ weights.first + weights.first_bias, 0)
        units.append(np.maximum(one @ weights.second + weights.second_bias, 0))
    return np.concatenate(units)


def forward(weights: Weights, words: Array) -> Array:
    """What all heads say, as logits, by plain NumPy."""
    return last_units(weights, words) @ weights.heads.T + weights.heads_bias


def fit(inputs: Array, shares: Array, rows: Array, bias: Array) -> tuple[Array, Array]:
    """Multinomial logistic regression by Newton's method, with steps halved where they overshoot.

    `shares` says what happened, by class; the rows and biases are where the search begins.
    """
    wide = np.hstack([inputs, np.ones((len(inputs), 1), inputs.dtype)]).astype(np.float32)
    start = np.hstack([rows, bias[:, None]]).astype(np.float64)
    found, (chances, loss) = start, _foretell(wide, shares, start, start)
    for _ in range(MOST_STEPS):
        slope = (shares - chances).T @ wide - CALM * (found - start)
        step = np.linalg.solve(_curvature(wide, chances), slope.ravel()).reshape(start.shape)
        size = 1.0
        after = _foretell(wide, shares, found + step, start)
        while after[1] > loss and size > ENOUGH:
            size /= 2
            after = _foretell(wide, shares, found + size * step, start)
        gain = loss - after[1]
        found, (chances, loss) = found + size * step, after
        if gain < ENOUGH * len(wide):
            break
    return found[:, :-1].astype(np.float32), found[:, -1].astype(np.float32)


def _foretell(wide: Array, shares: Array, rows: Array, start: Array) -> tuple[Array, float]:
    """The chances of the classes, and how badly they foretold what happened."""
    logits = wide @ rows.T.astype(np.float32)
    logits -= logits.max(1, keepdims=True)
    sums = np.exp(logits).sum(1, keepdims=True)
    loss = (shares * (np.log(sums) - logits)).sum(dtype=np.float64)
    return np.exp(logits) / sums, float(loss + CALM / 2 * ((rows - start) ** 2).sum())


def _curvature(wide: Array, chances: Array) -> Array:
    """The second derivatives of the loss, by class and input."""
    classes, width = chances.shape[1], wide.shape[1]
    curve = CALM * np.eye(classes * width).reshape(classes, width, classes, width)
    for a in range(classes):
        for b in range(classes):
            weight = chances[:, a] * ((a == b) - chances[:, b])
            curve[a, :, b] += (wide * weight[:, None]).T @ wide
    return curve.reshape(classes * width, -1)
