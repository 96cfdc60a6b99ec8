"""The rules of Karma. Read this beside the rules page: it has the page's order and words.

Players get rid of their cards. Each has a hand, three face-up cards and three face-down ones. In
turn they play cards that match or beat the last one, or pick up the whole pile. Identical cards in
a row make a set, which clears the pile (or gives it away); four karma cards turn the game. The last
player who holds cards loses.

    deal      The deal
    legal     A turn: which moves there are
    apply     A turn: what a move does; then After a play, Drawing, Going out, and the end

All editions and house rules are these functions with other values in the RULES record. `apply` does
not ask whether a move is legal (`step`, in the package's entry points, does). Where `log` is given,
what happened is written into it; where it is None, the compiler leaves that out.
"""

from typing import Any

import numpy as np

from karma.core.kernel import Word, count, index, kernel, lowest_place
from karma.core.layout import (
    ACTIVE,
    BOTTOMS,
    BROUGHT_UP,
    CAME_BACK,
    CHOOSING,
    CHOSE,
    COMPLETED_SET,
    DEALT,
    DRAW,
    DRAWING,
    DREW,
    ENDED,
    EVERY_KIND,
    FACE_UP,
    FIRST,
    FIVE,
    FIVE_OR_LOWER,
    FROM_FACE_DOWN,
    FROM_FACE_UP,
    FROM_HAND,
    GAVE,
    GIVE,
    GIVE_REST,
    GIVE_TO,
    GIVING,
    HAND,
    KINDS,
    LEFT_DRAW,
    MANUAL,
    NO_KIND,
    NOBODY,
    NONE,
    NOTHING,
    ONE,
    OVER,
    PASSES_ON,
    PICK_UP,
    PICKED_UP,
    PLAYABLE,
    PLAYED_CARDS,
    PLAYING,
    PLAYS_AGAIN,
    REFILL,
    REMOVED,
    REQUIRES,
    REVEALED,
    STALLED,
    TABLE,
    TABLE_CARD,
    TOP,
    TURN_OVER,
    TURNED_OVER,
    WENT_OUT,
    WHEN_EMPTY,
    Record,
)

Zone = Any  # a row of words of cards
Log = Any  # a log of events (see the layout), or None

# ---- cards and zones ----------------------------------------------------------------------------


@kernel
def bit(place: int) -> Word:
    return np.int64(1) << place


@kernel
def number_of(value: Any) -> Any:
    """A flag or a narrow integer as a whole word, so that there is one version of each kernel."""
    return np.int64(value)


@kernel
def cards_of(kind: int) -> Word:
    """All cards of a kind that a word can hold."""
    return np.int64(7) << 3 * kind


@kernel
def kind_of(card: int) -> int:
    return (card & 63) // 3


@kernel
def lowest(word: Word) -> Word:
    return word & -word


@kernel
def empty(zone: Zone) -> bool:
    for w in range(len(zone)):  # noqa: SIM110 - a generator does not compile
        if zone[w] != 0:
            return False
    return True


@kernel
def size(zone: Zone) -> int:
    total = 0
    for w in range(len(zone)):
        total += count(zone[w])
    return total


@kernel
def add_card(zone: Zone, card: int) -> None:
    zone[card >> 6] |= bit(card & 63)


@kernel
def add_cards(zone: Zone, cards: Zone) -> None:
    for w in range(len(zone)):
        zone[w] |= cards[w]


@kernel
def first_cards(word: Word, kind: int, number: int) -> Word:
    """The first so many cards of a kind in a word, or all if there are fewer."""
    return FIRST[index(number), word >> 3 * kind & 7] << 3 * kind


@kernel
def take(zone: Zone, kind: int, number: int, to: Zone) -> None:
    """Moves cards of a kind from one zone to another."""
    for w in range(len(zone)):
        cards = first_cards(zone[w], kind, number)
        zone[w] ^= cards
        to[w] |= cards
        number -= count(cards)


@kernel
def take_seen_first(hand: Zone, seen: Zone, kind: int, number: int, to: Zone) -> None:
    """Moves cards from a hand; of identical ones, those that everybody saw going in are first."""
    for w in range(len(hand)):
        cards = first_cards(seen[w], kind, number)
        seen[w] ^= cards
        hand[w] ^= cards
        to[w] |= cards
        number -= count(cards)
    take(hand, kind, number, to)


