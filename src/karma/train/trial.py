"""How strong is a network: mirrored blocks against policies and older networks, and a test."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from karma.bots.chance import words as chance_words
from karma.bots.network import Weights, new_work
from karma.bots.policies import POLICIES
from karma.packing import new_states
from karma.train.config import TrainingTable
from karma.train.selfplay import OLDER, OTHERS, play_blocks

BOUND = np.log(19)  # both errors at most 5 %
STEP = 250  # blocks between two looks at a test


class TrialScore(NamedTuple):
    """The share of games not lost, over mirrored blocks."""

    share: float
    error: float  # its standard error
    blocks: int
    stalled: float  # share of games


def trial(
    table: TrainingTable, weights: Weights, opponent: str | Weights, blocks: int, seed: int
) -> tuple[Any, int]:
    """Plays mirrored blocks; returns their scores and how many games stalled."""
    rules = table.rules
    scores = np.zeros(blocks)
    older = weights if isinstance(opponent, str) else opponent
    against = OTHERS + POLICIES.index(opponent) if isinstance(opponent, str) else OLDER
    stalled = play_blocks(
        rules.packed,
        new_states(rules, 2),
        table.players,
        against,
        weights,
        older,
        new_work(weights),
        new_work(older),
        chance_words(seed, np.arange(blocks)),
        scores,
    )
    return scores, stalled


def measure(
    table: TrainingTable, weights: Weights, opponent: str | Weights, blocks: int, seed: int
) -> TrialScore:
    """The score of a network against one opponent in all other seats."""
    scores, stalled = trial(table, weights, opponent, blocks, seed)
    error = scores.std(ddof=1) / np.sqrt(blocks)
    return TrialScore(float(scores.mean()), float(error), blocks, stalled / blocks / table.players)


def log_likelihood_ratio(scores: Any, low: float, high: float) -> float:
    """How much likelier the scores are if the mean is `high` than if it is `low` (GSPRT)."""
    variance = max(scores.var(), 1e-6)
    return float(len(scores) * (high - low) * (scores.mean() - (low + high) / 2) / variance)


class Verdict(NamedTuple):
    """What a sequential test said: better, or not shown to be within its games."""

    better: bool
    score: TrialScore


def challenge(
    tables: list[TrainingTable],
    weights: Weights,
    champion: Weights,
    blocks: int,
    gain: float,
    seed: int,
) -> Verdict:
    """Tests whether a network beats the champion, by at least `gain`, over all tables.

    The gain is meant for two players; where more play, less is to be had, and less is asked for.
    """
    parts: list[Any] = []
    gain *= float(np.mean([2 / table.players for table in tables]))
    stalled = games = 0
    ratio = 0.0
    while len(parts) * STEP < blocks and abs(ratio) < BOUND:
        rows = []
        for i, table in enumerate(tables):
            scores, unfinished = trial(table, weights, champion, STEP, seed + 97 * len(parts) + i)
            rows.append(scores - (1 - 1 / table.players) + 0.5)
            stalled += unfinished
            games += STEP * table.players
        parts.append(np.mean(rows, axis=0))
        ratio = log_likelihood_ratio(np.concatenate(parts), 0.5, 0.5 + gain)
    scores = np.concatenate(parts)
    error = float(scores.std(ddof=1) / np.sqrt(len(scores)))
    score = TrialScore(float(scores.mean()), error, len(scores), stalled / games)
    return Verdict(bool(ratio >= BOUND), score)
