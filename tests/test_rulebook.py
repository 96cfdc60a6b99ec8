"""The rules in words: every option of every edition, in every language, and true of the core."""

import re
from html.parser import HTMLParser

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chance import random_move, values_of
from karma.editions import EDITIONS, OPTIONS, RulesError, edition
from karma.events import CompletedSet, Drew
from karma.game import Game
from karma.rulebook import karma_cards, rulebook, value_text
from karma.texts import LANGUAGES, Texts
from positions import play, table

CHANGES = [
    (name, option, value)
    for name in EDITIONS
    for option in OPTIONS
    for value in OPTIONS[option].values
    if not isinstance(OPTIONS[option].values, range) or value < 20
    if value != getattr(EDITIONS[name], option)
]


def chapters(rules, language):
    """Everything but the paragraph that lists what was changed."""
    book = rulebook(rules, language)
    return [section.paragraphs for section in book.sections[1:]]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("name", "option", "value"), CHANGES)
def test_a_changed_option_changes_the_words(name, option, value, language):
    rules = edition(name, **{option: value})
    if (name, option, value) != ("mini", "max_play", 3):  # there are no three to be played
        assert chapters(rules, language) != chapters(EDITIONS[name], language)
    aim = rulebook(rules, language).sections[0].paragraphs
    if option == "stall_limit":
        assert len(aim) == 1  # it ends a game that goes round, and changes nothing else
    else:
        say = Texts(language)
        assert f"{say(f'option_{option}')}: {value_text(value, say)} (" in aim[1]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", EDITIONS)
def test_a_printed_edition_has_no_house_rules(name, language):
    book = rulebook(EDITIONS[name], language)
    assert book.title.endswith(f": {Texts(language)(f'edition_{name}')}")
    assert len(book.sections[0].paragraphs) == 1


def test_editions_say_what_is_theirs():
    classic, mini = (rulebook(EDITIONS[name]).text(10_000) for name in ("classic", "mini"))
    alternative, online = (
        rulebook(EDITIONS[name]).text(10_000) for name in ("alternative", "online")
    )
    assert "60 cards" in classic and "A run of 3 is a set." in classic
    assert "40 cards" in mini and "A run of 2 is a set." in mini
    assert "57 cards" in alternative and "Give the Pile" not in alternative
    assert "You play one card." in online and "six more as their hand" in online


def test_a_family_with_the_box_finds_what_it_asks_for():
    """What the printed sheets answer, in our own words."""
    classic, mini, online = (
        rulebook(EDITIONS[name]).text(10_000) for name in ("classic", "mini", "online")
    )
    for book in (classic, mini):
        assert "If nothing fits, you must pick up" in book
        assert "You may also pick up when you could play." in book
        assert "draws up to three cards in hand, then takes another turn" in book
        assert "Tip: lay face up" in book
        assert "forget to draw" in book
        assert "identical ones together" in book
        assert "Bo, who is next," in book
        assert "the 3 comes to the top" in book
    assert "For 2 to 6 players; with two decks shuffled together, up to 12." in classic
    for missing in ("Tip", "forget", "together;", "draws up to three"):
        assert missing not in online


# ---- what the words say, the core does ----------------------------------------------------------


@st.composite
def house_rules(draw, **fixed):
    """An edition with any options changed."""
    rules = draw(st.sampled_from(list(EDITIONS.values())))
    names = draw(st.sets(st.sampled_from(list(OPTIONS)), max_size=6))
    changes = {name: draw(st.sampled_from(values_of(OPTIONS[name]))) for name in sorted(names)}
    return rules.replace(**{**changes, **fixed})


def said(rules, key, language="en", **values):
    """Does the rulebook say this text?"""
    return Texts(language)(key, **values) in rulebook(rules, language).text(100_000)


@given(house_rules(), st.sampled_from(LANGUAGES))
def test_each_card_in_the_deck_is_named_once_as_it_is_printed(rules, language):
    text, say = rulebook(rules, language).text(100_000), Texts(language)
    names = {"G": "give", "F": "five", "T": "table", "B": "bottoms"}
    for kind, name in names.items():
        assert text.count(say(f"printed_{name}")) == (kind in karma_cards(rules)), name


