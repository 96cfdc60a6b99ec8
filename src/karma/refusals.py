"""Refusal: why something asked is not done, as a code with parameters; and why a move is illegal.

The core decides what is legal. `why_not` only puts into words what a player can see: it is asked
about moves that are not legal, and always has an answer. The sentences are in the catalogues of
`karma.texts`, under `error_` and the code, so every client speaks them in its player's language.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Literal, get_args

from karma.moves import Move

if TYPE_CHECKING:
    from karma.view import View

MoveCode = Literal[
    "already_chosen",
    "choose_first",
    "draw_or_leave_first",
    "face_down_first",
    "face_up_first",
    "game_over",
    "give_first",
    "hand_first",
    "must_draw",
    "no_card_there",
    "no_such_seat",
    "not_face_up",
    "not_in_hand",
    "not_to_oneself",
    "not_your_turn",
    "nothing_to_draw",
    "nothing_to_give",
    "pile_is_empty",
    "seat_is_out",
    "table_card_first",
    "too_high",
    "too_low",
    "too_many",
]
"""Why a move may not be made now."""

TableCode = Literal[
    "already_seated",
    "bad_commitment",
    "bad_message",
    "bad_name",
    "bad_rules",
    "bad_seed",
    "bad_settings",
    "chat_off",
    "closed",
    "code_expired",
    "hello_first",
    "kicked",
    "muted",
    "name_refused",
    "no_hints",
    "no_rating",
    "no_spectators",
    "no_such_bot",
    "no_such_game",
    "no_such_move",
    "no_such_page",
    "no_such_table",
    "not_allowed",
    "still_waiting",
    "not_covered",
    "not_host",
    "not_json",
    "not_offered",
    "not_over",
    "not_paused",
    "not_seated",
    "not_stored",
    "paused",
    "replaced",
    "seat_kept",
    "seat_moved",
    "seat_taken",
    "server_error",
    "stale_game",
    "stale_ply",
    "stopped",
    "stopping",
    "table_full",
    "too_fast",
    "too_few_players",
    "too_large",
    "too_many_tables",
    "too_slow",
    "unknown_token",
    "wrong_invite",
    "wrong_method",
    "wrong_origin",
    "wrong_phase",
    "wrong_protocol",
]
"""Why something else that was asked of a table or a server is not done."""

RefusalCode = Literal[MoveCode, TableCode]
Parameter = str | int | list[str | int] | None
Parameters = dict[str, Parameter]
MOVE_CODES: tuple[MoveCode, ...] = get_args(MoveCode)
TABLE_CODES: tuple[TableCode, ...] = get_args(TableCode)
PARAMETERS: dict[RefusalCode, tuple[str, ...]] = {
    "already_seated": ("seat",),
    "bad_message": ("reason",),
    "bad_rules": ("reason",),
    "bad_settings": ("setting",),
    "no_card_there": ("place",),
    "no_such_bot": ("levels",),
    "not_face_up": ("kind", "count"),
    "not_in_hand": ("kind", "count"),
    "not_your_turn": ("actor",),
    "still_waiting": ("seconds",),
    "table_full": ("most",),
    "too_few_players": ("least",),
    "too_fast": ("seconds",),
    "too_large": ("most",),
    "too_low": ("number",),
    "too_many": ("most",),
    "too_many_tables": ("most",),
    "wrong_phase": ("phase",),
    "wrong_protocol": ("protocol",),
}
"""What is said beside a code; the codes that are not here say all by themselves."""


class Refusal(Exception):
    """Something asked that is not done, and why."""

    def __init__(self, code: RefusalCode, **parameters: Parameter) -> None:
        super().__init__(code, parameters)
        self.code: RefusalCode = code
        self.parameters: Parameters = parameters

    def __str__(self) -> str:
        from karma.text import refusal_text

        return refusal_text(self)

    def __reduce__(self) -> tuple[Any, ...]:
        return partial(type(self), self.code, **self.parameters), ()


class IllegalMove(Refusal, ValueError):
    """A move that may not be made now."""

    def __init__(self, code: RefusalCode, *, move: str, **parameters: Parameter) -> None:
        super().__init__(code, **parameters)
        self.move = move

    def __str__(self) -> str:
        return f"{self.move} is not legal: {super().__str__()}"

    def __reduce__(self) -> tuple[Any, ...]:
        return partial(type(self), self.code, move=self.move, **self.parameters), ()


def why_not(view: View, move: Move) -> Refusal:
    """Why a seat may not make a move that is not among its legal ones."""
    if view.phase == "over":
        return Refusal("game_over")
    if view.actor is not None and view.actor != view.seat:
        return Refusal("not_your_turn", actor=view.actor)
    text = move.text
    if view.phase == "choose":
        if text.startswith("^"):
            return Refusal("not_in_hand", kind=move.kind, count=1)
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
        return Refusal("no_such_seat")
    return Refusal("not_to_oneself") if to == view.seat else Refusal("seat_is_out")


def _why_not_turn_over(view: View, text: str) -> Refusal:
    assert view.seat is not None
    place = int(text[1:])
    if view.face_down[view.seat][place]:
        return source_first(view)
    return Refusal("no_card_there", place=place)


def _why_not_play(view: View, move: Move) -> Refusal:
    assert view.seat is not None and view.hand is not None and move.kind is not None
    face_up = view.face_up[view.seat]
    if view.source == "face_down":
        return source_first(view)
    here, elsewhere = (view.hand, face_up) if view.source == "hand" else (face_up, view.hand)
    if here.count(move.kind) < move.count:
        if move.kind in elsewhere and move.kind not in here:
            return source_first(view)
        code: MoveCode = "not_in_hand" if view.source == "hand" else "not_face_up"
        return Refusal(code, kind=move.kind, count=move.count)
    if not view.fits(move.kind):
        match view.must_play:
            case {"at_least": int(number)}:
                return Refusal("too_low", number=number)
            case _:
                return Refusal("too_high")
    return Refusal("too_many", most=view.rules.max_play)


_SOURCE_FIRST: dict[str | None, MoveCode] = {
    "hand": "hand_first",
    "face_up": "face_up_first",
    "face_down": "face_down_first",
}


def source_first(view: View) -> Refusal:
    """Why a card that lies elsewhere has to wait: the play comes from the view's source."""
    return Refusal(_SOURCE_FIRST[view.source])
