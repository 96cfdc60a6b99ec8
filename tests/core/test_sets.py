"""After a play, 1: identical cards in a row make a set."""

import pytest

from karma import ALTERNATIVE, CLASSIC, MINI, ONLINE
from karma.events import CompletedSet, Drew, Ended, Gave, Removed, WentOut
from positions import (
    draw_pile,
    hand,
    left,
    legal,
    pile,
    play,
    removed,
    required,
    table,
)

PAIRS = CLASSIC.replace(set_size=2)
TOP = CLASSIC.replace(set_counts="top")


def run(game):
    run = game.view(None).run
    return (None, 0) if run is None else (run.kind, run.length)


# ---- runs ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [2, 3, 4])
def test_a_play_that_brings_the_run_to_set_size_completes_a_set(size):
    rules = CLASSIC.replace(set_size=size, copies=4)
    game = table(rules, "7 9", "8", pile="3" + " 7" * (size - 2))
    play(game, "7")
    assert (game.actor, removed(game)["7"]) == (1, 4 - (size - 1))  # one short: no set
    game = table(rules, "7 9", "8", pile="3" + " 7" * (size - 1))
    events = play(game, "7")
    assert CompletedSet(0, "7", size) in events
    assert (game.actor, pile(game)) == (0, "")


def test_a_run_is_played_by_one_player_or_several():
    game = table(CLASSIC, "7 9", "7 9", "7 9")
    play(game, "7 7")
    assert run(game) == ("7", 2)
    assert left(game, "7") == "7 7 7"
    assert game.actor == 2


def test_several_at_once_count_each():
    game = table(CLASSIC, "7 7 7 9", "8", pile="2")
    assert left(game, "7x3") == "2 7 7 7"
    game = table(CLASSIC, "7 7 9", "8", pile="2 7")
    assert left(game, "7x2") == "2 7 7 7"


def test_with_another_card_played_between_them_cards_are_not_in_a_row():
    game = table(PAIRS, "7 1", "F 1", "1", pile="2")
    play(game, "7")
    assert run(game) == ("7", 1)
    play(game, "F")
    assert run(game) == ("F", 1)
    game = table(MINI, "7 9", "1", pile="7 F", must=0)
    assert left(game, "7") == ""
    assert run(game) == ("7", 1)


def test_a_longer_run_than_the_set_size_is_one_set():
    """A run of 2 and then 3 more are five in a row: with two decks, one set."""
    rules = CLASSIC.replace(decks=2)
    game = table(rules, "7 7 7 9", "8", pile="2 7 7")
    events = play(game, "7x3")
    assert events[1:] == [CompletedSet(0, "7", 5), Removed(6, None)]
    assert game.actor == 0


def test_with_two_decks_the_set_size_stays_the_same():
    rules = CLASSIC.replace(decks=2)
    game = table(rules, "7 9", "8", pile="7")
    assert left(game, "7") == ""
    game = table(rules, "7 9", "8", pile="7 7")
    assert left(game, "7") == "7 7 7"


def test_the_cards_own_effect_does_not_happen():
    game = table(MINI, "F 9", "8", pile="2 F")
    assert left(game, "F") == "2 F F"
    assert (required(game), legal(game)) == (None, "9")
    game = table(MINI, "B 9", "8", pile="2 B 2", run=("B", 1), must=2)
    assert left(game, "B") == "2 2 B B"
    assert game.actor == 0


def test_cards_moved_by_bottoms_are_not_played():
    """Pile 7 9, a Bottoms that brings up the 7, and a 7: no two 7s were played in a row."""
    game = table(PAIRS, "B 1", "7 1", "1", pile="7 9")
    play(game, "B")
    assert pile(game) == "9 B 7"
    assert left(game, "7") == ""
    assert pile(game) == "9 B 7 7"
    assert run(game) == ("7", 1)


def test_cards_moved_by_bottoms_do_not_break_a_run_either():
    """Three Bottoms by three players are in a row, whatever cards they moved."""
    game = table(CLASSIC, "B 1", "B 1", "B 1", pile="7 9")
    play(game, "B B")
    assert pile(game) == "B 7 B 9"
    assert run(game) == ("B", 2)
    assert left(game, "B") == "7 9 B B B"
    assert game.actor == 2


def test_judged_by_the_top_a_card_brought_up_counts():
    game = table(PAIRS.replace(set_counts="top"), "B 1", "7 1", "1", pile="7 9")
    play(game, "B")
    assert left(game, "7") == "7 7 9 B"
    assert game.actor == 1


def test_judged_by_the_top_cards_that_bottoms_moved_break_a_set():
    game = table(TOP, "B 1", "B 1", "B 1", pile="7 9")
    assert left(game, "B B B") == ""
    assert pile(game) == "7 B 9 B B"


def test_judged_by_the_top_right_after_the_play():
    """Before a Bottoms moves anything: two Bottoms on a Bottoms are a set."""
    game = table(TOP, "B B 1", "1", pile="7 B")
    assert left(game, "Bx2") == "7 B B B"


