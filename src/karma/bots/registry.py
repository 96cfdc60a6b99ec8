"""The one registry of bots: what exists, and how one is made from a text.

``greedy``, ``expert:rollouts=500``, ``expert@1``: a name, the version of it if an older one is
wanted, and its options. Bots of other people are ``./bot.py:MyBot``, a class in a file;
``process:./mybot``, a program that speaks JSON lines; and what other packages name by entry points
in the group ``karma.bots``. A server's operator gives them names (`register`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, cast

from karma.bots.bot import Bot, BotError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint, EntryPoints

    from karma.bots.foreign_bot import ForeignBot
    from karma.bots.guard import Guarded


@dataclass(frozen=True)
class Registration:
    """A bot that can be made: where its maker is, what it does, and its options' usual values."""

    name: str
    maker: str  # module:callable; it is called with name, seed and the options
    summary: str
    level: int | None = None  # its step on the ladder
    version: int | str = 1
    options: dict[str, int] = field(default_factory=dict)
    endless: str = ""  # the option that time alone limits, where the text says how much there is
    styles: tuple[str, ...] = ()  # what its option `style` may be, where that is a word

    @property
    def foreign(self) -> bool:
        """Is it somebody else's? Such bots take any options, and live in processes of their own."""
        return False

    def make(self, seed: int, options: Mapping[str, int], milliseconds: int | None) -> Bot:
        """The bot, with its options' usual values unless others are given."""
        given = {**self.options, **options}
        if milliseconds is not None and "milliseconds" in self.options:
            given["milliseconds"] = options.get("milliseconds", milliseconds)
        module, _, maker = self.maker.partition(":")
        return cast(Bot, getattr(import_module(module), maker)(self.name, seed=seed, **given))

    def describe(self) -> dict[str, int | str]:
        """What tells its games from those of other versions of it."""
        return {"version": self.version}


@dataclass(frozen=True)
class Foreign(Registration):
    """A bot of other people: a class in Python or, if there is no maker, a program."""

    command: str = ""

    @property
    def foreign(self) -> bool:
        return True

    def make(self, seed: int, options: Mapping[str, int], milliseconds: int | None) -> Guarded:
        """The bot, with a guard."""
        from karma.bots.guard import Guarded

        return Guarded(self.open(seed, options, milliseconds, echo=True))

    def open(
        self, seed: int, options: Mapping[str, int], milliseconds: int | None, echo: bool = False
    ) -> ForeignBot:
        """The bot itself, whose failures are Trouble; its process starts when it is first asked."""
        from karma.bots.foreign_bot import (
            MILLISECONDS,
            ClassLauncher,
            ForeignBot,
            Launcher,
            ProgramLauncher,
        )

        limit = milliseconds or MILLISECONDS
        usual = {"name": self.name, "seed": seed, "milliseconds": limit}
        launcher: Launcher
        if self.command:
            launcher = ProgramLauncher(self.command, seed, limit, echo)
        else:
            launcher = ClassLauncher(self.maker, usual, {**self.options, **options}, echo)
        return ForeignBot(self.name, launcher, limit)

    def describe(self) -> dict[str, int | str]:
        """Its version, if its package has one, and a digest of its source."""
        from karma.bots.sources import digest_of, files_of

        known: dict[str, int | str] = {"version": self.version} if self.version else {}
        return known | {"source": digest_of(files_of(self.command or self.maker))}


