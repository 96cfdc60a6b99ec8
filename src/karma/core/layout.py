"""The records of the core, and the numbers of kinds, moves, phases and events.

Every field is a signed integer: unsigned and narrow ones give different games compiled and plain.
Numbers that kernels hand to one another are whole words (np.int64), since the compiler would make a
version of a kernel for every literal.

**Cards** are bits. The card of kind k that is copy c of its word is bit 3k + c; one word holds
three copies of every kind, and a zone (a hand, the face-up cards, the pile) is a row of words.
Moving cards is ``|`` and ``^``. A game of one deck with up to three copies needs one word and six
seats; any other takes the large layout, of three words and twelve seats.

**Moves** are bits too: 98 of them in two words, moves 0 to 62 (plays, turning over) and 63 to 97
(all others). The numbers are those of the records page.
"""

from typing import Any

import numpy as np

# ---- kinds --------------------------------------------------------------------------------------
GIVE, FIVE, TABLE, BOTTOMS, KINDS = 16, 17, 18, 19, 20  # kinds 0 to 15 are the numbers 1 to 16
NO_KIND: Any = np.int64(-1)

# ---- moves --------------------------------------------------------------------------------------
TURN_OVER, PICK_UP, GIVE_TO, DRAW, LEAVE, FACE_UP, MOVES = 60, 63, 64, 76, 77, 78, 98

# ---- phases -------------------------------------------------------------------------------------
CHOOSING, PLAYING, GIVING, DRAWING, OVER = range(5)

# ---- what must be played: nothing, 1 to 16 (that number or higher), or these --------------------
NOTHING, FIVE_OR_LOWER, TABLE_CARD = 0, 17, 18

# ---- where a play comes from ---------------------------------------------------------------------
NOWHERE, FROM_HAND, FROM_FACE_UP, FROM_FACE_DOWN = range(4)

NOBODY: Any = np.int64(-1)
MOST_SEATS = 12

# ---- does the same player play again? -----------------------------------------------------------
PLAYS_AGAIN: Any = np.int64(1)
PASSES_ON: Any = np.int64(0)

NONE: Any = np.int64(0)
ONE: Any = np.int64(1)

# ---- options with named values ------------------------------------------------------------------
CHOSEN, DEALT = range(2)
REFILL, MANUAL, WHEN_EMPTY = range(3)
CLEAR, GIVE_REST = range(2)
PLAYED, TOP = range(2)
ANYONE, ACTIVE = range(2)
HAND, SKIP = range(2)

# ---- sets of cards and of plays, as bits --------------------------------------------------------
EVERY_KIND = sum(1 << 3 * kind for kind in range(KINDS))


def _fits(kind: int, must_play: int) -> bool:
    number = kind + 1
    if kind >= GIVE or must_play in (NOTHING, TABLE_CARD):
        return True
    return number <= 5 if must_play == FIVE_OR_LOWER else number >= must_play


#: The cards that may be played, by what must be played.
PLAYABLE = np.array(
    [
        sum(7 << 3 * kind for kind in range(KINDS) if _fits(kind, must_play))
        for must_play in range(TABLE_CARD + 1)
    ]
)
#: What must be played, by the kind on top of the pile.
REQUIRES = np.array([*range(1, 17), NOTHING, FIVE_OR_LOWER, NOTHING, NOTHING])


def _first(number: int, copies: int) -> int:
    taken = 0
    for copy in (1, 2, 4):
        if copies & copy and taken.bit_count() < number:
            taken |= copy
    return taken


#: The first copies of a kind: by how many are wanted, and by the bits of those that there are.
FIRST = np.array([[_first(number, copies) for copies in range(8)] for number in range(10)])

# ---- records ------------------------------------------------------------------------------------
Record = Any  # an element of an array of one of the types below

#: The values of the options, as the rules page names them; one record is an edition.
RULES = np.dtype(
    [
        ("copies", "i8"),  # of each kind in the whole deck: all decks together
        ("give_cards", "i8"),
        ("face_up", "i8"),  # CHOSEN or DEALT
        ("drawing", "i8"),  # REFILL, MANUAL or WHEN_EMPTY
        ("set_size", "i8"),
        ("plays", "i8"),  # max_play, as the set of plays that it allows
        ("set_effect", "i8"),  # CLEAR or GIVE_REST
        ("set_counts", "i8"),  # PLAYED or TOP
        ("karma_sets", "i8"),
        ("karma_stays", "i8"),
        ("give_to", "i8"),  # ANYONE or ACTIVE
        ("no_table_card", "i8"),  # HAND or SKIP
        ("stall_limit", "i8"),
    ]
)


