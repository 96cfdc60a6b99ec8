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
    """The share of luck that, taken out of results, leaves the least variance."""
    spread = float(np.var(luck))
    if spread == 0:
        return 0.0
    return float(np.cov(results, luck, bias=True)[0, 1] / spread)
