"""A tree of what may follow, in which a network judges every move (information-set search).

Each turn of the search imagines a world that fits the view and walks down the tree with the moves
that are legal there. Whoever is to move knows what that seat would know in that world, and the
network judges its moves from that knowledge alone; what the tree adds is a correction: by how much
a move turned out better or worse than the network had said, on the average over the worlds in which
it was made. So a seat plays by the cards it holds in each world, and still learns from all others.
Where the tree ends, the network says what the position is worth, and at some tables so do quick
games from there to the end: the one sees what the other does not.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from karma.bots.encoding import encode
from karma.bots.memory import (
    NOWHERE,
    Memory,
    cards_known,
    is_remembered,
    place_of,
    remember,
)
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
from karma.bots.nodes import DEEPEST, LINKS, NONE, find_node, follow, next_move
from karma.bots.rollouts import WON, hurry, rollout, value
from karma.core import determinize, legal, prepare
from karma.core.kernel import Word, count, entry, kernel
from karma.core.layout import OVER, POOL, Record

Array = Any
_ROOM, _WORLD, _SPARE, _END = range(4)
STATES = 4
SHRINK = 0.998  # as in training: sooner wins are worth more
SHARPNESS = 5.0  # how much likelier a move is tried first, for each unit of its logit
DOUBT = 2.0  # so many turns must tell the same before a correction counts half


class Leaves(NamedTuple):
    """How the end of a walk is judged: so far by the network's word, the rest by rollouts."""

    trust: float
    rollouts: int
    style: int
    haste: int


#: A node: how often its move could have been made, and how much better than said it was.
NODE = np.dtype([*LINKS, ("available", "i8"), ("surplus", "f8")])


@kernel
def think(
    rules: Record,
    states: Array,
    node: int,
    plays: Word,
    others: Word,
    weights: Weights,
    work: Work,
    memory: Memory,
) -> int:
    """Where it is remembered what the network says of each move of the world's actor."""
    state = states[_WORLD]
    cards = cards_known(memory, state, state.actor)
    place = place_of(memory, node, cards)
    if is_remembered(memory, place, node, cards):
        return place
    first = last = remember(memory, place, node, cards)
    choices = memory.choices
    look_at(rules, states, _WORLD, weights, work)
    highest = -np.inf
    while plays | others:
        move, plays, others = next_move(plays, others)
        choices[last].move = move
        choices[last].child = NONE
        choices[last].worth = judge(rules, states, _WORLD, _SPARE, move, weights, work)
        highest = max(highest, choices[last].worth)
        last += 1
    whole = 0.0
    for i in range(first, last):
        choices[i].likely = np.exp(SHARPNESS * (choices[i].worth - highest))
        whole += choices[i].likely
    for i in range(first, last):
        choices[i].likely /= whole
        choices[i].worth = chance(choices[i].worth)
    memory.size[0] = last
    memory.thoughts[place].number = last - first
    memory.thoughts[place].worth = chance(highest)
    return place


@kernel
def select(
    nodes: Array, size: Array, parent: int, memory: Memory, place: int, explore: float
) -> int:
    """The choice with the most promising move, if there is room for its node.

    Promising is what the network says, how much better the move turned out, and that it is little
    tried.
    """
    thought, choices = memory.thoughts[place], memory.choices
    best: Any = np.int64(NOWHERE)
    best_worth = -np.inf
    for i in range(thought.first, thought.first + thought.number):
        node = choices[i].child
        if node == NONE:
            node = find_node(nodes, size, parent, choices[i].move)
            if node == NONE:
                break
            choices[i].child = node
        nodes[node].available += 1
        visits = nodes[node].visits
        worth = choices[i].worth + nodes[node].surplus / (visits + DOUBT)
        worth += explore * choices[i].likely * np.sqrt(nodes[node].available) / (1 + visits)
        if worth > best_worth:
            best_worth = worth
            best = np.int64(i)
    return best  # type: ignore[no-any-return]


@kernel
def actor_worth(
    rules: Record,
    states: Array,
    node: int,
    weights: Weights,
    work: Work,
    memory: Memory,
) -> float:
    """What the end of a walk is worth to the seat that is to move."""
    if node == NOWHERE:
        _, logit = best_move(rules, states, _WORLD, _SPARE, weights, work)
        return chance(logit)
    plays, others = legal(rules, states[_WORLD])
    plays = first_turning(plays)
    place = think(rules, states, node, plays, others, weights, work, memory)
    return memory.thoughts[place].worth  # type: ignore[no-any-return]