@kernel
def plays_with(zone: Zone) -> Word:
    """All plays of identical cards of a zone: bit 3k + m - 1 for m cards of kind k."""
    one = two = three = np.int64(0)
    for w in range(len(zone)):
        for copy in range(3):
            card = zone[w] >> copy & EVERY_KIND
            three |= two & card
            two |= one & card
            one |= card
    return one | two << 1 | three << 2


@kernel
def kinds_in(zone: Zone) -> Word:
    """The kinds of a zone, a bit each."""
    kinds = np.int64(0)
    rest = plays_with(zone) & EVERY_KIND
    while rest:
        kinds |= bit(lowest_place(rest) // 3)
        rest ^= lowest(rest)
    return kinds


@kernel
def note(log: Log, what: int, seat: int, kind: int, number: int, other: int) -> None:
    """Writes an event down, as one word."""
    log[0] += 1
    log[log[0]] = what | seat + 1 << 8 | kind + 1 << 16 | number << 24 | other << 32


# ---- the deal -----------------------------------------------------------------------------------


@kernel
def fill_deck(rules: Record, state: Record) -> None:
    """Puts the cards of the game into the deck, in order of kinds."""
    state.deck_size = 0
    for kind in range(KINDS):
        if kind != GIVE or rules.give_cards:
            for copy in range(rules.copies):
                state.deck[state.deck_size] = 64 * (copy // 3) + 3 * kind + copy % 3
                state.deck_size += 1


@kernel
def deal(rules: Record, state: Record, seats: int, dealer: int) -> None:
    """Deals the deck, as it lies, from its top; the seat after the dealer is first."""
    state.seats = seats
    state.dealer = dealer
    state.drawn = 0
    for w in range(len(state.removed)):
        state.removed[w] = 0
    for turn in range(seats):
        seat = (dealer + 1 + turn) % seats
        state.covered[seat] = 7
        for w in range(len(state.removed)):
            state.hand[seat, w] = state.seen[seat, w] = state.face_up[seat, w] = 0
        for place in range(3):
            state.face_down[seat, place] = next_card(state)
    if rules.face_up == DEALT:
        for turn in range(seats):
            for _ in range(3):
                add_card(state.face_up[(dealer + 1 + turn) % seats], next_card(state))
    for turn in range(seats):
        for _ in range(6):
            add_card(state.hand[(dealer + 1 + turn) % seats], next_card(state))
    state.ply = 0
    state.quiet = state.progress = 0
    state.again = PASSES_ON
    state.holders = bit(seats) - 1
    state.out = 0
    state.loser = NOBODY
    new_pile(state)
    state.actor = (dealer + 1) % seats
    state.phase = PLAYING if rules.face_up == DEALT else CHOOSING


@kernel
def next_card(state: Record) -> int:
    card = state.deck[state.drawn]
    state.drawn += 1
    return card  # type: ignore[no-any-return]


@kernel
def choose(rules: Record, state: Record, seat: int, kind: int, log: Log) -> None:
    """Puts one card of the six face up; nobody sees it before all have chosen."""
    take(state.hand[seat], kind, ONE, state.face_up[seat])
    if log is not None:
        note(log, CHOSE, seat, NO_KIND, ONE, NONE)
    if size(state.face_up[seat]) == 3:
        state.actor = (seat + 1) % state.seats
        if seat == state.dealer:
            state.phase = PLAYING
            if log is not None:
                note(log, REVEALED, NOBODY, NO_KIND, NONE, NONE)


# ---- a turn -------------------------------------------------------------------------------------


@kernel
def legal(rules: Record, state: Record) -> tuple[Word, Word]:
    """The legal moves, as two words: moves 0 to 62, and moves 63 to 97."""
    seat = index(state.actor)
    none = np.int64(0)
    if state.phase == PLAYING:
        plays = legal_plays(rules, state, seat)
        may_pick_up = state.must_play != TABLE_CARD and (
            state.pile_top > state.pile_bottom or plays == 0
        )
        return plays, none | may_pick_up
    if state.phase == CHOOSING:
        return none, kinds_in(state.hand[seat]) << FACE_UP - PICK_UP
    if state.phase == GIVING:
        others = state.holders if rules.give_to == ACTIVE else bit(state.seats) - 1
        return none, (others & ~bit(seat)) << GIVE_TO - PICK_UP
    if state.phase == DRAWING:
        draw_or_leave = 1 if empty(state.hand[seat]) else 3
        return none, np.int64(draw_or_leave) << DRAW - PICK_UP
    return none, none


@kernel
def legal_plays(rules: Record, state: Record, seat: int) -> Word:
    """The plays from the one location that the turn has come to."""
    location = source(state, seat)
    if location == FROM_HAND:
        return plays_with(state.hand[seat]) & rules.plays & PLAYABLE[index(state.must_play)]
    if location == FROM_FACE_UP:
        return plays_with(state.face_up[seat]) & rules.plays & PLAYABLE[index(state.must_play)]
    return state.covered[seat] << TURN_OVER


@kernel
def source(state: Record, seat: int) -> int:
    """Where a play comes from: the hand, then the face-up cards, then one face-down card."""
    if from_hand(state, seat):
        return FROM_HAND
    return FROM_FACE_DOWN if empty(state.face_up[seat]) else FROM_FACE_UP


@kernel
def from_hand(state: Record, seat: int) -> bool:
    """Does a play come from the hand? It goes first; after a Table card it goes last."""
    if state.must_play == TABLE_CARD:
        return empty(state.face_up[seat]) and state.covered[seat] == 0
    return not empty(state.hand[seat])


@kernel
def apply(rules: Record, state: Record, move: int, log: Log) -> None:
    """Makes a legal move."""
    seat = index(state.actor)
    state.ply += 1
    if move < TURN_OVER:
        play(rules, state, seat, move // 3, move % 3 + 1, log)
    elif move < PICK_UP:
        turn_over(rules, state, seat, move - TURN_OVER, log)
    elif move == PICK_UP:
        pick_up(rules, state, seat, log)
    elif move < DRAW:
        give(rules, state, seat, move - GIVE_TO, log)
    elif move < FACE_UP:
        draw_or_leave(rules, state, seat, move == DRAW, log)
    else:
        choose(rules, state, seat, move - FACE_UP, log)


@kernel
def play(rules: Record, state: Record, seat: int, kind: int, number: int, log: Log) -> None:
    hand_played = from_hand(state, seat)
    if hand_played:
        take_seen_first(state.hand[seat], state.seen[seat], kind, number, state.pile_cards)
    else:
        take(state.face_up[seat], kind, number, state.pile_cards)
    if log is not None:
        note(log, PLAYED_CARDS, seat, kind, number, number_of(hand_played))
    after_play(rules, state, seat, kind, number, log)


@kernel
def turn_over(rules: Record, state: Record, seat: int, place: int, log: Log) -> None:
    """Turns a face-down card over onto the pile; one that does not fit is picked up with it."""
    card = number_of(state.face_down[seat, place])
    kind = kind_of(card)
    fits = PLAYABLE[index(state.must_play)] & cards_of(kind) != 0
    state.covered[seat] ^= bit(place)
    add_card(state.pile_cards, card)
    if log is not None:
        note(log, TURNED_OVER, seat, kind, number_of(fits), place)
    if fits:
        after_play(rules, state, seat, kind, ONE, log)
    else:
        pick_up(rules, state, seat, log)


@kernel
def pick_up(rules: Record, state: Record, seat: int, log: Log) -> None:
    if log is not None:
        note(log, PICKED_UP, seat, NO_KIND, size(state.pile_cards), NONE)
    take_pile(state, seat)
    end_turn(rules, state, seat, PASSES_ON, log)


@kernel
def take_pile(state: Record, seat: int) -> None:
    """Adds the pile to a hand, for everybody to see."""
    add_cards(state.hand[seat], state.pile_cards)
    add_cards(state.seen[seat], state.pile_cards)
    new_pile(state)


@kernel
def new_pile(state: Record) -> None:
    """An empty pile, which requires nothing."""
    for w in range(len(state.pile_cards)):
        state.pile_cards[w] = 0
    state.pile_bottom = state.pile_top = 0
    state.must_play = NOTHING
    state.run_kind = NO_KIND
    state.run_length = 0


# ---- after a play -------------------------------------------------------------------------------


@kernel
def after_play(rules: Record, state: Record, seat: int, kind: int, number: int, log: Log) -> None:
    for i in range(3):  # always three: cards above the top do not count
        state.pile[index(state.pile_top) + i] = kind
    state.pile_top += number
    state.run_length = number + (state.run_length if state.run_kind == kind else 0)
    state.run_kind = kind
    # 1. A set, instead of the card's own effect.
    in_a_row = on_top(state, kind) if rules.set_counts == TOP else state.run_length
    if in_a_row >= rules.set_size and (kind < GIVE or rules.karma_sets):
        complete_set(rules, state, seat, kind, in_a_row, log)
        return
    # A number: the next player must match or beat it.
    if kind < GIVE:
        state.must_play = kind + 1
        end_turn(rules, state, seat, PASSES_ON, log)
        return
    # 2. Karma cards leave.
    if kind == GIVE or not rules.karma_stays:
        remove(state, kind, number)
        state.run_kind = NO_KIND
        state.run_length = 0
        if log is not None:
            note(log, REMOVED, NOBODY, kind, number, NONE)
    # 3. The effect of a karma card, once.
    if kind == FIVE:
        state.must_play = FIVE_OR_LOWER
    elif kind == BOTTOMS:
        bottoms_up(state, seat, log)
    elif kind == TABLE:
        if has_more_to_play(rules, state, seat):
            state.must_play = TABLE_CARD
            return
        require_top(state)
    else:
        if state.pile_top > state.pile_bottom:
            state.again = PASSES_ON
            state.phase = GIVING
            return
        new_pile(state)
    end_turn(rules, state, seat, PASSES_ON, log)


@kernel
def complete_set(
    rules: Record, state: Record, seat: int, kind: int, in_a_row: int, log: Log
) -> None:
    """Clears the pile, or removes the run and gives the rest; the same player plays again."""
    if log is not None:
        note(log, COMPLETED_SET, seat, kind, in_a_row, NONE)
    if rules.set_effect == GIVE_REST:
        remove(state, kind, in_a_row)
        if log is not None:
            note(log, REMOVED, NOBODY, kind, in_a_row, NONE)
        if not empty(state.pile_cards):
            state.again = PLAYS_AGAIN
            state.phase = GIVING
            return
    else:
        if log is not None:
            note(log, REMOVED, NOBODY, NO_KIND, size(state.pile_cards), NONE)
        add_cards(state.removed, state.pile_cards)
        state.progress = 1
    new_pile(state)
    end_turn(rules, state, seat, PLAYS_AGAIN, log)


@kernel
def on_top(state: Record, kind: int) -> int:
    """How many cards of a kind lie on top of the pile."""
    place = state.pile_top
    while place > state.pile_bottom and state.pile[place - 1] == kind:
        place -= 1
    return state.pile_top - place  # type: ignore[no-any-return]


@kernel
def remove(state: Record, kind: int, number: int) -> None:
    """Takes the topmost cards of a kind from the pile out of the game."""
    take(state.pile_cards, kind, number, state.removed)
    place = state.pile_top
    while number > 0:
        place -= 1
        number -= state.pile[place] == kind
    for later in range(place, state.pile_top):
        if state.pile[later] != kind:
            state.pile[place] = state.pile[later]
            place += 1
    state.pile_top = place
    state.progress = 1


@kernel
def bottoms_up(state: Record, seat: int, log: Log) -> None:
    """Moves the bottom card of the pile to its top."""
    if state.pile_top > state.pile_bottom:
        kind = number_of(state.pile[state.pile_bottom])
        state.pile[state.pile_top] = kind
        state.pile_bottom += 1
        state.pile_top += 1
        if log is not None:
            note(log, BROUGHT_UP, seat, kind, ONE, NONE)
    require_top(state)


@kernel
def require_top(state: Record) -> None:
    """The requirement is that of the card now on top, or none if the pile is empty."""
    state.must_play = NOTHING
    if state.pile_top > state.pile_bottom:
        state.must_play = REQUIRES[state.pile[state.pile_top - 1]]


@kernel
def has_more_to_play(rules: Record, state: Record, seat: int) -> bool:
    """Is there a table card to follow a Table card, or a hand card where that will do?"""
    if not empty(state.face_up[seat]) or state.covered[seat] != 0:
        return True
    return rules.no_table_card == HAND and not empty(state.hand[seat])


@kernel
def give(rules: Record, state: Record, seat: int, to: int, log: Log) -> None:
    """Gives the pile to another player, who may have been out."""
    if log is not None:
        note(log, GAVE, seat, NO_KIND, size(state.pile_cards), to)
    if state.holders & bit(to) == 0:
        come_back(state, to, log)
    take_pile(state, to)
    end_turn(rules, state, seat, state.again, log)


# ---- drawing ------------------------------------------------------------------------------------


@kernel
def end_turn(rules: Record, state: Record, seat: int, again: int, log: Log) -> None:
    if rules.drawing == REFILL:
        refill(state, seat, log)
    elif rules.drawing == MANUAL and state.drawn < state.deck_size and size(state.hand[seat]) < 3:
        state.again = again
        state.phase = DRAWING
        return
    pass_on(rules, state, seat, again, log)


@kernel
def refill(state: Record, seat: int, log: Log) -> None:
    """Draws until the hand holds three or the draw pile is gone."""
    missing = min(3 - size(state.hand[seat]), state.deck_size - state.drawn)
    if missing > 0:
        draw(state, seat, missing, log)


@kernel
def draw(state: Record, seat: int, number: int, log: Log) -> None:
    for _ in range(number):
        add_card(state.hand[seat], next_card(state))
    state.progress = 1
    if log is not None:
        note(log, DREW, seat, NO_KIND, number, NONE)


@kernel
def draw_or_leave(rules: Record, state: Record, seat: int, draws: bool, log: Log) -> None:
    """The end of a turn where a player may forget to draw."""
    if draws:
        refill(state, seat, log)
    elif log is not None:
        note(log, LEFT_DRAW, seat, NO_KIND, NONE, NONE)
    pass_on(rules, state, seat, state.again, log)


# ---- going out, and the end ---------------------------------------------------------------------


@kernel
def pass_on(rules: Record, state: Record, seat: int, again: int, log: Log) -> None:
    """After a complete turn: who is out, is it over, and whose turn is next."""
    state.quiet = 0 if state.progress else state.quiet + 1
    state.progress = 0
    if empty(state.hand[seat]) and empty(state.face_up[seat]) and state.covered[seat] == 0:
        go_out(state, seat, log)
        again = PASSES_ON
        if count(state.holders) == 1:
            state.loser = lowest_place(state.holders)
            state.phase = OVER
            if log is not None:
                note(log, ENDED, state.loser, NO_KIND, NONE, NONE)
            return
    if rules.stall_limit > 0 and state.quiet >= rules.stall_limit:
        state.phase = OVER
        if log is not None:
            note(log, STALLED, NOBODY, NO_KIND, state.quiet, NONE)
            note(log, ENDED, NOBODY, NO_KIND, NONE, NONE)
        return
    begin_turn(rules, state, seat if again else next_holder(state, seat), log)


@kernel
def go_out(state: Record, seat: int, log: Log) -> None:
    state.holders ^= bit(seat)
    state.places[state.out] = seat
    state.out += 1
    if log is not None:
        note(log, WENT_OUT, seat, NO_KIND, state.out, NONE)


@kernel
def come_back(state: Record, seat: int, log: Log) -> None:
    """A player who was out is back in, and loses their place."""
    state.holders ^= bit(seat)
    place = 0
    while state.places[place] != seat:
        place += 1
    state.out -= 1
    for later in range(place, state.out):
        state.places[later] = state.places[later + 1]
    if log is not None:
        note(log, CAME_BACK, seat, NO_KIND, NONE, NONE)


@kernel
def next_holder(state: Record, seat: int) -> int:
    """The next seat, clockwise, that holds cards."""
    later = state.holders >> seat + 1
    return seat + 1 + lowest_place(later) if later else lowest_place(state.holders)


@kernel
def begin_turn(rules: Record, state: Record, seat: int, log: Log) -> None:
    state.actor = seat
    state.phase = PLAYING
    if rules.drawing == WHEN_EMPTY and state.drawn < state.deck_size and empty(state.hand[seat]):
        draw(state, seat, ONE, log)
