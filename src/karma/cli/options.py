"""What several commands take: an edition, house rules, a language."""

from collections.abc import Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from karma.cli.errors import Misuse

if TYPE_CHECKING:
    from karma.editions import Rules


class Language(StrEnum):
    """The languages that the game speaks."""

    en = "en"
    ru = "ru"


EditionOption = Annotated[
    str,
    typer.Option(
        "--edition", "-e", metavar="EDITION", help="classic, alternative, mini or online."
    ),
]
RuleOption = Annotated[
    list[str] | None,
    typer.Option("--rule", "-r", metavar="NAME=VALUE", help="Change one option; may be repeated."),
]
LanguageOption = Annotated[
    Language, typer.Option("--lang", metavar="en|ru", help="The language of the texts.")
]


def parse_rules(edition: str, changes: Sequence[str] | None) -> "Rules":
    """The rules of an edition with changes such as ``set_size=2``."""
    from karma import editions

    texts = {}
    for change in changes or ():
        name, equals, value = change.partition("=")
        if not equals:
            raise Misuse(f"{change!r} is not NAME=VALUE, such as set_size=2")
        texts[name.strip()] = value.strip()
    try:
        return editions.edition(edition, **editions.parse_options(texts))
    except editions.RulesError as error:
        raise Misuse(str(error)) from None


def split_bots(text: str) -> list[str]:
    """The bots of a list; commas also stand between the options of one.

    >>> split_bots("greedy,expert:rollouts=500,milliseconds=100,random")
    ['greedy', 'expert:rollouts=500,milliseconds=100', 'random']
    """
    bots: list[str] = []
    for part in map(str.strip, text.split(",")):
        if bots and "=" in part and ":" not in part:
            bots[-1] += f",{part}"
        else:
            bots.append(part)
    return bots
