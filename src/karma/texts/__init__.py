"""Every text that a player reads, one catalogue a language, in the inlang message format.

The same files are built into the browser table. A message is a sentence with `{parameters}`, or a
list of one object whose `match` picks the sentence by the values of its `selectors`:

    "count_cards": [{
        "declarations": ["input count", "local form = count: plural"],
        "selectors": ["form"],
        "match": {"form=one": "{count} card", "form=other": "{count} cards"}
    }]

>>> Texts("en")("count_cards", count=3)
'3 cards'
>>> Texts("ru")("count_cards", count=3)
'3 карты'
"""

import json
import re
from collections.abc import Callable, Mapping
from functools import cache
from importlib.resources import files
from typing import Any

LANGUAGES = ("en", "ru")

_PARAMETER = re.compile(r"\{(\w+)\}")
_PLURAL = re.compile(r"local (\w+) = (\w+): plural")


def plural_en(number: int) -> str:
    """The plural category of a whole number in English."""
    return "one" if number == 1 else "other"


def plural_ru(number: int) -> str:
    """The plural category of a whole number in Russian."""
    tens, ones = number % 100, number % 10
    if ones == 1 and tens != 11:
        return "one"
    if 2 <= ones <= 4 and not 12 <= tens <= 14:
        return "few"
    return "many"


_PLURALS: Mapping[str, Callable[[int], str]] = {"en": plural_en, "ru": plural_ru}


@cache
def catalogue(language: str) -> Mapping[str, Any]:
    """The messages of a language as they stand in its file."""
    if language not in LANGUAGES:
        raise ValueError(f"no language {language!r}; there are {', '.join(LANGUAGES)}")
    text = files(__name__).joinpath(f"{language}.json").read_text(encoding="utf-8")
    return {key: value for key, value in json.loads(text).items() if key != "$schema"}


def parameters(message: Any) -> set[str]:
    """The names that a message must be given."""
    if isinstance(message, str):
        return set(_PARAMETER.findall(message))
    names = {word.split()[1] for word in message[0]["declarations"] if word.startswith("input ")}
    return names.union(*map(parameters, message[0]["match"].values()))


class Texts:
    """The texts of one language: called with a key and its parameters, gives the sentence."""

    def __init__(self, language: str = "en") -> None:
        self.language = language
        self._messages = catalogue(language)
        self._plural = _PLURALS[language]

    def __contains__(self, key: str) -> bool:
        return key in self._messages

    def __call__(self, key: str, **values: object) -> str:
        """The sentence for a key; a missing key or parameter is a KeyError that names it."""
        try:
            message = self._messages[key]
        except KeyError:
            raise KeyError(f"no message {key!r} in {self.language}.json") from None
        sentence = message if isinstance(message, str) else self._variant(key, message[0], values)
        try:
            return _PARAMETER.sub(lambda match: str(values[match[1]]), sentence)
        except KeyError as missing:
            raise KeyError(f"message {key!r} needs {missing}") from None

    def _variant(self, key: str, message: Mapping[str, Any], values: Mapping[str, object]) -> str:
        chosen = {name: str(value) for name, value in values.items()}
        for declaration in message["declarations"]:
            if plural := _PLURAL.fullmatch(declaration):
                chosen[plural[1]] = self._plural(int(chosen[plural[2]]))
        for condition, sentence in message["match"].items():
            wanted = dict(pair.strip().split("=") for pair in condition.split(","))
            if all(value in ("*", chosen.get(name)) for name, value in wanted.items()):
                return str(sentence)
        raise KeyError(f"message {key!r} has no variant for {chosen}")
