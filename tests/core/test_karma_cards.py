"""After a play, 2 and 3: karma cards leave, and the effects."""

import pytest

from karma import CLASSIC, MINI, ONLINE
from karma.events import BroughtUp, CameBack, Gave, Played, Removed, TurnedOver
from positions import (
    FIVE_OR_LOWER,
    face_down,
    face_up,
    hand,
    left,
    legal,
    pile,
    play,
    removed,
    required,
    table,
)

LEAVING = CLASSIC.replace(karma_stays=False)

# ---- karma cards leave --------------------------------------------------------------------------


def test_gives_leave_the_game():
    game = table(CLASSIC, "G 9", "8", pile="3")
    assert Removed(1, "G") in play(game, "G")
    assert pile(game) == "3"
    assert removed(game)["G"] == 3
    game = table(CLASSIC, "G G 9", "8", pile="3")
    assert left(game, "Gx2") == "G G"
    assert pile(game) == "3"


@pytest.mark.parametrize("kind", ["F", "T", "B"])
def test_other_karma_cards_stay_on_the_pile(kind):
    game = table(CLASSIC, kind, "8", "9", pile="3")
    assert left(game, kind) == ""
    assert sorted(pile(game).split()) == ["3", kind]


@pytest.mark.parametrize("kind", ["F", "T", "B"])
def test_with_karma_stays_false_all_karma_cards_leave(kind):
    game = table(LEAVING, f"{kind} {kind}", "8", "9", pile="3 4")
    assert left(game, f"{kind}x2") == f"{kind} {kind}"
    assert sorted(pile(game).split()) == ["3", "4"]


def test_karma_cards_that_lay_on_the_pile_before_do_not_leave_with_a_give():
    game = table(CLASSIC, "G 9", "8", pile="3 B F")
    assert left(game, "G") == "G"
    assert pile(game) == "3 B F"


# ---- a number, Five -----------------------------------------------------------------------------


def test_after_a_number_the_next_player_must_match_or_beat_it():
    game = table(CLASSIC, "7 9", "6 7 8", pile="3")
    play(game, "7")
    assert required(game) == {"at_least": 7}
    assert legal(game) == "7 8 P"


def test_after_a_number_under_a_five_the_number_counts():
    game = table(CLASSIC, "2 9", "1 2 16", pile="F")
    play(game, "2")
    assert legal(game) == "2 16 P"


@pytest.mark.parametrize("rules", [CLASSIC, LEAVING])
def test_after_a_five_the_next_player_must_play_5_or_lower(rules):
    game = table(rules, "F 9", "1 5 6 16", pile="12")
    play(game, "F")
    assert required(game) == {"at_most": 5}
    assert legal(game) == "1 5 P"


def test_two_fives_have_their_effect_once():
    game = table(CLASSIC, "F F 9", "5 6", pile="12")
    play(game, "Fx2")
    assert required(game) == {"at_most": 5}
    assert pile(game) == "12 F F"


# ---- Give ---------------------------------------------------------------------------------------


def test_give_the_pile_goes_to_another_player_who_adds_it_to_their_hand():
    game = table(CLASSIC, "G 9", "8", "10", pile="3 F")
    play(game, "G")
    assert (game.phase, game.actor, required(game)) == ("give", 0, None)
    assert play(game, ">2") == [Gave(0, 2, 2)]
    assert hand(game, 2) == "3 10 F"
    assert pile(game) == ""


def test_give_never_to_oneself():
    for actor in range(3):
        game = table(CLASSIC, "G 9", "G 9", "G 9", pile="3", actor=actor)
        play(game, "G")
        assert legal(game) == " ".join(f">{seat}" for seat in range(3) if seat != actor)


def test_give_the_only_seat_to_give_to_is_a_move_too():
    game = table(CLASSIC, "G 9", "8", pile="3")
    play(game, "G")
    assert legal(game) == ">1"


