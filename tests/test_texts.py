"""The catalogues of texts: complete, alike in every language, with the right plurals."""

import ast
import json
import re
from collections import defaultdict
from importlib.resources import files
from pathlib import Path
from typing import get_args

import pytest

from karma.advice import ReasonCode
from karma.editions import EDITIONS, OPTIONS
from karma.protocol import codes
from karma.refusals import RefusalCode
from karma.table.bots.port import ladder
from karma.texts import LANGUAGES, Texts, catalogue, parameters, sentences

ROOT = Path(__file__).parents[1]


def test_every_language_has_the_same_keys():
    english = set(catalogue("en"))
    for language in LANGUAGES:
        assert set(catalogue(language)) == english


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_takes_the_same_parameters(language):
    for key, text in catalogue("en").items():
        assert parameters(catalogue(language)[key]) == parameters(text), key


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
    for path in (ROOT / "web").glob("src/**/*"):
        if path.suffix in (".ts", ".svelte") and path.name not in ("keys.ts", "protocol.ts"):
            source = path.read_text(encoding="utf-8")
            said.update(re.findall(r'"(\w+)"', source))
            templates = re.findall(r"`([a-z]+_)\$\{[^}]*\}(\w*)`", source)
            patterns += [rf"{before}\w+{after}" for before, after in templates]
    said.update(re.findall(r"%(\w+)%", (ROOT / "web" / "index.html").read_text(encoding="utf-8")))
    made = re.compile("|".join(pattern for pattern in patterns if re.match("[a-z]+_", pattern)))
    silent = [key for key in catalogue("en") if key not in said and not made.fullmatch(key)]
    assert silent == []


FAMILIES = {
    "error": {*get_args(RefusalCode), "unknown", "unreachable"},
    "notice": set(get_args(codes.NoticeCode)),
    "phrase": set(get_args(codes.Phrase)),
    "edition": {*EDITIONS, *(f"{name}_about" for name in EDITIONS)},
    "option": {*OPTIONS, "stall_limit_about"},
    "value": {
        str(value).lower().replace("-", "_")
        for option in OPTIONS.values()
        for value in option.values
        if isinstance(value, str | bool)
    }
    | {"never", "usual"},
    "level": {*ladder(), *(f"{name}_about" for name in ladder())},
    "advice_why": set(get_args(ReasonCode)),
}


@pytest.mark.parametrize("family", FAMILIES)
def test_every_code_has_a_text_and_no_text_lacks_a_code(family):
    keys = {key for key in catalogue("en") if key.startswith(f"{family}_")}
    assert keys == {f"{family}_{code}" for code in FAMILIES[family]}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_hint_has_its_colon_between_the_move_and_the_reasons_only(language):
    """A move, its reasons and its facts stand in a sentence that has a colon already."""
    for key, value in catalogue(language).items():
        if key.startswith(("move_", "advice_why_", "review_fact_")):
            assert not any(":" in sentence for sentence in sentences(value)), key


@pytest.mark.parametrize("language", LANGUAGES)
def test_keys_are_sorted_and_no_text_is_empty(language):
    text = files("karma.texts").joinpath(f"{language}.json").read_text(encoding="utf-8")
    keys = list(json.loads(text))
    assert keys == sorted(keys)
    for value in catalogue(language).values():
        assert all(sentence == sentence.strip() != "" for sentence in sentences(value))


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_choice_has_one_parameter_and_a_sentence_for_everything_else(language):
    """So no value is without a sentence, whatever a plural rule or a caller comes up with."""
    for key, text in catalogue(language).items():
        if not isinstance(text, str):
            assert [list(variants)[-1] for variants in text.values()] == ["other"], key


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
