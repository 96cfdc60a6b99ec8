"""How strong the bots are, as measured: `docs/strength.md` says how."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from importlib.resources import files

import msgspec

from karma.editions import EDITIONS, Rules


class Setting(msgspec.Struct, frozen=True):
    """A table that a network was trained for, or a bot was measured at."""

    edition: str
    players: int
    options: dict[str, bool | int | str] = {}

    def fits(self, rules: Rules, players: int) -> bool:
        """Is it this table? The limit on quiet turns makes no difference."""
        own = EDITIONS[self.edition].replace(**self.options)
        return players == self.players and own == rules.replace(stall_limit=0)


class Crowd(msgspec.Struct, frozen=True):
    """Tables with house rules drawn at random, for some numbers of players."""

    fewest: int
    most: int

    def fits(self, rules: Rules, players: int) -> bool:
        """Could it have been drawn?"""
        return self.fewest <= players <= self.most


class Fact(msgspec.Struct, frozen=True, omit_defaults=True):
    """What came of mirrored blocks: a bot with a network against a baseline in all other seats."""

    bot: str
    network: str
    baseline: str  # a bot without a network, or the name of another network
    gain: float  # share of games not lost, less the even share
    error: float  # 1.96 standard errors of it
    games: int
    stalled: float  # share of games
    seed: int
    place: Setting | None = None
    crowd: Crowd | None = None

    def fits(self, rules: Rules, players: int) -> bool:
        """Does it say something about a table?"""
        where = self.place or self.crowd
        return where is not None and where.fits(rules, players)


class Measured(msgspec.Struct, frozen=True):
    """A bot's place in the cross-table of classic for two, where greedy has 1000."""

    strength: int
    milliseconds: float | None  # for a move; None until a new version was timed


class Strengths(msgspec.Struct, frozen=True):
    """What was measured after all was decided: `strength.json`."""

    bots: dict[str, Measured]
    proof: tuple[Fact, ...]  # net and master against expert: at printed tables, by house rules


@cache
def strengths() -> Strengths:
    """What the package knows about its bots."""
    told = files("karma.bots").joinpath("strength.json").read_bytes()
    return msgspec.json.decode(told, type=Strengths)


def fitting(rows: Iterable[Fact], rules: Rules, players: int) -> Fact | None:
    """What rows say of a table together: its own games, or else those at tables like it."""
    known = [row for row in rows if row.fits(rules, players)]
    own = [row for row in known if row.place is not None]
    return _together(own or known)


def _together(rows: list[Fact]) -> Fact | None:
    """What rows that measured the same say together, each by its number of games."""
    if len(rows) < 2:
        return rows[0] if rows else None
    games = sum(row.games for row in rows)
    return msgspec.structs.replace(
        rows[0],
        gain=sum(row.games * row.gain for row in rows) / games,
        error=sum((row.games * row.error) ** 2 for row in rows) ** 0.5 / games,
        games=games,
        stalled=sum(row.games * row.stalled for row in rows) / games,
    )
