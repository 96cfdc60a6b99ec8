"""Baselines: what a seat may expect before the cards are dealt, by its distance from the dealer.

For the printed tables they were measured beforehand (`workshop/baselines.py`) and are kept with
where they come from; elsewhere fewer deals are valued when they are first asked for.
"""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

import numpy as np

from karma.editions import Rules
from karma.game import shuffled
from karma.review.values import dealt, judge_for, values

DEALS = 1000
_SEATINGS = 4000  # of the deals: with many players fewer are valued, for each takes longer
ROLLOUTS = (8, 32)
_SHARED = 96  # rollouts of all seats


class Baseline(NamedTuple):
    """The mean value of each seat over many deals, and its error; the last seat has dealt."""

    values: Any
    errors: Any

    def around(self, dealer: int) -> Baseline:
        """The same by seat, where another seat has dealt."""
        return Baseline(np.roll(self.values, dealer + 1), np.roll(self.errors, dealer + 1))


def rollouts(players: int) -> int:
    """How many rollouts a value takes where there is no network: fewer where many play.

    What is known before the game decides it, never its length: that would make luck unfair.
    """
    least, most = ROLLOUTS
    return max(least, min(most, _SHARED // players))


def deals(players: int) -> int:
    """How many deals are valued at a table that was not measured beforehand."""
    return min(DEALS, _SEATINGS // players)


@cache
def baseline(rules: Rules, players: int) -> Baseline:
    """What the seats of a table may expect."""
    found = kept(rules, players)
    return found if found is not None else measure(rules, players, deals(players))


def measure(rules: Rules, players: int, number: int) -> Baseline:
    """The same from so many deals."""
    return mean(value_deals(rules, players, range(number)))


def value_deals(rules: Rules, players: int, seeds: range) -> Any:
    """The values of all seats after each of some deals, in each with another chance."""
    names = tuple(map(str, range(players)))

    def value(seed: int) -> Any:
        judge = judge_for(rules, players, rollouts(players), seed)
        return values(
            judge, dealt(rules, players, shuffled(rules, seed), players - 1), rules, names
        )

    return np.array([value(seed) for seed in seeds])


def mean(found: Any) -> Baseline:
    """A baseline from the values of many deals."""
    return Baseline(found.mean(axis=0), found.std(axis=0, ddof=1) / np.sqrt(len(found)))


@cache
def _measured() -> dict[str, Any]:
    text = files(__package__).joinpath("baselines.json").read_text(encoding="utf-8")
    found: dict[str, Any] = json.loads(text)
    return found


def kept(rules: Rules, players: int) -> Baseline | None:
    """The baseline measured beforehand, if it was and by the judge of today."""
    found = _measured()["tables"].get(f"{rules.edition} {players}")
    if found is None or rules.replace(stall_limit=0).overrides:
        return None
    if found["judge"] != judge_for(rules, players, rollouts(players), seed=0).name:
        return None
    values = np.array(found["values"])
    values += (players - 1 - values.sum()) / players  # they were rounded, and one seat loses
    return Baseline(values, np.array(found["errors"]))
