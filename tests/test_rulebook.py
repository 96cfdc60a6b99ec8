"""The rules in words: every option of every edition, in every language."""

from html.parser import HTMLParser

import pytest

from karma.editions import EDITIONS, OPTIONS, edition
from karma.rulebook import rulebook, value_text
from karma.texts import LANGUAGES, Texts

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
    assert "60 cards" in classic and "3 in a row, or more, are a set" in classic
    assert "40 cards" in mini and "2 in a row, or more, are a set" in mini
    assert "57 cards" in alternative and "Give:" not in alternative
    assert "You play one card." in online and "six more to the hand" in online


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
