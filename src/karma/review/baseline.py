"""Baselines: what a seat may expect before the cards are dealt, by its distance from the dealer."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from karma.editions import Rules
from karma.game import shuffled
from karma.review.values import Judge, dealt, judge_for, values

DEALS = 200


@cache
def baseline(rules: Rules, players: int, rollouts: int, deals: int = DEALS) -> tuple[Any, Any]:
    """The mean value of each seat over many deals, and its error; the last seat has dealt."""
    judge: Judge = judge_for(rules, players, rollouts, seed=0)
    found = np.array([_deal(judge, rules, players, seed) for seed in range(deals)])
    return found.mean(axis=0), found.std(axis=0, ddof=1) / np.sqrt(deals)


def _deal(judge: Judge, rules: Rules, players: int, seed: int) -> Any:
    state = dealt(rules, players, shuffled(rules, seed), players - 1)
    return values(judge, state, rules, tuple(map(str, range(players))))
