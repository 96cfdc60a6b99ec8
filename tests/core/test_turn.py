"""A turn: play identical cards from one location, or pick up the pile."""

import pytest

from karma import CLASSIC, MINI, ONLINE
from karma.events import PickedUp, Played, TurnedOver
from positions import (
    FIVE_OR_LOWER,
    face_down,
    face_up,
    hand,
    left,
    legal,
    pile,
    play,
    required,
    table,
)


@pytest.mark.parametrize(
    ("most", "expected"), [(1, "7 9"), (2, "7 7x2 9 9x2"), (3, "7 7x2 7x3 9 9x2")]
)
def test_one_to_max_play_identical_cards(most, expected):
    rules = CLASSIC.replace(max_play=most)
    assert legal(table(rules, "7 7 7 9 9", "8")) == expected
    assert legal(table(rules, "| 7 7 7 9 9", "8")) == expected


def test_more_copies_than_three_do_not_allow_more_in_one_play():
    rules = CLASSIC.replace(decks=2, copies=4)
    assert legal(table(rules, "7 7 7 7 7 7 7 7", "8")) == "7 7x2 7x3"
    assert legal(table(rules, "| B B B B B B B B", "8")) == "B Bx2 Bx3"


def test_identical_cards_of_different_decks_are_identical():
    rules = CLASSIC.replace(decks=2, set_size=4)
    game = table(rules, "1", "7 7 7 7 7 7", actor=1)
    play(game, "7x3")
    assert hand(game, 1) == "7 7 7"
    assert pile(game) == "7 7 7"


def test_the_hand_while_it_holds_cards():
    game = table(CLASSIC, "8 | 9 9 10 | 1 2 3", "8", pile="7")
    assert legal(game) == "8 P"


def test_then_the_face_up_cards():
    game = table(CLASSIC, "| 9 9 10 | 1 2 3", "8", pile="7")
    assert legal(game) == "9 9x2 10 P"
    assert play(game, "9x2") == [Played(0, "9", 2, "face_up")]
    assert face_up(game, 0) == "10"
    assert pile(game) == "7 9 9"


def test_when_those_are_gone_one_face_down_card_chosen_blind():
    assert legal(table(CLASSIC, "|| 9 9 9", "8", pile="7")) == "?0 ?1 ?2 P"
    assert legal(table(CLASSIC, "|| . 9 9", "8", pile="7")) == "?1 ?2 P"
    assert legal(table(CLASSIC, "|| 9 . .", "8")) == "?0"


def test_never_from_two_locations_at_once():
    game = table(CLASSIC, "9 | 9 9 | 3 1 2", "8", pile="7")
    assert legal(game) == "9 P"
    play(game, "9")
    assert hand(game, 0) == ""
    assert face_up(game, 0) == "9 9"


def test_cards_played_from_the_hand_go_onto_the_pile():
    game = table(CLASSIC, "8 8 9", "8", pile="7")
    assert play(game, "8x2") == [Played(0, "8", 2, "hand")]
    assert (hand(game, 0), pile(game)) == ("9", "7 8 8")


def test_pick_up_the_whole_pile_whether_or_not_they_could_play():
    game = table(CLASSIC, "8 9", "8", pile="7 F 3")
    assert legal(game) == "8 9 P"
    assert play(game, "P") == [PickedUp(0, 3)]
    assert hand(game, 0) == "3 7 8 9 F"
    assert pile(game) == ""
    assert legal(table(CLASSIC, "2", "8", pile="7 F 3")) == "P"


def test_after_picking_up_the_turn_is_over_and_the_next_player_starts_a_new_pile():
    game = table(CLASSIC, "8 9", "1 8", pile="7")
    play(game, "P")
    assert game.actor == 1
    assert required(game) is None
    assert legal(game) == "1 8"


def test_one_may_pick_up_rather_than_turn_a_face_down_card_over():
    game = table(CLASSIC, "|| 9 9 9", "8", pile="7")
    play(game, "P")
    assert hand(game, 0) == "7"
    assert face_down(game, 0) == "9 9 9"