@given(house_rules())
def test_the_numbers_of_cards_and_players_are_those_of_the_game(rules):
    text = rulebook(rules).text(100_000)
    game = Game(rules, 2, seed=1)
    position = game.position()
    cards = sum(len(hand) for hand in position["hands"]) + len(position["draw_pile"])
    cards += sum(len(each) for each in (*position["face_down"], *position["face_up"]))
    assert f"{cards} cards" in text
    assert f"{rules.full_deck.count('7')} of each kind" in text
    most = int(re.search(r"For 2 to (\d+) players", text)[1])
    numbers = [(rules, most)]
    if rules.decks == 1:
        more = int(re.search(r"two decks shuffled together, up to (\d+)", text)[1])
        numbers.append((rules.replace(decks=2), more))
    for these, players in numbers:
        Game(these, players, seed=1)
        with pytest.raises(RulesError):
            Game(these, players + 1, seed=1)


@given(house_rules(), st.sampled_from(LANGUAGES))
def test_as_many_may_be_played_at_once_as_is_said(rules, language):
    sevens = " 7" * min(4, rules.full_deck.count("7"))
    played = max(move.count for move in table(rules, f"{sevens} 8", "9").legal if move.kind == "7")
    assert [said(rules, f"rules_turn_play_{number}", language) for number in (1, 2, 3)] == [
        number == played for number in (1, 2, 3)
    ]
    after_table = table(rules, "T 8 | 7 7", "9")
    after_table.push("T")
    together = any(move.text == "7x2" for move in after_table.legal)
    assert said(rules, "rules_table_several", language) == together
    assert said(rules, "rules_table_one", language) != together


EXAMPLES = {
    "pair": lambda size: ["7", "7"],
    "double": lambda size: ["7x2", "7"],
    "doubles": lambda size: ["7x2", "7x2"],
    "singles": lambda size: ["7"] * size,
}


@given(house_rules(), st.sampled_from(LANGUAGES))
def test_the_example_of_a_set_is_one(rules, language):
    say = Texts(language)
    text = rulebook(rules, language).text(100_000)
    told = [
        name for name in EXAMPLES if say(f"rules_set_example_{name}", size=rules.set_size) in text
    ]
    if rules.set_size > rules.full_deck.count("7"):
        assert told == []
        return
    (name,) = told
    plays = EXAMPLES[name](rules.set_size)
    if len(plays) > rules.most_players:
        return  # so many people do not fit: somebody plays twice
    seats = ["7 7" if "x" in each else "7" for each in plays]
    spare = ("8", "9", "10", "11")  # so that nobody is out
    game = table(rules, *map(" ".join, zip(seats, spare, strict=False)), pile="3")
    for each in plays[:-1]:
        assert not any(isinstance(event, CompletedSet) for event in play(game, each))
    assert any(isinstance(event, CompletedSet) for event in play(game, plays[-1]))


def longest_set(rules):
    """The longest of the sets that a few positions come to, where longer ones are likely."""
    copies, size = rules.full_deck.count("7"), rules.set_size
    if copies <= size:
        return size
    most = max(move.count for move in table(rules, "7 7 8", "9").legal if move.kind == "7")
    lines = [(table(rules, "7 7 8", "9", pile=" 7" * (size - 1)), "7x2" if most > 1 else "7")]
    brought = table(rules, "B 8", "7 9", pile="7 3" + " 7" * (size - 1))
    lines.append((brought, "B 7"))
    if rules.full_deck.count("B") > size:
        lines.append((table(rules, "B 8", "B 9", pile="B 3" + " B" * (size - 2)), "B B"))
    found = [event for game, moves in lines for event in play(game, moves)]
    return max([size, *(event.count for event in found if isinstance(event, CompletedSet))])


@given(house_rules(), st.sampled_from(LANGUAGES))
def test_or_more_is_said_where_more_can_be(rules, language):
    if rules.set_size > rules.full_deck.count("7"):
        return
    key = "rules_set_top" if rules.set_counts == "top" else "rules_set_size"
    more = longest_set(rules) > rules.set_size
    assert said(rules, f"{key}_more", language, size=rules.set_size) == more
    assert said(rules, key, language, size=rules.set_size) != more


