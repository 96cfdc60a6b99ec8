"""What a seat may know (`observe`), and states that fit what it knows (`prepare`, `determinize`).

A VIEW is built up from nothing, by naming what everybody sees and what the seat itself sees. It
counts kinds and knows no copies, so that no card in it can be told from its like.

The other way, `prepare` lays out all that a view shows and collects the cards it does not show in a
pool; `determinize` shuffles the pool into the places that are left. If play carried no information,
that is an exact sample of what the truth may be.
"""

import numpy as np

from karma.core.kernel import below, kernel
from karma.core.layout import (
    CHOOSING,
    DRAWING,
    EVERY_KIND,
    GIVE,
    GIVING,
    KINDS,
    NO_KIND,
    NOBODY,
    NONE,
    NOTHING,
    NOWHERE,
    ONE,
    OVER,
    PASSES_ON,
    PLAYING,
    PLAYS_AGAIN,
    TOP,
    Record,
)
from karma.core.rules import Zone, add_card, bit, legal, number_of, size, source

Pool = Zone  # a row of cards

# ---- from a state to a view ---------------------------------------------------------------------


@kernel
def count_kinds(zone: Zone, counts: Zone) -> None:
    """Counts the cards of each kind."""
    for kind in range(KINDS):
        counts[kind] = 0
    for w in range(len(zone)):
        word = zone[w]
        # A kind has three bits; their sum is written into the lower two, for all kinds at once.
        numbers = (word & EVERY_KIND) + (word >> 1 & EVERY_KIND) + (word >> 2 & EVERY_KIND)
        for kind in range(KINDS):
            counts[kind] += numbers >> 3 * kind & 3


@kernel
def observe(rules: Record, state: Record, seat: int, view: Record) -> None:
    """Writes down what a seat may know; NOBODY is the audience."""
    observe_table(state, view)
    view.seat = seat
    view.plays = view.others = 0
    if seat != NOBODY:
        count_kinds(state.hand[seat], view.hand)
        count_kinds(state.face_up[seat], view.face_up[seat])
        view.hidden_face_up[seat] = 0
        if state.actor == seat:
            plays, others = legal(rules, state)
            view.plays = plays
            view.others = others
    else:
        for kind in range(KINDS):
            view.hand[kind] = 0


@kernel
def observe_table(state: Record, view: Record) -> None:
    """Writes down what everybody sees."""
    view.seats = state.seats
    view.dealer = state.dealer
    view.ply = state.ply
    view.phase = state.phase
    view.actor = NOBODY if state.phase == OVER else state.actor
    view.source = source(state, state.actor) if state.phase == PLAYING else NOWHERE
    plays_next = state.phase == PLAYING or state.phase == DRAWING
    view.must_play = state.must_play if plays_next else NOTHING
    view.run_kind = state.run_kind
    view.run_length = state.run_length
    view.quiet = state.quiet
    view.holders = state.holders
    view.out = state.out
    view.loser = state.loser
    view.draw_pile = state.deck_size - state.drawn
    view.pile_size = state.pile_top - state.pile_bottom
    for i in range(view.pile_size):
        view.pile[i] = state.pile[state.pile_bottom + i]
    for i in range(state.out):
        view.places[i] = state.places[i]
    count_kinds(state.removed, view.removed)
    for seat in range(state.seats):
        view.hand_sizes[seat] = size(state.hand[seat])
        view.covered[seat] = state.covered[seat]
        count_kinds(state.seen[seat], view.known[seat])
        if state.phase == CHOOSING:
            view.hidden_face_up[seat] = size(state.face_up[seat])
            for kind in range(KINDS):
                view.face_up[seat, kind] = 0
        else:
            view.hidden_face_up[seat] = 0
            count_kinds(state.face_up[seat], view.face_up[seat])


@kernel
def row_of(rules: Record, view: Record) -> tuple[int, int]:
    """The kind and the number of the cards in a row that count towards a set, as a play judges it.

    NO_KIND and none where they cannot become one.
    """
    kind, number = view.run_kind, view.run_length
    if rules.set_counts == TOP and view.pile_size:
        kind, number = np.int64(view.pile[view.pile_size - 1]), ONE
        while number < view.pile_size and view.pile[view.pile_size - 1 - number] == kind:
            number += 1
    if kind == NO_KIND or rules.set_size > rules.copies or (kind >= GIVE and not rules.karma_sets):
        return NO_KIND, NONE
    return kind, number


# ---- from a view to states ----------------------------------------------------------------------


