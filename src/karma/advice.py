"""Advice: why a move is good, from what a seat may know and nothing else.

A bot names the moves. The reasons are read off what happens when a move is made in a world that
fits the view: the rules say what follows, the advice only names it, by codes that every client
speaks in its reader's language.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

import numpy as np
from msgspec import Struct, field

from karma.cards import KARMA_CARDS
from karma.core import imagine, look, new_log, new_view, step
from karma.core.kernel import random_words
from karma.events import BroughtUp, CompletedSet, Event, Gave, Removed, WentOut, from_log
from karma.moves import Move
from karma.packing import new_states
from karma.text import card_text, cards_text, count_text, move_text
from karma.texts import Texts
from karma.view import TABLE_CARD, View

ReasonCode = Literal[
    "lay",
    "only",
    "blind",
    "set",
    "set_rest",
    "gave",
    "brought_up",
    "out",
    "pick_up",
    "several",
    "karma_only",
    "lowest",
    "table",
    "five",
    "give",
    "next",
    "next_must",
    "feel",
]
MOST = 3


class Reason(Struct, frozen=True):
    """Why a move is good: a code, and what its sentence needs."""

    code: ReasonCode
    parameters: dict[str, str | int] = field(default_factory=dict)
    """`name` of a player, `kind` of a card, `count` of cards."""


def reasons(moves: Sequence[Move], view: View) -> list[Reason]:
    """Why a seat should make this move, or lay these cards face up: one to three reasons."""
    if view.phase == "choose":
        return [Reason("lay")]
    found: list[Reason] = []
    for reason in _about(moves[0], view):
        if reason not in found:
            found.append(reason)
    return found[:MOST] or [Reason("feel")]


def advice_text(moves: Sequence[Move], why: Sequence[Reason], view: View, say: Texts) -> str:
    """The advice as a sentence."""
    if view.phase == "choose":
        what = say("advice_lay", cards=cards_text([move.kind for move in moves], say))
    else:
        what = move_text(moves[0], view, say)
    told = "; ".join(_reason_text(reason, say) for reason in why)
    return say("advice", what=what[0].upper() + what[1:], why=told)


def _reason_text(reason: Reason, say: Texts) -> str:
    values: dict[str, object] = dict(reason.parameters)
    if "kind" in values:
        values["card"] = card_text(str(values["kind"]), say)
    if "count" in values:
        values["cards"] = count_text(int(str(values["count"])), say)
    return say(f"advice_why_{reason.code}", **values)


class World:
    """A world that fits a view, to try a move in."""

    def __init__(self, view: View, move: Move) -> None:
        self._rules = view.rules
        self._players = view.players
        self._state = new_states(view.rules)
        rng = random_words(np.random.default_rng(view.ply))
        imagine(view.packed_rules, view.record, self._state, rng)
        log = new_log()
        step(self._rules.packed, self._state, move.number, log)
        self.events: list[Event] = from_log(log)

    def view(self, seat: int | None) -> View:
        """What a seat knows in this world."""
        record = new_view()
        look(self._rules.packed, self._state, -1 if seat is None else seat, record)
        return View(record, self._rules, self._players)


def _about(move: Move, view: View) -> Iterator[Reason]:
    if len(view.legal) == 1:
        yield Reason("only")
    elif move.text[0] == "?":
        yield Reason("blind")
    else:
        world = World(view, move)
        yield from _about_events(world.events, view)
        yield from _about_move(move, view, world.view(view.seat))
        yield from _about_next(world, view)


def _about_events(events: Sequence[Event], view: View) -> Iterator[Reason]:
    cleared = any(isinstance(event, Removed) and event.kind is None for event in events)
    for event in events:
        match event:
            case CompletedSet():
                yield Reason("set" if cleared else "set_rest")
            case Gave(to=to, count=count):
                yield Reason("gave", {"name": view.players[to], "count": count})
            case BroughtUp(kind=kind):
                yield Reason("brought_up", {"kind": kind})
            case WentOut(seat=seat) if seat == view.seat:
                yield Reason("out")


def _about_move(move: Move, view: View, after: View) -> Iterator[Reason]:
    if move.text == "P":
        yield Reason("pick_up", {"count": len(view.pile)})
    if move.kind is not None and move.count > 1:
        yield Reason("several", {"count": move.count})
    yield from _about_number(move, view)
    if after.actor == view.seat and after.must_play == TABLE_CARD:
        yield Reason("table")
    if move.kind == "F" and isinstance(after.must_play, dict) and "at_most" in after.must_play:
        yield Reason("five")
    if move.kind == "G" and after.phase == "give" and view.pile:
        yield Reason("give", {"count": len(after.pile)})


def _about_number(move: Move, view: View) -> Iterator[Reason]:
    numbers = [int(each.kind) for each in view.legal if each.kind and each.kind not in KARMA_CARDS]
    if move.kind in KARMA_CARDS:
        if not numbers:
            yield Reason("karma_only")
    elif move.kind and len(set(numbers)) > 1 and int(move.kind) == min(numbers):
        yield Reason("lowest")


def _about_next(world: World, view: View) -> Iterator[Reason]:
    """What the next player is known to be able to do, from cards that everybody saw."""
    actor = world.view(None).actor
    if world.view(None).phase != "play" or actor is None or actor == view.seat:
        return
    known = view.known[actor]
    if not known or any(move.kind in known for move in world.view(actor).legal):
        return
    all_known = len(known) == view.hand_sizes[actor]
    yield Reason("next_must" if all_known else "next", {"name": view.players[actor]})
