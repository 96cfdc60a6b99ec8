"""Between the library's values and the core's records: rules, decks and states."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np

from karma.cards import NUMBER_OF
from karma.core import LARGE_STATE, RULES, SMALL_STATE, look, new_log, new_view, step
from karma.core.kernel import direct
from karma.core.layout import EVERY_KIND
from karma.editions import OPTIONS, Rules


def pack_rules(rules: Rules) -> Any:
    """The RULES record of some rules, as an array of one."""
    packed = np.zeros(1, RULES)
    for name in RULES.names or ():
        if name == "copies":
            value = rules.copies * rules.decks
        elif name == "plays":
            value = EVERY_KIND * (2**rules.max_play - 1)
        else:
            value = OPTIONS[name].number(getattr(rules, name))
        packed[name] = value
    return packed


def new_states(rules: Rules, number: int = 1) -> Any:
    """Empty states, of the layout that the rules need: the small one if it will do."""
    small = rules.decks == 1 and rules.copies <= 3
    return np.zeros(number, SMALL_STATE if small else LARGE_STATE)


class Calls:
    """The entries that a game calls all the time, for states of one layout."""

    def __init__(self, layout: Any) -> None:
        self._rules, self._states = np.zeros(1, RULES), np.zeros(1, layout)

    @cached_property
    def step(self) -> Any:
        return direct(step, self._rules, self._states, 0, new_log())

    @cached_property
    def look(self) -> Any:
        return direct(look, self._rules, self._states, 0, new_view())


#: By the size of a state.
CALLS = {layout.itemsize: Calls(layout) for layout in (SMALL_STATE, LARGE_STATE)}


def pack_deck(deck: Sequence[str], state: Any) -> None:
    """Puts a deck of kinds into a state, to be dealt."""
    copies = dict.fromkeys(deck, 0)
    cards = []
    for kind in deck:
        copy = copies[kind]
        copies[kind] += 1
        cards.append(64 * (copy // 3) + 3 * NUMBER_OF[kind] + copy % 3)
    state["deck"][0, : len(cards)] = cards
    state["deck_size"] = len(deck)
