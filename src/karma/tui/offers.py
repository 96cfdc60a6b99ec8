"""Offers: what can be clicked on, or done by Enter, while you decide."""

from __future__ import annotations

from dataclasses import dataclass

from karma.moves import Move
from karma.text import move_text
from karma.texts import Texts
from karma.tui.hand import Hand
from karma.view import View

ENTER = "⏎"


@dataclass(frozen=True)
class Offer:
    """Something to click on: moves to make, or an action of the screen."""

    label: str
    moves: tuple[Move, ...] = ()
    action: str = ""
    strong: bool = False


def offers(view: View, hand: Hand, marked: int | None, say: Texts) -> list[Offer]:
    """What a seat is offered in this phase; the strong offer is what Enter does."""
    match view.phase:
        case "choose":
            lay = Offer(f"{say('tui_lay')} {ENTER}", tuple(hand.choice), strong=True)
            return [] if hand.left_to_choose else [lay]
        case "give":
            return _gifts(view, marked, say)
        case "draw":
            return [_offer(move, view, say) for move in view.legal]
    return _plays(view, hand, say)


def _gifts(view: View, marked: int | None, say: Texts) -> list[Offer]:
    gifts = [Move(f">{marked}")] if marked is not None else []
    gifts += [move for move in view.legal if move not in gifts]
    return [_offer(move, view, say, strong=i == 0) for i, move in enumerate(gifts)]


def _plays(view: View, hand: Hand, say: Texts) -> list[Offer]:
    moves = hand.moves(hand.pointed)
    found = [_offer(move, view, say, strong=move == hand.meant) for move in moves]
    if Move("P") in view.legal:
        found.append(_offer(Move("P"), view, say, key="P"))
    return found


def _offer(move: Move, view: View, say: Texts, *, strong: bool = False, key: str = ENTER) -> Offer:
    text = move_text(move, view, say)
    label = text[0].upper() + text[1:] + (f" {key}" if strong or key != ENTER else "")
    return Offer(label, (move,), strong=strong)