def test_an_empty_pile_cannot_be_picked_up_by_a_player_who_can_play():
    assert legal(table(CLASSIC, "8 9", "8")) == "8 9"
    assert legal(table(ONLINE, "8 3", "8", must=FIVE_OR_LOWER)) == "3"
    assert legal(table(ONLINE, "8 T", "8", must=FIVE_OR_LOWER)) == "T"
    assert legal(table(ONLINE, "|| 8 9 10", "8", must=FIVE_OR_LOWER)) == "?0 ?1 ?2"


@pytest.mark.parametrize("seat", ["8 9", "| 8 9 | 1 2 3"])
def test_a_player_who_can_play_nothing_picks_up_an_empty_pile(seat):
    """Nothing is taken and the requirement is lifted."""
    game = table(ONLINE, seat, "16", must=FIVE_OR_LOWER)
    before = hand(game, 0)
    assert legal(game) == "P"
    assert play(game, "P") == [PickedUp(0, 0)]
    assert hand(game, 0) == before
    assert (game.actor, required(game), legal(game)) == (1, None, "16")


def test_when_nothing_is_required_any_card():
    assert legal(table(CLASSIC, "1 16 G F T B", "8")) == "1 16 G F T B"


@pytest.mark.parametrize("number", range(1, 17))
def test_a_number_must_match_or_beat_the_required_number(number):
    everything = " ".join(map(str, range(1, 17)))
    game = table(CLASSIC, everything, "8", pile=str(number))
    assert required(game) == {"at_least": number}
    assert legal(game) == " ".join(map(str, range(number, 17))) + " P"


def test_after_a_five_a_number_must_be_5_or_lower():
    game = table(CLASSIC, "1 4 5 6 16", "8", pile="9 F")
    assert required(game) == {"at_most": 5}
    assert legal(game) == "1 4 5 P"


@pytest.mark.parametrize("under", ["16", "F"])
def test_a_karma_card_may_always_be_played(under):
    assert legal(table(CLASSIC, "15 G F T B", "8", pile=under)) == "G F T B P"


def test_a_new_pile_requires_nothing():
    game = table(MINI, "16 2", "1", pile="16")
    play(game, "16")
    assert pile(game) == ""
    assert required(game) is None
    assert legal(game) == "2"


def test_a_five_that_left_the_pile_empty_binds_the_next_player_all_the_same():
    game = table(ONLINE, "F 9", "5 6")
    assert left(game, "F") == "F"
    assert pile(game) == ""
    assert required(game) == {"at_most": 5}
    assert legal(game) == "5"


def test_a_face_down_card_is_turned_over_onto_the_pile():
    game = table(CLASSIC, "|| 9 10 11", "1 2", pile="7")
    assert play(game, "?1") == [TurnedOver(0, 1, "10", True)]
    assert pile(game) == "7 10"
    assert face_down(game, 0) == "9 . 11"
    assert required(game) == {"at_least": 10}
    assert game.actor == 1


def test_a_face_down_card_that_may_not_be_played_is_picked_up_with_the_pile():
    game = table(CLASSIC, "|| 9 3 11", "16", pile="4 7")
    events = play(game, "?1")
    assert events == [TurnedOver(0, 1, "3", False), PickedUp(0, 3)]
    assert hand(game, 0) == "3 4 7"
    assert face_down(game, 0) == "9 . 11"
    assert (pile(game), required(game), game.actor) == ("", None, 1)
    assert legal(game) == "16"


def test_a_face_down_card_can_fail_on_an_empty_pile():
    game = table(ONLINE, "|| 6 3 11", "16", must=FIVE_OR_LOWER)
    play(game, "?0")
    assert hand(game, 0) == "6"
    assert required(game) is None


def test_a_face_down_karma_card_never_fails_and_has_its_effect():
    game = table(CLASSIC, "|| F 3 11", "16", pile="16")
    play(game, "?0")
    assert pile(game) == "16 F"
    assert required(game) == {"at_most": 5}


def test_face_down_cards_after_a_five():
    for card, fits in (("5", True), ("6", False)):
        game = table(CLASSIC, f"|| {card} 3 11", "16", pile="F")
        assert play(game, "?0")[0] == TurnedOver(0, 0, card, fits)


def test_the_turn_passes_to_the_left():
    game = table(CLASSIC, "7 16", "8 16", "9 16", pile="1")
    actors = [game.actor]
    for move in ("7", "8", "9"):
        play(game, move)
        actors.append(game.actor)
    assert actors == [0, 1, 2, 0]
