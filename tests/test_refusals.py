"""Why a move is refused: always a reason, and always a true one."""

import ast
import pickle
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import karma
from chance import random_move, random_table
from karma import CLASSIC, MINI, ONLINE, Game, Move
from karma.cards import KARMA_CARDS
from karma.moves import ALL
from karma.refusals import MOVE_CODES, PARAMETERS, IllegalMove, Refusal, why_not
from positions import FIVE_OR_LOWER, play, table

MANUAL = CLASSIC.replace(drawing="manual")
PAIRS = CLASSIC.replace(max_play=2)


def after(game, moves):
    play(game, moves)
    return game


@pytest.mark.parametrize(
    ("code", "game", "moves"),
    [
        ("game_over", lambda: after(table(CLASSIC, "7", "8", pile="3"), "7"), "8 P >1 ?0 D ^7"),
        ("choose_first", lambda: Game(CLASSIC, 2, deck=CLASSIC.full_deck), "7 P ?0 >1 D N Fx2"),
        ("not_in_hand", lambda: Game(CLASSIC, 2, deck=CLASSIC.full_deck), "^16 ^G"),
        ("already_chosen", lambda: table(CLASSIC, "7", "8"), "^7 ^8"),
        ("give_first", lambda: after(table(CLASSIC, "G 7", "8", pile="3"), "G"), "7 P ?0 D N"),
        ("not_to_oneself", lambda: after(table(CLASSIC, "G 7", "8", pile="3"), "G"), ">0"),
        ("no_such_seat", lambda: after(table(CLASSIC, "G 7", "8", pile="3"), "G"), ">2 >11"),
        ("seat_is_out", lambda: after(table(ONLINE, "G 7", "", "8", pile="3"), "G"), ">1"),
        (
            "draw_or_leave_first",
            lambda: after(table(MANUAL, "7 8", "8", pile="3", draw="4"), "7"),
            "8 P ?0",
        ),
        ("must_draw", lambda: after(table(MANUAL, "7", "8", pile="3", draw="4"), "7"), "N"),
        ("nothing_to_give", lambda: table(CLASSIC, "7", "8"), ">0 >1 >11"),
        ("nothing_to_draw", lambda: table(CLASSIC, "7", "8", draw="9"), "D N"),
        ("not_in_hand", lambda: table(CLASSIC, "7 7", "8"), "8 7x3 G"),
        ("not_face_up", lambda: table(CLASSIC, "| 7 7", "8"), "8 7x3 G"),
        ("not_face_up", lambda: after(table(CLASSIC, "T 9 | 7", "8"), "T"), "8"),
        ("face_up_first", lambda: after(table(CLASSIC, "T 9 | 7", "8"), "T"), "9"),
        ("hand_first", lambda: table(CLASSIC, "7 | 9 | 1 2 3", "8"), "9 ?0 ?2"),
        ("face_up_first", lambda: table(CLASSIC, "| 9 | 1 2 3", "8"), "?0 ?1"),
        ("face_up_first", lambda: after(table(CLASSIC, "T 7 | 9 | 1 2 3", "8"), "T"), "?0 ?1"),
        ("face_down_first", lambda: table(CLASSIC, "|| 1 2 3", "8"), "1 9"),
        ("face_down_first", lambda: after(table(CLASSIC, "T 9 || 1 2 3", "8"), "T"), "1 9"),
        ("no_card_there", lambda: table(CLASSIC, "|| 1 . 3", "8"), "?1"),
        ("no_card_there", lambda: after(table(CLASSIC, "T 9", "8"), "T"), "?0 ?1 ?2"),
        ("no_card_there", lambda: table(CLASSIC, "7 || 1 . 3", "8"), "?1"),
        ("table_card_first", lambda: after(table(CLASSIC, "T 9 | 7", "8"), "T"), "P"),
        ("too_low", lambda: table(CLASSIC, "7 7 9", "8", pile="8"), "7 7x2"),
        ("too_low", lambda: table(CLASSIC, "| 7 7 9", "8", pile="8"), "7 7x2"),
        ("too_high", lambda: table(CLASSIC, "7 7 3", "8", pile="F"), "7 7x2"),
        ("too_high", lambda: table(ONLINE, "7 3", "8", must=FIVE_OR_LOWER), "7"),
        ("too_many", lambda: table(PAIRS, "7 7 7 B B B", "8", pile="3"), "7x3 Bx3"),
        ("pile_is_empty", lambda: table(CLASSIC, "7", "8"), "P"),
    ],
)
def test_the_reason(code, game, moves):
    view = game().view(0)
    for text in moves.split():
        assert Move(text) not in view.legal
        refusal = why_not(view, Move(text))
        assert refusal.code == code, text
        assert str(refusal)


def test_it_is_somebody_elses_turn():
    game = Game(MINI, ["Ana", "Bo"], seed=7)
    for seat in (1, None):
        refusal = why_not(game.view(seat), game.legal[0])
        assert refusal.code == "not_your_turn"
        assert refusal.parameters == {"actor": 0}
        assert str(refusal) == "It is not your turn."