PROCESS = "process"
_FILE = re.compile(r"(?P<file>[^:]*\.py)(?::(?P<maker>\w*))?(?::(?P<options>.*))?$")
ENDLESS = 100_000
_POLICY = "karma.bots.policies:PolicyBot"
_FLAT = "karma.bots.flat:FlatBot"
_TREE = "karma.bots.tree:TreeBot"
#: Which mistakes people make above all.
STYLES = ("everyday", "forgetful", "hoarding", "nervous")
_TREE_OPTIONS = {
    "explore": 100,
    "style": 1,
    "model": 0,
    "likely": 2,
    "crowd": 200,
    "trees": 1,
    "milliseconds": 0,
    "threads": 1,
}
_SHARP = {"rollouts": 600, **_TREE_OPTIONS}
_EXPERT = {"rollouts": 3000, **_TREE_OPTIONS}
BOTS: dict[str, Registration] = {
    entry.name: entry
    for entry in (
        Registration("random", _POLICY, "any legal move", 0),
        *(
            Registration(name, _POLICY, summary, level, version, {"style": 0}, styles=STYLES)
            for name, summary, level, version in (
                ("beginner", "as a newcomer: overlooks cards, hoards them, panics at piles", 1, 2),
                ("casual", "as somebody who plays now and then: fewer mistakes", 2, 2),
                ("regular", "as somebody who plays often: few mistakes", 3, 1),
            )
        ),
        Registration(
            "greedy", _POLICY, "the lowest number that fits, all copies; karma cards last", 4
        ),
        Registration(
            "steady", _POLICY, "rules of thumb: when to take a pile, what to keep for later", 5, 2
        ),
        Registration(
            "careful",
            _FLAT,
            "tries each move in some worlds; forgets who took which cards",
            6,
            3,
            {
                "rollouts": 200,
                "memory": 0,
                "style": 1,
                "width": 4,
                "crowd": 150,
                "favour": 4,
                "milliseconds": 0,
                "threads": 1,
            },
        ),
        Registration("sharp", _TREE, "looks ahead, a little, in worlds that fit", 7, 4, _SHARP),
        Registration("expert", _TREE, "looks ahead in thousands of worlds", 8, 3, _EXPERT),
        Registration(
            "net",
            "karma.bots.net:NetBot",
            "what a trained network likes best, at once",
            options={"milliseconds": 0},
        ),
        Registration(
            "master",
            "karma.bots.master:MasterBot",
            "looks ahead in worlds that fit, and a trained network judges what it sees",
            9,
            6,
            {
                "turns": 1000,
                "more": 130,
                "explore": 50,
                "trust": 50,
                "rollouts": 4,
                "deep": 12,
                "haste": 60,
                "presses": 8,
                "patience": 16,
                "milliseconds": 0,
            },
            endless="turns",
        ),
        Registration("cheapest", _POLICY, "a peer: one card at a time, the lowest that fits"),
        Registration("taker", _POLICY, "a peer: as cheapest, but takes piles of good cards early"),
        Registration(
            "endgame",
            "karma.bots.endgame:EndgameBot",
            "a peer: as cheapest, and looks ahead once the draw pile is gone",
            options={"rollouts": 1000},
        ),
        Registration(
            "flat",
            _FLAT,
            "flat Monte Carlo with a memory: a yardstick",
            options={
                "rollouts": 3000,
                "memory": 1,
                "style": 0,
                "width": 0,
                "milliseconds": 0,
                "threads": 1,
            },
        ),
    )
}

_FIRST = {"first": 1}
_LESS = {"rollouts": 300}
_HASTY = {"presses": 0, "patience": 8}
_PATIENT = {"presses": 0, "patience": 0}
_BY_WORD = {**_PATIENT, "trust": 100, "rollouts": 0}
_AS_EXPERT = {**_BY_WORD, "deep": 0, "haste": 0}
#: What the bots' names stood for before, and still does if the version is given.
OLDER: dict[str, Registration] = {
    f"{name}@{version}": replace(BOTS[name], version=version, options=BOTS[name].options | changed)
    for name, version, changed in (
        ("beginner", 1, _FIRST),
        ("casual", 1, _FIRST),
        ("steady", 1, _FIRST),
        ("careful", 1, {"rollouts": 100, "width": 0, "crowd": 0, "favour": 0}),
        ("careful", 2, {"favour": 0, **_FIRST}),
        ("sharp", 1, {"likely": 1, "crowd": 0, **_LESS}),
        ("sharp", 2, {"likely": 1, **_LESS}),
        ("sharp", 3, _LESS),
        ("expert", 1, {"likely": 1, "crowd": 0}),
        ("expert", 2, {"likely": 1}),
        ("master", 1, {"more": 100, **_AS_EXPERT}),
        ("master", 2, _AS_EXPERT),
        ("master", 3, _BY_WORD),
        ("master", 4, _PATIENT),
        ("master", 5, _HASTY),
    )
}


#: Bots of other people that a server's operator gave a name, by which its clients ask for them.
REGISTERED: dict[str, Foreign] = {}


def make_bot(spec: str, *, seed: int = 0, milliseconds: int | None = None) -> Bot:
    """A bot from its text; `milliseconds` is a limit for each of its moves, where it knows limits.

    >>> make_bot("greedy", seed=1).name
    'greedy'
    >>> make_bot("gready")
    Traceback (most recent call last):
        ...
    karma.bots.bot.BotError: there is no bot 'gready'; there are random, beginner, ...
    """
    entry, options = read(spec)
    bot = entry.make(seed, options, milliseconds)
    if isinstance(entry, Foreign):
        cast("Guarded", bot).open()
    return bot


def open_bot(spec: str, *, seed: int, milliseconds: int) -> ForeignBot | None:
    """A bot of other people without a guard, for who counts failures; None if it is one of ours."""
    entry, options = read(spec)
    return entry.open(seed, options, milliseconds) if isinstance(entry, Foreign) else None


def check(spec: str) -> None:
    """Refuses a text from which no bot can be made; one of other people is made, to see."""
    entry, options = read(spec)
    if isinstance(entry, Foreign):
        bot = entry.make(0, options, None)
        bot.open()
        bot.close()


def describe(spec: str) -> dict[str, int | str]:
    """The version of a bot and the values of its options, for those who want to repeat a game."""
    entry, options = read(spec)
    return {**entry.describe(), **entry.options, **options}


def register(name: str, spec: str) -> None:
    """Gives a bot of other people a name, by which clients of a server may ask for it."""
    if not re.fullmatch(r"[a-z][a-z0-9_-]{0,30}", name):
        raise BotError(f"{name!r} is no name for a bot; small letters, digits, - and _ are")
    if name in BOTS:
        raise BotError(f"there is a bot {name} already; give yours another name")
    entry, options = read(spec)
    if not isinstance(entry, Foreign):
        raise BotError(f"{spec} has a name already; it is for bots such as ./bot.py:MyBot")
    check(spec)
    REGISTERED[name] = replace(entry, name=name, options=dict(options))