@kernel
def seat_worth(
    rules: Record,
    state: Record,
    node: int,
    seat: int,
    to_actor: float,
    weights: Weights,
    work: Work,
    memory: Memory,
) -> float:
    """What the end of a walk is worth to a seat; `to_actor` is what it is to the actor."""
    if state.phase == OVER:
        return chance(certain(state, seat))
    if seat == state.actor:
        return to_actor
    if state.seats == 2:
        return 1 - to_actor
    cards = cards_known(memory, state, seat)
    place = place_of(memory, node, cards)
    if node == NOWHERE or not is_remembered(memory, place, node, cards):
        encode(rules, state, state, seat, 0, work.after)
        add_rows(weights, work.after, work.sums)
        second_layer(weights, work.sums, work.layer)
        remember(memory, place, node, cards)
        memory.thoughts[place].worth = chance(head(weights, work.layer, WORTH))
    return memory.thoughts[place].worth  # type: ignore[no-any-return]


@kernel
def play_on(
    rules: Record,
    states: Array,
    leaves: Leaves,
    since: int,
    cost: int,
    rng: Array,
    ends: Array,
) -> None:
    """Writes what rollouts from the end of a walk are worth to each seat, on the average."""
    ends[:] = 0.0
    for _ in range(leaves.rollouts):
        states[_END] = states[_WORLD]
        rollout(leaves.style, rules, states[_END], rng)
        for seat in range(states[_END].seats):
            ends[seat] += value(states[_END], seat, since, cost) / (WON * leaves.rollouts)


@entry
def search(
    rules: Array,
    views: Array,
    states: Array,
    nodes: Array,
    size: Array,
    turns: int,
    explore: float,
    leaves: Leaves,
    weights: Weights,
    work: Work,
    memory: Memory,
    rng: Array,
) -> None:
    """Adds so many turns to the search."""
    pool = np.zeros(POOL, np.int64)
    path = np.zeros(DEEPEST, np.int64)
    movers = np.zeros(DEEPEST, np.int64)
    said = np.zeros(DEEPEST)
    worths = np.zeros(16)
    ends = np.zeros(16)
    view = views[0]
    length = prepare(rules[0], view, states[_ROOM], pool)
    cost = hurry(rules[0], states[_ROOM], leaves.haste)
    state = states[_WORLD]
    for _ in range(turns):
        states[_WORLD] = states[_ROOM]
        determinize(view, state, pool, length, rng)
        depth = 0
        node: Any = np.int64(0)
        growing = True
        while growing and state.phase != OVER and depth < DEEPEST:
            plays, others = legal(rules[0], state)
            plays = first_turning(plays)
            mover = state.actor
            if count(plays) + count(others) == 1:
                move, _, _ = next_move(plays, others)
                child = find_node(nodes, size, node, move)
                if child == NONE:
                    break
            else:
                place = think(rules[0], states, node, plays, others, weights, work, memory)
                choice = select(nodes, size, node, memory, place, explore)
                if choice == NOWHERE:
                    break
                child = memory.choices[choice].child
                path[depth] = child
                movers[depth] = mover
                said[depth] = memory.choices[choice].worth
                depth += 1
                growing = nodes[child].visits > 0
            node = follow(rules[0], state, nodes, size, child)
            if node == NONE:
                node = np.int64(NOWHERE)
                break
        to_actor = 0.0
        trust = 1.0
        if state.phase != OVER:
            if leaves.trust < 1:
                trust = leaves.trust
                play_on(rules[0], states, leaves, view.ply, cost, rng, ends)
            to_actor = actor_worth(rules[0], states, node, weights, work, memory)
        worths[:] = -1.0
        for i in range(depth - 1, -1, -1):
            seat = movers[i]
            if worths[seat] < 0:
                said_here = seat_worth(rules[0], state, node, seat, to_actor, weights, work, memory)
                worths[seat] = trust * said_here + (1 - trust) * ends[seat]
            else:
                worths[seat] *= SHRINK
            nodes[path[i]].visits += 1
            nodes[path[i]].surplus += worths[seat] - said[i]
