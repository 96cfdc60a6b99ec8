"""The share of luck that is taken out of a result, learned from other games of the same table.

A result less all of its luck would be right on average, but noisier at very unequal tables. The
share that leaves the least noise is learned from games, and kept with where it comes from.
"""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np

from karma.editions import Rules

_ALONE = 1e-9  # what is left to a game that decides the slope by itself


@cache
def _learned() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(
        files(__package__).joinpath("coefficients.json").read_text(encoding="utf-8")
    )
    return found


def coefficient(rules: Rules, players: int) -> float:
    """The share for a table; at one that nobody has measured, that of as many players."""
    tables: dict[str, float] = _learned()["tables"]
    edition = f"{rules.edition} {players}"
    if not rules.replace(stall_limit=0).overrides and edition in tables:
        return tables[edition]
    alike = [b for name, b in tables.items() if name.endswith(f" {min(players, 6)}")]
    return round(float(np.mean(alike)), 3)


def learn(results: Any, luck: Any) -> float:
    """The share of luck that, taken out of other results, leaves the least variance.

    It is the slope of results by luck, less what its error may have added: few games, or a single
    one with much luck, tell it badly, and to take out too much would be noise where there was none.
    """
    results, luck = np.asarray(results), np.asarray(luck)
    apart = luck - luck.mean()
    spread = float(apart @ apart)
    if spread == 0:
        return 0.0
    slope = float(apart @ results) / spread
    weight = 1 / len(luck) + apart**2 / spread  # of each game, in what is expected of it
    missed = (results - results.mean() - slope * apart) / np.maximum(1 - weight, _ALONE)
    error = float(((apart * missed) ** 2).sum()) / spread**2  # squared; the noise may be uneven
    return max(0.0, 1 - error / slope**2) * slope if slope else 0.0
