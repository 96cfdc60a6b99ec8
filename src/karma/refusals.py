"""Why a move is refused: a code with its parameters for clients, and an English sentence.

The core decides what is legal. This only puts into words what a player can see: it is asked about
moves that are not legal, and always has an answer.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from karma.cards import KARMA_CARDS
from karma.moves import Move

if TYPE_CHECKING:
    from karma.view import View

_SENTENCES = {
    "game_over": "the game is over",
    "not_your_turn": "it is the turn of {name}",
    "choose_first": "three cards of the six have to be put face up first",
    "already_chosen": "the face-up cards are chosen already",
    "give_first": "the pile has to be given to another player first",
    "draw_or_leave_first": "draw (D) or leave it (N) first",
    "nothing_to_give": "there is nothing to give now",
    "nothing_to_draw": "there is nothing to draw now",
    "must_draw": "a player with an empty hand must draw",
    "not_to_oneself": "the pile goes to another player",
    "no_such_seat": "there is no seat {seat} at this table",
    "seat_is_out": "only players who still hold cards can be given the pile",
    "not_in_hand": "the hand does not hold {count} × {kind}",
    "not_face_up": "the face-up cards do not hold {count} × {kind}",
    "hand_first": "the hand is played before the table cards",
    "face_up_first": "the face-up cards are played before the face-down ones",
    "turn_one_over": "only face-down cards are left: turn one over (?0, ?1, ?2)",
    "no_card_there": "there is no face-down card at place {place}",
    "table_card_first": "a Table card has to be followed by a play, and cannot be picked up",
    "too_low": "{number} or higher is required, or a karma card",
    "too_high": "5 or lower is required, or a karma card",
    "too_many": "at most {most} identical cards may be played at once",
    "pile_is_empty": "the pile is empty",
}


@dataclass(frozen=True)
class Refusal:
    """Why a move may not be made now."""

    code: str
    params: dict[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        return _SENTENCES[self.code].format(**self.params)


CODES: tuple[str, ...] = tuple(_SENTENCES)


def why_not(view: View, move: Move) -> Refusal:
    """Why a seat may not make a move that is not among its legal ones."""
    if view.phase == "over":
        return Refusal("game_over")
    if view.actor is not None and view.actor != view.seat:
        return Refusal("not_your_turn", {"seat": view.actor, "name": view.players[view.actor]})
    text = move.text
    if view.phase == "choose":
        if text.startswith("^"):
            return Refusal("not_in_hand", {"kind": move.kind, "count": 1})
        return Refusal("choose_first")
    if text.startswith("^"):
        return Refusal("already_chosen")
    if view.phase == "give":
        return _why_not_give(view, int(text[1:])) if text[0] == ">" else Refusal("give_first")
    if text.startswith(">"):
        return Refusal("nothing_to_give")
    if view.phase == "draw":
        return Refusal("must_draw") if text == "N" else Refusal("draw_or_leave_first")
    if text in "DN":
        return Refusal("nothing_to_draw")
    if text == "P":
        table_card = view.must_play == "table-card"
        return Refusal("table_card_first") if table_card else Refusal("pile_is_empty")
    return _why_not_turn_over(view, text) if text[0] == "?" else _why_not_play(view, move)


def _why_not_give(view: View, to: int) -> Refusal:
    if to >= len(view.players):
        return Refusal("no_such_seat", {"seat": to})
    return Refusal("not_to_oneself") if to == view.seat else Refusal("seat_is_out")


def _why_not_turn_over(view: View, text: str) -> Refusal:
    assert view.seat is not None
    table_card = view.must_play == "table-card"
    if view.hand and not table_card:
        return Refusal("hand_first")
    if view.face_up[view.seat]:
        return Refusal("face_up_first")
    return Refusal("no_card_there", {"place": int(text[1:])})


def _why_not_play(view: View, move: Move) -> Refusal:
    assert view.seat is not None and view.hand is not None and move.kind is not None
    face_up = view.face_up[view.seat]
    from_hand = bool(view.hand)
    if view.must_play == "table-card":
        from_hand = not face_up and not any(view.face_down[view.seat])
    if not from_hand and not face_up:
        return Refusal("turn_one_over")
    location = view.hand if from_hand else face_up
    if location.count(move.kind) < move.count:
        if from_hand and not location.count(move.kind) and move.kind in face_up:
            return Refusal("hand_first")
        code = "not_in_hand" if from_hand else "not_face_up"
        return Refusal(code, {"kind": move.kind, "count": move.count})
    match view.must_play:
        case {"at_least": int(number)} if move.kind not in KARMA_CARDS and int(move.kind) < number:
            return Refusal("too_low", {"number": number})
        case {"at_most": _} if move.kind not in KARMA_CARDS and int(move.kind) > 5:
            return Refusal("too_high")
    return Refusal("too_many", {"most": view.rules.max_play})
