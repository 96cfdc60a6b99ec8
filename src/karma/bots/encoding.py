"""What the network sees: the position after a move, from the mover's knowledge alone, as bits.

A position is a row of words of 64 bits, and each bit is a row of the network's first layer. Counts
are written like a thermometer: two 7s set "at least one 7" and "at least two". Seats are counted
from the viewer, clockwise, so that the same weights serve every seat, and the values of the rules
are bits as well, so that one network may serve several editions and numbers of players. The words
of the nearer seats come first: a network for two players is the front part of one for six.

Honest by construction: of another seat's hand only its size and the cards everybody saw are read;
cards that the viewer draws in the move are taken out again (only their number stays); face-up cards
are hidden while players choose. A face-down card about to be turned over is a chance outcome: its
"position after" is the position before, with a bit that says so.
"""

from typing import Any

import numpy as np

from karma.core.kernel import Word, count, kernel
from karma.core.layout import (
    ACTIVE,
    CHOOSING,
    DEALT,
    DRAWING,
    EVERY_KIND,
    GIVE,
    GIVE_REST,
    GIVING,
    MANUAL,
    NO_KIND,
    SKIP,
    TOP,
    WHEN_EMPTY,
    Record,
)
from karma.core.rules import bit, cards_of
from karma.editions import QUIET_TURNS

Words = Any  # a row of int64

#: The words of the table and the viewer, then those of each other seat.
HAND, FACE_UP, UNSEEN, PILE, RUN, TURN, TABLE = range(7)
TABLE_WORDS = 7
KNOWN, OTHER_FACE_UP, OTHER = range(3)
SEAT_WORDS = 3
MOST_PLAYERS = 6
BITS = 64  # rows of the first layer for each word


def words_for(players: int) -> int:
    """How many words a position of so many players takes."""
    return TABLE_WORDS + SEAT_WORDS * (players - 1)


def _thermometer(*steps: int) -> Any:
    """For each count, the bits of the steps that it reaches."""
    return np.array([sum(n >= step for step in steps) for n in range(64)])


SIZE_STEPS = _thermometer(1, 2, 3, 4, 5, 6, 8, 10, 13, 17, 22, 28)
DRAW_STEPS = _thermometer(1, 2, 3, 4, 6, 8, 10, 13, 16, 20, 24, 30, 36, 42)
#: Where each group of bits begins in the words TURN, TABLE and OTHER.
MUST_PLAY, BOTTOM, PILE_SIZE, STATUS = 0, 19, 39, 51
CHOOSES, GIVES, DRAWS, AGAIN, TURNS_OVER, ACTS, TO_DRAW = range(STATUS, STATUS + 7)
PLAYERS, OPTIONS, QUIET, DRAW_PILE, HAND_SIZE, COVERED = 0, 5, 22, 29, 43, 55
OTHER_SIZE, OTHER_UNKNOWN, OTHER_COVERED, OTHER_OUT, OTHER_ACTS = 0, 12, 18, 21, 22
QUIET_STEPS = 7


@kernel
def filled(number: int) -> Word:
    """So many bits, from the lowest."""
    return bit(number) - 1


@kernel
def flag(value: Any) -> Word:
    return np.int64(1) if value else np.int64(0)


@kernel
def at_least(cards: Word) -> Word:
    """Counts of kinds as a thermometer: bit 3k + n - 1 if there are n cards of kind k."""
    a = cards & EVERY_KIND
    b = cards >> 1 & EVERY_KIND
    c = cards >> 2 & EVERY_KIND
    return a | b | c | (a & b | c & (a | b)) << 1 | (a & b & c) << 2


@kernel
def all_cards(rules: Record) -> Word:
    """The cards of the game."""
    cards = EVERY_KIND * filled(rules.copies)
    return cards if rules.give_cards else cards & ~cards_of(GIVE)


