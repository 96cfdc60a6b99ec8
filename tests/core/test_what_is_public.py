"""What is public, what is private, and what nobody knows."""

from karma import CLASSIC, MINI
from karma.events import Drew
from positions import legal, play, table


def views(game):
    return [game.view(seat) for seat in (*range(len(game.players)), None)]


def test_face_up_cards_the_pile_and_what_left_the_game_are_public():
    game = table(MINI, "7 | 9 9 | 1 2 3", "8 | 10", pile="3 F")
    for view in views(game):
        assert view.face_up == (("9", "9"), ("10",))
        assert view.pile == ("3", "F")
        assert len(view.removed) == 40 - 1 - 2 - 3 - 1 - 1 - 2


def test_the_number_of_cards_in_every_zone_is_public():
    game = table(CLASSIC, "7 8 | 9 | 1 . 3", "8 9 10 | 10", pile="3", draw="4 5 6")
    for view in views(game):
        assert view.hand_sizes == (2, 3)
        assert view.face_down == ((True, False, True), (False, False, False))
        assert view.draw_pile == 3


def test_the_hand_is_private():
    game = table(CLASSIC, "7 8", "9 10 11")
    assert [view.hand for view in views(game)] == [("7", "8"), ("9", "10", "11"), None]
    assert all(view.known == ((), ()) for view in views(game))


def test_only_the_actor_has_legal_moves_and_the_audience_none():
    game = table(CLASSIC, "7 8", "9 10 11")
    assert [len(view.legal) for view in views(game)] == [2, 0, 0]
    assert " ".join(map(str, game.view(0).legal)) == legal(game)


def test_cards_the_others_saw_going_into_a_hand_are_known():
    game = table(CLASSIC, "7 8", "9 10 11", pile="3 F 3", must=0)
    play(game, "P")
    for view in views(game):
        assert view.known == (("3", "3", "F"), ())
        assert view.hand_sizes == (5, 3)


def test_a_pile_that_was_given_is_known():
    game = table(CLASSIC, "G 8", "9 10 11", pile="3 F")
    play(game, "G >1")
    for view in views(game):
        assert view.known == ((), ("3", "F"))


def test_a_failed_face_down_card_is_known():
    game = table(CLASSIC, "|| 2 3 4", "9 10 11", pile="3")
    play(game, "?0")
    for view in views(game):
        assert view.known == (("2", "3"), ())


def test_of_identical_cards_the_seen_ones_are_played_first():
    rules = CLASSIC.replace(set_size=4)
    game = table(rules, "7 7 7", "9", known=["7 7", ""])
    play(game, "7")
    assert game.view(1).known == (("7",), ())
    game.pop()
    play(game, "7x2")
    assert game.view(1).known == ((), ())
    game.pop()
    play(game, "7x3")
    assert game.view(1).known == ((), ())


def test_of_identical_cards_of_two_decks_the_seen_ones_are_played_first():
    rules = CLASSIC.replace(set_size=4, decks=2)
    game = table(rules, "1", "7 7 7 7 7 7", known=["", "7 7"], actor=1)
    play(game, "7")
    assert game.view(0).known == ((), ("7",))
    rules = rules.replace(copies=4)
    game = table(rules, "7 7 7 7 7", "9", known=["", ""])
    play(game, "7x2")
    game = table(rules, "9", "7 7", pile="7 7 7 7 7 7", run=("8", 1))
    play(game, "P")
    assert game.view(1).known == (("7",) * 6, ())


def test_a_known_card_stays_known_while_others_are_played():
    game = table(CLASSIC, "7 8 9", "9 10", known=["8", ""], pile="3")
    play(game, "7")
    assert game.view(None).known == (("8",), ())


def test_a_card_from_the_table_does_not_use_up_a_known_one():
    game = table(CLASSIC, "7 T | 7", "9 10", known=["7", ""], pile="3")
    play(game, "T 7")
    assert game.view(None).known == (("7",), ())
    assert game.view(None).hand_sizes[0] == 1


def test_drawn_cards_are_not_known():
    game = table(CLASSIC, "7", "9 10", draw="4 5 6 8")
    assert play(game, "7")[-1] == Drew(0, 3)
    assert game.view(1).known == ((), ())
    assert game.view(0).hand == ("4", "5", "6")


def test_face_down_cards_are_unknown_to_their_owner_too():
    """The views of two worlds that differ in face-down cards and the draw pile are the same."""
    one = table(CLASSIC, "7 8 || 1 2 3", "9 10", draw="4 5 6")
    other = table(CLASSIC, "7 8 || 6 5 4", "9 10", draw="3 2 1")
    for seat in (0, 1, None):
        assert one.view(seat) == other.view(seat)


def test_a_players_own_hand_is_the_only_difference_of_their_view():
    one = table(CLASSIC, "7 8 || 1 2 3", "9 10", draw="4 5 6")
    other = table(CLASSIC, "7 8 || 9 10 3", "1 2", draw="4 5 6")
    assert one.view(0) == other.view(0)
    assert one.view(None) == other.view(None)
    assert one.view(1) != other.view(1)
