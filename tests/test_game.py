"""Game: a game that one can talk to."""

import pickle

import numpy as np
import pytest

from chance import random_game, random_move
from karma import CLASSIC, EDITIONS, MINI, ONLINE, Game, IllegalMove, InvalidMove, Move, RulesError
from karma.events import Chose
from karma.moves import ALL


def played(plies=40, seed=5):
    game = Game(MINI, ["Ana", "Bo", "Cy"], seed=seed)
    rng = np.random.default_rng(seed)
    for _ in range(plies):
        game.push(random_move(game, rng))
    return game


def finished():
    game = Game(MINI, ["Ana", "Bo", "Cy"], seed=5)
    rng = np.random.default_rng(5)
    while not game.over:
        game.push(random_move(game, rng, pick_up=0))
    return game


def test_the_same_seed_deals_the_same_game():
    assert Game(MINI, 3, seed=7) == Game(MINI, 3, seed=7)
    assert Game(MINI, 3, seed=7).deck != Game(MINI, 3, seed=8).deck
    assert sorted(Game(MINI, 3, seed=7).deck) == sorted(MINI.full_deck)


def test_without_a_seed_each_game_is_another_and_can_be_dealt_again():
    game = Game(CLASSIC)
    assert game.deck != Game(CLASSIC).deck
    assert Game(CLASSIC, seed=game.seed) == game


def test_a_game_is_dealt_by_a_deck():
    game = Game(MINI, 2, deck=MINI.full_deck)
    assert game.deck == MINI.full_deck
    assert game.seed is None


def test_players_are_named_or_counted():
    assert Game(MINI, 3, seed=1).players == ("seat 0", "seat 1", "seat 2")
    assert Game(MINI, ["Ana", "Bo"], seed=1).players == ("Ana", "Bo")


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ({"players": 1}, "2 to 4 can play"),
        ({"players": 5}, "2 to 4 can play"),
        ({"players": []}, "2 to 4 can play"),
        ({"dealer": 2}, "the dealer's seat is 2; seats are 0 to 1"),
        ({"dealer": -1}, "the dealer's seat is -1; seats are 0 to 1"),
        ({"seed": 1, "deck": MINI.full_deck}, "not by both"),
        ({"deck": MINI.full_deck[1:]}, "the deck has 39 cards; mini has 40"),
        ({"deck": ("2", *MINI.full_deck[1:])}, "the deck has 1 × 1; mini has 2"),
        ({"deck": ("X", *MINI.full_deck[1:])}, "there is no card 'X'; cards are"),
        ({"deck": (1, *MINI.full_deck[1:])}, "there is no card 1; cards are"),
    ],
)
def test_a_game_that_cannot_be_dealt_is_refused(arguments, error):
    with pytest.raises(ValueError, match=error):
        Game(MINI, **arguments)


def test_too_many_players_are_a_matter_of_the_rules():
    with pytest.raises(RulesError):
        Game(ONLINE, 4, seed=1)


def test_push_takes_a_text_or_a_move():
    one, other = Game(MINI, 2, seed=7), Game(MINI, 2, seed=7)
    move = one.legal[0]
    assert one.push(move) == other.push(str(move)) == [Chose(0)]
    assert one == other
    assert one.moves == [move]


def test_a_text_that_is_no_move_is_refused():
    game = Game(MINI, 2, seed=7)
    with pytest.raises(InvalidMove, match="'banana' is not a move"):
        game.push("banana")
    assert game.ply == 0


def test_a_move_that_is_not_legal_is_refused_and_says_why():
    game = Game(MINI, 2, seed=7)
    with pytest.raises(IllegalMove, match="P is not legal: Three cards of the six"):
        game.push("P")
    assert game == Game(MINI, 2, seed=7)


def test_refusals_are_value_errors():
    assert issubclass(IllegalMove, ValueError)
    assert issubclass(InvalidMove, ValueError)


def test_legal_moves_are_in_the_order_of_their_numbers(game):
    rng = np.random.default_rng(1)
    while not game.over and game.ply < 60:
        numbers = [move.number for move in game.legal]
        assert numbers == sorted(numbers)
        game.push(random_move(game, rng))


