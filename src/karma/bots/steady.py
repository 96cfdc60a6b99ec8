"""Steady: the rules of thumb, with weights that won.

The row for two players is what `karma.bots.learning` found: there a point is a twenty-fifth of a
game. The row for larger tables is greedy's, with small changes tried at random and those kept that
lost fewer games to greedy and to the row before them.
"""

import numpy as np

from karma.bots.rules_of_thumb import LENGTH, Weights, best_by, row_of
from karma.core.kernel import Word, kernel
from karma.core.layout import Record

# By the names of `karma.bots.rules_of_thumb`.
# fmt: off
_TWO_PLAYERS = row_of(
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
_MORE_PLAYERS = row_of(
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
# fmt: on
WEIGHTS = np.concatenate([_TWO_PLAYERS, _MORE_PLAYERS])


@kernel
def weights_for(state: Record) -> Weights:
    """The row for as many as play."""
    start = 0 if state.seats == 2 else LENGTH
    return WEIGHTS[start : start + LENGTH]


@kernel
def steady(rules: Record, state: Record, plays: Word, others: Word) -> int:
    """The move that the weights like best."""
    return best_by(weights_for(state), rules, state, plays, others, None)
