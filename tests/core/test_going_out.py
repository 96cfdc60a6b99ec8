"""Going out, and the end; games that go round."""

import pytest

from karma import ALTERNATIVE, CLASSIC, ONLINE, IllegalMove
from karma.events import CameBack, Drew, Ended, Gave, Stalled, WentOut
from positions import hand, legal, pile, play, required, table

STALLING = CLASSIC.replace(stall_limit=10)


def quiet(game):
    return game.view(None).quiet


# ---- going out ----------------------------------------------------------------------------------


def test_a_player_who_holds_no_card_in_hand_or_on_the_table_is_out():
    game = table(CLASSIC, "7", "8", "9", pile="3")
    assert play(game, "7")[-1] == WentOut(0, 1)
    assert game.view(None).places == (0,)


@pytest.mark.parametrize("seat", ["7 | 1", "7 || 1 . .", "7 || . . 1", "7 9"])
def test_a_player_who_holds_any_card_is_not_out(seat):
    game = table(CLASSIC, seat, "8", "9", pile="3")
    play(game, "7")
    assert game.view(None).places == ()


def test_going_out_with_a_face_up_or_a_face_down_card():
    for seat, move in (("| 7", "7"), ("|| . 7 .", "?1")):
        game = table(CLASSIC, seat, "8", "9", pile="3")
        play(game, move)
        assert game.view(None).places == (0,)


def test_after_every_complete_turn_drawing_included():
    game = table(CLASSIC, "7", "8", "9", pile="3", draw="4")
    play(game, "7")
    assert game.view(None).places == ()
    assert hand(game, 0) == "4"


def test_after_every_complete_turn_giving_included():
    game = table(CLASSIC, "G", "8", "9", pile="3")
    play(game, "G")
    assert game.view(None).places == ()
    assert play(game, ">1") == [Gave(0, 1, 1), WentOut(0, 1)]


def test_even_if_a_draw_pile_is_left():
    game = table(ONLINE, "7", "8", "9", pile="3", draw="4")
    play(game, "7")
    assert game.view(None).places == (0,)


def test_seats_without_cards_are_passed_over():
    game = table(CLASSIC, "7 9", "", "", "8", pile="3")
    play(game, "7")
    assert game.actor == 3
    play(game, "P")
    assert game.actor == 0


def test_seats_without_cards_are_passed_over_round_the_end_of_the_table():
    game = table(CLASSIC, "", "4", "", "7 9", "", pile="3", actor=3)
    play(game, "7")
    assert game.actor == 1


def test_as_soon_as_only_one_player_holds_cards_the_game_is_over():
    game = table(CLASSIC, "7", "8", "", pile="3", out=[2])
    assert play(game, "7")[-2:] == [WentOut(0, 2), Ended(1)]
    assert (game.phase, game.actor, legal(game)) == ("over", None, "")
    assert game.outcome == (1, (2, 0))
    assert required(game) is None


def test_that_player_loses_whoever_it_is():
    for loser in range(3):
        seats = ["7", "7", "7"]
        seats[loser] = "8 9"
        actor = (loser + 1) % 3
        game = table(CLASSIC, *seats, pile="3", actor=actor)
        play(game, "7 7")
        assert game.outcome.loser == loser
        assert set(game.outcome.places) == {0, 1, 2} - {loser}


def test_it_is_not_over_while_two_hold_cards():
    game = table(CLASSIC, "7", "8", "9", pile="3")
    play(game, "7")
    assert not game.over
    assert game.outcome is None


def test_places_list_the_seats_in_the_order_they_went_out():
    game = table(CLASSIC, "8", "9", "10", "16 16", "7", pile="3", actor=4)
    play(game, "7 8 9")
    assert game.view(None).places == (4, 0, 1)
    play(game, "10")
    assert game.outcome == (3, (4, 0, 1, 2))


def test_a_player_who_is_brought_back_loses_their_place():
    game = table(CLASSIC, "G 9", "", "", "", "10", pile="3", out=[3, 1, 2])
    play(game, "G")
    assert play(game, ">1") == [Gave(0, 1, 1), CameBack(1)]
    assert game.view(None).places == (3, 2)
    assert game.actor == 1


def test_and_takes_a_new_one_when_going_out_again():
    game = table(CLASSIC, "G 9", "", "", "10 11", pile="3", out=[1, 2])
    play(game, "G >1")
    assert play(game, "3")[-1] == WentOut(1, 2)
    assert game.view(None).places == (2, 1)


def test_a_player_who_goes_out_by_giving_can_bring_another_back():
    """Seat 0 gives its last card away to a player who was out: the game goes on."""
    game = table(CLASSIC, "G", "", "10", pile="3", out=[1])
    play(game, "G >1")
    assert game.view(None).places == (0,)
    assert game.actor == 1
    assert not game.over


def test_giving_to_the_only_other_holder_while_going_out_ends_the_game():
    game = table(CLASSIC, "G", "", "10", pile="3", out=[1])
    play(game, "G >2")
    assert game.outcome == (2, (1, 0))


def test_a_give_rest_set_can_bring_a_player_back():
    game = table(ALTERNATIVE, "7 9", "", "8", pile="2 7 7")
    play(game, "7")
    assert play(game, ">1") == [Gave(0, 1, 1), CameBack(1)]
    assert (game.actor, game.view(None).places) == (0, ())


