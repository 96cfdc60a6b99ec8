"""Luck: what chance gave each seat, exactly, by every card that it showed.

Given all hands and all moves so far, the next card that chance shows (a draw, a face-down card
turned over) is as likely to be any of the cards that nobody has seen. So what came is compared with
all that might have come, by the same values: the difference has mean zero whoever plays and however
good the values are, and adds up to zero over the seats.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from karma.cards import KINDS
from karma.core import apply
from karma.core.kernel import entry, kernel
from karma.core.layout import OVER, PICK_UP, TURN_OVER, Record
from karma.core.rules import bit, number_of
from karma.editions import Rules
from karma.review.values import Judge, fit, kind_of, moved, result

Array = Any
Values = tuple[float, ...]


@dataclass(frozen=True)
class Card:
    """A card that chance showed, and what each kind would have been worth to every seat."""

    ply: int
    what: str
    """`flip` or `draw`."""
    seat: int
    kind: str
    unseen: dict[str, int]
    """The cards that nobody had seen, this one included."""
    values: dict[str, Values]

    @cached_property
    def luck(self) -> Values:
        """What came, less what was to be expected, for each seat."""
        kinds = list(self.unseen)
        numbers = np.array([self.unseen[kind] for kind in kinds], float)
        expected = numbers / numbers.sum() @ np.array([self.values[kind] for kind in kinds])
        return tuple((np.array(self.values[self.kind]) - expected).tolist())


def shown(
    judge: Judge, state: Array, move: int, rules: Rules, players: tuple[str, ...]
) -> list[Card]:
    """The cards that chance shows in a move, in order; the state is the one before it."""
    cards: list[Card] = []
    if TURN_OVER <= move < PICK_UP:
        cards.append(_flip(judge, state, move, rules, players))
    after = moved(state, move, rules)
    if after["drawn"][0] > state["drawn"][0]:
        cards += _draws(judge, state, after, rules)
    return cards


def _flip(judge: Judge, state: Array, move: int, rules: Rules, players: tuple[str, ...]) -> Card:
    """A face-down card, valued for each kind it might be, before any draw that it causes."""
    seat, drawn = int(state["actor"][0]), int(state["drawn"][0])
    unseen = _unseen(state, drawn)
    kinds = np.array(list(unseen))
    trials = np.repeat(state, len(kinds))
    came = turn_up(rules.packed, trials, kinds, move)
    found = np.zeros((len(kinds), len(players)))
    goes_on = trials["phase"] != OVER
    if goes_on.any():
        told = judge.chances(rules, trials[goes_on], mover=seat, first=drawn)
        found[goes_on] = fit(told)
    for i in np.flatnonzero(~goes_on):
        found[i] = result(trials[i : i + 1], len(players))
    return _card("flip", state, seat, came, unseen, found)


def _draws(judge: Judge, state: Array, after: Array, rules: Rules) -> list[Card]:
    """Cards drawn in a move, each valued while the later ones are unknown to who draws them."""
    mover = int(state["actor"][0])
    seat = int(after["actor"][0]) if rules.drawing == "when-empty" else mover
    others = judge.chances(rules, after)
    cards = []
    for place in range(int(state["drawn"][0]), int(after["drawn"][0])):
        unseen = _unseen(after, place)
        kinds = np.array(list(unseen))
        # Nobody but the drawer knows which card it is.
        trials = np.repeat(after, len(kinds))
        came = draw(trials, kinds, seat, place)
        found = np.repeat(others, len(kinds), axis=0)
        told = judge.chances(rules, trials, only=seat, mover=mover, first=place + 1)
        found[:, seat] = told[:, seat]
        cards.append(_card("draw", state, seat, came, unseen, fit(found)))
    return cards


def _card(
    what: str, state: Array, seat: int, kind: int, unseen: dict[int, int], found: Array
) -> Card:
    return Card(
        ply=int(state["ply"][0]),
        what=what,
        seat=seat,
        kind=KINDS[kind],
        unseen={KINDS[kind]: number for kind, number in unseen.items()},
        values={
            KINDS[kind]: tuple(values) for kind, values in zip(unseen, found.tolist(), strict=True)
        },
    )


# ---- the cards that nobody has seen -------------------------------------------------------------


@entry
def count_unseen(states: Array, first: int, counts: Array) -> None:
    """How many there are of each kind: face down, and in the deck from a place on."""
    state = states[0]
    for place in range(first, state.deck_size):
        counts[kind_of(state.deck[place])] += 1
    for seat in range(state.seats):
        for place in range(3):
            if state.covered[seat] & bit(place):
                counts[kind_of(state.face_down[seat, place])] += 1


def _unseen(state: Array, first: int) -> dict[int, int]:
    """How many there are of each kind that there is."""
    counts = np.zeros(len(KINDS), np.int64)
    count_unseen(state, first, counts)
    return {kind: number for kind, number in enumerate(counts.tolist()) if number}


@kernel
def exchange(state: Record, first: int, kind: int, card: int) -> int:
    """Puts a card in the place of an unseen one of a kind, which is returned."""
    for place in range(first, state.deck_size):
        if kind_of(state.deck[place]) == kind:
            found = number_of(state.deck[place])
            state.deck[place] = card
            return found  # type: ignore[no-any-return]
    for seat in range(state.seats):
        for place in range(3):
            if state.covered[seat] & bit(place) and kind_of(state.face_down[seat, place]) == kind:
                found = number_of(state.face_down[seat, place])
                state.face_down[seat, place] = card
                return found  # type: ignore[no-any-return]
    return card


@entry
def turn_up(rules: Array, states: Array, kinds: Array, move: int) -> int:
    """Turns a face-down card over, of another kind in each state; returns the kind it was."""
    place = move - TURN_OVER
    came = kind_of(number_of(states[0].face_down[states[0].actor, place]))
    for i in range(len(states)):
        seat = states[i].actor
        card = number_of(states[i].face_down[seat, place])
        if kind_of(card) != kinds[i]:
            found = exchange(states[i], states[i].drawn, kinds[i], card)
            states[i].face_down[seat, place] = found
        apply(rules[0], states[i], move, None)
    return came


@entry
def draw(states: Array, kinds: Array, seat: int, place: int) -> int:
    """Makes a card that a seat has drawn another kind in each state; returns the kind it was."""
    came = kind_of(number_of(states[0].deck[place]))
    for i in range(len(states)):
        state = states[i]
        card = number_of(state.deck[place])
        if kind_of(card) == kinds[i]:
            continue
        # One that was drawn after it is in the same hand already.
        apart = True
        for later in range(place + 1, state.drawn):
            apart = apart and kind_of(state.deck[later]) != kinds[i]
        found = exchange(state, place + 1, kinds[i], card)
        state.deck[place] = found
        if apart:
            state.hand[seat, card >> 6] ^= bit(card & 63)
            state.hand[seat, found >> 6] |= bit(found & 63)
    return came
