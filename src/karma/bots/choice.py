"""Which network plays at a table, and whether it is better there than the best search without one.

The networks are in the package, each with the tables that it was trained for, or general: these
see all rules, for two players or for up to twelve. What is known about their strength is in
`nets/facts.json`: mirrored blocks that were played once (`python -m workshop.facts`), how many, and
what came of them. No table's name is in the code: a table that was measured is judged by its own
games, any other by those of house rules drawn at random with about as many players. A general
network plays only where games say that it is better than the best search without one; a network
trained for a table plays there unless games say otherwise, and of several trained for it the one
that beats the others.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import msgspec

from karma.bots.network import KEEPS, Weights
from karma.bots.strength import Fact, Setting, fitting, strengths
from karma.bots.weights import load
from karma.core.layout import MOST_SEATS
from karma.editions import Rules

FOLDER = Path(__file__).parent / "nets"
NET, MASTER = "net", "master"  # the bots that play by networks
MIXED = "mixed"  # master, where rollouts judge the ends of its walks beside the network
DEEP, NO_NET = "deep", ""  # master, where it searches without a network
FAVOURITES = "favourites"  # master, where it makes the network's favourite moves in a quiet game


class Chances(msgspec.Struct, frozen=True):
    """A network's chance not to lose, fitted to its games at one table."""

    network: str
    place: Setting
    keeps: tuple[float, ...]  # the head's weights, and its bias


class _Settings(msgspec.Struct):
    """Of the word on where a network comes from, what is needed here."""

    tables: list[Setting]
    general: bool = False
    drawn_players: int = MOST_SEATS  # at most, where it learned house rules


class _About(msgspec.Struct):
    config: _Settings


@cache
def facts() -> tuple[Fact, ...]:
    """All that was measured."""
    return msgspec.json.decode((FOLDER / "facts.json").read_bytes(), type=tuple[Fact, ...])


@cache
def load_net(name: str) -> Weights:
    """A network of the package."""
    return load(FOLDER / f"{name}.npz")


@cache
def chances() -> tuple[Chances, ...]:
    """What was fitted to single tables, where the fit to all of a network's was not honest."""
    return msgspec.json.decode((FOLDER / "chances.json").read_bytes(), type=tuple[Chances, ...])


def chances_at(name: str, rules: Rules, players: int) -> Chances | None:
    """What was fitted to a table's own games."""
    for own in chances():
        if own.network == name and own.place.fits(rules, players):
            return own
    return None


@cache
def net_at(name: str, rules: Rules, players: int) -> Weights:
    """A network of the package, with the chances that were fitted to a table, if there are any."""
    weights, own = load_net(name), chances_at(name, rules, players)
    return weights if own is None else with_keeps(weights, own.keeps)


def with_keeps(weights: Weights, keeps: Sequence[float]) -> Weights:
    """A network with another head for the chance not to lose."""
    heads, bias = weights.heads.copy(), weights.heads_bias.copy()
    *heads[KEEPS], bias[KEEPS] = keeps
    return weights._replace(heads=heads, heads_bias=bias)


@cache
def _trained() -> dict[str, _About]:
    return {
        path.with_suffix("").name: msgspec.json.decode(path.read_bytes(), type=_About)
        for path in sorted(FOLDER.glob("*.json"))
        if path.with_suffix(".npz").exists()
    }


@cache
def network_for(rules: Rules, players: int) -> str:
    """The best network for a table: one trained for it, unless a general one clearly beat it."""
    own, general = special_net(rules, players), general_net(players)
    known = fact(NET, own, general, rules, players)
    beaten = known is not None and known.gain + known.error < 0
    return own if own and not beaten else general


def special_net(rules: Rules, players: int) -> str:
    """Of the networks that were trained for a table the one that beats the others, if any was."""
    best = ""
    for name, about in _trained().items():
        here = (place.fits(rules, players) for place in about.config.tables)
        if not about.config.general and any(here):
            best = name if not best or _gain(NET, name, best, rules, players) > 0 else best
    return best


def general_net(players: int) -> str:
    """The network for all rules that has learned to play with so many, and with the fewest more."""
    learned = {
        name: about.config.drawn_players
        for name, about in _trained().items()
        if about.config.general and players <= about.config.drawn_players
    }
    return min(learned, key=lambda name: learned[name])


@cache
def player_for(bot: str, rules: Rules, players: int) -> str | None:
    """The network that a bot plays by at a table; None where a search without one is as good."""
    name = network_for(rules, players)
    ways = (MASTER, MIXED) if bot == MASTER else (bot,)
    known = [known for way in ways if (known := fact(way, name, "expert", rules, players))]
    if known:
        best = max(known, key=lambda row: row.gain)
        without = fact(DEEP, NO_NET, "expert", rules, players) if bot == MASTER else None
        # Games at tables like it do not speak against games at the table itself.
        if without is None or (best.place is not None and without.place is None):
            return name if best.gain > 0 else None
        return name if best.gain > max(without.gain, 0) else None
    # A search by a network is not weaker than the network alone.
    if bot == MASTER and player_for(NET, rules, players) == name:
        return name
    return name if special_net(rules, players) else None


def trained_net(rules: Rules, players: int) -> str | None:
    """The network whose word on its chances counts at a table, whoever plays there.

    One was trained for it, or games say that one is better than the best search without.
    """
    if special_net(rules, players):
        return network_for(rules, players)
    return player_for(NET, rules, players)


@cache
def mixes(rules: Rules, players: int) -> bool:
    """Does master do better at a table if rollouts judge the ends of its walks, too?"""
    name = network_for(rules, players)
    mixed, plain = (_gain(way, name, "expert", rules, players) for way in (MIXED, MASTER))
    return mixed > max(plain, 0)


@cache
def ends_by_favourites(rules: Rules, players: int) -> bool:
    """Do more games end if master makes the network's favourite moves once they go round?

    Games between masters say so, or else those against expert.
    """
    name = network_for(rules, players)
    for baseline in (MASTER, "expert"):
        usual = fact(MASTER, name, baseline, rules, players)
        favourites = fact(FAVOURITES, name, baseline, rules, players)
        if usual is not None and favourites is not None:
            return favourites.stalled < usual.stalled
    return False


class Way(NamedTuple):
    """How a bot with a network plays at a table."""

    network: str | None  # without one it searches as expert does
    mixed: bool
    known: Fact | None  # what it came to against expert; or its network, where that does not play


def way_of(bot: str, rules: Rules, players: int) -> Way:
    """How `net` or `master` plays at a table, and what games say of that."""
    name = player_for(bot, rules, players)
    mixed = bot == MASTER and name is not None and mixes(rules, players)
    # Games that have decided nothing speak before those by which it was chosen.
    if proof := fitting((r for r in strengths().proof if r.bot == bot), rules, players):
        return Way(name, mixed, proof)
    if bot == NET:
        own = name or network_for(rules, players)
        return Way(name, mixed, fact(NET, own, "expert", rules, players))
    way = DEEP if name is None else MIXED if mixed else MASTER
    return Way(name, mixed, fact(way, name or NO_NET, "expert", rules, players))


def _gain(bot: str, network: str, baseline: str, rules: Rules, players: int) -> float:
    """How much more than its share a bot has against a baseline; nought if nothing is known."""
    known = fact(bot, network, baseline, rules, players)
    return 0 if known is None else known.gain


def fact(bot: str, network: str, baseline: str, rules: Rules, players: int) -> Fact | None:
    """What is known about a bot with a network at a table, or else at tables like it."""
    rows = (r for r in facts() if (r.bot, r.network, r.baseline) == (bot, network, baseline))
    return fitting(rows, rules, players)
