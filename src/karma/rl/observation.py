"""The observation: a View as a row of small whole numbers, in named slices.

It is written from the VIEW record and nothing else, so that a learner knows what a seat may know.
Seats are counted from the observer, clockwise: row 0 of a slice by seats is the observer's own.
"""

from __future__ import annotations

from functools import cache
from math import prod
from typing import Any, NamedTuple

import numpy as np

from karma.core import RULES, new_view
from karma.core.kernel import Word, count, direct, entry, kernel
from karma.core.layout import (
    FROM_FACE_DOWN,
    FROM_HAND,
    KINDS,
    MOVES,
    NO_KIND,
    NOBODY,
    OVER,
    PICK_UP,
    TABLE_CARD,
    Record,
)
from karma.core.rules import number_of
from karma.view import View

Array = Any
MOST = 127  # the largest number that an observation holds
BOTTOM_CARDS = 3
PHASES = OVER + 1
REQUIREMENTS = TABLE_CARD + 1
SOURCES = FROM_FACE_DOWN - FROM_HAND + 1


class Part(NamedTuple):
    """A named slice of the observation, and the shape that its numbers have."""

    name: str
    shape: tuple[int, ...]
    start: int
    meaning: str

    @property
    def place(self) -> slice:
        return slice(self.start, self.start + prod(self.shape))

    def of(self, observation: Array) -> Array:
        """This part of an observation, or of a batch of them."""
        return observation[..., self.place].reshape(*observation.shape[:-1], *self.shape)


def parts(players: int) -> dict[str, Part]:
    """The parts of an observation for so many players, in their order.

    >>> parts(2)["must_play"].place
    slice(220, 239, None)
    """
    kinds, seats = (KINDS,), (players,)
    shapes: tuple[tuple[str, tuple[int, ...], str], ...] = (
        ("hand", kinds, "cards of each kind in the own hand"),
        ("known", (players, KINDS), "cards of each hand that everybody saw going in"),
        ("face_up", (players, KINDS), "face-up cards, once they may be seen"),
        ("pile", kinds, "cards of each kind in the pile"),
        ("removed", kinds, "cards of each kind that left the game"),
        ("bottom", (BOTTOM_CARDS, KINDS), "the lowest cards of the pile, one-hot each"),
        ("top", kinds, "the card on top of the pile, one-hot"),
        ("must_play", (REQUIREMENTS,), "one-hot: nothing, 1 to 16, five or lower, a table card"),
        ("source", (SOURCES,), "where a play comes from, one-hot: hand, face up, face down"),
        ("run", kinds, "the length of the run, at its kind"),
        ("phase", (PHASES,), "one-hot: choose, play, give, draw, over"),
        ("actor", seats, "whose decision it is, one-hot"),
        ("dealer", seats, "who dealt, one-hot"),
        ("hand_sizes", seats, "cards in each hand"),
        ("hidden_face_up", seats, "face-up cards chosen and not shown yet"),
        ("face_down", seats, "face-down cards left"),
        ("places", seats, "the place of who is out, from 1; 0 for who is in"),
        ("draw_pile", (1,), "cards in the draw pile"),
        ("pile_size", (1,), "cards in the pile"),
        ("quiet", (1,), "quiet turns in a row, in percent of the limit on them"),
    )
    found, start = {}, 0
    for name, shape, meaning in shapes:
        found[name] = Part(name, shape, start, meaning)
        start += prod(shape)
    return found


@cache
def size(players: int) -> int:
    """How many numbers an observation for so many players has."""
    return sum(prod(part.shape) for part in parts(players).values())


# ---- written by kernels -------------------------------------------------------------------------


@kernel
def put(row: Array, at: int, number: int) -> int:
    """Writes one number; returns the next place."""
    row[at] = min(number, MOST)
    return at + 1


@kernel
def put_one_hot(row: Array, at: int, length: int, which: int) -> int:
    """Writes a row of zeros with a one in it; with none if there is no such place."""
    for i in range(length):
        row[at + i] = i == which
    return at + length


@kernel
def put_counts(row: Array, at: int, counts: Array) -> int:
    """Writes the counts of all kinds."""
    for kind in range(KINDS):
        row[at + kind] = counts[kind]
    return at + KINDS


