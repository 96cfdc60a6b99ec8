"""House rules drawn at random: any edition, any number of players, some options changed."""

from __future__ import annotations

from typing import Any

from karma.editions import EDITIONS
from karma.train.config import TrainingTable

CHANGED = 0.25  # how often an option differs from the edition
TWO = 0.35  # how often two play, whatever the most is
VALUES: dict[str, tuple[bool | int | str, ...]] = {
    "copies": (2, 3, 4),
    "decks": (1, 2),
    "give_cards": (False, True),
    "face_up": ("chosen", "dealt"),
    "drawing": ("refill", "manual", "when-empty"),
    "set_size": (2, 3, 4),
    "max_play": (1, 2, 3),
    "set_effect": ("clear", "give-rest"),
    "set_counts": ("played", "top"),
    "karma_sets": (False, True),
    "karma_stays": (False, True),
    "give_to": ("anyone", "active"),
    "no_table_card": ("hand", "skip"),
}


def draw_table(chance: Any) -> TrainingTable:
    """A table with rules and a number of players drawn by a NumPy generator."""
    edition = str(chance.choice(list(EDITIONS)))
    plain = EDITIONS[edition]
    options: dict[str, bool | int | str] = {}
    for name, values in VALUES.items():
        value = values[chance.integers(len(values))]
        if chance.random() < CHANGED and value != getattr(plain, name):
            options[name] = value
    players = int(chance.integers(2, plain.replace(**options).most_players + 1))
    return TrainingTable(edition, 2 if chance.random() < TWO else players, options)