@given(house_rules(), st.integers(0, 2**32 - 1))
def test_a_game_has_no_set_that_the_words_rule_out(rules, seed):
    game, rng = Game(rules, 2, seed=seed), np.random.default_rng(seed)
    sets = []
    while not game.over and game.ply < 150:
        events = game.push(random_move(game, rng))
        sets += [event.count for event in events if isinstance(event, CompletedSet)]
    none = said(rules, "rules_set_none", size=rules.set_size, copies=rules.copies * rules.decks)
    more = any(said(rules, f"rules_set_{key}_more", size=rules.set_size) for key in ("size", "top"))
    assert not (none and sets)
    assert more or set(sets) <= {rules.set_size}


OF_SETS = {"en": r"\bsets?\b|\brun\b", "ru": "[Сс]ери", "de": r"\bS[aä]tz", "es": r"serie|racha"}


@given(house_rules(copies=2, decks=1, set_size=3), st.sampled_from(LANGUAGES))
def test_where_no_set_can_happen_nothing_more_is_said_of_sets(rules, language):
    say = Texts(language)
    heading = say("rules_set_heading")
    for section in rulebook(rules, language).sections[1:]:
        if section.heading == heading:
            assert section.paragraphs == (say("rules_set_none", size=3, copies=2),)
        else:
            assert not re.search(OF_SETS[language], " ".join(section.paragraphs)), section


@given(house_rules())
def test_after_a_set_it_is_drawn_and_played_again_as_is_said(rules):
    if rules.set_size > rules.full_deck.count("7"):
        return
    seats = ["7 8 9", "10 11 12"]
    game = table(rules, *seats, pile=" 7" * (rules.set_size - 1), draw="1 2")
    events = game.push("7")
    drew = any(isinstance(event, Drew) for event in events)
    if game.phase == "draw":
        game.push("D")
        drawing = "manual"
    else:
        drawing = "refill" if drew else "when_empty"
    assert game.actor == 0 and game.phase == "play"
    for each in ("refill", "manual", "when_empty"):
        assert said(rules, f"rules_set_again_{each}") == (each == drawing)


@given(house_rules())
def test_the_example_of_bottoms_is_right(rules):
    assert said(rules, "rules_bottoms_example")
    game = table(rules, "B 4 5", "6 7 8", pile="3 9 12")
    game.push("B")
    if game.phase == "draw":
        game.push("N")
    assert game.view(1).must_play == {"at_least": 3}


def test_plurals_of_house_rules_in_russian():
    assert "если 41 ход подряд" in rulebook(edition("mini", stall_limit=41), "ru").text(10_000)
    assert "если 42 хода подряд" in rulebook(edition("mini", stall_limit=42), "ru").text(10_000)
    assert "если 40 ходов подряд" in rulebook(edition("mini", stall_limit=40), "ru").text(10_000)


def test_plain_text_keeps_to_its_width():
    assert max(map(len, rulebook(EDITIONS["classic"]).text(60).splitlines())) <= 60


def test_markdown_has_a_heading_for_each_section():
    book = rulebook(EDITIONS["mini"])
    lines = book.markdown().splitlines()
    assert lines[0] == "# Karma: Mini"
    assert [line[3:] for line in lines if line.startswith("## ")] == [
        section.heading for section in book.sections
    ]


def test_html_is_escaped_and_whole():
    class Reader(HTMLParser):
        def __init__(self):
            super().__init__()
            self.open, self.paragraphs = [], 0

        def handle_starttag(self, tag, attributes):
            self.open.append(tag)
            self.paragraphs += tag == "p"

        def handle_endtag(self, tag):
            assert self.open.pop() == tag

    book = rulebook(EDITIONS["classic"], "ru")
    reader = Reader()
    reader.feed(book.html())
    assert reader.open == []
    assert reader.paragraphs == sum(len(section.paragraphs) for section in book.sections)
    assert 'lang="ru"' in book.html()
    assert "dealer&#x27;s" in rulebook(EDITIONS["classic"]).html()
