"""The one registry of bots: what exists, and how one is made from a text.

``greedy``, ``expert:rollouts=500``, ``expert@1``: a name, the version of it if an older one is
wanted, and its options. ``process:./mybot`` is a program that speaks JSON lines. Other packages add
bots by entry points in the group ``karma.bots``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from typing import cast

from karma.bots.bot import Bot, BotError


@dataclass(frozen=True)
class Entry:
    """A bot that can be made: where its maker is, what it does, and its options' usual values."""

    name: str
    maker: str  # module:callable; it is called with name, seed and the options
    summary: str
    level: int | None = None  # its step on the ladder
    version: int = 1
    options: dict[str, int] = field(default_factory=dict)
    foreign: bool = False  # of another package: any options, and a guard

    def make(self, seed: int, options: Mapping[str, int]) -> Bot:
        """The bot, with its options' usual values unless others are given."""
        module, _, maker = self.maker.partition(":")
        try:
            make = getattr(import_module(module), maker)
            bot = cast(Bot, make(self.name, seed=seed, **{**self.options, **options}))
        except Exception as error:
            if not self.foreign:
                raise
            raise BotError(f"{self.name} cannot be made: {error!r}") from error
        if not self.foreign:
            return bot
        from karma.bots.guard import Guarded

        return Guarded(bot)


PROCESS = "process"
_POLICY = "karma.bots.policies:PolicyBot"
_FLAT = "karma.bots.flat:FlatBot"
_TREE = "karma.bots.tree:TreeBot"
_TREE_OPTIONS = {
    "explore": 100,
    "style": 1,
    "model": 0,
    "likely": 1,
    "crowd": 200,
    "trees": 1,
    "milliseconds": 0,
    "threads": 1,
}
_SHARP = {"rollouts": 300, **_TREE_OPTIONS}
_EXPERT = {"rollouts": 3000, **_TREE_OPTIONS}
BOTS: dict[str, Entry] = {
    entry.name: entry
    for entry in (
        Entry("random", _POLICY, "any legal move", 0),
        Entry("beginner", _POLICY, "any play; picks up only when nothing else is possible", 1),
        Entry("casual", _POLICY, "low cards first, more or less, and no memory", 2),
        Entry("greedy", _POLICY, "the lowest number that fits, all copies; karma cards last", 3),
        Entry("steady", _POLICY, "rules of thumb: when to take a pile, what to keep for later", 4),
        Entry(
            "careful",
            _FLAT,
            "tries each move in some worlds; forgets who took which cards",
            5,
            2,
            {
                "rollouts": 200,
                "memory": 0,
                "style": 1,
                "width": 4,
                "crowd": 150,
                "milliseconds": 0,
                "threads": 1,
            },
        ),
        Entry("sharp", _TREE, "looks ahead, a little, in worlds that fit", 6, 2, _SHARP),
        Entry("expert", _TREE, "looks ahead in thousands of worlds", 7, 2, _EXPERT),
        Entry(
            "net",
            "karma.bots.net:NetBot",
            "what a trained network likes best, at once",
            8,
            options={"milliseconds": 0},
        ),
        Entry(
            "master",
            "karma.bots.master:MasterBot",
            "looks ahead in worlds that fit, and a trained network judges what it sees",
            9,
            options={"turns": 1000, "explore": 50, "milliseconds": 0},
        ),
        Entry("cheapest", _POLICY, "a peer: one card at a time, the lowest that fits"),
        Entry("taker", _POLICY, "a peer: as cheapest, but takes piles of good cards early"),
        Entry(
            "endgame",
            "karma.bots.endgame:EndgameBot",
            "a peer: as cheapest, and looks ahead once the draw pile is gone",
            options={"rollouts": 1000},
        ),
        Entry(
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

#: What the bots' names stood for before, and still does if the version is given.
OLDER: dict[str, Entry] = {
    f"{name}@{version}": replace(BOTS[name], version=version, options=BOTS[name].options | changed)
    for name, version, changed in (
        ("careful", 1, {"rollouts": 100, "width": 0, "crowd": 0}),
        ("sharp", 1, {"crowd": 0}),
        ("expert", 1, {"crowd": 0}),
    )
}


def make_bot(spec: str, *, seed: int = 0, milliseconds: int | None = None) -> Bot:
    """A bot from its text; `milliseconds` is a limit for each of its moves, where it knows limits.

    >>> make_bot("greedy", seed=1).name
    'greedy'
    >>> make_bot("gready")
    Traceback (most recent call last):
        ...
    karma.bots.bot.BotError: there is no bot 'gready'; there are random, beginner, ...
    """
    name, _, rest = spec.partition(":")
    if name == PROCESS:
        from karma.bots.process import ProcessBot

        return ProcessBot(rest, seed=seed, milliseconds=milliseconds or 0)
    entry = find(name)
    options = _options(entry, rest)
    if milliseconds is not None and "milliseconds" in entry.options:
        options.setdefault("milliseconds", milliseconds)
    return entry.make(seed, options)


def check(spec: str) -> None:
    """Refuses a text from which no bot can be made."""
    name, _, rest = spec.partition(":")
    if name == PROCESS:
        from karma.bots.process import words_of

        words_of(rest)
    else:
        _options(find(name), rest)


def describe(spec: str) -> dict[str, int | str]:
    """The version of a bot and the values of its options, for those who want to repeat a game."""
    name, _, rest = spec.partition(":")
    if name == PROCESS:
        return {"command": rest}
    entry = find(name)
    return {"version": entry.version, **entry.options, **_options(entry, rest)}


def find(name: str) -> Entry:
    """The registry's entry for a name such as ``expert`` or ``expert@1``."""
    plain, _, version = name.partition("@")
    entry = BOTS.get(plain) or installed().get(plain)
    if entry is None:
        names = ", ".join((*BOTS, *installed()))
        raise BotError(f"there is no bot {plain!r}; there are {names}, and {PROCESS}:COMMAND")
    if version in ("", str(entry.version)):
        return entry
    if (older := OLDER.get(f"{plain}@{version}")) is not None:
        return older
    has = [*(str(old.version) for old in OLDER.values() if old.name == plain), str(entry.version)]
    raise BotError(f"there is no version {version} of {plain}; there is {' and '.join(has)}")


@cache
def installed() -> dict[str, Entry]:
    """Bots of other packages, by their entry points in the group ``karma.bots``."""
    return {
        point.name: Entry(point.name, point.value, f"from {_package(point)}", foreign=True)
        for point in entry_points(group="karma.bots")
        if point.name not in BOTS
    }


def _package(point: EntryPoint) -> str:
    return "another package" if point.dist is None else point.dist.name


def _options(entry: Entry, text: str) -> dict[str, int]:
    options: dict[str, int] = {}
    for part in filter(None, text.split(",")):
        name, _, value = part.partition("=")
        if name not in entry.options and not entry.foreign:
            has = f"it has {', '.join(entry.options)}" if entry.options else "it has none"
            raise BotError(f"{entry.name} has no option {name!r}; {has}")
        if not (value.isascii() and value.isdigit()):
            raise BotError(f"{name} of {entry.name} cannot be {value!r}; it is a whole number")
        options[name] = int(value)
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
