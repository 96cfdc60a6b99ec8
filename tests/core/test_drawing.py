"""Drawing: refill, manual, when-empty."""

from karma import CLASSIC, ONLINE
from karma.events import Drew, LeftDraw, WentOut
from positions import draw_pile, hand, left, legal, pile, play, required, table

MANUAL = CLASSIC.replace(drawing="manual")
WHEN_EMPTY = CLASSIC.replace(drawing="when-empty")

# ---- refill -------------------------------------------------------------------------------------


def test_refill_at_the_end_of_a_turn_the_player_draws_until_the_hand_holds_three():
    game = table(CLASSIC, "7 7 9", "8", pile="3", draw="10 11 12 13")
    assert play(game, "7x2")[-1] == Drew(0, 2)
    assert hand(game, 0) == "9 10 11"
    assert draw_pile(game) == "12 13"
    assert game.actor == 1


def test_refill_or_until_the_draw_pile_is_gone():
    game = table(CLASSIC, "7", "8", pile="3", draw="10 11")
    play(game, "7")
    assert hand(game, 0) == "10 11"
    assert draw_pile(game) == ""


def test_refill_a_hand_of_three_or_more_draws_nothing():
    game = table(CLASSIC, "7 8 9 10", "8", pile="3", draw="10 11")
    assert len(play(game, "7")) == 1
    assert draw_pile(game) == "10 11"


def test_refill_after_a_turn_picked_up_too():
    game = table(CLASSIC, "7", "8", pile="9", draw="10 11 12")
    assert play(game, "P")[-1] == Drew(0, 1)
    assert hand(game, 0) == "7 9 10"


def test_refill_after_a_failed_face_down_card():
    """A hand of the failed card and a pile of one: one more is drawn."""
    game = table(CLASSIC, "|| 2 3 4", "8", pile="9", draw="10 11")
    play(game, "?0")
    assert hand(game, 0) == "2 9 10"


def test_refill_after_giving():
    game = table(CLASSIC, "G", "8", pile="9", draw="10 11 12 13")
    play(game, "G")
    assert hand(game, 0) == ""
    play(game, ">1")
    assert hand(game, 0) == "10 11 12"


def test_refill_only_the_player_whose_turn_ends_draws():
    game = table(CLASSIC, "7 9 10", "8", pile="3", draw="11 12 13 14")
    play(game, "7")
    assert hand(game, 1) == "8"


def test_refill_table_cards_are_reached_only_once_the_draw_pile_is_gone():
    game = table(CLASSIC, "7 | 1 2 3 | 4 5 6", "8 | 1", pile="3", draw="9")
    play(game, "7 8")
    assert legal(game) == "9 P"
    play(game, "9 P 1")
    assert hand(game, 0) == ""


# ---- manual -------------------------------------------------------------------------------------


def test_manual_the_player_decides_to_draw_or_leave_it():
    game = table(MANUAL, "7 9", "8", pile="3", draw="10 11 12")
    play(game, "7")
    assert (game.phase, game.actor, legal(game)) == ("draw", 0, "D N")
    assert required(game) == {"at_least": 7}  # of the next play


def test_manual_draw_up_to_three():
    game = table(MANUAL, "7 9", "8", pile="3", draw="10 11 12")
    play(game, "7")
    assert play(game, "D") == [Drew(0, 2)]
    assert hand(game, 0) == "9 10 11"
    assert (game.phase, game.actor, required(game)) == ("play", 1, {"at_least": 7})


def test_manual_leave_it_and_have_the_next_chance_at_the_end_of_the_next_turn():
    game = table(MANUAL, "7 9 10", "8 11 12", pile="3", draw="13 14 15 16")
    play(game, "7")
    assert play(game, "N") == [LeftDraw(0)]
    assert (hand(game, 0), draw_pile(game)) == ("9 10", "13 14 15 16")
    assert (game.phase, game.actor, required(game)) == ("play", 1, {"at_least": 7})
    play(game, "8 N 9")
    assert (game.phase, game.actor) == ("draw", 0)
    play(game, "D")
    assert hand(game, 0) == "10 13 14"


