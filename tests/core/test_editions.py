"""Editions: sets of values of the options, and how many can play."""

import pytest

from karma import ALTERNATIVE, CLASSIC, EDITIONS, MINI, ONLINE, Game, RulesError, edition
from karma.editions import OPTIONS
from positions import dealt, hand, legal, play, removed, required, table

TABLE = """
copies        | 3      | 3         | 2      | 2
decks         | 1      | 1         | 1      | 1
give_cards    | true   | false     | true   | true
face_up       | chosen | chosen    | chosen | dealt
drawing       | refill | refill    | refill | when-empty
set_size      | 3      | 3         | 2      | 2
max_play      | 3      | 3         | 2      | 1
set_effect    | clear  | give-rest | clear  | clear
set_counts    | played | played    | played | played
karma_sets    | true   | true      | true   | false
karma_stays   | true   | true      | true   | false
give_to       | anyone | anyone    | anyone | active
no_table_card | hand   | hand      | hand   | skip
stall_limit   | 0      | 0         | 0      | 0
"""
ROWS = [[cell.strip() for cell in line.split("|")] for line in TABLE.split("\n") if line]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_an_edition_is_a_set_of_values_of_the_options(row):
    name, *texts = row
    for rules, text in zip((CLASSIC, ALTERNATIVE, MINI, ONLINE), texts, strict=True):
        assert getattr(rules, name) == OPTIONS[name].parse(text)


def test_the_table_of_options_is_complete():
    assert [row[0] for row in ROWS] == list(OPTIONS)
    assert list(EDITIONS) == ["classic", "alternative", "mini", "online"]


@pytest.mark.parametrize(
    ("name", "values", "not_values"),
    [
        ("copies", (2, 3, 4), (1, 5, True, "3", 2.0)),
        ("decks", (1, 2), (0, 3)),
        ("give_cards", (True, False), (0, 1, "true")),
        ("face_up", ("chosen", "dealt"), ("open",)),
        ("drawing", ("refill", "manual", "when-empty"), ("never",)),
        ("set_size", (2, 3, 4), (1, 5)),
        ("max_play", (1, 2, 3), (0, 4)),
        ("set_effect", ("clear", "give-rest"), ("give",)),
        ("set_counts", ("played", "top"), ("both",)),
        ("karma_sets", (True, False), (None,)),
        ("karma_stays", (True, False), ("no",)),
        ("give_to", ("anyone", "active"), ("nobody",)),
        ("no_table_card", ("hand", "skip"), ("pass",)),
        ("stall_limit", (0, 10, 40, 1000), (1, 9, 1001, -1, False)),
    ],
)
def test_every_option_can_be_overridden_within_its_range(name, values, not_values):
    for rules in EDITIONS.values():
        for value in values:
            changed = rules.replace(**{name: value})
            assert getattr(changed, name) == value
            assert changed.edition == rules.edition
            Game(changed, 2, seed=1)
        for value in not_values:
            with pytest.raises(RulesError, match=f"{name} cannot be .*; it can be"):
                rules.replace(**{name: value})


def test_unknown_editions_and_options_are_refused_with_those_that_exist():
    with pytest.raises(RulesError, match=r"classic, alternative, mini, online"):
        edition("maxi")
    with pytest.raises(RulesError, match=r"'size'; there are copies, decks, .*, stall_limit"):
        edition("mini", size=3)


def test_the_decks():
    """Three of each kind are 60 cards, two are 40; the alternative has no Give cards."""
    assert len(CLASSIC.full_deck) == 60
    assert len(MINI.full_deck) == len(ONLINE.full_deck) == 40
    assert len(ALTERNATIVE.full_deck) == 57
    assert "G" not in ALTERNATIVE.full_deck
    assert len(CLASSIC.replace(decks=2).full_deck) == 120
    assert CLASSIC.replace(decks=2, copies=4).full_deck.count("B") == 8


def test_how_many_can_play():
    """What the deck can deal to, and never more than 6 for one deck or 12 for two."""
    assert CLASSIC.most_players == ALTERNATIVE.most_players == 6
    assert MINI.most_players == 4
    assert ONLINE.most_players == 3
    assert CLASSIC.replace(copies=4).most_players == 6
    assert CLASSIC.replace(decks=2).most_players == 12
    assert ALTERNATIVE.replace(decks=2).most_players == 12
    assert CLASSIC.replace(decks=2, copies=4).most_players == 12
    assert MINI.replace(decks=2).most_players == 8
    assert ONLINE.replace(decks=2).most_players == 6


def test_at_least_two_and_at_most_what_the_deck_can_deal_to(rules):
    for players in range(2, rules.most_players + 1):
        Game(rules, players, seed=1)
    for players in (0, 1, rules.most_players + 1):
        with pytest.raises(RulesError, match=f"2 to {rules.most_players} can play"):
            Game(rules, players, seed=1)


def test_any_number_of_players_may_use_two_decks():
    rules = CLASSIC.replace(decks=2)
    for players in range(2, 13):
        game = Game(rules, players, seed=1)
        assert game.view(None).draw_pile == 120 - 9 * players


# ---- what the online sheet leaves open ----------------------------------------------------------


def test_online_the_player_who_completes_a_pair_leads_again():
    game = table(ONLINE, "7 9", "8", pile="7")
    play(game, "7")
    assert game.actor == 0
    assert required(game) is None
    assert removed(game)["7"] == 2


def test_online_a_player_may_pick_up_without_need():
    assert legal(table(ONLINE, "7 9", "8", pile="7")) == "7 9 P"


def test_online_all_face_up_cards_go_before_any_face_down_one():
    assert legal(table(ONLINE, "| 7 9 | 1 2 3", "8", pile="7")) == "7 9 P"
    assert legal(table(ONLINE, "| 5 | 1 2 3", "8", pile="7")) == "P"


def test_online_any_number_may_follow_a_table_card():
    game = table(ONLINE, "T | 1 2", "8", pile="16")
    play(game, "T")
    assert legal(game) == "1 2"


def test_online_a_table_card_plays_one_table_card():
    game = table(ONLINE, "T | 2 2", "8", pile="16")
    play(game, "T")
    assert legal(game) == "2"


def test_online_greater_or_equal():
    assert legal(table(ONLINE, "8 9 10", "8", pile="9")) == "9 10 P"


def test_online_deals_twelve_cards_and_nobody_chooses():
    game = dealt(ONLINE, 3)
    assert game.phase == "play"
    assert [len(hand(game, seat).split()) for seat in range(3)] == [6, 6, 6]
    assert all(len(cards) == 3 for cards in game.view(None).face_up)
    assert game.view(None).draw_pile == 4
