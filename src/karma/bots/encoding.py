"""What the network sees: the position after a move, from the mover's knowledge alone, as bits.

A position is a row of words of 64 bits, and each bit is a row of the network's first layer. Counts
are written like a thermometer: two 7s set "at least one 7" and "at least two". Seats are counted
from the viewer, clockwise, so that the same weights serve every seat, and the values of the rules
are bits as well, so that one network may serve several editions and numbers of players. The words
of the nearer seats come first: a network for two players is the front part of one for six, and that
is the front part of a *general* one, for all rules and up to twelve players. How many words a
network has rows for says which of these it is.

A general network has five places for other seats too. Up to six players a place is a seat; beyond,
the places fold: the next four players who hold cards, and the last of them. All others are seen
together (cards, who is close to going out, who holds more than the viewer), and whoever plays next
is seen once more in words of its own, however many seats away.

Honest by construction: of another seat's hand only its size and the cards everybody saw are read;
cards that the viewer draws in the move are taken out again (only their number stays); face-up cards
are hidden while players choose. A face-down card about to be turned over is a chance outcome: its
"position after" is the position before, with a bit that says so.
"""

from typing import Any

import numpy as np

from karma.core.kernel import Word, count, kernel, routine
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
from karma.core.rules import bit, next_holder, number_of, on_top, plays_with, size
from karma.editions import QUIET_TURNS

Words = Any  # a row of int64

#: The words of the table and the viewer, then those of each other seat.
HAND, FACE_UP, UNSEEN, PILE, RUN, TURN, TABLE = range(7)
TABLE_WORDS = 7
KNOWN, OTHER_FACE_UP, OTHER = range(3)
SEAT_WORDS = 3
PLACES = 5  # for other seats, at most
MOST_PLAYERS = PLACES + 1  # with a place for each
BITS = 64  # rows of the first layer for each word


def words_for(players: int) -> int:
    """How many words a position of so many players takes."""
    return TABLE_WORDS + SEAT_WORDS * (players - 1)


#: The words that only a general network has: more than three of a kind, what all other seats show
#: together, the seat that plays next, and the rest.
GENERAL = words_for(MOST_PLAYERS)
MORE_IN_HAND, MORE_UNSEEN, MORE_IN_PILE, ALL_KNOWN, ALL_FACE_UP = range(GENERAL, GENERAL + 5)
NEXT, REST = GENERAL + 5, GENERAL + 5 + SEAT_WORDS
GENERAL_WORDS = REST + 1


def _thermometer(*steps: int) -> Any:
    """For each count, the bits of the steps that it reaches."""
    return np.array([sum(n >= step for step in steps) for n in range(192)])


SIZE_STEPS = _thermometer(1, 2, 3, 4, 5, 6, 8, 10, 13, 17, 22, 28)
DRAW_STEPS = _thermometer(1, 2, 3, 4, 6, 8, 10, 13, 16, 20, 24, 30, 36, 42)
LARGE_STEPS = _thermometer(36, 48, 64)
LARGE_DRAW_STEPS = _thermometer(50, 60, 75, 90, 110)
COPIES_STEPS = _thermometer(4, 6, 8)
#: Where each group of bits begins in the words TURN, TABLE, OTHER and REST.
MUST_PLAY, BOTTOM, PILE_SIZE, STATUS = 0, 19, 39, 51
CHOOSES, GIVES, DRAWS, AGAIN, TURNS_OVER, ACTS, TO_DRAW = range(STATUS, STATUS + 7)
PLAYERS, OPTIONS, QUIET, DRAW_PILE, HAND_SIZE, COVERED = 0, 5, 22, 29, 43, 55
OTHER_SIZE, OTHER_UNKNOWN, OTHER_COVERED, OTHER_OUT, OTHER_ACTS = 0, 12, 18, 21, 22
REST_PLAYERS, REST_COPIES, NO_SETS, HOLDERS, NEARLY_OUT, HALF_OUT = 0, 11, 14, 15, 25, 28
BEHIND, LATELY, LARGE_DRAW, LARGE_PILE, LARGE_HAND, FAR_ACTS = 31, 40, 46, 51, 54, 57
NEARLY, HALF = 2, 5  # cards in all
LATELY_STEPS = _thermometer(1, 2, 4, 6, 10, 15)
QUIET_STEPS = 7


