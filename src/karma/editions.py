"""Rules, the values of the options, and the editions, which are sets of such values with a name."""

from __future__ import annotations

import dataclasses
from collections.abc import Container, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from karma.cards import KINDS


class RulesError(ValueError):
    """An edition, an option or a value that does not exist."""


@dataclass(frozen=True)
class Option:
    """The values that one option of the rules can take."""

    name: str
    values: tuple[str, ...] | tuple[bool, ...] | range
    zero: bool = False  # 0 is a value too

    def check(self, value: object) -> None:
        """Refuses a value that the option cannot take."""
        if isinstance(self.values, range):
            fits = type(value) is int and (value in self.values or (self.zero and value == 0))
        else:
            fits = any(
                value is each or (type(value) is str and value == each) for each in self.values
            )
        if not fits:
            looks_right = value in ("true", "false", *map(str, self.values))
            shown = repr(value) if looks_right else _shown(value)  # the text '3' is not 3
            raise RulesError(f"{self.name} cannot be {shown}; it can be {self}")

    def parse(self, text: str) -> Any:
        """The value that a text such as ``2``, ``true`` or ``give-rest`` means."""
        value: object = text
        if isinstance(self.values, range):
            value = int(text) if text.isascii() and text.isdigit() else text
        elif isinstance(self.values[0], bool):
            value = {"true": True, "false": False}.get(text.lower(), text)
        self.check(value)
        return value

    def number(self, value: Any) -> int:
        """A value as the core takes it: words are counted in their order, which is the core's."""
        return list(self.values).index(value) if isinstance(value, str) else int(value)

    def __str__(self) -> str:
        if isinstance(self.values, range):
            bounds = f"{self.values[0]} to {self.values[-1]}"
            return f"0 or {bounds}" if self.zero else bounds
        return " or ".join(map(_shown, self.values))