def test_give_play_goes_on_to_the_left_even_to_the_player_who_received():
    for to in (1, 2):
        game = table(CLASSIC, "G 9", "8", "10", pile="16")
        play(game, f"G >{to}")
        assert (game.actor, required(game)) == (1, None)
    assert legal(game) == "8"


def test_give_a_player_who_was_out_is_back_in():
    game = table(CLASSIC, "G 9", "", "10", pile="3", out=[1])
    play(game, "G")
    assert play(game, ">1") == [Gave(0, 1, 1), CameBack(1)]
    assert (game.actor, hand(game, 1)) == (1, "3")


def test_give_to_anyone_even_one_who_is_out():
    game = table(CLASSIC, "G 9", "", "10", pile="3")
    play(game, "G")
    assert legal(game) == ">1 >2"


def test_give_to_active_only_players_who_still_hold_cards():
    rules = CLASSIC.replace(give_to="active")
    game = table(rules, "G", "", "10", "|| 1 . .", "| 4", pile="3")
    play(game, "G")
    assert legal(game) == ">2 >3 >4"


def test_give_with_an_empty_pile_there_is_nothing_to_give():
    game = table(CLASSIC, "G 9", "8 1")
    assert left(game, "G") == "G"
    assert (game.phase, game.actor, required(game)) == ("play", 1, None)
    assert legal(game) == "1 8"


def test_give_on_an_empty_pile_lifts_what_a_five_required():
    game = table(LEAVING, "G 9", "8 1", must=FIVE_OR_LOWER)
    play(game, "G")
    assert legal(game) == "1 8"


def test_two_gives_give_once():
    game = table(CLASSIC, "G G 9", "8", pile="3")
    play(game, "Gx2 >1")
    assert (game.phase, game.actor) == ("play", 1)
    assert hand(game, 1) == "3 8"


# ---- Bottoms ------------------------------------------------------------------------------------


def test_bottoms_the_bottom_card_moves_to_the_top():
    game = table(CLASSIC, "B 9", "8", pile="3 10 12")
    assert BroughtUp(0, "3") in play(game, "B")
    assert pile(game) == "10 12 B 3"


def test_bottoms_the_requirement_is_that_of_the_card_brought_up():
    game = table(CLASSIC, "B 9", "2 3 8", pile="3 10 12")
    play(game, "B")
    assert required(game) == {"at_least": 3}
    assert legal(game) == "3 8 P"


def test_bottoms_can_bring_up_a_five():
    game = table(CLASSIC, "B 9", "2 8", pile="F 3 12")
    play(game, "B")
    assert pile(game) == "3 12 B F"
    assert legal(game) == "2 P"


@pytest.mark.parametrize("kind", ["B", "T"])
def test_bottoms_a_bottoms_or_a_table_brought_up_counts_as_zero(kind):
    game = table(CLASSIC, "B 9", "1 2", pile=f"{kind} 12")
    play(game, "B")
    assert required(game) is None
    assert legal(game) == "1 2 P"


def test_bottoms_alone_on_the_pile_is_its_own_bottom_card():
    game = table(CLASSIC, "B 9", "1 2")
    assert BroughtUp(0, "B") in play(game, "B")
    assert (pile(game), required(game)) == ("B", None)


def test_bottoms_several_at_once_move_one_card():
    game = table(CLASSIC, "B B 9", "1 2", pile="4 10")
    play(game, "Bx2")
    assert pile(game) == "10 B B 4"
    assert required(game) == {"at_least": 4}


def test_bottoms_that_leave_move_the_bottom_card_of_what_remains():
    game = table(LEAVING, "B 9", "8", pile="3 10 12")
    assert left(game, "B") == "B"
    assert pile(game) == "10 12 3"
    assert required(game) == {"at_least": 3}


def test_bottoms_that_left_an_empty_pile_require_nothing():
    game = table(LEAVING, "B 9", "8 16", must=FIVE_OR_LOWER)
    play(game, "B")
    assert (pile(game), required(game)) == ("", None)


