"""Steady play: every move is worth a sum of simple things, and the best one is made.

What a card costs to spend, what completing a set or leaving the next player without an answer is
worth, when a pile is worth taking: each is one number in a row of weights. The rows that
are used (`karma.bots.steady`) were found by play. As with every policy, only what the mover may
know is looked at: of other hands, their sizes and the cards that everybody saw going in.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from karma.core.kernel import Word, count, kernel, lowest_place
from karma.core.layout import (
    CHOOSING,
    EVERY_KIND,
    FACE_UP,
    GIVE,
    GIVE_TO,
    GIVING,
    KINDS,
    PICK_UP,
    PLAYABLE,
    REQUIRES,
    TURN_OVER,
    Record,
)
from karma.core.rules import Zone, cards_of, empty, next_holder, size

Weights = Any  # a row of numbers, in the order of the names below
Worths = Any  # a number for each move, or None

# ---- where each number is in the row ------------------------------------------------------------
_WIDTHS = {
    "SPEND": 3 * KINDS,  # playing a kind: with a draw pile, without one, from the table
    "SHORT": KINDS,  # the same, more, when the next player has few cards
    "COPIES": 9,  # laying one, two or three, at each of the three stages
    "KEPT": 1,  # for each copy that is held back
    "SET": 3,  # completing a set, at each stage
    "SET_PILE": 1,  # and for each card in the pile
    "NEARLY": 2,  # leaving a run one short of a set; and for each card in the pile
    "KARMA_PILE": 4,  # a Give, Five, Table, Bottoms: for each card in the pile
    "BLOCK": 2,  # the next player cannot answer; and for each card in the pile
    "PICK_UP": 4,  # taking the pile, at each stage and before turning over
    "PICK_UP_PILE": 4,  # for each card in the pile
    "TAKE": 8,  # for each card taken: 1-4, 5-8, 9-12, 13-16, Give, Five, Table, Bottoms
    "PICK_UP_HAND": 1,  # for each card in hand
    "NEW_SETS": 2,  # for each set that the pile makes whole in the hand, and each nearly so
    "GIVE_TO": 4,  # a receiver's hand card, table card; being out, being next
    "CHOOSE": KINDS + 1,  # a kind face up; and another of a kind that is there already
}
_PLACES: dict[str, int] = {}
LENGTH = 0
for _name, _width in _WIDTHS.items():
    _PLACES[_name] = LENGTH
    LENGTH += _width
(
    SPEND,
    SHORT,
    COPIES,
    KEPT,
    SET,
    SET_PILE,
    NEARLY,
    KARMA_PILE,
    BLOCK,
    PICK,
    PICK_PILE,
    TAKE,
    PICK_HAND,
    NEW_SETS,
    RECEIVER,
    CHOOSE,
) = _PLACES.values()

FEW = 4  # cards that are few
ANY_CARD = 7 * EVERY_KIND
PATIENT = 5  # quiet turns of each player after which piles lose their charm
IMPATIENCE = 0.2  # for each quiet turn more
_BUCKETS = np.array(
    [*(sum(7 << 3 * kind for kind in range(low, low + 4)) for low in (0, 4, 8, 12)), 0, 0, 0, 0]
)
for _karma in range(4):
    _BUCKETS[4 + _karma] = 7 << 3 * (GIVE + _karma)


def row_of(weights: Mapping[str, Sequence[float]]) -> Any:
    """The row of weights that are given by their names."""
    return np.array([value for name in _WIDTHS for value in weights[name]])


def greedy_weights() -> Any:
    """A row with which play is nearly greedy: where the search for a better one begins."""
    row = np.zeros(LENGTH)
    for stage in range(3):
        for kind in range(KINDS):
            row[SPEND + stage * KINDS + kind] = -0.1 * kind - (0.5 if kind >= GIVE else 0.0)
        row[COPIES + 3 * stage : COPIES + 3 * stage + 3] = (0.0, 0.05, 0.1)
        row[SET + stage] = 0.1
    row[PICK : PICK + 4] = -4.0
    row[PICK_PILE : PICK_PILE + 4] = -0.05
    row[RECEIVER] = -0.1
    for kind in range(KINDS):
        row[CHOOSE + kind] = 0.1 * kind
    return row


# ---- the policy ---------------------------------------------------------------------------------


@kernel
def best_by(
    weights: Weights, rules: Record, state: Record, plays: Word, others: Word, worths: Worths
) -> int:
    """The move that a row of weights likes best; of equal ones, the first.

    Where `worths` is given, what each legal move is worth is written into it.
    """
    if plays == 0 and count(others) == 1:
        return PICK_UP + lowest_place(others)
    if state.phase == CHOOSING:
        return _best_choice(weights, state, others, worths)
    if state.phase == GIVING:
        return _best_receiver(weights, state, others >> GIVE_TO - PICK_UP, worths)
    if plays == 0:
        return PICK_UP + lowest_place(others)
    return _best_turn(weights, rules, state, plays, others, worths)


@kernel
def _best_choice(weights: Weights, state: Record, others: Word, worths: Worths) -> int:
    best = -1
    best_worth = -1e9
    left = others
    while left:
        kind = lowest_place(left) - (FACE_UP - PICK_UP)
        left &= left - 1
        worth = weights[CHOOSE + kind]
        for w in range(len(state.pile_cards)):
            chosen = count(state.face_up[state.actor, w] & cards_of(kind))
            worth += chosen * weights[CHOOSE + KINDS]
        if worths is not None:
            worths[FACE_UP + kind] = worth
        if worth > best_worth:
            best_worth = worth
            best = kind
    return FACE_UP + best


@kernel
def _best_receiver(weights: Weights, state: Record, seats: Word, worths: Worths) -> int:
    best = -1
    best_worth = -1e9
    following = next_holder(state, state.actor)
    for turn in range(1, state.seats):
        seat = (state.actor + turn) % state.seats
        if seats >> seat & 1:
            on_table = size(state.face_up[seat]) + count(state.covered[seat])
            worth = size(state.hand[seat]) * weights[RECEIVER] + on_table * weights[RECEIVER + 1]
            if state.holders >> seat & 1 == 0:
                worth += weights[RECEIVER + 2]
            if seat == following:
                worth += weights[RECEIVER + 3]
            if worths is not None:
                worths[GIVE_TO + seat] = worth
            if worth > best_worth:
                best_worth = worth
                best = seat
    return GIVE_TO + best


@kernel
def _best_turn(
    weights: Weights, rules: Record, state: Record, plays: Word, others: Word, worths: Worths
) -> int:
    seat = state.actor
    pile = state.pile_top - state.pile_bottom
    stage = 1 if state.drawn >= state.deck_size else 0
    if empty(state.hand[seat]):
        stage = 2
    if plays >= np.int64(1) << TURN_OVER:
        if others:
            taken = _worth_of_pile(weights, rules, state, 3, pile)
            if worths is not None:
                worths[PICK_UP] = taken
            if taken > 0.0:  # what turning over is worth
                return PICK_UP
        return lowest_place(plays)
    following = next_holder(state, seat)
    short = _cards_of(state, following) <= FEW
    answers = _answers(state, following)
    best = PICK_UP
    best_worth = -1e9
    if others:
        best_worth = _worth_of_pile(weights, rules, state, stage, pile)
        if worths is not None:
            worths[PICK_UP] = best_worth
    left = plays & EVERY_KIND
    while left:
        kind = lowest_place(left) // 3
        left &= left - 1
        held = count(plays & cards_of(kind))
        in_row = state.run_length if state.run_kind == kind else 0
        worth = weights[SPEND + stage * KINDS + kind]
        if short:
            worth += weights[SHORT + kind]
        blocked = answers & PLAYABLE[REQUIRES[kind]] == 0
        for number in range(1, held + 1):
            value = worth + weights[COPIES + 3 * stage + number - 1]
            value += (held - number) * weights[KEPT]
            row = in_row + number
            if row >= rules.set_size and (kind < GIVE or rules.karma_sets):
                value += weights[SET + stage] + pile * weights[SET_PILE]
            else:
                if kind >= GIVE:
                    value += pile * weights[KARMA_PILE + kind - GIVE]
                if row == rules.set_size - 1:
                    value += weights[NEARLY] + pile * weights[NEARLY + 1]
                if blocked:
                    value += weights[BLOCK] + pile * weights[BLOCK + 1]
            if worths is not None:
                worths[3 * kind + number - 1] = value
            if value > best_worth:
                best_worth = value
                best = 3 * kind + number - 1
    return best


@kernel
def _worth_of_pile(weights: Weights, rules: Record, state: Record, stage: int, pile: int) -> float:
    """What taking the pile is worth: its cards, and the sets they make with the hand."""
    seat = state.actor
    worth = weights[PICK + stage] + pile * weights[PICK_PILE + stage]
    worth += size(state.hand[seat]) * weights[PICK_HAND]
    for bucket in range(8):
        cards = 0
        for w in range(len(state.pile_cards)):
            cards += count(state.pile_cards[w] & _BUCKETS[bucket])
        worth += cards * weights[TAKE + bucket]
    before = _sets_in(state.hand[seat], state.hand[seat], rules.set_size)
    after = _sets_in(state.hand[seat], state.pile_cards, rules.set_size)
    worth += (after[0] - before[0]) * weights[NEW_SETS]
    worth += (after[1] - before[1]) * weights[NEW_SETS + 1]
    # A game that goes round is nobody's: the longer it does, the less a pile is wanted.
    if stage < 3 and state.quiet > PATIENT * state.seats:
        worth -= IMPATIENCE * (state.quiet - PATIENT * state.seats)
    return worth  # type: ignore[no-any-return]


@kernel
def _sets_in(zone: Zone, more: Zone, set_size: int) -> tuple[int, int]:
    """Of how many kinds two zones together have a set, and a set but for one card."""
    one = two = three = np.int64(0)
    for w in range(len(zone)):
        cards = zone[w] | more[w]
        for copy in range(3):
            card = cards >> copy & EVERY_KIND
            three |= two & card
            two |= one & card
            one |= card
    if set_size == 2:
        return count(two), count(one)
    if set_size == 3:
        return count(three), count(two)
    return 0, count(three)


@kernel
def _cards_of(state: Record, seat: int) -> int:
    return size(state.hand[seat]) + size(state.face_up[seat]) + count(state.covered[seat])


@kernel
def _answers(state: Record, seat: int) -> Word:
    """The cards that a player can answer with, as everybody sees; any, if some are unknown."""
    cards = np.int64(0)
    if not empty(state.hand[seat]):
        if size(state.hand[seat]) > size(state.seen[seat]):
            return np.int64(ANY_CARD)
        for w in range(len(state.pile_cards)):
            cards |= state.seen[seat, w]
        return cards
    for w in range(len(state.pile_cards)):
        cards |= state.face_up[seat, w]
    return cards if cards else np.int64(ANY_CARD)