def test_no_move_is_legal_after_the_end():
    game = table(CLASSIC, "7", "8", pile="3")
    play(game, "7")
    assert game.legal == ()
    for seat in (0, 1, None):
        assert game.view(seat).legal == ()
    before = game.position()
    for text in ("8", "P", ">0", "D", "?0", "^8"):
        with pytest.raises(IllegalMove, match="The game is over"):
            game.push(text)
    assert game.position() == before


# ---- games that go round ------------------------------------------------------------------------


def test_a_turn_is_quiet_if_no_card_left_the_game_and_none_was_drawn():
    game = table(CLASSIC, "7 9 9", "8 9 10", pile="3", quiet=4)
    play(game, "7")
    assert quiet(game) == 5
    play(game, "P")
    assert quiet(game) == 6


def test_a_turn_in_which_a_card_was_drawn_is_not_quiet():
    game = table(CLASSIC, "7 9", "8", pile="3", draw="4 5", quiet=4)
    play(game, "7")
    assert quiet(game) == 0


@pytest.mark.parametrize(
    ("rules", "hand", "move"),
    [
        (CLASSIC, "7 7 7 9 9", "7x3"),  # a set
        (CLASSIC, "G 9 9", "G"),  # a Give, even with nothing to give
        (CLASSIC.replace(karma_stays=False), "F 9 9", "F"),
    ],
)
def test_a_turn_in_which_a_card_left_the_game_is_not_quiet(rules, hand, move):
    game = table(rules, hand, "8", quiet=4)
    play(game, move)
    assert quiet(game) == 0


def test_a_give_rest_set_is_not_quiet():
    game = table(ALTERNATIVE, "7 9", "8", pile="2 7 7", quiet=4)
    play(game, "7")
    assert quiet(game) == 4  # the turn is not over yet
    play(game, ">1")
    assert quiet(game) == 0


def test_a_turn_that_follows_a_set_is_a_turn_of_its_own():
    game = table(CLASSIC, "7 9 9", "8", pile="7 7", quiet=4)
    play(game, "7")
    assert quiet(game) == 0
    play(game, "9")
    assert quiet(game) == 1


def test_the_card_that_begins_a_turn_when_empty_is_drawn_in_that_turn():
    rules = CLASSIC.replace(drawing="when-empty")
    game = table(rules, "7 9", "| 8 9 | 1 1 1", pile="3", draw="10", quiet=4)
    assert play(game, "7")[-1] == Drew(1, 1)
    assert quiet(game) == 5
    play(game, "10")
    assert quiet(game) == 0
    play(game, "P")
    assert quiet(game) == 1


def test_manual_a_draw_left_alone_is_quiet():
    rules = CLASSIC.replace(drawing="manual")
    for choice, expected in (("N", 5), ("D", 0)):
        game = table(rules, "7 9", "8", pile="3", draw="10 11", quiet=4)
        play(game, "7")
        assert quiet(game) == 4
        play(game, choice)
        assert quiet(game) == expected


def test_a_table_card_and_what_follows_it_are_one_turn():
    game = table(CLASSIC, "T 9 | 2 | 4 5 6", "8", pile="3", quiet=4)
    play(game, "T")
    assert quiet(game) == 4
    play(game, "2")
    assert quiet(game) == 5


def test_a_table_card_that_left_makes_the_whole_turn_lively():
    rules = CLASSIC.replace(karma_stays=False)
    game = table(rules, "T 9 | 2 | 4 5 6", "8", pile="3", quiet=4)
    play(game, "T 2")
    assert quiet(game) == 0
    play(game, "8")
    assert quiet(game) == 1


def test_with_stall_limit_the_game_is_over_after_that_many_quiet_turns_without_a_loser():
    game = table(STALLING, "7 9", "8 9", pile="3", quiet=8)
    play(game, "7")
    assert not game.over
    assert play(game, "8")[-2:] == [Stalled(10), Ended(None)]
    assert game.outcome == (None, ())
    assert (quiet(game), pile(game)) == (10, "3 7 8")


def test_without_a_limit_quiet_turns_are_counted_and_the_game_goes_on():
    game = table(CLASSIC, "7 9", "8 9", pile="3", quiet=1000)
    play(game, "7")
    assert quiet(game) == 1001
    assert not game.over


def test_who_went_out_before_a_stall_keeps_their_place():
    game = table(STALLING, "7 9", "", "8 9", pile="3", quiet=9)
    play(game, "7")
    assert game.outcome == (None, (1,))


def test_a_player_can_go_out_in_the_turn_that_stalls():
    game = table(STALLING, "7", "9", "8 9", pile="3", quiet=9)
    assert play(game, "7")[-3:] == [WentOut(0, 1), Stalled(10), Ended(None)]
    assert game.outcome == (None, (0,))


def test_a_game_that_is_decided_does_not_stall():
    game = table(STALLING, "7", "8 9", pile="3", quiet=9)
    assert play(game, "7")[-1] == Ended(1)
    assert game.outcome == (1, (0,))


def test_sets_and_draws_put_the_stall_off():
    game = table(STALLING, "7 9", "8 9", pile="3 7 7", quiet=9)
    play(game, "7")
    assert not game.over
