"""Every text that a player reads, one catalogue a language, and a language is one file.

The same files are built into the browser table. A file more is a language more: it holds its own
name (`language_name`), and Babel and browsers know its plural rules. A text is a sentence with
`{parameters}`, or a list of one object whose `match` picks the sentence by the values of its
`selectors`:

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
from collections.abc import Mapping
from functools import cache, cached_property
from importlib.resources import files
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from babel.plural import PluralRule

LANGUAGES = tuple(
    sorted(
        file.name.removesuffix(".json")
        for file in files(__name__).iterdir()
        if file.name.endswith(".json")
    )
)

_PARAMETER = re.compile(r"\{(\w+)\}")
_PLURAL = re.compile(r"local (\w+) = (\w+): plural")


@cache
def catalogue(language: str) -> Mapping[str, Any]:
    """The texts of a language as they stand in its file."""
    if language not in LANGUAGES:
        raise ValueError(f"no language {language!r}; there are {', '.join(LANGUAGES)}")
    file = files(__name__).joinpath(f"{language}.json").read_text(encoding="utf-8")
    return {key: text for key, text in json.loads(file).items() if key != "$schema"}


def parameters(text: Any) -> set[str]:
    """The names that a text must be given."""
    if isinstance(text, str):
        return set(_PARAMETER.findall(text))
    names = {word.split()[1] for word in text[0]["declarations"] if word.startswith("input ")}
    return names.union(*map(parameters, text[0]["match"].values()))


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
        sentence = text if isinstance(text, str) else self._variant(key, text[0], values)
        try:
            return _PARAMETER.sub(lambda match: str(values[match[1]]), sentence)
        except KeyError as missing:
            raise KeyError(f"text {key!r} needs {missing}") from None

    def _variant(self, key: str, text: Mapping[str, Any], values: Mapping[str, object]) -> str:
        chosen = {name: str(value) for name, value in values.items()}
        for declaration in text["declarations"]:
            if plural := _PLURAL.fullmatch(declaration):
                chosen[plural[1]] = self._plural(int(chosen[plural[2]]))
        for condition, sentence in text["match"].items():
            wanted = dict(pair.strip().split("=") for pair in condition.split(","))
            if all(value in ("*", chosen.get(name)) for name, value in wanted.items()):
                return str(sentence)
        raise KeyError(f"text {key!r} has no variant for {chosen}")
