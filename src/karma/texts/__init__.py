"""Every text that a player reads, one catalogue a language, and a language is one file.

The same files are built into the browser table. A file more is a language more: it holds its own
name (`language_name`), and Babel and browsers know its plural rules. A text is a sentence with
`{parameters}`, or sentences by the value of one of them, where a number stands for its plural form:

    "count_cards": {"count": {"one": "{count} card", "other": "{count} cards"}}

>>> Texts("en")("count_cards", count=3)
'3 cards'
>>> Texts("ru")("count_cards", count=3)
'3 карты'
"""

import json
import re
from collections.abc import Mapping
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from babel.plural import PluralRule

Text = str | dict[str, dict[str, str]]
"""A sentence, or sentences by the value of a parameter."""

_FOLDER = Path(__file__).parent  # importlib.resources would cost every command 10 ms
LANGUAGES = tuple(sorted(file.stem for file in _FOLDER.glob("*.json")))

_PARAMETER = re.compile(r"\{(\w+)\}")


@cache
def catalogue(language: str) -> Mapping[str, Text]:
    """The texts of a language as they stand in its file."""
    if language not in LANGUAGES:
        raise ValueError(f"no language {language!r}; there are {', '.join(LANGUAGES)}")
    file = (_FOLDER / f"{language}.json").read_text(encoding="utf-8")
    texts: dict[str, Text] = json.loads(file)
    return texts


def parameters(text: Text) -> set[str]:
    """The names that a text must be given."""
    if isinstance(text, str):
        return set(_PARAMETER.findall(text))
    return set(text).union(*(parameters(each) for each in sentences(text)))


def sentences(text: Text) -> list[str]:
    """All that a text may say."""
    if isinstance(text, str):
        return [text]
    return [sentence for variants in text.values() for sentence in variants.values()]


class Texts:
    """The texts of one language: called with a key and its parameters, gives the sentence."""

    def __init__(self, language: str = "en") -> None:
        self.language = language
        self._texts = catalogue(language)

    @cached_property
    def _plural(self) -> "PluralRule":
        from babel import Locale  # only a text that counts needs it

        return Locale.parse(self.language).plural_form

    def __contains__(self, key: str) -> bool:
        return key in self._texts

    def __call__(self, key: str, **values: object) -> str:
        """The sentence for a key; a missing key or parameter is a KeyError that names it."""
        try:
            text = self._texts[key]
        except KeyError:
            raise KeyError(f"no text {key!r} in {self.language}.json") from None
        try:
            if not isinstance(text, str):
                text = self._variant(text, values)
            return _PARAMETER.sub(lambda match: str(values[match[1]]), text)
        except KeyError as missing:
            raise KeyError(f"text {key!r} needs {missing}") from None

    def _variant(self, text: dict[str, dict[str, str]], values: Mapping[str, object]) -> str:
        ((name, variants),) = text.items()
        value = values[name]
        form = self._plural(value) if isinstance(value, int) else str(value)
        return variants.get(form) or variants["other"]
