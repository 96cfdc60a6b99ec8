"""House rules drawn at random: any edition, any number of players, some options changed."""

from __future__ import annotations

from typing import Any

from karma.core.layout import MOST_SEATS
from karma.editions import EDITIONS, OPTIONS
from karma.train.config import TrainingTable

CHANGED = 0.25  # how often an option differs from the edition
TWO = 0.35  # how often two play, whatever the most is


def draw_table(chance: Any, most: int = MOST_SEATS, fewest: int = 2) -> TrainingTable:
    """A table with rules and so many players, drawn by a NumPy generator."""
    while True:
        table = _draw_any(chance, most)
        if table.players >= fewest:
            return table


def _draw_any(chance: Any, most: int) -> TrainingTable:
    edition = str(chance.choice(list(EDITIONS)))
    plain = EDITIONS[edition]
    options: dict[str, bool | int | str] = {}
    for name, option in OPTIONS.items():
        if name == "stall_limit":
            continue  # the limit that bots play with
        value = list(option.values)[chance.integers(len(option.values))]
        if chance.random() < CHANGED and value != getattr(plain, name):
            options[name] = value
    players = int(chance.integers(2, min(most, plain.replace(**options).most_players) + 1))
    return TrainingTable(edition, 2 if chance.random() < TWO else players, options)
