"""The quick players, as kernels: each looks at what the mover may know, and names a move.

A policy is given a state because rollouts have one, but reads of it only what its actor sees: the
own hand, the table, the pile, the sizes of the hands. It counts kinds and never asks which copy of
a kind it has. `decide` lays out any world that fits a view and asks a policy about that: whichever
world it is, the answer is the same.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from karma.bots.bot import check_turn
from karma.bots.chance import word
from karma.bots.registry import STYLES
from karma.bots.steady import first_steady, steady
from karma.core import determinize, prepare
from karma.core.kernel import Word, below, count, entry, kernel, lowest_place, nth
from karma.core.layout import (
    CHOOSING,
    GIVE,
    GIVE_TO,
    GIVING,
    KINDS,
    PICK_UP,
    PLAYING,
    POOL,
    TURN_OVER,
    Record,
)
from karma.core.rules import cards_of, size
from karma.moves import ALL, Move
from karma.packing import new_states
from karma.view import View

Array = Any
PEERS = ("cheapest", "taker")
PEOPLE = ("beginner", "casual", "regular")
OLDER = ("beginner@1", "casual@1", "steady@1")
POLICIES = ("random", "greedy", "steady", *PEERS, *PEOPLE, *OLDER)
RANDOM, GREEDY, STEADY, CHEAPEST, TAKER, BEGINNER = range(6)
ANY_PLAY, LOW_FIRST, FIRST_STEADY = range(len(POLICIES) - len(OLDER), len(POLICIES))
#: Of a hundred chances for a mistake, how many these people take.
SLIPS = np.array([60, 38, 18])
EVERYDAY, FORGETFUL, HOARDING, NERVOUS = range(len(STYLES))
_SMALL, _BIG = 4, 8  # piles of so many cards
_NUMBERS = (1 << 3 * GIVE) - 1
_GOOD = sum(7 << 3 * kind for kind in range(13, KINDS))  # 14, 15, 16 and karma cards


@kernel
def uniform(plays: Word, others: Word, rng: Array) -> int:
    """Any legal move, each as likely as the others."""
    number = below(rng, count(plays) + count(others))
    if number < count(plays):
        return nth(plays, number)
    return PICK_UP + nth(others, number - count(plays))


@kernel
def any_play(plays: Word, others: Word, rng: Array) -> int:
    """Any move, but the pile is picked up only when nothing can be played."""
    if plays:
        return nth(plays, below(rng, count(plays)))
    return PICK_UP + nth(others, below(rng, count(others)))


@kernel
def low_first(plays: Word, others: Word, rng: Array) -> int:
    """Plays low cards first, more or less; often lays one of a pair, and gives to anybody."""
    if plays == 0 or plays >= 1 << TURN_OVER:
        return any_play(plays, others, rng)
    left = plays
    while below(rng, 100) < 50:
        higher = left & ~cards_of(lowest_place(left) // 3)
        if higher == 0:
            break
        left = higher
    kind = lowest_place(left) // 3
    number = count(plays & cards_of(kind)) - 1
    return 3 * kind + (number if below(rng, 2) else 0)


@kernel
def greedy(state: Record, plays: Word, others: Word) -> int:
    """The lowest number that may be played, all copies; karma cards last."""
    if plays:
        kind = lowest_place(plays) // 3
        if kind >= TURN_OVER // 3:
            return lowest_place(plays)
        return 3 * kind + count(plays & cards_of(kind)) - 1
    if state.phase == CHOOSING:
        return PICK_UP + nth(others, count(others) - 1)
    if state.phase == GIVING:
        return GIVE_TO + shortest_hand(state, others >> GIVE_TO - PICK_UP)
    return PICK_UP + lowest_place(others)


@kernel
def shortest_hand(state: Record, seats: Word) -> int:
    """The seat with the fewest cards in hand; of several, the one whose turn is next."""
    best: Any = np.int64(-1)
    fewest: Any = np.int64(1000)
    for turn in range(1, state.seats):
        seat = (state.actor + turn) % state.seats
        if seats >> seat & 1 and size(state.hand[seat]) < fewest:
            fewest = size(state.hand[seat])
            best = seat
    return best  # type: ignore[no-any-return]


@kernel
def cheapest(state: Record, plays: Word, others: Word) -> int:
    """One card, the lowest that may be played: what many programs for Shithead do."""
    return lowest_place(plays) if plays else greedy(state, plays, others)


@kernel
def taker(state: Record, plays: Word, others: Word) -> int:
    """One card, the lowest; but while cards are drawn, a pile of mostly good cards is taken."""
    if state.phase == PLAYING and others and state.drawn < state.deck_size:
        good = 0
        for w in range(len(state.pile_cards)):
            good += count(state.pile_cards[w] & _GOOD)
        if 2 * good > size(state.pile_cards):
            return PICK_UP
    return cheapest(state, plays, others)


@kernel
def slips(mistake: int, often: int, style: int, rng: Array) -> bool:
    """Is a mistake of this kind made? People of a style make theirs more often, others less."""
    if style != EVERYDAY:
        often = often * 3 // 2 if style == mistake else often * 4 // 5
    return below(rng, 100) < often


@kernel
def human(often: int, style: int, state: Record, plays: Word, others: Word, rng: Array) -> int:
    """Greedy, with the mistakes that people make: no move that nobody would understand.

    They overlook the lowest card or the second of a pair, give to the first who comes to mind,
    would rather take a small pile than part with a karma card, and play their best when a pile
    looks frightening.
    """
    numbers = plays & _NUMBERS
    if plays == 0 or plays >= 1 << TURN_OVER:
        if plays == 0 and slips(FORGETFUL, often, style, rng):
            return any_play(plays, others, rng)
        return greedy(state, plays, others)
    pile = state.pile_top - state.pile_bottom
    if numbers == 0:
        if others and pile <= _SMALL and slips(HOARDING, often, style, rng):
            return PICK_UP
        return greedy(state, plays, others)
    if pile >= _BIG and slips(NERVOUS, often, style, rng):
        return 3 * (nth(plays, count(plays) - 1) // 3)
    while slips(FORGETFUL, often, style, rng):
        higher = numbers & ~cards_of(lowest_place(numbers) // 3)
        if higher == 0:
            break
        numbers = higher
    kind = lowest_place(numbers) // 3
    overlooked = slips(FORGETFUL, often, style, rng)
    return 3 * kind + (0 if overlooked else count(plays & cards_of(kind)) - 1)


@kernel
def policy(which: int, rules: Record, state: Record, plays: Word, others: Word, rng: Array) -> int:
    """The move of the policy with a number, in the order of POLICIES; then in another style."""
    if which == GREEDY:
        return greedy(state, plays, others)
    if which == STEADY:
        return steady(rules, state, plays, others)
    if which == CHEAPEST:
        return cheapest(state, plays, others)
    if which == TAKER:
        return taker(state, plays, others)
    if which == LOW_FIRST:
        return low_first(plays, others, rng)
    if which == ANY_PLAY:
        return any_play(plays, others, rng)
    if which == FIRST_STEADY:
        return first_steady(rules, state, plays, others)
    if which == RANDOM:
        return uniform(plays, others, rng)
    style, person = divmod(which, len(POLICIES))
    return human(SLIPS[person - BEGINNER], style, state, plays, others, rng)


@entry
def decide(which: int, rules: Array, views: Array, states: Array, rng: Array) -> int:
    """The move of a policy for a view."""
    pool = np.zeros(POOL, np.int64)
    view = views[0]
    length = prepare(rules[0], view, states[0], pool)
    determinize(view, states[0], pool, length, rng)
    return policy(which, rules[0], states[0], view.plays, view.others, rng)


class PolicyBot:
    """A bot that follows one of the policies."""

    def __init__(self, name: str, *, seed: int = 0, style: int = EVERYDAY, first: int = 0) -> None:
        """People have a `style`; with `first`, it is the first version of the policy."""
        self.name = name
        self.policy = POLICIES.index(f"{name}@1" if first else name) + style * len(POLICIES)
        self.seed = seed

    def choose(self, view: View) -> Move:
        """The policy's move."""
        check_turn(view)
        state = new_states(view.rules)
        rng = word(self.seed, view.ply, view.seat)
        return ALL[decide(self.policy, view.packed_rules, view.record, state, rng)]
