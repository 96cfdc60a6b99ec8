"""Measures by what `karma.bots.choice` chooses: ``python -m workshop.facts``.

Rows, whose numbers of blocks and seeds were fixed before any was played, go into the package one by
one. Stopped at any moment, the same command goes on with the rows that are missing. Two networks
against each other are compiled games; the others are played move by move. Rows with the seeds of
`workshop.house` and `workshop.endings` were played there.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import partial
from itertools import combinations
from typing import Any, NamedTuple

import msgspec
import numpy as np

from karma.arena.runner import new_pool
from karma.bots import BOTS, Bot, make_bot
from karma.bots.chance import words
from karma.bots.choice import (
    DEEP,
    FAVOURITES,
    FOLDER,
    MASTER,
    MIXED,
    NET,
    NO_NET,
    general_net,
    load_net,
)
from karma.bots.master import MasterBot
from karma.bots.net import NetBot
from karma.bots.play import play
from karma.bots.strength import Crowd, Fact, Setting
from karma.core.layout import MOST_SEATS
from karma.editions import EDITIONS, Rules
from karma.game import Game
from karma.simulation import cores
from karma.simulation.lineup import LIMIT, deck_of, deck_words
from karma.train.config import TrainingTable
from karma.train.house import draw_table
from karma.train.trial import trial
from workshop.house import is_printed

FILE = FOLDER / "facts.json"
_DRAWN, _BOTS = 3, 2  # what chance is for


NETWORKS = sorted(path.stem for path in FOLDER.glob("*.npz"))
GENERAL_NETS = {general_net(players) for players in range(2, MOST_SEATS + 1)}


class Row(msgspec.Struct, frozen=True):
    """A fact to be: who plays whom where, how many blocks, from which seed."""

    bot: str
    network: str
    baseline: str
    where: Setting | Crowd
    blocks: int
    seed: int


def plan() -> Iterator[Row]:
    """All that is measured."""
    places = {name: places_of(name) for name in NETWORKS if name not in GENERAL_NETS}
    for name, own in places.items():
        for place in own:
            yield Row(NET, name, general_net(place.players), place, 500, 2**41)
    for one, other in combinations(places, 2):
        for place in places[one]:
            if place in places[other]:
                yield Row(NET, other, one, place, 500, 2**41)
    for players, blocks, seed in ((2, 40, 8601), (3, 30, 8602)):
        yield Row(NET, "online", "expert", Setting("online", players), blocks, seed)
    for bot in (MIXED, MASTER):
        yield Row(bot, "online", "expert", Setting("online", 2), 100, 8201)
    for bot in (MIXED, MASTER, FAVOURITES):
        yield Row(bot, "online", "expert", Setting("online", 3), 40, 8402)
    yield Row(MASTER, "three-four", "expert", Setting("mini", 3), 40, 8302)
    yield Row(MASTER, "three-four", "expert", Setting("mini", 4), 40, 8501)
    for bot, network in ((MASTER, "mini-3-4"), (MIXED, "mini-3-4"), (DEEP, NO_NET)):
        yield Row(bot, network, "expert", Setting("mini", 4), 50, 8701)
        if network:
            yield Row(bot, network, "expert", Setting("mini", 3), 60, 8703)
    for crowd, blocks, seed, ways in (
        (Crowd(2, 2), 60, 2052, (MASTER, FAVOURITES, MIXED, DEEP)),
        (Crowd(3, 6), 20, 2053, (DEEP,)),
        (Crowd(3, 6), 24, 2053, (MASTER, MIXED)),
        (Crowd(3, 6), 75, 2055, (MASTER, DEEP)),
        (Crowd(7, 12), 16, 2054, (MASTER, DEEP)),
    ):
        for bot in ways:
            network = NO_NET if bot == DEEP else general_net(crowd.most)
            yield Row(bot, network, "expert", crowd, blocks, seed)


def places_of(network: str) -> list[Setting]:
    """The tables that a network was trained for, each once."""
    about = msgspec.json.decode((FOLDER / f"{network}.json").read_bytes())
    tables = ((table["edition"], table["players"]) for table in about["config"]["tables"])
    return [Setting(*table) for table in dict.fromkeys(tables)]


def measure(row: Row) -> Fact:
    """Plays a row's blocks."""
    gains: list[float] = []
    games = stalled = 0
    if row.baseline in NETWORKS:
        assert isinstance(row.where, Setting)
        table = TrainingTable(row.where.edition, row.where.players)
        networks = load_net(row.network), load_net(row.baseline)
        scores, stalled = trial(table, *networks, row.blocks, row.seed)
        gains = (scores - (1 - 1 / table.players)).tolist()
        games = row.blocks * table.players
    else:
        with new_pool(compiled=False, number=cores()) as pool:
            for block in pool.map(partial(_play_block, row), range(row.blocks)):
                if block is not None:
                    gains.append(block.gain)
                    games += block.games
                    stalled += block.stalled
    error = 1.96 * np.std(gains, ddof=1) / len(gains) ** 0.5 if len(gains) > 1 else 1.0
    return Fact(
        bot=row.bot,
        network=row.network,
        baseline=row.baseline,
        gain=round(float(np.mean(gains)), 4),
        error=round(float(error), 4),
        games=games,
        stalled=round(stalled / games, 4),
        seed=row.seed,
        place=row.where if isinstance(row.where, Setting) else None,
        crowd=row.where if isinstance(row.where, Crowd) else None,
    )