@kernel
def place_known(counts: Zone, used: Zone, zone: Zone) -> None:
    """Lays cards out by their counts; `used` says how many copies of each kind lie somewhere."""
    for kind in range(KINDS):
        for _ in range(counts[kind]):
            add_card(zone, next_copy(used, kind))


@kernel
def next_copy(used: Zone, kind: int) -> int:
    copy = used[kind]
    used[kind] += 1
    return 64 * (copy // 3) + 3 * kind + copy % 3  # type: ignore[no-any-return]


@kernel
def prepare(rules: Record, view: Record, state: Record, pool: Pool) -> int:
    """Lays out all that a view shows, and collects the rest in the pool; returns its size.

    The end of the pool's room is used to count the copies that lie somewhere.
    """
    used = pool[len(pool) - KINDS :]
    used[:] = 0
    prepare_table(view, state)
    place_known(view.removed, used, state.removed)
    for i in range(view.pile_size):
        add_card(state.pile_cards, next_copy(used, view.pile[i]))
    for seat in range(view.seats):
        if seat == view.seat:
            place_seen(view.known[seat], view.hand, used, state.hand[seat], state.seen[seat])
        else:
            place_seen(view.known[seat], view.known[seat], used, state.hand[seat], state.seen[seat])
        place_known(view.face_up[seat], used, state.face_up[seat])
    length = 0
    for kind in range(KINDS):
        if kind != GIVE or rules.give_cards:
            while used[kind] < rules.copies:
                pool[length] = next_copy(used, kind)
                length += 1
    # The draw pile is the end of the deck; what lay before it has been dealt.
    state.deck_size = number_of(0)
    for kind in range(KINDS):
        state.deck_size += used[kind]
    state.drawn = state.deck_size - view.draw_pile
    return length


@kernel
def place_seen(known: Zone, counts: Zone, used: Zone, hand: Zone, seen: Zone) -> None:
    """Lays a hand out, of which the known cards were seen going in."""
    for kind in range(KINDS):
        for i in range(counts[kind]):
            card = next_copy(used, kind)
            add_card(hand, card)
            if i < known[kind]:
                add_card(seen, card)


@kernel
def prepare_table(view: Record, state: Record) -> None:
    """Sets everything that is not a hidden card, and empties the zones."""
    state.seats = view.seats
    state.dealer = view.dealer
    state.ply = view.ply
    state.phase = view.phase
    state.actor = view.actor
    state.must_play = view.must_play
    state.run_kind = view.run_kind
    state.run_length = view.run_length
    state.quiet = view.quiet
    # A view does not say these. A pile is given after a set, whose run still stands, or after a
    # Give, which ended the run; either way cards left the game. Elsewhere the plain turn is meant.
    given_after_set = view.phase == GIVING and view.run_kind != NO_KIND
    state.again = PLAYS_AGAIN if given_after_set else PASSES_ON
    state.progress = ONE if view.phase == GIVING else NONE
    state.holders = view.holders
    state.out = view.out
    state.loser = view.loser
    state.pile_bottom = 0
    state.pile_top = view.pile_size
    for i in range(view.pile_size):
        state.pile[i] = view.pile[i]
    for i in range(view.out):
        state.places[i] = view.places[i]
    for w in range(len(state.removed)):
        state.removed[w] = state.pile_cards[w] = 0
    for seat in range(view.seats):
        state.covered[seat] = view.covered[seat]
        for w in range(len(state.removed)):
            state.hand[seat, w] = state.seen[seat, w] = state.face_up[seat, w] = 0


@kernel
def determinize(view: Record, state: Record, pool: Pool, length: int, rng: Zone) -> int:
    """Shuffles the pool into the hidden places of a prepared state; returns how many it filled."""
    for i in range(length - 1, 0, -1):
        j = below(rng, i + 1)
        pool[i], pool[j] = pool[j], pool[i]
    given = 0
    for seat in range(view.seats):
        if seat != view.seat:
            for _ in range(view.hidden_face_up[seat]):
                add_card(state.face_up[seat], pool[given])
                given += 1
            for _ in range(view.hand_sizes[seat] - size(state.hand[seat])):
                add_card(state.hand[seat], pool[given])
                given += 1
        for place in range(3):
            if state.covered[seat] & bit(place):
                state.face_down[seat, place] = pool[given]
                given += 1
    for place in range(state.drawn, state.deck_size):
        state.deck[place] = pool[given]
        given += 1
    return given
