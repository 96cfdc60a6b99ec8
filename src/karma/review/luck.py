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
from karma.core.layout import PICK_UP, TURN_OVER
from karma.editions import Rules
from karma.review.values import (
    Judge,
    chances,
    fit,
    is_over,
    moved,
    result,
    seen_by,
    without_draws,
)

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
    drawn = int(after["drawn"][0] - state["drawn"][0])
    if drawn:
        cards += _draws(judge, state, after, drawn, rules, players)
    return cards


def _flip(judge: Judge, state: Array, move: int, rules: Rules, players: tuple[str, ...]) -> Card:
    """A face-down card, valued for each kind it might be, before any draw that it causes."""
    seat, place = int(state["actor"][0]), move - TURN_OVER
    unseen = _unseen(state, int(state["drawn"][0]))
    found = {}
    for kind in unseen:
        trial = state.copy()
        _turn_up_instead(trial, seat, place, kind)
        trial = moved(trial, move, rules)
        if is_over(trial):
            found[KINDS[kind]] = result(trial, len(players))
            continue
        first, last = int(state["drawn"][0]), int(trial["drawn"][0])
        drawn = tuple(_kind(card) for card in trial["deck"][0, first:last])
        drawer = _drawer(trial, seat, rules)
        found[KINDS[kind]] = fit(chances(judge, trial, rules, players, drawer, drawn))
    came = _kind(state["face_down"][0, seat, place])
    return _card("flip", state, seat, came, unseen, found)


def _draws(
    judge: Judge, state: Array, after: Array, drawn: int, rules: Rules, players: tuple[str, ...]
) -> list[Card]:
    """Cards drawn in a move, each valued while the later ones are unknown to who draws them."""
    drawer = _drawer(after, int(state["actor"][0]), rules)
    others = chances(judge, after, rules, players)
    cards = []
    for number in range(drawn):
        place = int(state["drawn"][0]) + number
        unseen = _unseen(after, place)
        found = {}
        for kind in unseen:
            # Nobody but the drawer knows which card it is.
            trial = after.copy()
            _draw_instead(trial, drawer, place, kind)
            later = [_kind(card) for card in trial["deck"][0, place + 1 : int(after["drawn"][0])]]
            view = seen_by(trial, drawer, rules, players)
            others[drawer] = (
                judge.chance(without_draws(view, later), len(later))
                if later
                else judge.chance(view)
            )
            found[KINDS[kind]] = fit(others)
        came = _kind(after["deck"][0, place])
        cards.append(_card("draw", state, drawer, came, unseen, found))
    return cards


def _drawer(after: Array, mover: int, rules: Rules) -> int:
    """Who draws in a move: its maker, or whoever is next with an empty hand."""
    return int(after["actor"][0]) if rules.drawing == "when-empty" else mover


def _card(
    what: str, state: Array, seat: int, kind: int, unseen: dict[int, int], found: dict[str, Array]
) -> Card:
    return Card(
        ply=int(state["ply"][0]),
        what=what,
        seat=seat,
        kind=KINDS[kind],
        unseen={KINDS[kind]: number for kind, number in unseen.items()},
        values={kind: tuple(values.tolist()) for kind, values in found.items()},
    )


# ---- the cards that nobody has seen -------------------------------------------------------------


def _kind(card: Any) -> int:
    return (int(card) & 63) // 3


def _covered(state: Array) -> list[tuple[int, int]]:
    """Where face-down cards lie."""
    return [
        (seat, place)
        for seat in range(int(state["seats"][0]))
        for place in range(3)
        if state["covered"][0, seat] >> place & 1
    ]


def _unseen(state: Array, first: int) -> dict[int, int]:
    """How many there are of each kind: face down, and in the deck from a place on."""
    cards = [*state["deck"][0, first : int(state["deck_size"][0])]]
    cards += [state["face_down"][0, seat, place] for seat, place in _covered(state)]
    counts: dict[int, int] = {}
    for kind in sorted(map(_kind, cards)):
        counts[kind] = counts.get(kind, 0) + 1
    return counts


def _exchange(state: Array, first: int, kind: int, card: int) -> int:
    """Puts a card in the place of an unseen one of a kind, which is returned."""
    for place in range(first, int(state["deck_size"][0])):
        if _kind(state["deck"][0, place]) == kind:
            found, state["deck"][0, place] = int(state["deck"][0, place]), card
            return found
    for seat, place in _covered(state):
        if _kind(state["face_down"][0, seat, place]) == kind:
            found, state["face_down"][0, seat, place] = (
                int(state["face_down"][0, seat, place]),
                card,
            )
            return found
    raise AssertionError("the kind is not among the unseen cards")


def _turn_up_instead(state: Array, seat: int, place: int, kind: int) -> None:
    """Makes a face-down card one of a kind."""
    card = int(state["face_down"][0, seat, place])
    if _kind(card) != kind:
        state["face_down"][0, seat, place] = _exchange(state, int(state["drawn"][0]), kind, card)


def _draw_instead(state: Array, seat: int, place: int, kind: int) -> None:
    """Makes the card that a seat has drawn from a place of the deck one of a kind."""
    card, drawn = int(state["deck"][0, place]), int(state["drawn"][0])
    if _kind(card) == kind:
        return
    # One that was drawn after it is in the same hand already.
    apart = all(_kind(later) != kind for later in state["deck"][0, place + 1 : drawn])
    found = _exchange(state, place + 1, kind, card)
    state["deck"][0, place] = found
    if apart:
        state["hand"][0, seat, card // 64] ^= np.int64(1) << np.int64(card % 64)
        state["hand"][0, seat, found // 64] |= np.int64(1) << np.int64(found % 64)