@kernel
def write_observation(rules: Record, view: Record, row: Array) -> None:
    """Writes the observation of a view into a row, part by part in the order of `parts`."""
    seats, first = view.seats, view.seat
    at = put_counts(row, 0, view.hand)
    for turn in range(seats):
        at = put_counts(row, at, view.known[(first + turn) % seats])
    for turn in range(seats):
        at = put_counts(row, at, view.face_up[(first + turn) % seats])
    at = write_pile(view, row, at)
    at = put_one_hot(row, at, REQUIREMENTS, view.must_play)
    at = put_one_hot(row, at, SOURCES, view.source - FROM_HAND)
    at = put_one_hot(row, at, KINDS, NO_KIND)
    if view.run_kind != NO_KIND:
        row[at - KINDS + view.run_kind] = view.run_length
    at = put_one_hot(row, at, PHASES, view.phase)
    at = put_one_hot(row, at, seats, NOBODY if view.phase == OVER else (view.actor - first) % seats)
    at = put_one_hot(row, at, seats, (view.dealer - first) % seats)
    at = write_seats(view, row, at)
    at = put(row, at, view.draw_pile)
    at = put(row, at, view.pile_size)
    limit = rules.stall_limit if rules.stall_limit > 0 else 100
    put(row, at, 100 * view.quiet // limit)


@kernel
def write_pile(view: Record, row: Array, at: int) -> int:
    """Writes what lies in the pile and what left it, its lowest cards and its top."""
    pile = at
    at = put_one_hot(row, at, KINDS, NO_KIND)
    for i in range(view.pile_size):
        row[pile + number_of(view.pile[i])] += 1
    at = put_counts(row, at, view.removed)
    for i in range(BOTTOM_CARDS):
        at = put_one_hot(row, at, KINDS, view.pile[i] if i < view.pile_size else NO_KIND)
    top = view.pile[view.pile_size - 1] if view.pile_size > 0 else NO_KIND
    return put_one_hot(row, at, KINDS, top)


@kernel
def write_seats(view: Record, row: Array, at: int) -> int:
    """Writes how many cards each seat has where, and the places of who is out."""
    seats, first = view.seats, view.seat
    for turn in range(seats):
        at = put(row, at, view.hand_sizes[(first + turn) % seats])
    for turn in range(seats):
        at = put(row, at, view.hidden_face_up[(first + turn) % seats])
    for turn in range(seats):
        at = put(row, at, count(np.int64(view.covered[(first + turn) % seats])))
    at = put_one_hot(row, at, seats, NO_KIND)
    for place in range(view.out):
        row[at - seats + (view.places[place] - first) % seats] = place + 1
    return at


@kernel
def write_mask(plays: Word, others: Word, mask: Array) -> None:
    """Writes a one for each legal move, at its number."""
    for move in range(PICK_UP):
        mask[move] = plays >> move & 1
    for move in range(PICK_UP, MOVES):
        mask[move] = others >> move - PICK_UP & 1


@entry
def observe_view(rules: Array, views: Array, row: Array, mask: Array) -> None:
    """Writes the observation and the action mask of a view."""
    write_observation(rules[0], views[0], row)
    write_mask(views[0].plays, views[0].others, mask)


@cache
def _observe_view() -> Any:
    numbers = np.zeros(1, np.int8)
    return direct(observe_view, np.zeros(1, RULES), new_view(), numbers, numbers)


def observe(view: View) -> tuple[Array, Array]:
    """The observation of a view and its action mask: what a trained policy is asked with.

    >>> import karma
    >>> observation, mask = observe(karma.Game(karma.MINI, players=2, seed=7).view(0))
    >>> parts(2)["hand"].of(observation).tolist()
    [0, 0, 0, 0, 1, 0, 1, 1, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0]
    >>> mask.nonzero()[0].tolist()
    [82, 84, 85, 87, 89, 94]
    """
    row, mask = np.empty(size(len(view.players)), np.int8), np.empty(MOVES, np.int8)
    _observe_view()(view.packed_rules, view.record, row, mask)
    return row, mask
