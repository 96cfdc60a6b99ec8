"""The entry points that Python calls: each does a whole step, since every call has its price.

They take structured arrays: RULES and VIEW arrays of one element, arrays of states; and a log.
"""

from typing import Any

import numpy as np

from karma.core.kernel import Word, entry, kernel
from karma.core.layout import PICK_UP, POOL
from karma.core.rules import apply, bit, deal, legal
from karma.core.views import determinize, observe, prepare, row_of

Array = Any  # a structured array
REFUSED = -1
NOT_LEGAL: Any = np.int64(REFUSED)


@kernel
def is_legal(plays: Word, others: Word, move: int) -> bool:
    """Is a move, by its number, among the legal ones?"""
    chosen = plays & bit(move) if move < PICK_UP else others & bit(move - PICK_UP)
    return chosen != 0  # type: ignore[no-any-return]


@entry
def start(rules: Array, states: Array, seats: int, dealer: int) -> tuple[int, int]:
    """Deals the deck that lies in a state; returns the legal moves as two words."""
    deal(rules[0], states[0], seats, dealer)
    return legal(rules[0], states[0])


@entry
def legal_moves(rules: Array, states: Array) -> tuple[int, int]:
    """The legal moves as two words: moves 0 to 62, and moves 63 to 97."""
    return legal(rules[0], states[0])


@entry
def step(rules: Array, states: Array, move: int, log: Array) -> tuple[int, int]:
    """Makes a move, writes its events, returns the next legal moves; REFUSED if it is illegal."""
    log[0] = 0
    plays, others = legal(rules[0], states[0])
    if not is_legal(plays, others, move):
        return NOT_LEGAL, NOT_LEGAL
    apply(rules[0], states[0], move, log)
    return legal(rules[0], states[0])


@entry
def play_moves(rules: Array, states: Array, moves: Array) -> int:
    """Makes moves one after another; returns how many were legal, up to the first that was not."""
    for i in range(len(moves)):
        plays, others = legal(rules[0], states[0])
        if not is_legal(plays, others, moves[i]):
            return i
        apply(rules[0], states[0], moves[i], None)
    return len(moves)


@entry
def look(rules: Array, states: Array, seat: int, views: Array) -> None:
    """Writes down what a seat knows."""
    observe(rules[0], states[0], seat, views[0])


@entry
def in_a_row(rules: Array, views: Array) -> tuple[int, int]:
    """The kind and the number of a view's cards in a row that count towards a set."""
    return row_of(rules[0], views[0])


@entry
def imagine(rules: Array, views: Array, states: Array, rng: Array) -> int:
    """Fills states with worlds that fit a view; returns how many hidden cards each has.

    It returns -1 if the view does not add up: if there are not as many hidden cards as places.
    """
    pool = np.zeros(POOL, np.int64)
    length = prepare(rules[0], views[0], states[0], pool)
    for i in range(1, len(states)):
        states[i] = states[0]
    for i in range(len(states)):
        if determinize(views[0], states[i], pool, length, rng) != length:
            return -1
    return length
