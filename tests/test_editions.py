"""Rules as values: their texts, what they override, and what is refused."""

import pickle

import pytest

import karma
from karma import CLASSIC, EDITIONS, MINI, Rules, RulesError, edition
from karma.core import layout
from karma.editions import OPTIONS, parse_options


def test_house_rules_say_what_they_override():
    rules = edition("mini", set_size=3, stall_limit=40)
    assert rules.overrides == {"set_size": 3, "stall_limit": 40}
    assert repr(rules) == "edition('mini', set_size=3, stall_limit=40)"
    assert str(rules) == "mini (set_size=3, stall_limit=40)"
    assert (str(MINI), MINI.overrides) == ("mini", {})


def test_an_override_with_the_editions_own_value_is_none():
    assert edition("mini", set_size=2) == MINI
    assert edition("mini", set_size=3).replace(set_size=2) == MINI


@pytest.mark.parametrize("rules", EDITIONS.values(), ids=list(EDITIONS))
def test_rules_are_values(rules):
    assert edition(rules.edition) == rules
    assert pickle.loads(pickle.dumps(rules)) == rules
    assert hash(rules.replace(copies=4)) == hash(rules.replace(copies=4))
    assert eval(repr(rules), {"edition": edition}) == rules
    with pytest.raises(AttributeError):
        rules.copies = 4


def test_options_are_read_from_texts():
    texts = {"set_size": "3", "karma_sets": "false", "drawing": "manual", "stall_limit": "0"}
    assert parse_options(texts) == {
        "set_size": 3,
        "karma_sets": False,
        "drawing": "manual",
        "stall_limit": 0,
    }


@pytest.mark.parametrize(
    ("name", "text", "allowed"),
    [
        ("set_size", "5", "2 to 4"),
        ("set_size", "three", "2 to 4"),
        ("set_size", "²", "2 to 4"),
        ("karma_sets", "yes", "true or false"),
        ("drawing", "Refill", "refill or manual or when-empty"),
        ("stall_limit", "5", "0 or 10 to 1000"),
    ],
)
def test_a_text_that_is_no_value_is_refused_with_those_that_are(name, text, allowed):
    with pytest.raises(RulesError, match=f"{name} cannot be {text}; it can be {allowed}"):
        parse_options({name: text})


def test_an_unknown_option_is_refused_with_those_that_exist():
    with pytest.raises(RulesError, match=", ".join(OPTIONS)):
        parse_options({"size": "3"})
    with pytest.raises(RulesError, match=", ".join(OPTIONS)):
        CLASSIC.replace(size=3)
    with pytest.raises(RulesError, match=", ".join(EDITIONS)):
        edition("Classic")


def test_rules_cannot_be_made_with_wrong_values():
    with pytest.raises(RulesError, match="copies cannot be 9; it can be 2 to 4"):
        Rules("classic", copies=9)


def test_the_package_offers_its_names():
    for name in karma.__all__:
        assert getattr(karma, name) is not None
    with pytest.raises(AttributeError, match="nonsense"):
        karma.nonsense  # noqa: B018


def test_a_table_ends_games_that_go_round_unless_told_otherwise():
    assert MINI.for_table(3) == MINI.replace(stall_limit=120)
    assert MINI.for_table(3, chosen={"stall_limit": 0}) == MINI
    assert MINI.for_table(2, chosen=["decks"]).overrides == {"stall_limit": 80}


@pytest.mark.parametrize("option", OPTIONS.values(), ids=list(OPTIONS))
def test_words_have_the_numbers_that_the_core_knows_them_by(option):
    for value in option.values:
        if isinstance(value, str):
            assert option.number(value) == getattr(layout, value.replace("-", "_").upper())