def _shown(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


LEAST_PLAYERS = 2
TO_CHOOSE = 3  # of the six cards in hand, to lie face up
QUIET_TURNS = 40  # of each player, in a row: then a game at a table ends without a loser

_YES_NO = (True, False)
OPTIONS: dict[str, Option] = {
    option.name: option
    for option in (
        Option("copies", range(2, 5)),
        Option("decks", range(1, 3)),
        Option("give_cards", _YES_NO),
        Option("face_up", ("chosen", "dealt")),
        Option("drawing", ("refill", "manual", "when-empty")),
        Option("set_size", range(2, 5)),
        Option("max_play", range(1, 4)),
        Option("set_effect", ("clear", "give-rest")),
        Option("set_counts", ("played", "top")),
        Option("karma_sets", _YES_NO),
        Option("karma_stays", _YES_NO),
        Option("give_to", ("anyone", "active")),
        Option("no_table_card", ("hand", "skip")),
        Option("stall_limit", range(10, 1001), zero=True),
    )
}


@dataclass(frozen=True)
class Rules:
    """The values of the options, and the name of the edition nearest to them.

    >>> edition("classic", set_size=2)
    edition('classic', set_size=2)
    >>> MINI.replace(copies=9)
    Traceback (most recent call last):
        ...
    karma.editions.RulesError: copies cannot be 9; it can be 2 to 4
    """

    edition: str
    copies: int = 3
    decks: int = 1
    give_cards: bool = True
    face_up: str = "chosen"
    drawing: str = "refill"
    set_size: int = 3
    max_play: int = 3
    set_effect: str = "clear"
    set_counts: str = "played"
    karma_sets: bool = True
    karma_stays: bool = True
    give_to: str = "anyone"
    no_table_card: str = "hand"
    stall_limit: int = 0

    def __post_init__(self) -> None:
        for name, option in OPTIONS.items():
            option.check(getattr(self, name))

    def replace(self, **options: Any) -> Rules:
        """These rules with some options changed."""
        _check_names(options)
        return dataclasses.replace(self, **options)

    def for_table(self, players: int, chosen: Container[str] = ()) -> Rules:
        """These rules where a game that goes round has to end: after `QUIET_TURNS` a player.

        That is what tables, arenas and training play by; an option that somebody chose stays.

        >>> MINI.for_table(3)
        edition('mini', stall_limit=120)
        """
        if "stall_limit" in chosen:
            return self
        return self.replace(stall_limit=QUIET_TURNS * players)

    @property
    def overrides(self) -> dict[str, Any]:
        """The options whose values differ from the edition's."""
        base = EDITIONS[self.edition]
        return {
            name: getattr(self, name)
            for name in OPTIONS
            if getattr(self, name) != getattr(base, name)
        }

    @property
    def house_rules(self) -> dict[str, Any]:
        """The overrides that change play: a limit on going round only ends what nobody would."""
        return {name: value for name, value in self.overrides.items() if name != "stall_limit"}

    @cached_property
    def full_deck(self) -> tuple[str, ...]:
        """All cards of the game, by kind."""
        kinds = KINDS if self.give_cards else [kind for kind in KINDS if kind != "G"]
        return tuple(kind for kind in kinds for _ in range(self.copies * self.decks))

    @property
    def has_sets(self) -> bool:
        """Can a set happen at all? Not where there are too few cards of a kind.

        >>> MINI.has_sets, MINI.replace(set_size=3).has_sets
        (True, False)
        """
        return self.set_size <= self.copies * self.decks

    @property
    def most_at_once(self) -> int:
        """The most identical cards that a play can have: there may be fewer than are allowed.

        >>> CLASSIC.replace(copies=2).most_at_once
        2
        """
        return min(self.max_play, self.copies * self.decks)

    @cached_property
    def most_players(self) -> int:
        """How many the deck can be dealt to: never more than 6 for one deck, 12 for two."""
        dealt = 9 if self.face_up == "chosen" else 12
        return min(len(self.full_deck) // dealt, 6 * self.decks)

    def can_seat(self, number: int) -> bool:
        """Can so many play?"""
        return LEAST_PLAYERS <= number <= self.most_players

    def check_players(self, number: int) -> None:
        """Refuses a number of players that these rules cannot seat."""
        if not self.can_seat(number):
            deck = "two decks" if self.decks == 2 else "this deck"
            raise RulesError(
                f"{deck} cannot seat {number} players; "
                f"{LEAST_PLAYERS} to {self.most_players} can play"
            )

    def __repr__(self) -> str:
        overrides = "".join(f", {name}={value!r}" for name, value in self.overrides.items())
        return f"edition({self.edition!r}{overrides})"

    def __str__(self) -> str:
        overrides = ", ".join(f"{name}={_shown(value)}" for name, value in self.overrides.items())
        return f"{self.edition} ({overrides})" if overrides else self.edition

    @cached_property
    def packed(self) -> Any:
        """The RULES record that the core takes."""
        from karma.packing import pack_rules

        return pack_rules(self)


CLASSIC = Rules("classic")
ALTERNATIVE = Rules("alternative", give_cards=False, set_effect="give-rest")
MINI = Rules("mini", copies=2, set_size=2, max_play=2)
ONLINE = Rules(
    "online",
    copies=2,
    face_up="dealt",
    drawing="when-empty",
    set_size=2,
    max_play=1,
    karma_sets=False,
    karma_stays=False,
    give_to="active",
    no_table_card="skip",
)
EDITIONS: dict[str, Rules] = {
    rules.edition: rules for rules in (CLASSIC, ALTERNATIVE, MINI, ONLINE)
}


def edition(name: str, **options: Any) -> Rules:
    """An edition by its name, with some options changed: a family's house rules."""
    if name not in tuple(EDITIONS):  # a file may name a list, which has no hash
        raise RulesError(f"there is no edition {name!r}; there are {', '.join(EDITIONS)}")
    return EDITIONS[name].replace(**options)


def parse_options(texts: Mapping[str, str]) -> dict[str, Any]:
    """Options written as texts (``set_size`` → ``3``) as their values."""
    _check_names(texts)
    return {name: OPTIONS[name].parse(text) for name, text in texts.items()}


def _check_names(options: Mapping[str, object]) -> None:
    for name in options:
        if name not in OPTIONS:
            raise RulesError(f"there is no option {name!r}; there are {', '.join(OPTIONS)}")