def test_manual_a_player_with_an_empty_hand_must_draw():
    game = table(MANUAL, "7 | 1", "8", pile="3", draw="10 11 12")
    play(game, "7")
    assert (game.phase, legal(game)) == ("draw", "D")


def test_manual_nothing_is_asked_where_nothing_can_be_drawn():
    full = table(MANUAL, "7 9 10 11", "8", pile="3", draw="10 11 12")
    play(full, "7")
    assert (full.phase, full.actor) == ("play", 1)
    gone = table(MANUAL, "7 9", "8", pile="3")
    play(gone, "7")
    assert (gone.phase, gone.actor) == ("play", 1)


def test_manual_after_picking_up_and_after_giving():
    game = table(MANUAL, "7", "8", pile="9", draw="10 11 12")
    play(game, "P")
    assert (game.phase, legal(game)) == ("draw", "D N")
    game = table(MANUAL, "G 7", "8", pile="9", draw="10 11 12")
    play(game, "G >1")
    assert (game.phase, game.actor, legal(game)) == ("draw", 0, "D N")
    play(game, "N")
    assert game.actor == 1


def test_manual_after_a_set_the_same_player_plays_again():
    for choice in "DN":
        game = table(MANUAL, "7 9", "8", pile="7 7", draw="10 11 12")
        play(game, "7")
        assert game.phase == "draw"
        play(game, choice)
        assert (game.phase, game.actor, required(game)) == ("play", 0, None)


def test_manual_after_a_set_and_giving_the_rest_the_same_player_plays_again():
    rules = MANUAL.replace(set_effect="give-rest")
    game = table(rules, "7 9", "8", pile="2 7 7", draw="10 11 12")
    play(game, "7 >1 N")
    assert (game.phase, game.actor) == ("play", 0)


def test_manual_a_turn_after_a_set_passes_on():
    """Playing again is for one turn only."""
    game = table(MANUAL, "7 9 10", "11 12 13", pile="7 7", draw="10 11 12")
    play(game, "7 N 9 N")
    assert game.actor == 1


# ---- when-empty ---------------------------------------------------------------------------------


def test_when_empty_nobody_refills():
    game = table(WHEN_EMPTY, "7 9", "8", pile="3", draw="10 11 12")
    play(game, "7")
    assert (hand(game, 0), draw_pile(game)) == ("9", "10 11 12")


def test_when_empty_a_turn_that_begins_with_an_empty_hand_draws_one_card():
    game = table(WHEN_EMPTY, "7 9", "| 8 1 | 2 2 2", pile="3", draw="10 11 12")
    assert play(game, "7")[-1] == Drew(1, 1)
    assert (hand(game, 1), draw_pile(game)) == ("10", "11 12")


def test_when_empty_has_to_play_it_or_pick_up():
    game = table(WHEN_EMPTY, "7 1", "| 8 1 | 2 2 2", pile="3", draw="10 11 12")
    play(game, "7")
    assert (game.actor, legal(game)) == (1, "10 P")
    game = table(WHEN_EMPTY, "7 1", "| 8 1 | 2 2 2", pile="3", draw="4 11 12")
    play(game, "7")
    assert (game.actor, legal(game)) == (1, "P")


def test_when_empty_a_hand_with_cards_draws_nothing():
    game = table(WHEN_EMPTY, "7 1", "8", pile="3", draw="10 11 12")
    play(game, "7")
    assert (hand(game, 1), draw_pile(game)) == ("8", "10 11 12")


def test_when_empty_without_a_draw_pile_the_table_cards_are_played():
    game = table(WHEN_EMPTY, "7 1", "| 8 9 | 2 2 2", pile="3")
    play(game, "7")
    assert legal(game) == "8 9 P"


def test_when_empty_a_turn_after_a_set_begins_with_a_draw_too():
    game = table(ONLINE, "7 | 1 | 2", "8", pile="7", draw="10 11")
    assert left(game, "7") == "7 7"
    assert (game.actor, hand(game, 0), legal(game)) == (0, "10", "10")


def test_when_empty_the_last_card_puts_its_player_out_though_a_draw_pile_is_left():
    game = table(ONLINE, "7", "8", "9", pile="3", draw="10 11")
    assert WentOut(0, 1) in play(game, "7")
    assert (game.actor, pile(game)) == (1, "3 7")
