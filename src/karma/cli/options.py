"""What several commands take: an edition, house rules, a language."""

import os
import sys
from collections.abc import Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from karma.cli.encoding import is_utf8
from karma.cli.errors import Misuse
from karma.texts import LANGUAGES

if TYPE_CHECKING:
    from karma.editions import Rules
    from karma.tui.app import KarmaApp


def _language(code: str) -> str:
    """One of the languages that the game speaks."""
    if code not in LANGUAGES:
        raise typer.BadParameter(f"no language {code!r}; there are {', '.join(LANGUAGES)}")
    return code


_EDITION = typer.Option(
    "--edition", "-e", metavar="EDITION", help="classic, alternative, mini or online."
)
EditionOption = Annotated[str, _EDITION]
MaybeEdition = Annotated[str | None, _EDITION]
RuleOption = Annotated[
    list[str] | None,
    typer.Option("--rule", "-r", metavar="NAME=VALUE", help="Change one option; may be repeated."),
]
_LANGUAGE = typer.Option(
    "--lang",
    parser=_language,
    metavar="|".join(LANGUAGES),
    help="The language of the texts.",
)
LanguageOption = Annotated[str, _LANGUAGE]
MaybeLanguage = Annotated[str | None, _LANGUAGE]


LevelOption = Annotated[
    int | None,
    typer.Option(metavar="N", min=1, max=9, help="How strong all bots are, 1 to 9, not --bots."),
]


class Style(StrEnum):
    """Which mistakes bots of the first levels make above all."""

    everyday = "everyday"
    forgetful = "forgetful"
    hoarding = "hoarding"
    nervous = "nervous"


StyleOption = Annotated[
    Style | None,
    typer.Option(
        "--style",
        metavar="|".join(Style),
        help="What bots of level 1, 2 or 3 are like.",
    ),
]


class Speed(StrEnum):
    """How fast the others' moves are shown; without animation, at once."""

    off = "off"
    fast = "fast"
    normal = "normal"
    slow = "slow"


SpeedOption = Annotated[
    Speed | None,
    typer.Option("--speed", metavar="off|fast|normal|slow", help="How fast others move."),
]


def on_terminal() -> bool:
    """Is there a terminal to draw a table on?"""
    terminal = sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM") != "dumb"
    return terminal and is_utf8()


def run_app(app: "KarmaApp") -> None:
    """Runs the table in the terminal, and prints its last word."""
    word = app.run()
    if app.return_code:
        raise typer.Exit(app.return_code)
    if word:
        print(word)


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


def names_of(changes: Sequence[str] | None) -> set[str]:
    """The options that changes such as ``set_size=2`` name."""
    return {change.partition("=")[0].strip() for change in changes or ()}


def parse_bots(bots: str) -> list[str]:
    """The bots of a list such as ``greedy,expert:rollouts=500``, each of which can be made."""
    from karma.bots import BotError
    from karma.bots.registry import check, split

    try:
        named = split(bots)
        for bot in dict.fromkeys(named):
            check(bot)
    except BotError as error:
        raise Misuse(str(error)) from None
    return named


def bots_at(level: int | None, style: str | None, bots: str | None) -> str | None:
    """The bots of a level, in a style if one is wanted; without a level, those that are named."""
    from karma.bots import BotError
    from karma.bots.registry import at_level

    if level is None:
        if style is not None:
            raise Misuse("--style needs a level; --level 2 would be one")
        return bots
    if bots is not None:
        raise Misuse("--level says how strong all bots are and --bots names them; give one of them")
    try:
        return at_level(level, style)
    except BotError as error:
        raise Misuse(str(error)) from None