@kernel
def encode_rules(rules: Record, seats: int) -> Word:
    """Players and rules, which do not change in a game."""
    word = bit(PLAYERS + seats - 2)
    word |= filled(rules.set_size - 1) << OPTIONS
    word |= filled(count(rules.plays & 7)) << OPTIONS + 3
    word |= flag(rules.copies >= 3) << OPTIONS + 6
    word |= flag(rules.give_cards) << OPTIONS + 7
    word |= flag(rules.face_up == DEALT) << OPTIONS + 8
    word |= flag(rules.drawing == MANUAL) << OPTIONS + 9
    word |= flag(rules.drawing == WHEN_EMPTY) << OPTIONS + 10
    word |= flag(rules.set_effect == GIVE_REST) << OPTIONS + 11
    word |= flag(rules.set_counts == TOP) << OPTIONS + 12
    word |= flag(rules.karma_sets) << OPTIONS + 13
    word |= flag(rules.karma_stays) << OPTIONS + 14
    word |= flag(rules.give_to == ACTIVE) << OPTIONS + 15
    word |= flag(rules.no_table_card == SKIP) << OPTIONS + 16
    return word


@kernel
def encode(
    rules: Record, before: Record, after: Record, seat: int, turning: int, words: Words
) -> None:
    """Writes what a seat knows of the position after its move; `before` is the one before it."""
    hand = after.hand[seat, 0]
    for place in range(before.drawn, after.drawn):
        hand &= ~bit(after.deck[place])
    to_draw = count(after.hand[seat, 0]) - count(hand)
    hidden = before.phase == CHOOSING  # face-up cards of the others are not shown yet
    seen = hand | after.face_up[seat, 0] | after.pile_cards[0] | after.removed[0]
    for turn in range(1, after.seats):
        other = (seat + turn) % after.seats
        first = TABLE_WORDS + SEAT_WORDS * (turn - 1)
        face_up = np.int64(0) if hidden else after.face_up[other, 0]
        known = after.seen[other, 0]
        seen |= face_up | known
        size = count(after.hand[other, 0])
        words[first + KNOWN] = at_least(known)
        words[first + OTHER_FACE_UP] = at_least(face_up)
        words[first + OTHER] = (
            filled(SIZE_STEPS[size]) << OTHER_SIZE
            | filled(min(6, size - count(known))) << OTHER_UNKNOWN
            | filled(count(after.covered[other])) << OTHER_COVERED
            | flag(after.holders & bit(other) == 0) << OTHER_OUT
            | flag(after.actor == other) << OTHER_ACTS
        )
    words[HAND] = at_least(hand)
    words[FACE_UP] = at_least(after.face_up[seat, 0])
    words[UNSEEN] = at_least(all_cards(rules) & ~seen)
    words[PILE] = at_least(after.pile_cards[0])
    words[RUN] = 0
    if after.run_kind != NO_KIND:
        missing = min(3, max(1, rules.set_size - after.run_length))
        words[RUN] = bit(3 * after.run_kind + missing - 1)
    pile_size = after.pile_top - after.pile_bottom
    turn_word = bit(MUST_PLAY + after.must_play) | filled(SIZE_STEPS[pile_size]) << PILE_SIZE
    if pile_size > 0:
        turn_word |= bit(BOTTOM + after.pile[after.pile_bottom])
    turn_word |= flag(hidden) << CHOOSES
    turn_word |= flag(after.phase == GIVING) << GIVES
    turn_word |= flag(after.phase == DRAWING) << DRAWS
    turn_word |= flag(after.again) << AGAIN
    turn_word |= flag(turning) << TURNS_OVER
    turn_word |= flag(after.actor == seat) << ACTS
    words[TURN] = turn_word | filled(min(3, to_draw)) << TO_DRAW
    limit = rules.stall_limit if rules.stall_limit > 0 else QUIET_TURNS * after.seats
    quiet = min(QUIET_STEPS, after.quiet * (QUIET_STEPS + 1) // limit)
    words[TABLE] = (
        encode_rules(rules, after.seats)
        | filled(quiet) << QUIET
        | filled(DRAW_STEPS[after.deck_size - after.drawn + to_draw]) << DRAW_PILE
        | filled(SIZE_STEPS[count(hand)]) << HAND_SIZE
        | filled(count(after.covered[seat])) << COVERED
        | flag(after.holders & bit(seat) == 0) << COVERED + 3
    )
