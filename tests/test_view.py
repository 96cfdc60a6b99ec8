"""View: what one seat knows, as an object and as data."""

import json
import pickle

import numpy as np
import pytest

from chance import random_move, random_table
from karma import CLASSIC, MINI, Game, View
from karma.core import VIEW
from positions import play, table

#: What the JSON of a view does not say, and parsing has to guess or leave out.
GUESSED = ("run_kind", "run_length", "progress", "again", "must_play", "actor")


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
                found = getattr(view, name)
                assert json.loads(json.dumps(found)) == value, name
        game.push(random_move(game, rng))


def test_the_run_is_told():
    game = table(CLASSIC, "7 8", "7 9", pile="3")
    assert game.view(0).run == ("3", 1)
    play(game, "7 7")
    assert game.view(None).run == ("7", 2)
    play(game, "P")
    assert game.view(None).run == (None, 0)


@pytest.mark.parametrize("seed", range(12))
def test_a_parsed_view_is_the_same_record_but_for_what_json_does_not_say(seed):
    rng = np.random.default_rng(seed)
    game = random_table(rng)
    while not game.over and game.ply < 150:
        if game.ply % 4 == 0:
            for view in views(game):
                parsed = View.parse(json.loads(json.dumps(view.json())))
                assert (parsed.rules, parsed.players) == (view.rules, view.players)
                for name in VIEW.names:
                    same = np.array_equal(parsed.record[name], view.record[name])
                    assert same or name in GUESSED, name
                assert parsed.must_play == view.must_play
                assert parsed.actor == view.actor
        game.push(random_move(game, rng))


def test_a_parsed_view_knows_the_run_of_cards_played_singly():
    game = table(CLASSIC, "7 8", "9", pile="3 7 7")
    assert View.parse(game.view(0).json()).run == ("7", 2)
    empty = table(CLASSIC, "7 8", "9")
    assert View.parse(empty.view(0).json()).run == (None, 0)