def at_level(level: int, style: str | None = None) -> str:
    """The text of the bot at a step of the ladder, in a style if it has styles.

    >>> at_level(3, "nervous"), at_level(9)
    ('regular:style=nervous', 'master')
    """
    entry = next(entry for entry in BOTS.values() if entry.level == level)
    if style is None:
        return entry.name
    if not entry.styles:
        steps = ", ".join(str(bot.level) for bot in BOTS.values() if bot.styles)
        raise BotError(f"{entry.name} makes no mistakes to choose from; levels {steps} do")
    return f"{entry.name}:style={style}"


def read(spec: str) -> tuple[Registration, dict[str, int]]:
    """The entry that a text names, and the options that it sets."""
    name, _, rest = spec.partition(":")
    if name == PROCESS:
        from karma.bots.foreign_bot import words_of

        words_of(rest)
        return Foreign(spec, "", "a program", version=0, command=rest), {}
    if found := _FILE.match(spec):
        entry: Registration = _in_file(Path(found["file"]), found["maker"], spec)
        rest = found["options"] or ""
    else:
        entry = find(name)
    return entry, _options(entry, rest)


def _in_file(file: Path, maker: str | None, spec: str) -> Foreign:
    if not file.is_file():
        raise BotError(f"there is no file {file}")
    if not maker:
        raise BotError(f"{spec} names no class of that file; {file}:MyBot would")
    return Foreign(f"{file}:{maker}", f"{file.resolve()}:{maker}", f"from {file}", version=0)


def find(name: str) -> Registration:
    """The registry's entry for a name such as ``expert`` or ``expert@1``."""
    plain, _, version = name.partition("@")
    entry = BOTS.get(plain) or REGISTERED.get(plain) or installed().get(plain)
    if entry is None:
        names = ", ".join((*BOTS, *REGISTERED, *installed()))
        raise BotError(
            f"there is no bot {plain!r}; there are {names}, FILE.py:CLASS and {PROCESS}:COMMAND"
        )
    if version in ("", str(entry.version)):
        return entry
    if (older := OLDER.get(f"{plain}@{version}")) is not None:
        return older
    has = [*(str(old.version) for old in OLDER.values() if old.name == plain), str(entry.version)]
    raise BotError(f"there is no version {version} of {plain}; there is {' and '.join(has)}")


@cache
def installed() -> dict[str, Foreign]:
    """Bots of other packages, by their entry points in the group ``karma.bots``."""
    return {
        point.name: Foreign(
            point.name, point.value, f"from {_package(point)}", version=_version(point)
        )
        for point in _entry_points()
        if point.name not in BOTS
    }


def hidden() -> list[str]:
    """What is to be said of bots of other packages that nobody can ask for."""
    return [
        f"{_package(point)} has a bot {point.name}, which the built-in one of that name hides; "
        "its entry point needs another name"
        for point in _entry_points()
        if point.name in BOTS
    ]


def _entry_points() -> EntryPoints:
    from importlib.metadata import entry_points

    return entry_points(group="karma.bots")


def _package(point: EntryPoint) -> str:
    return "another package" if point.dist is None else point.dist.name


def _version(point: EntryPoint) -> str:
    return "" if point.dist is None else point.dist.version


def _options(entry: Registration, text: str) -> dict[str, int]:
    options: dict[str, int] = {}
    for part in filter(None, text.split(",")):
        name, _, value = part.partition("=")
        if name not in entry.options and not entry.foreign:
            has = f"it has {', '.join(entry.options)}" if entry.options else "it has none"
            raise BotError(f"{entry.name} has no option {name!r}; {has}")
        if name == "style" and entry.styles:
            if value not in entry.styles:
                styles = ", ".join(entry.styles)
                raise BotError(f"{entry.name} has no style {value!r}; there are {styles}")
            value = str(entry.styles.index(value))
        if not (value.isascii() and value.isdigit()):
            hint = ", and a comma stands between options" if ":" in value else ""
            wrong = f"{name} of {entry.name} cannot be {value!r}"
            raise BotError(f"{wrong}; it is a whole number{hint}")
        options[name] = int(value)
    if entry.endless and "milliseconds" in options:
        options.setdefault(entry.endless, ENDLESS)
    return options


def split(specs: str) -> list[str]:
    """The bots of a list; commas also stand between the options of one.

    >>> split("greedy, expert:rollouts=500,milliseconds=100,random")
    ['greedy', 'expert:rollouts=500,milliseconds=100', 'random']
    """
    bots: list[str] = []
    for part in filter(None, map(str.strip, specs.split(","))):
        if bots and "=" in part and ":" not in part and ":" in bots[-1]:
            bots[-1] += f",{part}"
        else:
            bots.append(part)
    if not bots:
        raise BotError(f"{specs!r} names no bot; greedy would be one")
    return bots
