"""A tree of what may follow, searched in many worlds at once (single-observer ISMCTS).

Each turn of the search imagines a world that fits the view and walks down the tree with the moves
that are legal there; moves are compared by how they did when they could be made (availability
counts). Where the tree ends, a rollout tells who loses. Every player is thought to want not to
lose.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from karma.bots.nodes import (
    DEEPEST,
    LINKS,
    NONE,
    add_node,
    count_visits,
    find_node,
    follow,
    is_decided,
    new_tree,
    next_move,
)
from karma.bots.policies import greedy
from karma.bots.rollouts import GREEDY, STEADY, STYLES, WON, hurry, rollout, value
from karma.bots.rules_of_thumb import LENGTH, Weights, best_by
from karma.bots.search import Budget, Question, Workers, only_move
from karma.bots.steady import WEIGHTS, first_row, first_steady, row_for
from karma.core import determinize, legal, prepare
from karma.core.kernel import Word, below, count, entry, kernel, nth
from karma.core.layout import MOVES, OVER, PICK_UP, POOL, Record
from karma.core.rules import bit
from karma.moves import ALL, Move
from karma.view import View

Array = Any
_ROOM, _WORLD = range(2)
_MOST = 100_000  # turns for which the tree has room
_CHUNK = 250  # turns of the search between two looks at the clock, or at what they say so far
_ALL = 1 << 40  # more turns or plies than any search has

#: A node: how often its move could have been made, what it was worth to who made it, and how likely
#: a steady player is to make it.
NODE = np.dtype([*LINKS, ("available", "i8"), ("total", "i8"), ("prior", "f8")])


@kernel
def is_legal(move: int, plays: Word, others: Word) -> bool:
    if move < PICK_UP:
        return plays & bit(move) != 0  # type: ignore[no-any-return]
    return others & bit(move - PICK_UP) != 0  # type: ignore[no-any-return]


@kernel
def quick_move(style: int, rules: Record, state: Record, plays: Word, others: Word) -> int:
    """The move of the policy that rollouts are made with."""
    if style >= STEADY:
        return first_steady(rules, state, plays, others)
    return greedy(state, plays, others)


@kernel
def select(
    nodes: Array, parent: int, plays: Word, others: Word, explore: float
) -> tuple[int, Word, Word]:
    """The most promising child that is legal here, and the legal moves that have no child yet."""
    best = NONE
    best_worth = -1.0
    node = nodes[parent].child
    while node != NONE:
        move = nodes[node].key
        if is_legal(move, plays, others):
            if move < PICK_UP:
                plays ^= bit(move)
            else:
                others ^= bit(move - PICK_UP)
            nodes[node].available += 1
            visits = nodes[node].visits
            worth = nodes[node].total / (WON * visits)
            worth += explore * np.sqrt(np.log(nodes[node].available) / visits)
            if worth > best_worth:
                best_worth = worth
                best = node
        node = nodes[node].sibling
    return best, plays, others


@kernel
def select_likely(
    nodes: Array,
    size: Array,
    parent: int,
    rules: Record,
    state: Record,
    plays: Word,
    others: Word,
    explore: float,
    weights: Weights,
    worths: Array,
) -> int:
    """The most promising legal child, new ones first if a steady player would make them."""
    new_plays, new_others = plays, others
    tried = 0
    total = 0
    node = nodes[parent].child
    while node != NONE:
        move = nodes[node].key
        if is_legal(move, plays, others):
            if move < PICK_UP:
                new_plays ^= bit(move)
            else:
                new_others ^= bit(move - PICK_UP)
            tried += nodes[node].visits
            total += nodes[node].total
        node = nodes[node].sibling
    if new_plays | new_others:
        worths[:] = 0.0
        best_by(weights, rules, state, plays, others, worths)
        add_likely(nodes, size, parent, plays, others, new_plays, new_others, worths)
    usual = total / (WON * tried) if tried else 0.5
    best = NONE
    best_worth = -1.0
    node = nodes[parent].child
    while node != NONE:
        if is_legal(nodes[node].key, plays, others):
            nodes[node].available += 1
            visits = nodes[node].visits
            worth = nodes[node].total / (WON * visits) if visits else usual
            worth += explore * nodes[node].prior * np.sqrt(nodes[node].available) / (1 + visits)
            if worth > best_worth:
                best_worth = worth
                best = node
        node = nodes[node].sibling
    return best


@kernel
def add_likely(
    nodes: Array,
    size: Array,
    parent: int,
    plays: Word,
    others: Word,
    new_plays: Word,
    new_others: Word,
    worths: Array,
) -> None:
    """Adds the legal moves that have no child yet, each with how likely it is by its worth."""
    highest = -1e9
    left_plays, left_others = plays, others
    while left_plays | left_others:
        move, left_plays, left_others = next_move(left_plays, left_others)
        highest = max(highest, worths[move])
    whole = 0.0
    left_plays, left_others = plays, others
    while left_plays | left_others:
        move, left_plays, left_others = next_move(left_plays, left_others)
        worths[move] = np.exp(worths[move] - highest)
        whole += worths[move]
    while new_plays | new_others:
        move, new_plays, new_others = next_move(new_plays, new_others)
        node = add_node(nodes, size, parent, move)
        if node != NONE:
            nodes[node].prior = worths[move] / whole


@entry
def search(
    rules: Array,
    views: Array,
    states: Array,
    nodes: Array,
    size: Array,
    turns: int,
    after: int,
    plies: Array,
    haste: int,
    explore: float,
    style: int,
    model: int,
    likely: int,
    rng: Array,
) -> None:
    """Adds so many turns to the search; `model` of 16 moves of others are the rollouts' own.

    It ends early where neither these turns nor those that come `after` can change the move, or when
    all `plies` are spent that may be played in the worlds; what is left of them is written down.
    """
    pool = np.zeros(POOL, np.int64)
    path = np.zeros(DEEPEST, np.int64)
    movers = np.zeros(DEEPEST, np.int64)
    worths = np.zeros(MOVES)
    view = views[0]
    length = prepare(rules[0], view, states[_ROOM], pool)
    states[_WORLD] = states[_ROOM]
    state = states[_WORLD]
    cost = hurry(rules[0], state, haste)
    row = row_for(rules[0], state) if likely > 1 else first_row(rules[0], state)
    weights = WEIGHTS[row : row + LENGTH]
    for turn in range(turns):
        if plies[0] <= 0:
            break
        if turn % _CHUNK == 0 and is_decided(nodes, turns - turn + after):
            plies[0] = 0
            break
        states[_WORLD] = states[_ROOM]
        determinize(view, state, pool, length, rng)
        depth = 0
        node = 0
        growing = True
        while growing and state.phase != OVER and depth < DEEPEST:
            plays, others = legal(rules[0], state)
            mover = state.actor
            if likely:
                child = select_likely(
                    nodes, size, node, rules[0], state, plays, others, explore, weights, worths
                )
                new_plays = new_others = np.int64(0)
                if child != NONE:
                    growing = nodes[child].visits > 0
            else:
                child, new_plays, new_others = select(nodes, node, plays, others, explore)
            if mover != view.seat and model > 0 and below(rng, 16) < model:
                move = quick_move(style, rules[0], state, plays, others)
                before = size[0]
                child = find_node(nodes, size, node, move)
                growing = size[0] == before
            elif new_plays | new_others:
                move = quick_move(style, rules[0], state, plays, others)
                if not is_legal(move, new_plays, new_others):
                    number = below(rng, count(new_plays) + count(new_others))
                    if number < count(new_plays):
                        move = nth(new_plays, number)
                    else:
                        move = PICK_UP + nth(new_others, number - count(new_plays))
                child = add_node(nodes, size, node, move)
                growing = False
            if child == NONE:
                break
            path[depth] = child
            movers[depth] = mover
            depth += 1
            node = follow(rules[0], state, nodes, size, child)
            if node == NONE:
                break
        rollout(style, rules[0], state, rng)
        for i in range(depth):
            nodes[path[i]].visits += 1
            nodes[path[i]].total += value(state, movers[i], view.ply, cost)
        plies[0] -= state.ply - view.ply


class TreeBot:
    """A bot that searches a tree; several trees are searched apart, and their visits added."""

    def __init__(
        self,
        name: str,
        *,
        seed: int = 0,
        rollouts: int,
        explore: int = 70,
        style: int = 0,
        model: int = 0,
        likely: int = 0,
        crowd: int = 0,
        trees: int = 1,
        plies: int = 0,
        haste: int = 0,
        milliseconds: int = 0,
        threads: int = 1,
    ) -> None:
        """`likely`: moves that steady likes are tried first, 1 its first version, 2 today's."""
        self.name = name
        self.seed = seed
        self.budget = Budget(rollouts, min(style, len(STYLES) - 1), model)
        self.explore = explore / 100
        self.likely = likely
        self.crowd = crowd
        self.trees = max(1, trees)
        self.plies = plies or _ALL
        self.haste = haste
        self.milliseconds = milliseconds
        self._workers = Workers(threads)

    def choose(self, view: View) -> Move:
        """The move that was made most often."""
        if (only := only_move(view)) is not None:
            return only
        return ALL[int(np.argmax(self.visits(view, whole=self.trees > 1)))]

    def visits(self, view: View, whole: bool = True) -> Array:
        """How often each of the 98 moves was made at the root; unless whole, as far as matters."""
        question = Question(view, self.seed, self.milliseconds)
        visits = np.zeros(MOVES, np.int64)
        budget = self.budget.at(view, self.crowd, GREEDY)
        parts = range(self.trees)
        for tree in self._workers.map(
            lambda part: self._search(question, budget, part, whole), parts
        ):
            count_visits(tree, visits)
        return visits

    def _search(self, question: Question, budget: Budget, part: int, whole: bool) -> Array:
        turns = budget.rollouts // self.trees if budget.rollouts else _MOST
        nodes, size = new_tree(NODE, (8 if self.likely else 2) * min(turns, _MOST) + 64)
        states = question.states(2)
        rng = question.chance(part)
        plies = np.array([self.plies // self.trees])

        def work(step: int) -> None:
            nonlocal turns
            turns -= step
            search(
                question.rules,
                question.view,
                states,
                nodes,
                size,
                step,
                _ALL if whole else turns,
                plies,
                self.haste,
                self.explore,
                budget.style,
                budget.model,
                self.likely,
                rng,
            )

        question.spend(turns, _CHUNK, work)
        return nodes
