"""The catalogues of texts: complete, alike in every language, with the right plurals."""

import ast
import json
import re
from collections import defaultdict
from importlib.resources import files
from pathlib import Path

import pytest

from karma.texts import LANGUAGES, Texts, catalogue, parameters

ROOT = Path(__file__).parents[1]


def test_every_language_has_the_same_keys():
    english = set(catalogue("en"))
    for language in LANGUAGES:
        assert set(catalogue(language)) == english


@pytest.mark.parametrize("key", sorted(catalogue("en")))
def test_every_language_takes_the_same_parameters(key):
    wanted = parameters(catalogue("en")[key])
    for language in LANGUAGES:
        assert parameters(catalogue(language)[key]) == wanted


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_text_stands_once(language):
    """Except for the words one types as commands, which may be a label's word."""
    keys = defaultdict(list)
    for key, text in catalogue(language).items():
        if not key.startswith("play_word_"):
            keys[json.dumps(text)].append(key)
    assert [several for several in keys.values() if len(several) > 1] == []


def test_every_text_is_said_by_somebody():
    said, patterns = set(), []
    for path in (ROOT / "src" / "karma").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                said.add(node.value)
            elif isinstance(node, ast.JoinedStr):
                parts = (
                    re.escape(part.value) if isinstance(part, ast.Constant) else r"\w+"
                    for part in node.values
                )
                patterns.append("".join(parts))
    for path in (ROOT / "web" / "src").rglob("*"):
        if path.suffix in (".ts", ".svelte") and "paraglide" not in path.parts:
            said.update(re.findall(r"\bm\.(\w+)", path.read_text(encoding="utf-8")))
    made = re.compile("|".join(pattern for pattern in patterns if re.match("[a-z]+_", pattern)))
    silent = [key for key in catalogue("en") if key not in said and not made.fullmatch(key)]
    assert silent == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_keys_are_sorted_and_no_text_is_empty(language):
    text = files("karma.texts").joinpath(f"{language}.json").read_text(encoding="utf-8")
    keys = [key for key in json.loads(text) if key != "$schema"]
    assert keys == sorted(keys)
    for text in catalogue(language).values():
        sentences = [text] if isinstance(text, str) else text[0]["match"].values()
        assert all(sentence == sentence.strip() != "" for sentence in sentences)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_choice_ends_with_a_variant_for_everything_else(language):
    """So no value is without a sentence, whatever a plural rule or a caller comes up with."""
    for key, text in catalogue(language).items():
        if not isinstance(text, str):
            last = list(text[0]["match"])[-1]
            assert all(pair.endswith("=*") for pair in last.split(", ")), key


@pytest.mark.parametrize(
    ("language", "count", "text"),
    [
        ("en", 0, "0 cards"),
        ("en", 1, "1 card"),
        ("en", 2, "2 cards"),
        ("en", 21, "21 cards"),
        ("de", 1, "1 Karte"),
        ("de", 0, "0 Karten"),
        ("es", 1, "1 carta"),
        ("es", 21, "21 cartas"),
        ("ru", 0, "0 карт"),
        ("ru", 1, "1 карта"),
        ("ru", 2, "2 карты"),
        ("ru", 4, "4 карты"),
        ("ru", 5, "5 карт"),
        ("ru", 11, "11 карт"),
        ("ru", 12, "12 карт"),
        ("ru", 14, "14 карт"),
        ("ru", 21, "21 карта"),
        ("ru", 22, "22 карты"),
        ("ru", 25, "25 карт"),
        ("ru", 101, "101 карта"),
        ("ru", 111, "111 карт"),
    ],
)
def test_plural_forms(language, count, text):
    assert Texts(language)("count_cards", count=count) == text


def test_a_selector_picks_the_person():
    say = Texts("en")
    assert say("event_came_back", who="you", name="Ana") == "You are back in the game."
    assert say("event_came_back", who="other", name="Ana") == "Ana is back in the game."


def test_a_missing_key_is_named():
    with pytest.raises(KeyError, match=r"no text 'event_danced' in ru\.json"):
        Texts("ru")("event_danced")


def test_a_missing_parameter_is_named():
    with pytest.raises(KeyError, match="'event_removed' needs 'cards'"):
        Texts("en")("event_removed")


def test_an_unknown_language_lists_those_there_are():
    with pytest.raises(ValueError, match=f"no language 'fr'; there are {', '.join(LANGUAGES)}"):
        Texts("fr")
