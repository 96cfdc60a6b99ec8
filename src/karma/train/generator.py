"""Chunks of games for the learner: tables in turn, and the league's opponents by their shares."""

from __future__ import annotations

import time
from typing import Any, NamedTuple

import numpy as np

from karma.bots.chance import words as chance_words
from karma.bots.network import Weights, new_work, quantised
from karma.bots.policies import POLICIES
from karma.packing import new_states
from karma.train.config import Config, TrainingTable
from karma.train.house import draw_table
from karma.train.selfplay import LEARNER, MOST_MOVES, OLDER, OTHERS, SAMPLE, generate

TEACHER = POLICIES.index("greedy")
NO_TEACHER = -1
WARM_EXPLORE = 0.15
DRAWN = 2000  # seeds of tables, past those of games


class Chunk(NamedTuple):
    """Samples: what the network is shown, and what came of it."""

    words: Any
    samples: Any
    games: int
    stalled: int
    moves: int
    seconds: float  # that playing them took


def make_chunk(
    config: Config, number: int, weights: Weights, older: Weights, explore: float, warm: bool
) -> Chunk:
    """A chunk of samples. The same number and networks give the same games."""
    begun = time.monotonic()
    weights, older = quantised(weights), quantised(older)
    words = np.zeros((config.chunk + MOST_MOVES, config.words), np.int64)
    samples = np.zeros(len(words), SAMPLE)
    results = np.zeros(3, np.int64)
    lineups = _lineups(config, number, warm)
    start = 0
    for part, (table, lineup, share) in enumerate(lineups):
        # The last part takes what is left, so that a chunk is about full.
        room = len(words) - start
        if part < len(lineups) - 1:
            room = min(room, int(config.chunk * share) + MOST_MOVES)
        counted = np.zeros(3, np.int64)
        length = generate(
            table.rules.packed,
            new_states(table.rules, 2),
            lineup,
            weights,
            older,
            new_work(weights),
            TEACHER if warm else NO_TEACHER,
            WARM_EXPLORE if warm else explore,
            config.shrink,
            1.0 if warm else config.blend,
            config.stalled,
            chance_words(config.seed, number, part),
            words[start : start + room],
            samples[start : start + room],
            counted,
        )
        start += length
        results += counted
    games, stalled, moves = results.tolist()
    seconds = time.monotonic() - begun
    return Chunk(words[:start], samples[:start], games, stalled, moves, seconds)


def _tables(config: Config, number: int) -> list[TrainingTable]:
    """Who is at it in a chunk: the tables in turn, and some with rules that are drawn for it."""
    tables = config.tables
    if config.at_once:
        first = number * config.at_once
        tables = [tables[(first + i) % len(tables)] for i in range(config.at_once)]
    chance = np.random.default_rng(chance_words(config.seed, number, DRAWN))
    drawn = (
        draw_table(chance, config.drawn_players, config.drawn_fewest) for _ in range(config.drawn)
    )
    return [*tables, *drawn]


def _lineups(config: Config, number: int, warm: bool) -> list[tuple[Any, Any, float]]:
    """Tables, who sits there, and their share of the samples."""
    opponents = {LEARNER: 1.0}
    if config.response_to:
        opponents = {OLDER: 1.0}
    elif not warm:
        for name, share in config.league.policies.items():
            opponents[OTHERS + POLICIES.index(name)] = share
        opponents[OLDER] = config.league.older
        opponents[LEARNER] = 2.0 - sum(opponents.values())
    rows = []
    tables = _tables(config, number)
    for table in tables:
        for opponent, share in opponents.items():
            lineup = np.full((table.players, table.players), opponent)
            np.fill_diagonal(lineup, LEARNER)
            rows.append((table, lineup, share / len(tables)))
    return rows
