"""Steady: the rules of thumb, with weights that won.

The rows, by the size of sets, by how many play and by what karma cards do, are what
`workshop/tuning.py` found: there a point is a twenty-fifth of a game. One row is older: greedy's,
with small changes tried at random and those kept that lost fewer games. It plays at larger tables
with sets of two, and for two players where sets are harder to come by; the first version, with
which the searches were measured, had it at every larger table.
"""

import numpy as np

from karma.bots.rules_of_thumb import LENGTH, best_by, row_of
from karma.core.kernel import Word, kernel
from karma.core.layout import Record

# By the names of `karma.bots.rules_of_thumb`.
# fmt: off
_THREES = row_of(
    {
        "SPEND": [
            0.12, 0.09, 0.09, 0.07, 0.06, 0.02, 0.02, 0.03, 0.00, -0.01, 0.00, -0.03,
            -0.06, -0.08, -0.09, -0.12, -0.06, -0.10, 0.07, 0.07, 0.79, 0.55, 0.43, 0.86,
            0.43, 0.66, 0.54, 0.46, 0.47, 0.28, 0.20, -0.04, -0.15, -0.12, -0.28, -0.56,
            -0.55, -0.97, -0.33, -0.81, 1.22, 0.98, 0.95, 1.00, 0.34, 0.41, 0.81, 0.36,
            0.08, 0.85, -0.16, -0.24, -0.44, -0.37, -0.25, -0.30, -0.27, -0.85, -1.21,
            -0.36,
        ],
        "SHORT": [
            0.17, 0.54, 0.34, 0.45, 0.45, 0.51, 0.51, 0.50, 0.47, 0.41, 0.41, 0.40, 0.45,
            0.24, 0.40, 0.34, 0.96, 0.32, 0.24, 0.20,
        ],
        "COPIES": [0.14, 0.08, -0.14, 0.61, 0.62, 0.64, 1.76, 0.80, 0.00],
        "KEPT": [-0.04],
        "SET": [0.39, 0.88, 1.31],
        "SET_PILE": [-0.02],
        "NEARLY": [0.01, 0.00],
        "KARMA_PILE": [-0.01, 0.00, -0.01, 0.00],
        "BLOCK": [0.09, 0.14],
        "PICK_UP": [-0.09, -1.87, -2.56, -4.87],
        "PICK_UP_PILE": [0.21, -0.35, -0.54, -0.36],
        "TAKE": [-0.30, -0.26, -0.17, -0.10, 0.00, -0.18, 0.14, -0.17],
        "PICK_UP_HAND": [0.01],
        "NEW_SETS": [0.00, -0.03],
        "GIVE_TO": [0.00, 0.00, 0.00, 0.00],
        "CHOOSE": [
            -0.12, -0.31, -0.20, -0.31, -0.05, -0.18, 0.04, -0.10, 0.00, 0.12, 0.16, 0.07,
            -0.04, 0.09, 0.20, 0.14, -0.02, 0.24, 0.05, 0.21, 0.23,
        ],
    }
)
_PAIRS = row_of(
    {
        "SPEND": [
            0.26, 0.25, 0.22, 0.21, 0.13, 0.16, 0.16, 0.11, 0.05, 0.03, -0.02,
            -0.02, -0.08, -0.10, -0.20, -0.30, -0.54, -0.55, -0.06, -0.01,
            0.83, 0.85, 0.77, 0.78, 0.61, 0.67, 0.59, 0.51, 0.43, 0.28, 0.16,
            0.04, -0.11, -0.27, -0.48, -0.62, -0.99, -1.28, -0.78, -0.84,
            2.34, 2.26, 2.20, 1.72, 1.57, 0.96, 1.29, 0.79, 0.19, 0.17, -0.17,
            -0.40, -0.41, -0.69, -1.11, -1.15, -0.99, -1.60, -2.27, -0.81,
        ],
        "SHORT": [
            -0.04, 0.03, 0.28, 0.42, 0.50, 0.59, 0.56, 0.62, 0.55, 0.42, 0.34,
            0.33, 0.27, 0.10, 0.13, 0.06, 1.03, 0.44, 0.25, 0.24,
        ],
        "COPIES": [-0.07, -0.22, 0.00, 0.54, 0.61, 0.00, 2.11, 1.77, 0.00],
        "KEPT": [-0.19],
        "SET": [1.05, 1.11, 1.97],
        "SET_PILE": [0.07],
        "NEARLY": [0.61, 0.10],
        "KARMA_PILE": [0.07, 0.03, 0.06, 0.00],
        "BLOCK": [-0.14, 0.38],
        "PICK_UP": [0.30, -1.15, -3.88, -6.55],
        "PICK_UP_PILE": [0.24, -0.37, -0.05, 0.04],
        "TAKE": [-0.57, -0.30, -0.10, 0.26, 0.00, 0.36, 0.59, -0.37],
        "PICK_UP_HAND": [0.00],
        "NEW_SETS": [-0.13, -0.01],
        "GIVE_TO": [0.00, 0.00, 0.00, 0.00],
        "CHOOSE": [
            -0.67, -0.63, -0.50, -0.37, -0.11, -0.22, -0.23, 0.04, 0.07, 0.06,
            0.10, 0.16, 0.21, 0.19, 0.27, 0.29, 0.34, 0.25, 0.38, 0.37, 0.76,
        ],
    }
)
_TABLE = row_of(
    {
        "SPEND": [
            0.00, -0.10, -0.20, -0.30, -0.41, -0.50, -0.60, -0.70, -0.80, -0.90, -1.00,
            -1.10, -1.20, -1.30, -1.57, -1.50, -2.10, -2.20, -2.30, -2.40, 0.00, -0.10,
            -0.20, -0.30, -0.40, -0.50, -0.60, -0.70, -0.86, -0.90, -1.00, -1.10, -1.20,
            -1.30, -1.40, -1.50, -1.52, -2.20, -2.30, -2.14, 0.00, -0.31, -0.20, -0.30,
            -0.40, -0.50, -0.60, -0.70, -0.80, -0.90, -1.00, -1.10, -1.20, -1.30, -1.40,
            -1.50, -2.10, -2.20, -2.53, -1.94,
        ],
        "SHORT": [
            0.00, 0.00, 0.00, 0.00, 0.00, 0.00, -0.02, 0.00, 0.00, 0.00, 0.00, 0.00, 0.00,
            -0.04, 0.00, 0.00, 0.81, 0.00, 0.17, 0.00,
        ],
        "COPIES": [0.00, 0.05, 0.10, 0.00, 0.05, 0.23, 0.00, 0.05, 0.10],
        "KEPT": [0.00],
        "SET": [0.10, 0.10, 0.10],
        "SET_PILE": [0.00],
        "NEARLY": [0.00, 0.00],
        "KARMA_PILE": [0.07, 0.00, -0.12, 0.00],
        "BLOCK": [0.00, 0.47],
        "PICK_UP": [-4.61, -4.61, -4.61, -4.61],
        "PICK_UP_PILE": [-0.05, -0.05, -0.20, -0.03],
        "TAKE": [0.00, 0.00, 0.00, 0.00, 0.00, 0.00, 0.00, 0.00],
        "PICK_UP_HAND": [-0.16],
        "NEW_SETS": [0.00, 0.00],
        "GIVE_TO": [-0.08, 0.07, -0.20, 0.00],
        "CHOOSE": [
            0.00, 0.10, 0.20, 0.30, 0.40, 0.50, 0.60, 0.70, 0.56, 0.99, 1.00, 1.10, 1.20,
            1.30, 1.40, 1.50, 1.60, 2.00, 1.80, 1.90, 0.00,
        ],
    }
)
_CLASSIC = row_of(
    {
        "SPEND": [
            0.38, 0.29, 0.29, 0.26, 0.22, 0.18, 0.17, 0.11, 0.06, 0.00, -0.03, -0.09, -0.09,
            -0.18, -0.24, -0.20, -0.45, -0.26, -0.02, -0.10, 0.70, 0.63, 0.61, 0.52, 0.48,
            0.46, 0.40, 0.31, 0.19, 0.13, 0.03, -0.05, -0.16, -0.26, -0.39, -0.54, -0.66,
            -0.69, -0.20, -0.40, 1.11, 1.26, 1.42, 2.07, 1.59, 1.28, 1.32, 0.89, 0.83, 0.27,
            0.14, -0.17, -0.44, -0.66, -0.90, -1.09, -1.13, -1.35, -1.73, -1.18,
        ],
        "SHORT": [
            1.13, 1.13, 1.01, 1.04, 1.06, 1.11, 1.10, 1.04, 1.02, 1.01, 1.01, 0.99, 0.99,
            0.95, 0.97, 0.95, 0.89, 0.87, 0.83, 0.61,
        ],
        "COPIES": [
            0.06, 0.10, 0.16, 0.48, 0.54, 0.08, 1.39, 1.68, 0.44,
        ],
        "KEPT": [-0.27],
        "SET": [0.18, 1.03, 1.72],
        "SET_PILE": [-0.01],
        "NEARLY": [-0.05, -0.01],
        "KARMA_PILE": [0.01, 0.02, 0.01, 0.01],
        "BLOCK": [0.36, 0.09],
        "PICK_UP": [-0.32, -1.09, -3.52, -4.32],
        "PICK_UP_PILE": [0.03, -0.04, -0.01, 0.06],
        "TAKE": [-0.44, -0.30, -0.09, 0.17, 0.00, 0.11, 0.63, -0.04],
        "PICK_UP_HAND": [0.05],
        "NEW_SETS": [0.38, 0.05],
        "GIVE_TO": [-0.01, 0.06, 0.12, 0.02],
        "CHOOSE": [
            -0.62, -0.43, -0.25, -0.08, 0.00, -0.11, -0.03, -0.03, 0.15, 0.03, 0.08, 0.07,
            0.13, 0.13, 0.12, 0.14, 0.16, 0.16, 0.20, 0.16, 0.40,
        ],
    }
)
_OTHERWISE = row_of(
    {
        "SPEND": [
            0.35, 0.36, 0.26, 0.27, 0.25, 0.23, 0.15, 0.14, 0.08, 0.03, -0.04, -0.09, -0.14,
            -0.23, -0.22, -0.36, -0.37, -0.21, 0.01, -0.11, 0.67, 0.64, 0.62, 0.55, 0.44,
            0.44, 0.37, 0.32, 0.22, 0.15, 0.04, -0.04, -0.20, -0.30, -0.37, -0.52, -0.75,
            -0.64, -0.02, -0.44, 2.08, 1.89, 2.04, 1.80, 1.34, 1.36, 1.12, 0.76, 0.48, 0.17,
            -0.17, -0.19, -0.40, -0.77, -0.88, -1.18, -1.27, -1.41, -1.89, -1.16,
        ],
        "SHORT": [
            1.16, 1.05, 1.04, 1.04, 1.07, 1.14, 1.09, 1.00, 1.05, 0.95, 0.94, 0.93, 0.89,
            0.97, 0.92, 0.89, 1.18, 0.94, 0.91, 0.69,
        ],
        "COPIES": [
            0.17, 0.12, 0.06, 0.54, 0.48, 0.15, 1.52, 1.62, 0.61,
        ],
        "KEPT": [-0.26],
        "SET": [0.35, 1.05, 1.40],
        "SET_PILE": [0.02],
        "NEARLY": [0.03, -0.01],
        "KARMA_PILE": [0.03, 0.01, 0.04, 0.02],
        "BLOCK": [0.39, 0.09],
        "PICK_UP": [-0.35, -1.18, -3.75, -5.04],
        "PICK_UP_PILE": [0.07, 0.03, 0.04, 0.14],
        "TAKE": [-0.38, -0.26, -0.02, 0.19, 0.00, 0.06, 0.72, -0.01],
        "PICK_UP_HAND": [0.06],
        "NEW_SETS": [0.20, -0.11],
        "GIVE_TO": [-0.05, 0.13, -0.53, 0.18],
        "CHOOSE": [
            -0.66, -0.51, -0.25, -0.17, 0.16, -0.08, -0.12, 0.09, 0.04, 0.10, 0.10, 0.06,
            0.12, 0.10, 0.16, 0.15, 0.15, 0.16, 0.21, 0.17, 0.48,
        ],
    }
)
# fmt: on
_ROWS = _PAIRS, _THREES, _TABLE, _CLASSIC, _OTHERWISE
WEIGHTS = np.concatenate(_ROWS)
# Where they begin.
_FOR_PAIRS, _FOR_THREES, _FOR_TABLE, _FOR_CLASSIC, _FOR_OTHERS = range(0, len(WEIGHTS), LENGTH)
_TWO_CARDS = 2  # among the plays that rules allow, two 1s at once stand for two of any kind


@kernel
def first_row(rules: Record, state: Record) -> int:
    """Where the first version's row for these rules and as many as play begins."""
    if state.seats == 2 and rules.set_size == 2:
        return _FOR_PAIRS
    if state.seats == 2 and rules.set_size == 3 and rules.plays & _TWO_CARDS:
        return _FOR_THREES
    return _FOR_TABLE


@kernel
def row_for(rules: Record, state: Record) -> int:
    """Where the row for these rules and as many as play begins."""
    if state.seats > 2:
        if not (rules.give_cards and rules.karma_stays):
            return _FOR_OTHERS
        if rules.set_size == 3:
            return _FOR_CLASSIC
    return first_row(rules, state)


@kernel
def first_steady(rules: Record, state: Record, plays: Word, others: Word) -> int:
    """The move that the first version's weights like best, as the trees know it."""
    row = first_row(rules, state)
    return best_by(WEIGHTS[row : row + LENGTH], rules, state, plays, others, None)


@kernel
def steady(rules: Record, state: Record, plays: Word, others: Word) -> int:
    """The move that the weights like best."""
    row = row_for(rules, state)
    return best_by(WEIGHTS[row : row + LENGTH], rules, state, plays, others, None)
