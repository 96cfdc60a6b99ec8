"""Nodes of a search tree: a row of records, each child linked to its siblings.

The searches have records of their own, with these fields in common: `key`, the move that leads to
the node (or, past MOVES, the kind that turned up), `child` and `sibling`, and `visits`, how often
the move was made.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from karma.core import apply
from karma.core.kernel import Word, entry, kernel, lowest_place
from karma.core.layout import MOVES, PICK_UP, TURN_OVER, Record
from karma.core.rules import kind_of, number_of

Array = Any
NONE = 0  # no node: the root is nobody's child
DEEPEST = 64  # moves of a walk down the tree
LINKS = [("key", "i8"), ("child", "i8"), ("sibling", "i8"), ("visits", "i8")]


def new_tree(node: np.dtype[np.void], most: int) -> tuple[Array, Array]:
    """Room for so many nodes, of which there is one, the root; and how many there are."""
    return np.zeros(most, node), np.ones(1, np.int64)


@kernel
def add_node(nodes: Array, size: Array, parent: int, key: int) -> int:
    """A new child; NONE if there is no room."""
    if size[0] >= len(nodes):
        return NONE
    node = size[0]
    size[0] += 1
    nodes[node].key = key
    nodes[node].sibling = nodes[parent].child
    nodes[parent].child = node
    return node  # type: ignore[no-any-return]


@kernel
def find_node(nodes: Array, size: Array, parent: int, key: int) -> int:
    """The child with a key, made if it is not there."""
    node = nodes[parent].child
    while node != NONE:
        if nodes[node].key == key:
            return node  # type: ignore[no-any-return]
        node = nodes[node].sibling
    return add_node(nodes, size, parent, key)


@kernel
def follow(rules: Record, state: Record, nodes: Array, size: Array, child: int) -> int:
    """Makes the child's move in the world; returns the node that it leads to.

    A face-down card is a matter of chance: the tree branches by what it turns out to be.
    """
    move = nodes[child].key
    if TURN_OVER <= move < PICK_UP:
        kind = kind_of(number_of(state.face_down[state.actor, move - TURN_OVER]))
        apply(rules, state, move, None)
        return find_node(nodes, size, child, MOVES + kind)
    apply(rules, state, move, None)
    return child


@kernel
def next_move(plays: Word, others: Word) -> tuple[int, Word, Word]:
    """The lowest of the moves, and those that are left."""
    if plays:
        return lowest_place(plays), plays & plays - 1, others
    return PICK_UP + lowest_place(others), plays, others & others - 1


@kernel
def is_decided(nodes: Array, turns: int) -> bool:
    """Is one move at the root so far ahead that so many turns cannot change that?"""
    first = second = 0
    node = nodes[0].child
    while node != NONE:
        visits = nodes[node].visits
        if visits > first:
            first, second = visits, first
        elif visits > second:
            second = visits
        node = nodes[node].sibling
    return first - second > turns


@entry
def count_visits(nodes: Array, visits: Array) -> None:
    """Adds up how often each move was made at the root."""
    node = nodes[0].child
    while node != NONE:
        visits[nodes[node].key] += nodes[node].visits
        node = nodes[node].sibling
