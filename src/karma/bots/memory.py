"""What a network has said in a search, so that it need not be asked again.

Wherever a walk comes to a node, the table looks the same, since the moves that led there are the
same. So what a seat knows there is the node and the cards it holds; and of what it knows, the
network says the same. Only face-up cards that players have chosen and not shown differ from world
to world: where a search begins with these, all face-up cards belong to what is remembered by.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from karma.core.kernel import Word, kernel, lowest_place
from karma.core.layout import KINDS, MOST_SEATS, MOVES, Record
from karma.core.rules import kind_of

Array = Any
NOWHERE = -1  # a position that is no node's, of which nothing is remembered
THOUGHTS, CHOICES = 4, 24  # room, for each turn of a search
MOST_THOUGHTS, MOST_CHOICES = 1 << 16, 1 << 20  # and in all
#: What is remembered of some cards at a node: where its choices are, and how good the best is.
THOUGHT = np.dtype(
    [("node", "i8"), ("cards", "i8"), ("first", "i8"), ("number", "i8"), ("worth", "f8")]
)
#: A move, the node that it leads to, its worth, and how likely it is tried first.
CHOICE = np.dtype([("move", "i8"), ("child", "i8"), ("worth", "f8"), ("likely", "f8")])
SPREAD = 2654435761  # lays the nodes far apart
#: Numbers whose sums tell cards apart: the sum of all cards that there are stays below 2^63.
_numbers = np.random.default_rng(1)
HELD, SHOWN = _numbers.integers(1, 1 << 54, (2, MOST_SEATS, KINDS))
SEAT = _numbers.integers(1, 1 << 54, MOST_SEATS)


class Memory(NamedTuple):
    """Thoughts, each in the one place where it can be; their choices, and how many these are."""

    thoughts: Array
    choices: Array
    size: Array
    choosing: bool  # does the search begin where players choose?


def new_memory(turns: int, choosing: bool) -> Memory:
    """Room for what a search of so many turns will remember."""
    thoughts = np.zeros(1 << min(THOUGHTS * turns, MOST_THOUGHTS - 1).bit_length(), THOUGHT)
    thoughts["node"] = NOWHERE
    choices = np.zeros(min(CHOICES * turns, MOST_CHOICES) + MOVES, CHOICE)
    return Memory(thoughts, choices, np.zeros(1, np.int64), choosing)


@kernel
def cards_known(memory: Memory, state: Record, seat: int) -> Word:
    """A number that tells which cards a seat knows of, where everybody knows all others."""
    cards = SEAT[seat]
    for w in range(len(state.removed)):
        rest = state.hand[seat, w]
        while rest:
            cards += HELD[seat, kind_of(lowest_place(rest))]
            rest &= rest - 1
        if memory.choosing:
            for other in range(state.seats):
                rest = state.face_up[other, w]
                while rest:
                    cards += SHOWN[other, kind_of(lowest_place(rest))]
                    rest &= rest - 1
    return cards


@kernel
def place_of(memory: Memory, node: int, cards: Word) -> int:
    """Where a thought is, if it is remembered."""
    return cards + node * SPREAD & len(memory.thoughts) - 1  # type: ignore[no-any-return]


@kernel
def is_remembered(memory: Memory, place: int, node: int, cards: Word) -> bool:
    thought = memory.thoughts[place]
    return thought.node == node and thought.cards == cards  # type: ignore[no-any-return]


@kernel
def remember(memory: Memory, place: int, node: int, cards: Word) -> int:
    """A new thought in its place, the one before it forgotten; returns where its choices begin."""
    if memory.size[0] + MOVES > len(memory.choices):
        memory.size[0] = 0
        for i in range(len(memory.thoughts)):
            memory.thoughts[i].node = NOWHERE
    memory.thoughts[place].node = node
    memory.thoughts[place].cards = cards
    memory.thoughts[place].first = memory.size[0]
    memory.thoughts[place].number = 0
    return memory.size[0]  # type: ignore[no-any-return]
