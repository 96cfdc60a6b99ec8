"""Cards, and the deal: who gets which cards, and the choice of the face-up ones."""

import pytest

from karma import CLASSIC, MINI, ONLINE, Game
from karma.cards import KARMA_CARDS, KINDS
from karma.events import Chose, Revealed
from positions import dealt, draw_pile, face_down, face_up, hand, legal, pile, play, required

FACE_DOWN = "1 2 3 4 5 6 7 8 9"
SIXES = "10 11 12 13 14 15 16 1 2 3 4 5 6 7 8 9 10 11"


def test_twenty_kinds():
    assert (*map(str, range(1, 17)), "G", "F", "T", "B") == KINDS
    assert KARMA_CARDS == ("G", "F", "T", "B")


def test_three_cards_face_down_to_each_seat_in_turn_a_packet_at_a_time():
    game = dealt(CLASSIC, 3, top=FACE_DOWN)
    assert [face_down(game, seat) for seat in range(3)] == ["1 2 3", "4 5 6", "7 8 9"]


def test_then_six_to_each_seat():
    game = dealt(CLASSIC, 3, top=f"{FACE_DOWN} {SIXES}")
    assert hand(game, 0) == "10 11 12 13 14 15"
    assert hand(game, 1) == "1 2 3 4 5 16"
    assert hand(game, 2) == "6 7 8 9 10 11"


def test_with_face_up_dealt_three_face_up_come_before_the_six():
    game = dealt(ONLINE, 2, top="1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 G F T B 1 2 3 4")
    assert [face_down(game, seat) for seat in range(2)] == ["1 2 3", "4 5 6"]
    assert [face_up(game, seat) for seat in range(2)] == ["7 8 9", "10 11 12"]
    assert hand(game, 0) == "13 14 15 16 G F"
    assert hand(game, 1) == "1 2 3 4 T B"


@pytest.mark.parametrize("dealer", range(3))
def test_the_player_to_the_dealers_left_is_first_in_everything(dealer):
    first = (dealer + 1) % 3
    order = [first, (first + 1) % 3, (first + 2) % 3]
    game = dealt(CLASSIC, 3, top=f"{FACE_DOWN} {SIXES}", dealer=dealer)
    assert [face_down(game, seat) for seat in order] == ["1 2 3", "4 5 6", "7 8 9"]
    assert hand(game, first) == "10 11 12 13 14 15"
    assert game.actor == first
    play(game, "^10 ^11 ^12 ^1 ^2 ^3 ^6 ^7 ^8")
    assert (game.phase, game.actor) == ("play", first)


@pytest.mark.parametrize("dealer", range(3))
def test_the_first_is_first_where_face_up_cards_are_dealt_too(dealer):
    game = Game(ONLINE, 3, seed=1, dealer=dealer)
    assert (game.phase, game.actor) == ("play", (dealer + 1) % 3)
    top = list(game.deck)
    order = [(dealer + 1 + turn) % 3 for turn in range(3)]
    position = game.position()
    for turn, seat in enumerate(order):
        assert position["face_down"][seat] == top[3 * turn : 3 * turn + 3]
        assert sorted(position["face_up"][seat]) == sorted(top[9 + 3 * turn : 12 + 3 * turn])
        assert sorted(position["hands"][seat]) == sorted(top[18 + 6 * turn : 24 + 6 * turn])


def test_the_rest_is_the_draw_pile_dealt_from_the_top(game):
    each = 12 if game.rules.face_up == "dealt" else 9
    rest = game.deck[each * len(game.players) :]
    assert draw_pile(game) == " ".join(rest)
    assert pile(game) == ""


def test_each_player_moves_three_of_the_six_face_up_the_others_are_the_hand():
    game = dealt(MINI, 2, top="1 2 3 4 5 6 7 7 8 9 10 B")
    play(game, "^7 ^B ^7")
    assert face_up(game, 0) == "7 7 B"
    assert hand(game, 0) == "8 9 10"


def test_any_of_the_six_may_be_chosen_and_nothing_else_done():
    game = dealt(MINI, 2, top="1 2 3 4 5 6 7 7 8 9 10 B")
    assert (game.phase, legal(game)) == ("choose", "^7 ^8 ^9 ^10 ^B")
    play(game, "^7")
    assert legal(game) == "^7 ^8 ^9 ^10 ^B"
    play(game, "^7")
    assert legal(game) == "^8 ^9 ^10 ^B"


def test_the_engine_asks_seat_by_seat_from_the_dealers_left_one_card_at_a_time():
    game = Game(CLASSIC, 3, seed=3, dealer=0)
    actors = []
    while game.phase == "choose":
        actors.append(game.actor)
        game.push(game.legal[0])
    assert actors == [1, 1, 1, 2, 2, 2, 0, 0, 0]
    assert (game.phase, game.actor, required(game)) == ("play", 1, None)


def test_nobody_sees_anothers_choice_before_all_have_chosen():
    game = dealt(MINI, 2, top="1 2 3 4 5 6 7 7 8 9 10 B 1 2 3 4 5 6")
    assert play(game, "^7 ^B ^10") == [Chose(0)] * 3
    assert game.view(0).face_up == (("7", "10", "B"), ())
    assert game.view(1).face_up == game.view(None).face_up == ((None, None, None), ())
    assert game.view(1).known == ((), ())
    assert play(game, "^1 ^2") == [Chose(1)] * 2
    assert game.view(0).face_up == (("7", "10", "B"), (None, None))
    assert game.view(1).face_up == ((None, None, None), ("1", "2"))
    assert play(game, "^3") == [Chose(1), Revealed()]
    for seat in (0, 1, None):
        assert game.view(seat).face_up == (("7", "10", "B"), ("1", "2", "3"))


def test_every_card_of_the_deck_is_dealt_or_in_the_draw_pile(game):
    position = game.position()
    cards = [*position["draw_pile"]]
    for zone in ("hands", "face_up", "face_down"):
        cards += [card for row in position[zone] for card in row]
    assert sorted(cards) == sorted(game.rules.full_deck)
    assert position["removed"] == position["pile"] == position["places"] == []
    assert position["quiet"] == 0
