"""A tree of what may follow, in which a network judges every move (information-set search).

Each turn of the search imagines a world that fits the view and walks down the tree with the moves
that are legal there. Whoever is to move knows what that seat would know in that world, and the
network judges its moves from that knowledge alone; what the tree adds is a correction: by how much
a move turned out better or worse than the network had said, on the average over the worlds in which
it was made. So a seat plays by the cards it holds in each world, and still learns from all others.
Where the tree ends, the network says what the position is worth. A face-down card is a matter of
chance: the tree branches by what it turns out to be.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from karma.bots.encoding import encode
from karma.bots.network import (
    WORTH,
    Weights,
    Work,
    add_rows,
    best_move,
    certain,
    chance,
    first_turning,
    head,
    judge,
    look_at,
    second_layer,
)
from karma.core import apply, determinize, legal, prepare
from karma.core.kernel import Word, count, entry, kernel, lowest_place
from karma.core.layout import MOVES, OVER, PICK_UP, TURN_OVER, Record
from karma.core.rules import kind_of, number_of

Array = Any
_ROOM, _WORLD, _SPARE = range(3)
STATES = 3
_DEEPEST = 64
NONE = 0  # no node: the root is nobody's child
SHRINK = 0.998  # as in training: sooner wins are worth more
SHARPNESS = 5.0  # how much likelier a move is tried first, for each unit of its logit
DOUBT = 2.0  # so many turns must tell the same before a correction counts half

#: A node: the move that leads to it (or, past MOVES, the kind that turned up), its place among its
#: siblings, how often it was made and could have been, and how much better than said it was.
NODE = np.dtype(
    [
        ("key", "i8"),
        ("child", "i8"),
        ("sibling", "i8"),
        ("visits", "i8"),
        ("available", "i8"),
        ("surplus", "f8"),
    ]
)


@kernel
def find_node(nodes: Array, size: Array, parent: int, key: int) -> int:
    """The child with a key, made if it is not there; NONE if there is no room."""
    node = nodes[parent].child
    while node != NONE:
        if nodes[node].key == key:
            return node  # type: ignore[no-any-return]
        node = nodes[node].sibling
    if size[0] >= len(nodes):
        return NONE
    node = size[0]
    size[0] += 1
    nodes[node].key = key
    nodes[node].sibling = nodes[parent].child
    nodes[parent].child = node
    return node  # type: ignore[no-any-return]


@kernel
def next_move(plays: Word, others: Word) -> tuple[int, Word, Word]:
    """The lowest of the moves, and those that are left."""
    if plays:
        return lowest_place(plays), plays & plays - 1, others
    return PICK_UP + lowest_place(others), plays, others & others - 1


@kernel
def judge_moves(
    rules: Record,
    states: Array,
    plays: Word,
    others: Word,
    weights: Weights,
    work: Work,
    logits: Array,
) -> float:
    """Writes what the network says of each move in the world; returns the highest."""
    look_at(rules, states, _WORLD, weights, work)
    highest = -np.inf
    while plays | others:
        move, plays, others = next_move(plays, others)
        logits[move] = judge(rules, states, _WORLD, _SPARE, move, weights, work)
        highest = max(highest, logits[move])
    return highest


@kernel
def select(
    nodes: Array,
    size: Array,
    parent: int,
    plays: Word,
    others: Word,
    logits: Array,
    highest: float,
    explore: float,
) -> int:
    """The most promising move, by the network's word, its correction, and what is little tried."""
    whole = 0.0
    left_plays, left_others = plays, others
    while left_plays | left_others:
        move, left_plays, left_others = next_move(left_plays, left_others)
        whole += np.exp(SHARPNESS * (logits[move] - highest))
    best = NONE
    best_worth = -np.inf
    while plays | others:
        move, plays, others = next_move(plays, others)
        node = find_node(nodes, size, parent, move)
        if node == NONE:
            break
        nodes[node].available += 1
        visits = nodes[node].visits
        likely = np.exp(SHARPNESS * (logits[move] - highest)) / whole
        worth = chance(logits[move]) + nodes[node].surplus / (visits + DOUBT)
        worth += explore * likely * np.sqrt(nodes[node].available) / (1 + visits)
        if worth > best_worth:
            best_worth = worth
            best = node
    return best


@kernel
def seat_worth(
    rules: Record, state: Record, seat: int, actor_worth: float, weights: Weights, work: Work
) -> float:
    """What the end of a walk is worth to a seat; `actor_worth` is what it is to the actor."""
    if state.phase == OVER:
        return chance(certain(state, seat))
    if seat == state.actor:
        return actor_worth
    if state.seats == 2:
        return 1 - actor_worth
    encode(rules, state, state, seat, 0, work.after)
    add_rows(weights, work.after, work.sums)
    second_layer(weights, work.sums, work.layer)
    return chance(head(weights, work.layer, WORTH))


@entry
def search(
    rules: Array,
    views: Array,
    states: Array,
    nodes: Array,
    size: Array,
    turns: int,
    explore: float,
    weights: Weights,
    work: Work,
    rng: Array,
) -> None:
    """Adds so many turns to the search."""
    pool = np.zeros(200, np.int64)
    path = np.zeros(_DEEPEST, np.int64)
    movers = np.zeros(_DEEPEST, np.int64)
    said = np.zeros(_DEEPEST)
    logits = np.zeros(MOVES)
    worths = np.zeros(16)
    view = views[0]
    length = prepare(rules[0], view, states[_ROOM], pool)
    state = states[_WORLD]
    for _ in range(turns):
        states[_WORLD] = states[_ROOM]
        determinize(view, state, pool, length, rng)
        depth = 0
        node: Any = np.int64(0)
        growing = True
        while growing and state.phase != OVER and depth < _DEEPEST:
            plays, others = legal(rules[0], state)
            plays = first_turning(plays)
            mover = state.actor
            if count(plays) + count(others) == 1:
                move, _, _ = next_move(plays, others)
                child = find_node(nodes, size, node, move)
                if child == NONE:
                    break
            else:
                highest = judge_moves(rules[0], states, plays, others, weights, work, logits)
                child = select(nodes, size, node, plays, others, logits, highest, explore)
                if child == NONE:
                    break
                move = nodes[child].key
                path[depth] = child
                movers[depth] = mover
                said[depth] = chance(logits[move])
                depth += 1
                growing = nodes[child].visits > 0
            if TURN_OVER <= move < PICK_UP:
                kind = kind_of(number_of(state.face_down[mover, move - TURN_OVER]))
                apply(rules[0], state, move, None)
                child = find_node(nodes, size, child, MOVES + kind)
                if child == NONE:
                    break
            else:
                apply(rules[0], state, move, None)
            node = child
        actor_worth = 0.0
        if state.phase != OVER:
            _, logit = best_move(rules[0], states, _WORLD, _SPARE, weights, work)
            actor_worth = chance(logit)
        worths[:] = -1.0
        for i in range(depth - 1, -1, -1):
            seat = movers[i]
            if worths[seat] < 0:
                worths[seat] = seat_worth(rules[0], state, seat, actor_worth, weights, work)
            else:
                worths[seat] *= SHRINK
            nodes[path[i]].visits += 1
            nodes[path[i]].surplus += worths[seat] - said[i]


@entry
def count_visits(nodes: Array, visits: Array) -> None:
    """Writes how often each move was made at the root."""
    node = nodes[0].child
    while node != NONE:
        visits[nodes[node].key] = nodes[node].visits
        node = nodes[node].sibling