@kernel
def filled(number: int) -> Word:
    """So many bits, from the lowest."""
    return bit(number) - 1


@kernel
def flag(value: Any) -> Word:
    return np.int64(1) if value else np.int64(0)


@kernel
def add_kinds(levels: Any, cards: Word) -> Any:
    """Counts kinds: level n has a bit, the lowest of the kind, where n + 1 cards were added."""
    one, two, three, four, five, six = levels
    for copy in range(3):
        card = cards >> copy & EVERY_KIND
        six |= five & card
        five |= four & card
        four |= three & card
        three |= two & card
        two |= one & card
        one |= card
    return one, two, three, four, five, six


@kernel
def no_kinds() -> Any:
    none = np.int64(0)
    return none, none, none, none, none, none


@kernel
def at_least(levels: Any) -> Word:
    """Counts of kinds as a thermometer: bit 3k + n - 1 if there are n cards of kind k."""
    return levels[0] | levels[1] << 1 | levels[2] << 2


@kernel
def at_least_more(levels: Any) -> Word:
    """The thermometer beyond three: bit 3k + n - 4 if there are n cards of kind k."""
    return levels[3] | levels[4] << 1 | levels[5] << 2


@kernel
def all_cards(rules: Record, word: int) -> Word:
    """The cards of the game, of the copies that lie in a word."""
    cards = EVERY_KIND * filled(min(3, max(0, rules.copies - 3 * word)))
    return cards if rules.give_cards else cards & ~(np.int64(7) << 3 * GIVE)


@kernel
def encode_rules(rules: Record, seats: int) -> Word:
    """Players and rules, which do not change in a game."""
    word = bit(PLAYERS + min(seats, MOST_PLAYERS) - 2)
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


@routine
def encode(
    rules: Record, before: Record, after: Record, seat: int, turning: int, words: Words
) -> None:
    """Writes what a seat knows of the position after its move; `before` is the one before it."""
    general = len(words) == GENERAL_WORDS
    hidden = before.phase == CHOOSING  # face-up cards of the others are not shown yet
    in_hand, unseen = no_kinds(), no_kinds()
    known, face_up, in_pile = no_kinds(), no_kinds(), no_kinds()
    to_draw = number_of(0)
    hand_size = number_of(0)
    for w in range(len(after.removed)):
        hand = after.hand[seat, w]
        for place in range(before.drawn, after.drawn):
            if after.deck[place] >> 6 == w:
                hand &= ~bit(after.deck[place] & 63)
        hand_size += count(hand)
        to_draw += count(after.hand[seat, w]) - count(hand)
        seen = hand | after.face_up[seat, w] | after.pile_cards[w] | after.removed[w]
        others_known = others_face_up = np.int64(0)
        for other in range(after.seats):
            if other != seat:
                others_known |= after.seen[other, w]
                if not hidden:
                    others_face_up |= after.face_up[other, w]
        seen |= others_known | others_face_up
        in_hand = add_kinds(in_hand, hand)
        unseen = add_kinds(unseen, all_cards(rules, w) & ~seen)
        if general:
            known = add_kinds(known, others_known)
            face_up = add_kinds(face_up, others_face_up)
            in_pile = add_kinds(in_pile, after.pile_cards[w])
    words[HAND] = at_least(in_hand)
    words[FACE_UP] = plays_with(after.face_up[seat])
    words[UNSEEN] = at_least(unseen)
    words[PILE] = plays_with(after.pile_cards)
    words[RUN] = encode_run(rules, after)
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
    draw_pile = after.deck_size - after.drawn + to_draw
    words[TABLE] = (
        encode_rules(rules, after.seats)
        | filled(quiet) << QUIET
        | filled(DRAW_STEPS[draw_pile]) << DRAW_PILE
        | filled(SIZE_STEPS[hand_size]) << HAND_SIZE
        | filled(count(after.covered[seat])) << COVERED
        | flag(after.holders & bit(seat) == 0) << COVERED + 3
    )
    far_acts = encode_others(after, seat, hidden, words)
    if general:
        words[MORE_IN_HAND] = at_least_more(in_hand)
        words[MORE_UNSEEN] = at_least_more(unseen)
        words[MORE_IN_PILE] = at_least_more(in_pile)
        words[ALL_KNOWN] = at_least(known)
        words[ALL_FACE_UP] = at_least(face_up)
        next_seat = next_holder(after, seat)
        for w in range(SEAT_WORDS):
            words[NEXT + w] = 0
        if next_seat != seat:
            encode_seat(after, next_seat, hidden, words[NEXT:REST])
        words[REST] = (
            encode_standing(after, seat, hand_size)
            | bit(REST_PLAYERS + after.seats - 2)
            | filled(COPIES_STEPS[rules.copies]) << REST_COPIES
            | flag(rules.set_size > rules.copies) << NO_SETS
            | filled(LATELY_STEPS[min(after.quiet, 100)]) << LATELY
            | filled(LARGE_DRAW_STEPS[draw_pile]) << LARGE_DRAW
            | filled(LARGE_STEPS[pile_size]) << LARGE_PILE
            | filled(LARGE_STEPS[hand_size]) << LARGE_HAND
            | far_acts << FAR_ACTS
        )


