"""Reasons: which facts, that a person can see, make one move better than another.

Two moves have been played on in the same worlds. What a fact is worth is learned within each move,
so that the moves' own difference does not pass for the fact's; a fact is told only where the
evidence is clear, and never more than two: a confident wrong reason is worse than none.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from karma.review.decisions import Trials
from karma.review.facts import FACTS, FactCode

MOST = 2
CLEAR = 3.0  # standard errors
SHARE = 0.02  # of not losing
_CALM = 1e-9
KNOWN: dict[FactCode, float] = {"i_am_out": 1.0, "i_lose": 0.0}
"""What a position is worth in which such a fact holds."""


class Contrast(NamedTuple):
    """A fact, and how often (or how much) it holds after the best move and after the one made."""

    fact: FactCode
    best: float
    made: float

    def json(self) -> dict[str, Any]:
        """The fact as it is written down."""
        return {"fact": self.fact, "best": round(self.best, 4), "made": round(self.made, 4)}


def contrasts(trials: Trials | None) -> list[Contrast]:
    """At most two facts that explain why the first of two moves is better, the weightiest first."""
    if trials is None:
        return []
    values, facts = trials.values, trials.facts
    gap = float(values[0].mean() - values[1].mean())
    worths, errors = _worths(values, facts)
    means = facts.mean(axis=1)
    apart = means[0] - means[1]
    noise = np.sqrt(facts.var(axis=1, ddof=1).sum(axis=0) / facts.shape[1])
    shares = worths * apart
    with np.errstate(divide="ignore", invalid="ignore"):
        clear = (np.abs(worths) > CLEAR * errors) & (np.abs(apart) > CLEAR * noise)
    told = [
        (float(shares[f]), Contrast(FACTS[f], float(means[0, f]), float(means[1, f])))
        for f in range(len(FACTS))
        if clear[f] and abs(shares[f]) >= SHARE and np.sign(shares[f]) == np.sign(gap)
    ]
    told.sort(key=lambda pair: -abs(pair[0]))
    return [contrast for _, contrast in told[:MOST]]


def _worths(values: Any, facts: Any) -> tuple[Any, Any]:
    """What each fact adds to the value, within the moves, and its standard error."""
    within = (facts - facts.mean(axis=1, keepdims=True)).reshape(-1, facts.shape[2])
    left = (values - values.mean(axis=1, keepdims=True)).reshape(-1)
    seen = within.std(axis=0) > 0
    worths, errors = np.zeros(len(FACTS)), np.full(len(FACTS), np.inf)
    for fact, value in KNOWN.items():
        place = FACTS.index(fact)
        held = facts[:, :, place] == 1
        if not seen[place] and held.any() and not held.all():
            # After one move always, after the other never: what the fact is worth, is known.
            worths[place], errors[place] = value - values[~held].mean(), 0.0
    if not seen.any():
        return worths, errors
    columns = within[:, seen]
    squares = columns.T @ columns + _CALM * np.eye(columns.shape[1])
    found = np.linalg.solve(squares, columns.T @ left)
    rest = left - columns @ found
    free = max(1, len(left) - len(found) - 2)
    spread = np.sqrt(np.maximum(np.diag(np.linalg.inv(squares)), 0) * (rest @ rest) / free)
    worths[seen], errors[seen] = found, spread
    return worths, errors