def test_a_refusal_is_one_class_which_travels():
    game = Game(MINI, ["Ana", "Bo"], seed=7)
    with pytest.raises(Refusal) as told:
        game.push("P")
    for refusal in (told.value, pickle.loads(pickle.dumps(told.value))):
        assert type(refusal) is IllegalMove
        assert (refusal.code, refusal.parameters) == ("choose_first", {})
        assert str(refusal).startswith("P is not legal: Three cards of the six")
    low = pickle.loads(pickle.dumps(Refusal("too_low", number=7)))
    assert (low.code, low.parameters, str(low)) == (
        "too_low",
        {"number": 7},
        "Too low: 7 or higher, or a karma card.",
    )


def number(move):
    return None if move.kind in KARMA_CARDS else int(move.kind)


def from_hand(view):
    if view.must_play == "table-card":
        return not view.face_up[view.seat] and not any(view.face_down[view.seat])
    return bool(view.hand)


#: What has to be true where a reason is given, asked of the view alone.
TRUE_WHERE = {
    "game_over": lambda v, m: v.phase == "over",
    "not_your_turn": lambda v, m: v.actor != v.seat,
    "choose_first": lambda v, m: v.phase == "choose" and m.text[0] != "^",
    "already_chosen": lambda v, m: v.phase != "choose" and m.text[0] == "^",
    "give_first": lambda v, m: v.phase == "give" and m.text[0] != ">",
    "draw_or_leave_first": lambda v, m: v.phase == "draw",
    "nothing_to_give": lambda v, m: v.phase != "give" and m.text[0] == ">",
    "nothing_to_draw": lambda v, m: v.phase != "draw" and m.text in "DN",
    "must_draw": lambda v, m: v.phase == "draw" and v.hand == () and m.text == "N",
    "not_to_oneself": lambda v, m: v.phase == "give" and m.text == f">{v.seat}",
    "no_such_seat": lambda v, m: int(m.text[1:]) >= len(v.players),
    "seat_is_out": lambda v, m: int(m.text[1:]) in v.places and v.rules.give_to == "active",
    "not_in_hand": lambda v, m: v.hand.count(m.kind) < max(m.count, 1),
    "not_face_up": lambda v, m: v.face_up[v.seat].count(m.kind) < m.count,
    "hand_first": lambda v, m: v.hand and v.must_play != "table-card",
    "face_up_first": lambda v, m: v.face_up[v.seat] and (m.text[0] == "?" or m.kind in v.hand),
    "face_down_first": lambda v, m: any(v.face_down[v.seat]) and not v.face_up[v.seat],
    "no_card_there": lambda v, m: not v.face_down[v.seat][int(m.text[1])],
    "table_card_first": lambda v, m: v.must_play == "table-card" and m.text == "P",
    "too_low": lambda v, m: number(m) < v.must_play["at_least"],
    "too_high": lambda v, m: number(m) > v.must_play["at_most"],
    "too_many": lambda v, m: m.count > v.rules.max_play,
    "pile_is_empty": lambda v, m: v.pile == () and m.text == "P",
}


def test_every_reason_can_be_checked():
    assert set(TRUE_WHERE) == set(MOVE_CODES)


@pytest.mark.parametrize("seed", range(30))
def test_every_illegal_move_has_a_reason_and_it_is_true(seed):
    rng = np.random.default_rng(seed)
    game = random_table(rng)
    while not game.over and game.ply < 250:
        if game.ply % 7 == 0:
            view = game.view(game.actor)
            for move in ALL:
                if move not in view.legal:
                    refusal = why_not(view, move)
                    assert TRUE_WHERE[refusal.code](view, move), (refusal, view.json(), move)
                    if refusal.code in ("not_in_hand", "not_face_up"):
                        assert from_hand(view) == (refusal.code == "not_in_hand")
                    assert "{" not in str(refusal)
        game.push(random_move(game, rng, pick_up=0.05))


def _said(source: Path) -> Iterator[tuple[str, set[str]]]:
    """The codes that a module names, each with the parameters that it gives."""
    for call in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
        if not isinstance(call, ast.Call):
            continue
        name = getattr(call.func, "id", getattr(call.func, "attr", ""))
        named = {keyword.arg or "": keyword.value for keyword in call.keywords}
        if name in ("Refusal", "IllegalMove") and call.args:
            code, given = call.args[0], {*named} - {"move"}
        elif name in ("Error", "Problem") and "code" in named:
            code, parameters = named["code"], named.get("parameters", ast.Dict([], []))
            if not isinstance(parameters, ast.Dict):
                continue
            given = {key.value for key in parameters.keys if isinstance(key, ast.Constant)}
        else:
            continue
        codes = [code.body, code.orelse] if isinstance(code, ast.IfExp) else [code]
        for each in codes:
            if isinstance(each, ast.Constant):
                yield each.value, given


def test_whoever_refuses_gives_the_parameters_of_the_code() -> None:
    sources = Path(karma.__file__).parent.rglob("*.py")
    told = [(source, *each) for source in sources for each in _said(source)]
    assert len(told) > 100
    wrong = [
        f"{source.name}: {code} with {given}"
        for source, code, given in told
        if given != set(PARAMETERS.get(code, ()))
    ]
    assert wrong == []