def _table(row: Row, number: int) -> tuple[Rules, int]:
    """The rules and players of a block."""
    if isinstance(row.where, Setting):
        rules = EDITIONS[row.where.edition].replace(**row.where.options)
        return rules.for_table(row.where.players), row.where.players
    chance = np.random.default_rng(words(row.seed, _DRAWN, number))
    while True:
        table = draw_table(chance)
        if row.where.fits(table.rules, table.players):
            return table.rules, table.players


class Block(NamedTuple):
    """A deck, played once from each seat: the bot's gain over the even share, and stalled games."""

    gain: float
    games: int
    stalled: int


def _play_block(row: Row, number: int) -> Block | None:
    """A block of a row; None where chance has drawn a printed edition."""
    rules, players = _table(row, number)
    if isinstance(row.where, Crowd) and is_printed(rules):
        return None  # rows of the seeds up to 2054 have these, too
    deck = deck_of(rules, deck_words(row.seed, [number]))
    score = 0.0
    stalled = 0
    for alone in range(players):
        seeds = words(row.seed, _BOTS, number, alone, np.arange(players)).tolist()
        bots = [_bot(row, seat == alone, seeds[seat]) for seat in range(players)]
        game = Game(rules, [bot.name for bot in bots], deck=deck)
        play(game, bots, LIMIT)
        loser = None if game.outcome is None else game.outcome.loser
        stalled += loser is None
        score += 1 - 1 / players if loser is None else loser != alone
    return Block(score / players - (1 - 1 / players), players, stalled)


def _bot(row: Row, candidate: bool, seed: int) -> Bot:
    if not candidate:
        return make_bot(row.baseline, seed=seed)
    if row.bot == NET:
        return NetBot(row.bot, seed=seed, network=row.network)
    options = dict(BOTS[MASTER].options)
    if row.bot in (MASTER, FAVOURITES):
        options |= {"trust": 100}
    favourites = row.bot == FAVOURITES
    if favourites:  # the way of version 5
        options |= {"presses": 0, "patience": 8}
    return MasterBot(row.bot, seed=seed, network=row.network, favourites=favourites, **options)


def _told(row: Row | Fact) -> tuple[Any, ...]:
    where = row.where if isinstance(row, Row) else row.place or row.crowd
    return row.bot, row.network, row.baseline, row.seed, str(where)


def _known() -> list[Fact]:
    return msgspec.json.decode(FILE.read_bytes(), type=list[Fact])


def main() -> None:
    """Plays what is missing; with words, only rows that have them all."""
    for row in plan():
        told = _told(row)
        if told in map(_told, _known()) or not all(word in str(told) for word in sys.argv[1:]):
            continue
        fact = measure(row)
        print(fact, flush=True)
        lines = [msgspec.json.encode(row).decode() for row in (*_known(), fact)]
        FILE.write_text("[\n" + ",\n".join(lines) + "\n]\n")


if __name__ == "__main__":
    main()