def test_judged_by_the_top_needs_the_whole_set_on_top():
    game = table(TOP, "7 1", "1", pile="7 7 8", must=0)
    assert left(game, "7") == ""
    game = table(TOP, "7 1", "1", pile="8 7 7", run=("9", 1), must=0)
    assert left(game, "7") == "7 7 7 8"


def test_cards_played_one_after_another_through_table_cards_are_in_a_row():
    game = table(MINI, "T 9 | T | 8 8 1", "1", pile="3")
    play(game, "T")
    assert left(game, "T") == "3 T T"
    assert (game.actor, legal(game)) == (0, "9")


def test_a_number_after_a_table_card_continues_no_run_from_before_it():
    game = table(MINI, "T 9 | 7", "1", pile="7")
    play(game, "T")
    assert left(game, "7") == ""
    assert run(game) == ("7", 1)


def test_a_run_ends_when_its_pile_is_picked_up():
    game = table(PAIRS, "7 9", "8 7", pile="7")
    play(game, "P")
    assert run(game) == (None, 0)
    assert left(game, "7") == ""
    assert pile(game) == "7"


def test_a_run_ends_when_its_pile_is_given_away():
    game = table(PAIRS, "G 9", "7 8", "1", pile="7")
    play(game, "G >2")
    assert run(game) == (None, 0)
    assert left(game, "7") == ""


def test_a_run_ends_when_its_pile_is_cleared():
    rules = CLASSIC.replace(copies=4, set_size=2)
    game = table(rules, "7 7 7 9", "8", pile="3")
    assert left(game, "7x2") == "3 7 7"
    assert run(game) == (None, 0)
    assert left(game, "7") == ""


def test_a_run_ends_when_karma_cards_leave_the_pile():
    rules = MINI.replace(karma_stays=False)
    game = table(rules, "F 9", "F 9", pile="3")
    assert left(game, "F") == "F"
    assert run(game) == (None, 0)
    assert left(game, "F") == "F"  # and no set
    assert pile(game) == "3"
    game = table(rules, "F 9", "3 9", pile="3")
    assert left(game, "F 3") == "F"  # the 3s are not in a row
    assert pile(game) == "3 3"


def test_karma_cards_that_leave_after_use_still_form_a_set_at_once():
    rules = MINI.replace(karma_stays=False)
    game = table(rules, "F F 9", "8", pile="3")
    assert left(game, "Fx2") == "3 F F"
    assert (game.actor, required(game)) == (0, None)


def test_a_failed_face_down_card_is_not_part_of_a_run():
    game = table(PAIRS, "|| 7 1 1", "7 9", pile="7 9")
    play(game, "?0")
    assert run(game) == (None, 0)
    assert left(game, "7") == ""


def test_a_face_down_card_that_fits_is_part_of_a_run():
    game = table(MINI, "|| 7 1 1", "8", pile="3 7")
    assert left(game, "?0") == "3 7 7"
    assert (game.actor, legal(game)) == (0, "?1 ?2")


@pytest.mark.parametrize("kind", ["G", "T"])
def test_three_gives_or_tables_at_once_are_a_set_like_any_other(kind):
    """The pile goes, nothing is given, and the play that follows is an ordinary one."""
    game = table(CLASSIC, f"{kind} {kind} {kind} 9 | 4", "8", pile="3")
    assert left(game, f"{kind}x3") == f"3 {kind} {kind} {kind}"
    assert (game.phase, game.actor, required(game)) == ("play", 0, None)
    assert legal(game) == "9"


def test_two_gives_make_a_pair_where_a_pair_is_a_set():
    game = table(MINI, "G G 9", "8", pile="3")
    assert left(game, "Gx2") == "3 G G"
    assert (game.phase, game.actor) == ("play", 0)


# ---- what a set does ----------------------------------------------------------------------------


def test_clear_the_whole_pile_leaves_the_game():
    game = table(CLASSIC, "7 9", "8", pile="2 B F 7 7", run=("7", 2))
    assert play(game, "7")[1:] == [CompletedSet(0, "7", 3), Removed(6, None)]
    assert pile(game) == ""
    assert required(game) is None


def test_give_rest_the_run_leaves_and_the_player_gives_the_remaining_cards():
    game = table(ALTERNATIVE, "7 9", "8", "8", pile="2 F 7 7")
    events = play(game, "7")
    assert events[1:] == [CompletedSet(0, "7", 3), Removed(3, "7")]
    assert (game.phase, game.actor, pile(game)) == ("give", 0, "2 F")
    assert (legal(game), required(game)) == (">1 >2", None)
    assert play(game, ">2") == [Gave(0, 2, 2)]
    assert hand(game, 2) == "2 8 F"
    assert (game.phase, game.actor, legal(game)) == ("play", 0, "9")


def test_give_rest_nothing_is_given_if_no_cards_remain():
    game = table(ALTERNATIVE, "7 9", "8", "8", pile="7 7")
    assert left(game, "7") == "7 7 7"
    assert (game.phase, game.actor, required(game)) == ("play", 0, None)