@kernel
def encode_run(rules: Record, after: Record) -> Word:
    """The kind of the run, and how many cards it lacks to be a set."""
    kind, length = after.run_kind, after.run_length
    if rules.set_counts == TOP and after.pile_top > after.pile_bottom:
        kind = number_of(after.pile[after.pile_top - 1])
        length = on_top(after, kind)
    if kind == NO_KIND:
        return np.int64(0)
    return bit(3 * kind + min(3, max(1, rules.set_size - length)) - 1)


@routine
def encode_seat(after: Record, other: int, hidden: bool, words: Words) -> None:
    """Writes what everybody knows of a seat."""
    hand_size = size(after.hand[other])
    words[KNOWN] = plays_with(after.seen[other])
    words[OTHER_FACE_UP] = np.int64(0) if hidden else plays_with(after.face_up[other])
    words[OTHER] = (
        filled(SIZE_STEPS[hand_size]) << OTHER_SIZE
        | filled(min(6, hand_size - size(after.seen[other]))) << OTHER_UNKNOWN
        | filled(count(after.covered[other])) << OTHER_COVERED
        | flag(after.holders & bit(other) == 0) << OTHER_OUT
        | flag(after.actor == other) << OTHER_ACTS
    )


@kernel
def encode_others(after: Record, seat: int, hidden: bool, words: Words) -> Word:
    """Writes the other seats into their places; is it the turn of one that has none?"""
    if after.seats <= MOST_PLAYERS:
        for turn in range(1, after.seats):
            first = TABLE_WORDS + SEAT_WORDS * (turn - 1)
            encode_seat(
                after, (seat + turn) % after.seats, hidden, words[first : first + SEAT_WORDS]
            )
        return np.int64(0)
    for w in range(TABLE_WORDS, GENERAL):
        words[w] = 0
    others = count(after.holders & ~bit(seat))
    far_acts = flag(after.actor != seat)
    passed = 0
    for turn in range(1, after.seats):
        other = (seat + turn) % after.seats
        if after.holders & bit(other):
            passed += 1
            place = passed - 1 if passed < PLACES else PLACES - 1
            if passed < PLACES or passed == others:
                first = TABLE_WORDS + SEAT_WORDS * place
                encode_seat(after, other, hidden, words[first : first + SEAT_WORDS])
                if after.actor == other:
                    far_acts = np.int64(0)
    return far_acts


@kernel
def encode_standing(after: Record, seat: int, hand_size: int) -> Word:
    """How many play on, are close to going out, and hold more than the viewer."""
    own = hand_size + size(after.face_up[seat]) + count(after.covered[seat])
    nearly = half = behind = number_of(0)
    for other in range(after.seats):
        if other != seat and after.holders & bit(other):
            cards = (
                size(after.hand[other]) + size(after.face_up[other]) + count(after.covered[other])
            )
            nearly += flag(cards <= NEARLY)
            half += flag(cards <= HALF)
            behind += flag(cards > own)
    return (
        filled(max(0, count(after.holders) - 2)) << HOLDERS
        | filled(min(3, nearly)) << NEARLY_OUT
        | filled(min(3, half)) << HALF_OUT
        | filled(min(9, behind)) << BEHIND
    )
