"""Steady: the rules of thumb, with weights that `karma.bots.learning` found."""

from karma.bots.rules_of_thumb import best_by, row_of
from karma.core.kernel import Word, kernel
from karma.core.layout import Record

#: By the names of `karma.bots.rules_of_thumb`.
# fmt: off
WEIGHTS = row_of(
    {
        "SPEND": [
            -0.00, -0.10, -0.20, -0.30, -0.41, -0.50, -0.60, -0.70, -0.80, -0.90, -1.00,
            -1.10, -1.20, -1.30, -1.57, -1.50, -2.10, -2.20, -2.30, -2.40, -0.00, -0.10,
            -0.20, -0.30, -0.40, -0.50, -0.60, -0.70, -0.86, -0.90, -1.00, -1.10, -1.20,
            -1.30, -1.40, -1.50, -1.52, -2.20, -2.30, -2.14, -0.00, -0.31, -0.20, -0.30,
            -0.40, -0.50, -0.60, -0.70, -0.80, -0.90, -1.00, -1.10, -1.20, -1.30, -1.40,
            -1.50, -2.10, -2.20, -2.53, -1.94,
        ],
        "SHORT": [
            0.00, 0.00, 0.00, 0.00, 0.00, 0.00, -0.02, 0.00, 0.00, 0.00, 0.00, 0.00, 0.00,
            -0.04, 0.00, 0.00, 0.81, 0.00, 0.17, 0.00,
        ],
        "COPIES": [
            0.00, 0.05, 0.10, 0.00, 0.05, 0.23, 0.00, 0.05, 0.10,
        ],
        "KEPT": [
            0.00,
        ],
        "SET": [
            0.10, 0.10, 0.10,
        ],
        "SET_PILE": [
            0.00,
        ],
        "NEARLY": [
            0.00, 0.00,
        ],
        "KARMA_PILE": [
            0.07, 0.00, -0.12, 0.00,
        ],
        "BLOCK": [
            0.00, 0.47,
        ],
        "PICK_UP": [
            -4.61, -4.61, -4.61, -4.61,
        ],
        "PICK_UP_PILE": [
            -0.05, -0.05, -0.20, -0.03,
        ],
        "TAKE": [
            0.00, 0.00, 0.00, 0.00, 0.00, 0.00, 0.00, 0.00,
        ],
        "PICK_UP_HAND": [
            -0.16,
        ],
        "NEW_SETS": [
            0.00, 0.00,
        ],
        "GIVE_TO": [
            -0.08, 0.07, -0.20, 0.00,
        ],
        "CHOOSE": [
            0.00, 0.10, 0.20, 0.30, 0.40, 0.50, 0.60, 0.70, 0.56, 0.99, 1.00, 1.10, 1.20,
            1.30, 1.40, 1.50, 1.60, 2.00, 1.80, 1.90, 0.00,
        ],
    }
)
# fmt: on


@kernel
def steady(rules: Record, state: Record, plays: Word, others: Word) -> int:
    """The move that the weights like best."""
    return best_by(WEIGHTS, rules, state, plays, others, None)