def test_many_bottoms_on_one_pile():
    """Every Bottoms of two decks of four copies on one pile, one after another."""
    rules = CLASSIC.replace(decks=2, copies=4, karma_sets=False)
    game = table(rules, *["B B B B 1"] * 2, pile="2 3 4")
    for _ in range(8):
        play(game, "B")
    cards = ["2", "3", "4"]
    for _ in range(8):
        cards = [*cards[1:], "B", cards[0]]
    assert pile(game) == " ".join(cards)


# ---- Table --------------------------------------------------------------------------------------


def test_table_the_player_at_once_plays_again_from_their_table_cards():
    game = table(CLASSIC, "T 9 | 2 3 | 10 11 12", "8", pile="16")
    play(game, "T")
    assert (game.phase, game.actor, required(game)) == ("play", 0, "table-card")
    assert legal(game) == "2 3"
    assert play(game, "2") == [Played(0, "2", 1, "face_up")]
    assert (face_up(game, 0), pile(game), hand(game, 0)) == ("3", "16 T 2", "9")
    assert (game.actor, required(game)) == (1, {"at_least": 2})


def test_table_several_identical_face_up_cards_are_allowed():
    game = table(CLASSIC, "T 9 | 2 2 3 | 10 11 12", "8", pile="16")
    play(game, "T")
    assert legal(game) == "2 2x2 3"


def test_table_otherwise_one_face_down_card_blind_which_cannot_fail():
    game = table(CLASSIC, "T 9 || 2 . 3", "8", pile="16")
    play(game, "T")
    assert legal(game) == "?0 ?2"
    assert play(game, "?2") == [TurnedOver(0, 2, "3", True)]
    assert (pile(game), face_down(game, 0), game.actor) == ("16 T 3", "2 . .", 1)
    assert required(game) == {"at_least": 3}


def test_table_any_number_may_be_played_after_a_five_too():
    game = table(CLASSIC, "T 9 | 16 | 10 11 12", "8", pile="F")
    play(game, "T")
    assert legal(game) == "16"


def test_table_there_is_no_picking_up_instead():
    game = table(CLASSIC, "T 9 | 2", "8", pile="16 16")
    play(game, "T")
    assert legal(game) == "2"


def test_table_no_drawing_between():
    game = table(CLASSIC, "T | 2 2", "8", pile="16", draw="4 5 6 7")
    play(game, "T")
    assert hand(game, 0) == ""
    assert legal(game) == "2 2x2"
    play(game, "2")
    assert hand(game, 0) == "4 5 6"


def test_table_no_drawing_between_when_empty_either():
    game = table(ONLINE, "T | 2", "8", pile="16", draw="4 5 6 7")
    play(game, "T")
    assert hand(game, 0) == ""
    assert legal(game) == "2"


def test_table_with_no_table_cards_hand_they_play_from_the_hand_in_the_same_way():
    game = table(CLASSIC, "T 2 2 9", "8", pile="16")
    play(game, "T")
    assert (required(game), legal(game)) == ("table-card", "2 2x2 9")
    assert play(game, "2x2") == [Played(0, "2", 2, "hand")]
    assert (game.actor, required(game)) == (1, {"at_least": 2})


def test_table_with_no_table_cards_skip_that_was_the_turn():
    game = table(CLASSIC.replace(no_table_card="skip"), "T 2", "1 8", pile="16")
    play(game, "T")
    assert (game.actor, required(game), legal(game)) == (1, None, "1 8 P")


def test_table_skip_does_not_keep_from_playing_table_cards():
    game = table(CLASSIC.replace(no_table_card="skip"), "T 2 || . 1 .", "1 8", pile="16")
    play(game, "T")
    assert legal(game) == "?1"