def state_type(seats: int, words: int) -> np.dtype[np.void]:
    """The whole truth of a game, for so many seats and words of cards."""
    cards = 60 * words
    return np.dtype(
        [
            # zones, as cards
            ("hand", "i8", (seats, words)),
            ("seen", "i8", (seats, words)),  # the cards of a hand that everybody saw going in
            ("face_up", "i8", (seats, words)),
            ("pile_cards", "i8", (words,)),
            ("removed", "i8", (words,)),
            ("covered", "i8", (seats,)),  # places with a face-down card, bits 0 to 2
            # whose turn, and what for
            ("seats", "i8"),
            ("dealer", "i8"),
            ("ply", "i8"),  # moves made so far
            ("phase", "i8"),
            ("actor", "i8"),
            ("must_play", "i8"),
            ("again", "i8"),  # the actor completed a set and plays again after giving or drawing
            ("run_kind", "i8"),
            ("run_length", "i8"),
            ("progress", "i8"),  # a card was drawn or left the game in this turn
            ("quiet", "i8"),  # turns in a row without progress
            # going out
            ("holders", "i8"),  # seats that hold cards, a bit each
            ("out", "i8"),  # how many are out
            ("loser", "i8"),
            # zones, as a queue and as cards in their places
            ("pile_bottom", "i8"),
            ("pile_top", "i8"),
            ("drawn", "i8"),  # cards dealt or drawn so far: the draw pile is the rest of the deck
            ("deck_size", "i8"),
            ("face_down", "i2", (seats, 3)),
            ("deck", "i2", (cards,)),
            # kinds; each Bottoms on a pile moves its ends by one, and a play writes three
            ("pile", "i1", (cards + 10,)),
            ("places", "i1", (seats,)),
        ],
        align=True,
    )


SMALL_STATE = state_type(seats=6, words=1)
LARGE_STATE = state_type(seats=MOST_SEATS, words=3)

#: What one seat knows: counts of kinds, so that no card can be told from its like. No field of it
#: can hold a card that the seat may not know.
VIEW = np.dtype(
    [
        ("seat", "i8"),  # NOBODY: the audience
        ("seats", "i8"),
        ("dealer", "i8"),
        ("ply", "i8"),
        ("phase", "i8"),
        ("actor", "i8"),  # NOBODY when it is OVER
        ("plays", "i8"),  # the seat's legal moves: 0 to 62
        ("others", "i8"),  # 63 to 97
        ("source", "i8"),  # where the actor's play comes from; NOWHERE outside PLAYING
        ("must_play", "i8"),  # of PLAYING, or of the play after DRAWING; otherwise NOTHING
        ("run_kind", "i8"),
        ("run_length", "i8"),
        ("quiet", "i8"),
        ("holders", "i8"),
        ("out", "i8"),
        ("loser", "i8"),
        ("draw_pile", "i8"),
        ("pile_size", "i8"),
        ("hand", "i1", (KINDS,)),
        ("removed", "i1", (KINDS,)),
        ("hand_sizes", "i2", (MOST_SEATS,)),
        ("hidden_face_up", "i1", (MOST_SEATS,)),  # chosen, but not shown yet
        ("covered", "i1", (MOST_SEATS,)),
        ("places", "i1", (MOST_SEATS,)),
        ("known", "i1", (MOST_SEATS, KINDS)),
        ("face_up", "i1", (MOST_SEATS, KINDS)),
        ("pile", "i1", (180,)),
    ],
    align=True,
)


#: Room for the cards that a view does not show; its end counts the copies of each kind.
POOL = 180 + KINDS


def new_view() -> Any:
    """A VIEW of zeros, as an array of one; `np.zeros` takes five times as long for such records."""
    return np.frombuffer(bytearray(VIEW.itemsize), VIEW)


# ---- events -------------------------------------------------------------------------------------
_EVENTS: Any = np.arange(15)
(
    CHOSE,
    REVEALED,
    PLAYED_CARDS,
    TURNED_OVER,
    PICKED_UP,
    GAVE,
    COMPLETED_SET,
    REMOVED,
    BROUGHT_UP,
    DREW,
    LEFT_DRAW,
    WENT_OUT,
    CAME_BACK,
    STALLED,
    ENDED,
) = _EVENTS

#: An event is a word of five bytes: what happened; the seat and the kind, one more, so that there
#: can be none; a number; and what else it needs: the receiver, the place, the location. Public: a
#: draw says how many, a choice says nothing.
EVENT = ("what", "seat", "kind", "count", "other")
MOST_EVENTS = 15  # of one move


def new_log() -> Any:
    """A log for the events of one move: how many there are, then a word for each."""
    return np.zeros(1 + MOST_EVENTS, np.int64)


def unpacked(event: int) -> tuple[int, int, int, int, int]:
    """The parts of an event's word, as EVENT names them."""
    what, seat, kind, number, other = event.to_bytes(8, "little")[:5]
    return what, seat - 1, kind - 1, number, other
