"""Views and the worlds that fit them: `observe`, `prepare`, `determinize`."""

import numpy as np
import pytest

from chance import random_move, random_table
from karma import CLASSIC, Game
from karma.core import VIEW, imagine, look
from karma.core.kernel import random_words
from karma.core.layout import NOBODY
from karma.packing import new_states
from positions import hand, play, table


def seats_of(game):
    return (*range(len(game.players)), None)


def worlds(game, seat, number, rng):
    """States that fit what a seat knows, and how many hidden cards each has."""
    states = new_states(game.rules, number)
    hidden = imagine(game.rules.packed, game.view(seat).record, states, random_words(rng))
    return states, hidden


def seen(game, states, seat):
    """What a seat sees in each of some worlds."""
    views = []
    for i in range(len(states)):
        view = np.zeros(1, VIEW)
        look(game.rules.packed, states[i : i + 1], NOBODY if seat is None else seat, view)
        views.append(view.tobytes())
    return views


def hidden_places(game, seat):
    """The places whose cards a seat does not know, counted from its view."""
    view = game.view(seat)
    hidden = view.draw_pile + sum(map(sum, view.face_down))
    for other in range(len(view.players)):
        if other != seat:
            hidden += view.hand_sizes[other] - len(view.known[other])
            hidden += view.face_up[other].count(None)
    return hidden


def as_game(game, state):
    """The game as it would be if a world were the truth."""
    other = game.copy()
    other._state = state
    other._legal = None
    return other


def cards(position):
    every = [*position["pile"], *position["draw_pile"], *position["removed"]]
    for zone in ("hands", "face_up", "face_down"):
        every += [card for row in position[zone] for card in row if card is not None]
    return sorted(every)


@pytest.mark.parametrize("seed", range(8))
def test_a_view_is_the_same_in_every_world_that_fits_it(seed):
    rng = np.random.default_rng(seed)
    game = random_table(rng)
    while not game.over and game.ply < 100:
        if game.ply % 9 == 0:
            for seat in seats_of(game):
                states, hidden = worlds(game, seat, 2, rng)
                assert hidden == hidden_places(game, seat)
                expected = game.view(seat).record.tobytes()
                assert seen(game, states, seat) == [expected, expected]
                for i in range(2):
                    position = as_game(game, states[i : i + 1]).position()
                    assert cards(position) == sorted(game.deck)
        game.push(random_move(game, rng))


def test_every_hidden_card_can_be_anywhere(rng):
    game = table(CLASSIC, "7 8 | 9 | 1 2 .", "10 11 | 12", draw="3 4", known=["", "11"])
    states, hidden = worlds(game, 0, 300, rng)
    assert hidden == 2 + 1 + 2
    fit = [as_game(game, states[i : i + 1]).position() for i in range(300)]
    unknown = ["1", "2", "3", "4", "10"]
    for places in (
        [position["face_down"][0][0] for position in fit],
        [position["face_down"][0][1] for position in fit],
        [position["draw_pile"][0] for position in fit],
        [position["draw_pile"][1] for position in fit],
        [next(c for c in position["hands"][1] if c != "11") for position in fit],
    ):
        assert set(places) == set(unknown)
        assert max(map(places.count, unknown)) < 2 * 300 / 5
    assert all("11" in position["hands"][1] for position in fit)
    assert all(position["hands"][0] == ["7", "8"] for position in fit)


def test_the_audience_knows_no_hand(rng):
    game = table(CLASSIC, "7 8", "10 11", known=["", "11"])
    states, hidden = worlds(game, None, 50, rng)
    assert hidden == 3
    hands = {hand(as_game(game, states[i : i + 1]), 0) for i in range(50)}
    assert hands == {"7 8", "7 10", "8 10"}


def test_while_players_choose_the_chosen_cards_of_others_are_hidden(rng):
    game = Game(CLASSIC, 2, seed=3)
    while game.actor == 0:
        game.push(game.legal[0])
    states, hidden = worlds(game, 1, 20, rng)
    assert hidden == 60 - 6
    chosen = {tuple(as_game(game, states[i : i + 1]).position()["face_up"][0]) for i in range(20)}
    assert len(chosen) > 10


def test_a_view_that_does_not_add_up_is_told(rng):
    game = table(CLASSIC, "7 8", "10 11")
    record = game.view(0).record
    record["hand_sizes"][0, 1] += 1
    states = new_states(CLASSIC, 1)
    assert imagine(CLASSIC.packed, record, states, random_words(rng)) == -1


def test_worlds_can_be_played_on(rng):
    """In every world that fits the actor's view, each of its legal moves can be made."""
    game = table(CLASSIC, "T | 9 9 | 1 2 .", "10 11 | 12", draw="3 4", pile="16")
    play(game, "T")
    states, _ = worlds(game, 0, 10, rng)
    for i in range(10):
        for move in game.view(0).legal:
            world = as_game(game, states[i : i + 1].copy())
            world.push(move)
            assert cards(world.position()) == sorted(game.rules.full_deck)
