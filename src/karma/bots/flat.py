"""Flat Monte Carlo: each move is tried in many worlds, and the one that does best is made.

Worlds are outside and moves inside: every move is tried in the same worlds, which makes their
differences clearer. After each round the worse half of the moves is dropped (sequential halving).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from karma.bots.rollouts import MIXED, STYLES, WON, rollout, value
from karma.bots.rules_of_thumb import LENGTH, best_by
from karma.bots.search import Budget, Question, Workers, only_move
from karma.bots.steady import WEIGHTS, first_row, row_for
from karma.core import apply, determinize, prepare
from karma.core.kernel import entry
from karma.core.layout import MOVES, PICK_UP, POOL, TURN_OVER
from karma.moves import ALL, Move
from karma.view import View

Array = Any
_PARTS = 4  # of a round; threads share them
_CHUNK = 200  # rollouts between two looks at the clock
_ROOM, _WORLD, _TRIAL = range(3)


@entry
def try_moves(
    rules: Array,
    views: Array,
    states: Array,
    moves: Array,
    worlds: int,
    style: int,
    rng: Array,
    totals: Array,
) -> None:
    """Adds up what each move is worth to the viewer in so many worlds."""
    pool = np.zeros(POOL, np.int64)
    view = views[0]
    length = prepare(rules[0], view, states[_ROOM], pool)
    for _ in range(worlds):
        states[_WORLD] = states[_ROOM]
        determinize(view, states[_WORLD], pool, length, rng)
        for i in range(len(moves)):
            states[_TRIAL] = states[_WORLD]
            apply(rules[0], states[_TRIAL], moves[i], None)
            rollout(style, rules[0], states[_TRIAL], rng)
            totals[i] += value(states[_TRIAL], view.seat, view.ply, 1)


@entry
def weigh(
    rules: Array, views: Array, states: Array, first: bool, rng: Array, worths: Array
) -> None:
    """Writes what each move is worth by the rules of thumb of steady, or of its first version."""
    pool = np.zeros(POOL, np.int64)
    view = views[0]
    state = states[_WORLD]
    length = prepare(rules[0], view, state, pool)
    determinize(view, state, pool, length, rng)
    row = first_row(rules[0], state) if first else row_for(rules[0], state)
    weights = WEIGHTS[row : row + LENGTH]
    best_by(weights, rules[0], state, view.plays, view.others, worths)


class FlatBot:
    """A bot that tries each move in many worlds.

    With `width`, it tries so many moves at most, those that steady likes best; and the one that
    steady would make, or with `first` its first version, is given `favour` per cent of a win in
    each world.
    """

    def __init__(
        self,
        name: str,
        *,
        seed: int = 0,
        rollouts: int,
        memory: int = 1,
        style: int = 0,
        width: int = 0,
        crowd: int = 0,
        favour: int = 0,
        first: int = 0,
        milliseconds: int = 0,
        threads: int = 1,
    ) -> None:
        self.name = name
        self.seed = seed
        self.budget = Budget(rollouts, min(style, len(STYLES) - 1))
        self.memory = bool(memory)
        self.width = width
        self.crowd = crowd
        self.favour = favour
        self.first = bool(first)
        self.milliseconds = milliseconds
        self._workers = Workers(threads)

    def choose(self, view: View) -> Move:
        """The move that does best in the worlds that fit the view."""
        if (only := only_move(view)) is not None:
            return only
        question = Question(view, self.seed, self.milliseconds, self.memory)
        budget = self.budget.at(view, self.crowd, MIXED)
        worths = self._rules_of_thumb(question) if self.width else np.zeros(MOVES)
        favourite = int(question.moves[np.argmax(worths[question.moves])])
        moves = self._considered(question.moves, worths)
        totals = np.zeros(len(moves), np.int64)
        tried = 0
        rounds = max(1, int(np.ceil(np.log2(len(moves)))))
        for number in range(rounds):
            worlds = max(1, budget.rollouts // (rounds * len(moves)))
            if tried and question.late:
                break
            totals += self._try(question, moves, worlds, budget.style, number)
            tried += worlds
            # Few worlds tell little: what is worth no more than the favourite is not preferred.
            totals[moves == favourite] += self.favour * WON * worlds // 100
            kept = np.sort(np.argsort(-totals, kind="stable")[: (len(moves) + 1) // 2])
            moves, totals = moves[kept], totals[kept]
        return ALL[int(moves[np.argmax(totals)])]

    def _rules_of_thumb(self, question: Question) -> Array:
        """What each move is worth to steady."""
        worths = np.zeros(MOVES)
        states, rng = question.states(2), question.chance()
        weigh(question.rules, question.view, states, self.first, rng, worths)
        return worths

    def _considered(self, moves: Array, worths: Array) -> Array:
        """The moves to be tried: of many, only the best by rules of thumb, and taking the pile."""
        if not 0 < self.width < len(moves):
            return moves
        worths = worths.copy()
        worths[PICK_UP] = np.inf
        best = moves[np.argsort(-worths[moves], kind="stable")]
        best = best[(best <= TURN_OVER) | (best >= PICK_UP)]  # face-down cards are all alike
        return np.sort(best[: self.width])

    def _try(self, question: Question, moves: Array, worlds: int, style: int, number: int) -> Array:
        def work(part: int) -> Array:
            totals = np.zeros(len(moves), np.int64)
            share = (worlds + _PARTS - 1 - part) // _PARTS
            rng = question.chance(number, part)
            states = question.states(3)
            question.spend(
                share,
                max(1, _CHUNK // len(moves)),
                lambda step: try_moves(
                    question.rules, question.view, states, moves, step, style, rng, totals
                ),
            )
            return totals

        return sum(self._workers.map(work, range(_PARTS)))