def test_pop_returns_the_move_and_takes_it_back():
    game = played()
    before = game.position()
    move = game.legal[0]
    game.push(move)
    assert game.pop() is move
    assert game.position() == before


def test_a_game_can_be_taken_back_to_its_beginning_and_no_further():
    game = played()
    while game.ply:
        game.pop()
    assert game == Game(MINI, ["Ana", "Bo", "Cy"], seed=5)
    with pytest.raises(IndexError, match="no move"):
        game.pop()


def test_after_pop_the_game_can_go_on_in_another_way():
    game = played()
    while len(game.legal) < 2:
        game.pop()
    first, second = game.legal[:2]
    other = game.copy()
    game.push(first)
    game.pop()
    game.push(second)
    other.push(second)
    assert game.position() == other.position()


def test_a_copy_goes_on_on_its_own():
    game = played()
    other = game.copy()
    assert other == game
    assert other is not game
    before = game.position()
    rng = np.random.default_rng(0)
    for _ in range(10):
        other.push(random_move(other, rng))
    assert game.position() == before
    assert other != game
    for _ in range(30):
        other.pop()
    assert game.position() == before


def test_games_are_equal_if_the_same_was_played_with_the_same_cards():
    assert played() == played()
    assert played() != played(plies=41)
    assert played() != played(seed=6)
    assert Game(MINI, ["a", "b"], seed=1) != Game(MINI, ["a", "c"], seed=1)
    assert Game(MINI, 2, seed=1, dealer=0) != Game(MINI, 2, seed=1, dealer=1)
    assert Game(MINI, 2, seed=1) != Game(MINI.replace(set_size=3), 2, seed=1)
    assert Game(MINI, 2, seed=1) != "a game"


def test_a_game_changes_and_is_no_key():
    with pytest.raises(TypeError):
        hash(played())


@pytest.mark.parametrize("seed", range(6))
def test_pickling(seed):
    game = random_game(seed, limit=100)
    other = pickle.loads(pickle.dumps(game))
    assert other == game
    assert other.position() == game.position()
    assert other.legal == game.legal
    if not game.over:
        assert other.push(game.legal[-1]) == game.push(game.legal[-1])
    other.pop()
    other.pop()
    game.pop()
    game.pop()
    assert other.position() == game.position()


def test_repr():
    game = Game(MINI.replace(set_size=3), ["Ana", "Bo"], seed=7)
    assert repr(game) == "<Game of mini (set_size=3), 2 players, ply 0, choose by Ana>"
    over = finished()
    assert over.over
    assert repr(over).endswith(f"ply {over.ply}, over>")


def test_str_shows_what_everybody_sees():
    text = str(played())
    assert all(name in text for name in ("Ana", "Bo", "Cy"))


def test_what_a_game_says_of_itself(game):
    assert game.phase == ("play" if game.rules.face_up == "dealt" else "choose")
    assert game.actor == 0  # the last seat deals
    assert game.dealer == len(game.players) - 1
    assert not game.over
    assert game.outcome is None
    assert game.ply == 0
    assert game.rules is EDITIONS[game.rules.edition]


def test_the_outcome_of_a_finished_game():
    game = finished()
    assert game.over
    assert game.actor is None
    assert game.outcome is not None
    loser, places = game.outcome
    assert sorted((*places, loser)) == list(range(len(game.players)))
    for move in ALL:
        with pytest.raises(IllegalMove, match="The game is over"):
            game.push(move)


def test_there_is_no_view_of_a_seat_that_is_not_there():
    game = Game(MINI, 2, seed=1)
    for seat in (2, -1):
        with pytest.raises(ValueError, match=f"there is no seat {seat}; seats are 0 to 1"):
            game.view(seat)


def test_views_count_the_moves():
    game = played(25)
    assert game.view(0).ply == game.ply == game.position()["ply"] == 25
    assert [Move(str(move)) for move in game.moves] == game.moves