def test_give_rest_all_cards_of_the_run_leave():
    rules = ALTERNATIVE.replace(decks=2)
    game = table(rules, "7 7 7 9", "8", "8", pile="7 2 7 7", run=("7", 2))
    assert left(game, "7x3") == "7 7 7 7 7"
    assert pile(game) == "7 2"


def test_give_rest_a_run_of_bottoms_leaves_from_among_the_cards_it_moved():
    game = table(ALTERNATIVE, "B 1", "B 1", "B 1", pile="7 9 10")
    play(game, "B B")
    assert pile(game) == "10 B 7 B 9"
    assert left(game, "B") == "B B B"
    assert pile(game) == "10 7 9"
    play(game, ">0")
    assert hand(game, 0) == "1 7 9 10"
    assert game.actor == 2


def test_give_rest_judged_by_the_top_takes_what_lies_on_top():
    rules = ALTERNATIVE.replace(set_counts="top", copies=4)
    game = table(rules, "7 1", "1", "1", pile="7 8 7 7", run=("7", 1))
    assert left(game, "7") == "7 7 7"
    assert pile(game) == "7 8"


@pytest.mark.parametrize(("give_to", "expected"), [("anyone", ">1 >2 >3"), ("active", ">1 >3")])
def test_give_rest_give_to_says_to_whom(give_to, expected):
    rules = ALTERNATIVE.replace(give_to=give_to)
    game = table(rules, "7 9", "8", "", "8", pile="2 7 7")
    play(game, "7")
    assert legal(game) == expected


def test_the_turn_is_complete_drawing_included_and_the_same_player_plays_again():
    game = table(CLASSIC, "7 9", "8", pile="7 7", draw="10 11 12")
    events = play(game, "7")
    assert events[-1] == Drew(0, 2)
    assert hand(game, 0) == "9 10 11"
    assert draw_pile(game) == "12"
    assert (game.actor, legal(game)) == (0, "9 10 11")


def test_give_rest_the_player_draws_after_giving():
    game = table(ALTERNATIVE, "7 9", "8", pile="2 7 7", draw="10 11 12")
    assert Drew(0, 2) not in play(game, "7")
    assert play(game, ">1")[-1] == Drew(0, 2)
    assert game.actor == 0


def test_a_player_who_has_only_table_cards_left_plays_them_after_a_set():
    game = table(CLASSIC, "7 | 2 | 3 3 3", "8", pile="7 7")
    play(game, "7")
    assert (game.actor, legal(game)) == (0, "2")


def test_if_the_player_holds_no_cards_the_next_player_starts():
    game = table(CLASSIC, "7", "8", "9", pile="7 7")
    assert play(game, "7")[-1] == WentOut(0, 1)
    assert (game.actor, required(game), legal(game)) == (1, None, "8")


def test_a_set_with_the_last_card_can_end_the_game():
    game = table(CLASSIC, "7", "8", pile="7 7")
    assert play(game, "7")[-2:] == [WentOut(0, 1), Ended(1)]


@pytest.mark.parametrize("kind", ["G", "F", "T", "B"])
def test_without_karma_sets_karma_cards_never_complete_a_set(kind):
    rules = MINI.replace(karma_sets=False, no_table_card="skip")
    game = table(rules, f"{kind} {kind} 9", "8", pile="3")
    play(game, f"{kind}x2")
    assert (game.actor, game.phase) == ((0, "give") if kind == "G" else (1, "play"))


def test_without_karma_sets_the_top_does_not_count_for_karma_cards_either():
    rules = MINI.replace(karma_sets=False, set_counts="top")
    game = table(rules, "F F 9", "8", pile="3")
    assert left(game, "Fx2") == ""
    assert pile(game) == "3 F F"


def test_without_karma_sets_karma_cards_still_break_a_run():
    rules = MINI.replace(karma_sets=False)
    game = table(rules, "F 9", "3 9", pile="3")
    play(game, "F")
    assert run(game)[0] == "F"
    assert left(game, "3") == ""
    assert pile(game) == "3 F 3"


def test_without_karma_sets_numbers_form_sets():
    game = table(ONLINE, "7 9", "8", pile="3 7")
    assert left(game, "7") == "3 7 7"


def test_a_view_counts_what_the_next_play_would_count():
    """Played or on top, and nothing where no set can come of it."""

    def row(rules, **pile):
        run = table(rules, "8", "9", **pile).view(0).in_a_row
        return None if run is None else (run.kind, run.length)

    top = CLASSIC.replace(set_counts="top")
    brought_up = {"pile": "9 7", "run": ("B", 1)}
    assert row(CLASSIC, pile="3 7 7", run=("7", 2)) == ("7", 2)
    assert row(CLASSIC, **brought_up) == ("B", 1)
    assert row(top, **brought_up) == ("7", 1)
    assert row(top, pile="7 7", run=("7", 1)) == ("7", 2)
    assert row(top, pile="3 7 7", run=("7", 1)) == ("7", 2)
    assert row(CLASSIC) is None is row(top)
    assert row(CLASSIC.replace(karma_sets=False), **brought_up) is None
    assert row(MINI.replace(set_size=3), pile="7 7", run=("7", 2)) is None