@pytest.mark.parametrize("no_table_card", ["hand", "skip"])
def test_table_with_nothing_left_to_play_that_was_the_turn_too(no_table_card):
    game = table(CLASSIC.replace(no_table_card=no_table_card), "T", "8", "9", pile="16")
    play(game, "T")
    assert (game.actor, required(game)) == (1, None)
    assert game.view(None).places == (0,)


def test_table_with_nothing_left_to_play_the_player_draws_and_goes_on():
    game = table(CLASSIC, "T", "8", "9", pile="16", draw="4")
    play(game, "T")
    assert (game.actor, hand(game, 0)) == (1, "4")


def test_table_the_card_played_can_be_another_table_and_so_on():
    game = table(CLASSIC, "T 9 | T 7 | 10 11 12", "8", pile="16")
    play(game, "T T")
    assert (game.actor, required(game), legal(game)) == (0, "table-card", "7")
    game = table(MINI, "T 9 | T | 10 11 12", "8", pile="16", run=("16", 1))
    play(game, "T")
    assert left(game, "T") == "16 T T"  # in a row: a pair


def test_table_a_face_down_table_calls_for_another_card():
    game = table(CLASSIC, "T 9 || T 8 3", "8", pile="16")
    play(game, "T ?0")
    assert (game.actor, legal(game)) == (0, "?1 ?2")


def test_table_two_at_once_call_for_one_play():
    game = table(CLASSIC, "T T 9 | 2 3", "8", pile="16")
    play(game, "Tx2 2")
    assert (game.actor, pile(game)) == (1, "16 T T 2")


@pytest.mark.parametrize(
    ("move", "phase", "requirement"),
    [
        ("7", "play", {"at_least": 7}),
        ("F", "play", {"at_most": 5}),
        ("B", "play", {"at_least": 16}),
        ("G", "give", None),
    ],
)
def test_table_the_card_played_has_its_effect(move, phase, requirement):
    game = table(CLASSIC, "T 9 | 7 F B G | 10 11 12", "8", pile="16 1", must=0)
    play(game, f"T {move}")
    assert (game.phase, required(game)) == (phase, requirement)
    assert game.actor == (0 if move == "G" else 1)


def test_table_a_give_from_the_table_gives_the_table_card_too():
    game = table(CLASSIC, "T 9 | G | 10 11 12", "8", pile="16")
    play(game, "T G >1")
    assert hand(game, 1) == "8 16 T"


# ---- what a karma card that left, or a Table that nothing followed, requires ---------------------


def test_after_a_table_that_nothing_followed_a_table_on_top_counts_as_zero():
    game = table(CLASSIC.replace(no_table_card="skip"), "T 2", "1", pile="16")
    play(game, "T")
    assert required(game) is None


def test_a_table_skipped_under_a_five_leaves_the_top_card_to_beat_not_the_five():
    game = table(ONLINE, "T 2", "1 8 9", pile="8", must=FIVE_OR_LOWER)
    play(game, "T")
    assert required(game) == {"at_least": 8}
    assert legal(game) == "8 9 P"


def test_a_table_skipped_on_an_empty_pile_requires_nothing():
    game = table(ONLINE, "T 2", "1 8 9", must=FIVE_OR_LOWER)
    play(game, "T")
    assert required(game) is None


def test_a_table_skipped_over_a_five_that_stays_requires_the_five():
    """The Table leaves, a Five brought up by Bottoms is on top: house rules can bring it about."""
    rules = ONLINE.replace(karma_stays=False)
    game = table(rules, "T 2", "1 8 9", pile="7 F", must=0)
    play(game, "T")
    assert required(game) == {"at_most": 5}


@pytest.mark.parametrize("kind", ["T", "B"])
def test_under_a_karma_card_that_left_a_table_or_bottoms_on_top_counts_as_zero(kind):
    game = table(ONLINE, "T 2", "1 8 9", pile=f"7 {kind}", must=FIVE_OR_LOWER)
    play(game, "T")
    assert required(game) is None
