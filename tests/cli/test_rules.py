"""`karma rules`."""

import pytest

from karma import EDITIONS, edition
from karma.rulebook import rulebook


@pytest.mark.parametrize("name", EDITIONS)
def test_the_rules_of_an_edition(karma, name):
    answer = karma("rules", name)
    assert answer.code == 0
    assert answer.out == rulebook(EDITIONS[name]).text() + "\n"


def test_house_rules_in_russian(karma):
    answer = karma("rules", "mini", "--rule", "set_size=3", "-r", "give_cards=false", "--lang=ru")
    assert answer.out == rulebook(edition("mini", set_size=3, give_cards=False), "ru").text() + "\n"


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (
            ["tiny"],
            "karma: there is no edition 'tiny'; there are classic, alternative, mini, online\n",
        ),
        (["-r", "set_size"], "karma: 'set_size' is not NAME=VALUE, such as set_size=2\n"),
        (["-r", "set_size=9"], "karma: set_size cannot be 9; it can be 2 to 4\n"),
        (["-r", "drawing=never"], "karma: drawing cannot be never; it can be refill or manual"),
        (["-r", "jokers=2"], "karma: there is no option 'jokers'; there are copies, decks,"),
        (["--lang", "fr"], "karma: Invalid value for '--lang':"),
    ],
)
def test_what_does_not_exist_is_refused_with_what_does(karma, arguments, complaint):
    answer = karma("rules", *arguments)
    assert answer.code == 2
    assert answer.err.startswith(complaint)
    assert answer.err.count("\n") == 1
    assert answer.out == ""
