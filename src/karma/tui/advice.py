"""Advice: the best moves with reasons, from what a seat may know and nothing else.

A bot names the moves. The reasons are read off what happens when a move is made in a world that
fits the view: the rules say what follows, the advice only puts it into words.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from karma.bots import Bot, make_bot
from karma.bots.tree import TreeBot
from karma.cards import KARMA_CARDS
from karma.core import VIEW, imagine, look, new_log, step
from karma.core.kernel import random_words
from karma.events import BroughtUp, CompletedSet, Event, Gave, Removed, WentOut, from_log
from karma.moves import Move
from karma.packing import new_states
from karma.text import card_text, cards_text, count_text, move_text
from karma.texts import Texts
from karma.view import TABLE_CARD, View

ADVISERS = ("steady", "expert")
"""Who is asked: one who answers at once, then a better one who may take a moment."""
MILLISECONDS = 500
MOST = 3
WORTH_TELLING = 0.1  # of the thought that went into the best move


@dataclass(frozen=True)
class Hint:
    """Moves to make, and why, in a sentence."""

    moves: tuple[Move, ...]
    text: str


def advise(view: View, say: Texts, adviser: str) -> list[Hint]:
    """What a bot would do; if it weighs moves, its second and third thought too."""
    bot = make_bot(adviser, milliseconds=MILLISECONDS)
    if view.phase == "choose":
        moves = _choice(bot, view)
        return [Hint(moves, _sentence(moves, view, say))]
    return [Hint((move,), _sentence((move,), view, say)) for move in _best(bot, view)]


def _best(bot: Bot, view: View) -> list[Move]:
    """The moves that a bot thinks worth a thought, the best first."""
    if not isinstance(bot, TreeBot) or len(view.legal) == 1:
        return [bot.choose(view)]
    visits = bot.visits(view)
    best = sorted(view.legal, key=lambda move: -int(visits[move.number]))[:MOST]
    least = WORTH_TELLING * visits[best[0].number]
    return best[:2] + [move for move in best[2:] if visits[move.number] >= least]


def _choice(bot: Bot, view: View) -> tuple[Move, ...]:
    """All cards that the bot would lay face up."""
    moves = [bot.choose(view)]
    world = World(view)
    while (now := world.make(moves[-1]).view(view.seat)).phase == "choose" and now.legal:
        moves.append(bot.choose(now))
    return tuple(moves)


class World:
    """A world that fits a view, to try moves in."""

    def __init__(self, view: View) -> None:
        self._rules = view.rules
        self._players = view.players
        self._state = new_states(view.rules)
        self.events: list[Event] = []
        rng = random_words(np.random.default_rng(view.ply))
        imagine(view.packed_rules, view.record, self._state, rng)

    def make(self, move: Move) -> World:
        """Makes a move, and remembers what happened."""
        log = new_log()
        step(self._rules.packed, self._state, move.number, log)
        self.events = from_log(log)
        return self

    def view(self, seat: int | None) -> View:
        """What a seat knows in this world."""
        record = np.zeros(1, VIEW)
        look(self._rules.packed, self._state, -1 if seat is None else seat, record)
        return View(record, self._rules, self._players)


def _sentence(moves: tuple[Move, ...], view: View, say: Texts) -> str:
    what = move_text(moves[0], view, say)
    if view.phase == "choose":
        cards = cards_text([move.kind for move in moves], say)
        return say("tui_advice", what=say("tui_advice_lay", cards=cards), why=say("tui_why_lay"))
    reasons = list(dict.fromkeys(_reasons(moves[0], view, say))) or [say("tui_why_feel")]
    return say("tui_advice", what=what[0].upper() + what[1:], why="; ".join(reasons[:3]))


def _reasons(move: Move, view: View, say: Texts) -> list[str]:
    if len(view.legal) == 1:
        return [say("tui_why_only")]
    if move.text[0] == "?":
        return [say("tui_why_blind")]
    reasons = []
    world = World(view).make(move)
    cleared = any(isinstance(event, Removed) and event.kind is None for event in world.events)
    for event in world.events:
        match event:
            case CompletedSet() if cleared:
                reasons.append(say("tui_why_set"))
            case CompletedSet():
                reasons.append(say("tui_why_set_rest"))
            case Gave(to=to, count=count):
                cards = count_text(count, say)
                reasons.append(say("tui_why_gave", name=view.players[to], cards=cards))
            case BroughtUp(kind=kind):
                reasons.append(say("tui_why_brought_up", card=card_text(kind, say)))
            case WentOut(seat=seat) if seat == view.seat:
                reasons.append(say("tui_why_out"))
    after = world.view(view.seat)
    if move.text == "P":
        reasons.append(say("tui_why_pick_up", cards=count_text(len(view.pile), say)))
    if move.kind is not None and move.count > 1:
        reasons.append(say("tui_why_several", count=move.count))
    reasons += _about_number(move, view, say)
    if after.actor == view.seat and after.must_play == TABLE_CARD:
        reasons.append(say("tui_why_table"))
    if move.kind == "F" and isinstance(after.must_play, dict) and "at_most" in after.must_play:
        reasons.append(say("tui_why_five"))
    if move.kind == "G" and after.phase == "give" and view.pile:
        reasons.append(say("tui_why_give", cards=count_text(len(after.pile), say)))
    return reasons + _about_next(world, view, say)


def _about_number(move: Move, view: View, say: Texts) -> list[str]:
    numbers = [int(each.kind) for each in view.legal if each.kind and each.kind not in KARMA_CARDS]
    if move.kind in KARMA_CARDS and not numbers:
        return [say("tui_why_karma_only")]
    if not move.kind or move.kind in KARMA_CARDS or len(set(numbers)) < 2:
        return []
    return [say("tui_why_lowest")] if int(move.kind) == min(numbers) else []


def _about_next(world: World, view: View, say: Texts) -> list[str]:
    """What the next player is known to be able to do, from cards that everybody saw."""
    now = world.view(None)
    if now.phase != "play" or now.actor is None or now.actor == view.seat:
        return []
    known = set(view.known[now.actor])
    if not known:
        return []
    fits = {move.kind for move in world.view(now.actor).legal if move.kind in known}
    name = view.players[now.actor]
    if fits:
        return []
    if len(view.known[now.actor]) == view.hand_sizes[now.actor]:
        return [say("tui_why_next_must", name=name)]
    return [say("tui_why_next", name=name)]
