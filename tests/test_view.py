"""View: what one seat knows, as an object and as data."""

import json
import pickle

import msgspec
import numpy as np
import pytest

from chance import random_move, random_table
from karma import CLASSIC, EDITIONS, MINI, Game, View
from karma.cards import KINDS
from karma.core import VIEW
from karma.view import Run
from positions import play, table


def views(game):
    return [game.view(seat) for seat in (*range(len(game.players)), None)]


def test_a_view_is_a_value():
    game = table(CLASSIC, "7 8", "9", pile="3")
    assert game.view(0) == game.view(0)
    assert hash(game.view(0)) == hash(game.view(0))
    assert game.view(0) != game.view(1)
    assert game.view(0) != game.view(None)
    assert game.view(0) != "a view"
    assert pickle.loads(pickle.dumps(game.view(0))) == game.view(0)


def test_a_view_does_not_change_when_the_game_goes_on():
    game = table(CLASSIC, "7 8", "9", pile="3")
    view = game.view(0)
    before = view.json()
    play(game, "7 P")
    assert view.json() == before


def test_repr():
    game = Game(MINI, ["Ana", "Bo"], seed=7)
    assert repr(game.view(0)) == "<View of seat 0, mini, ply 0, choose>"
    assert repr(game.view(None)) == "<View of the audience, mini, ply 0, choose>"


def test_the_attributes_say_what_the_json_says():
    rng = np.random.default_rng(4)
    game = random_table(rng)
    while not game.over and game.ply < 150:
        for view in views(game):
            data = view.json()
            assert sorted(map(str, view.legal)) == data.pop("legal")
            assert (data.pop("edition"), data.pop("rules")) == (
                view.rules.edition,
                view.rules.overrides,
            )
            for name, value in data.items():
                found = msgspec.to_builtins(getattr(view, name))
                assert json.loads(json.dumps(found)) == value, name
        game.push(random_move(game, rng))


def test_the_run_is_told():
    game = table(CLASSIC, "7 8", "7 9", pile="3")
    assert game.view(0).run == Run("3", 1)
    play(game, "7 7")
    assert game.view(None).run == Run("7", 2)
    play(game, "P")
    assert game.view(None).run is None


def test_the_source_is_told_to_everybody():
    game = table(CLASSIC, "7 T | 9 | 1 2 3", "8 || 4 . .", pile="3")
    assert {view.source for view in views(game)} == {"hand"}
    play(game, "T")
    assert {view.source for view in views(game)} == {"face_up"}
    play(game, "9 P")
    assert game.view(1).source == "hand"
    assert table(CLASSIC, "|| 1 . .", "8").view(None).source == "face_down"
    assert Game(MINI, 2, seed=7).view(0).source is None


def test_what_fits_is_told():
    fitting = [kind for kind in KINDS if table(CLASSIC, "7 8", "9", pile="13").view(1).fits(kind)]
    assert fitting == ["13", "14", "15", "16", "G", "F", "T", "B"]
    fitting = [kind for kind in KINDS if table(CLASSIC, "7 8", "9", pile="F").view(1).fits(kind)]
    assert fitting == ["1", "2", "3", "4", "5", "G", "F", "T", "B"]


@pytest.mark.parametrize("rules", EDITIONS.values(), ids=str)
def test_how_many_cards_are_to_be_chosen_is_told_to_who_chooses(rules):
    game = Game(rules, 2, seed=7)
    while game.phase == "choose":
        assert game.view(1 - game.actor).to_choose == game.view(None).to_choose == 0
        before, actor = game.view(game.actor).to_choose, game.actor
        game.push(game.legal[0])
        assert (game.actor == actor) == (before > 1)
    assert {view.to_choose for view in views(game)} == {0}


def test_a_game_that_goes_round_warns_before_it_ends():
    game = Game(MINI.replace(face_up="dealt", stall_limit=20), 2, seed=7)
    game._state["quiet"] = 14
    assert game.view(0).quiet_left is None
    assert "goes round" not in str(game.view(0))
    game._state["quiet"] = 15
    assert game.view(None).quiet_left == 5
    warning = "The game goes round: 5 quiet turns left, then it ends without a loser."
    assert warning in str(game.view(0)).splitlines()
    endless = Game(MINI.replace(face_up="dealt"), 2, seed=7)
    endless._state["quiet"] = 900
    assert endless.view(0).quiet_left is None


@pytest.mark.parametrize("seed", range(12))
def test_a_view_loses_nothing_as_json(seed):
    rng = np.random.default_rng(seed)
    game = random_table(rng)
    while game.ply < 250:
        for view in views(game):
            parsed = View.parse(json.loads(json.dumps(view.json())))
            assert parsed == view, [
                name for name in VIEW.names if (parsed.record[name] != view.record[name]).any()
            ]
        if game.over:
            break
        game.push(random_move(game, rng))


def test_legal_moves_have_one_order_in_python_and_json():
    game = Game(CLASSIC, 3, seed=2)
    while not game.over and game.ply < 120:
        view = game.view(game.actor)
        assert [str(move) for move in view.legal] == view.json()["legal"]
        assert set(view.legal) == set(game.legal)
        game.push(view.legal[game.ply % len(view.legal)])
