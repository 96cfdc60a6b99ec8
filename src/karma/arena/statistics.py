"""What blocks prove: a score with its interval, a sequential test, a scale of strength."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log, sqrt
from typing import Any

import msgspec
import numpy as np

from karma.arena.blocks import Block, Pairing
from karma.review.coefficient import learn
from karma.simulation.results import Failures, interval

Z = 1.959964  # of a 95 % interval
ELO = 400 / log(10)  # points of the usual scale for one natural unit of strength


def estimate(scores: Sequence[float], players: int) -> tuple[float, float, float]:
    """The mean score of blocks, and its 95 % interval by the blocks' standard error.

    Blocks that are all alike tell nothing of their spread; then the games count one by one.
    """
    if not scores:
        return 0.0, 0.0, 1.0
    mean = float(np.mean(scores))
    spread = float(np.std(scores, ddof=1)) if len(scores) > 1 else 0.0
    if spread == 0:
        games = len(scores) * players
        return (mean, *interval(mean * games, games))
    half = Z * spread / sqrt(len(scores))
    return mean, max(0.0, mean - half), min(1.0, mean + half)


FOLDS = 5


def adjust(blocks: Sequence[Block]) -> tuple[list[float], float]:
    """The blocks' scores less their luck, and the share of luck that was taken out, on the average.

    The share that leaves the least noise is learned from other blocks than the one it is used for.
    """
    scores = np.array([block.score for block in blocks])
    luck = np.array([block.luck or 0.0 for block in blocks])
    folds = np.array([block.number % FOLDS for block in blocks])
    shares = np.array([learn(scores[folds != f], luck[folds != f]) for f in range(FOLDS)])
    taken = shares[folds]
    return (scores - taken * luck).tolist(), float(taken.mean())


def scores_of(blocks: Sequence[Block]) -> list[float]:
    """The blocks' scores, without the luck where it was measured."""
    if len(blocks) > FOLDS and all(block.luck is not None for block in blocks):
        return adjust(blocks)[0]
    return [block.score for block in blocks]


def adjusted(pairing: Pairing, blocks: Sequence[Block]) -> dict[str, Any]:
    """The score without the luck, its interval, and how much of the variance is left."""
    scores, share = adjust(blocks)
    score, low, high = estimate(scores, pairing.players)
    raw = float(np.var([block.score for block in blocks]))
    left = float(np.var(scores)) / raw if raw else 1.0
    return {"score": score, "low": low, "high": high, "variance_left": left, "b": share}


def row(pairing: Pairing, blocks: Sequence[Block]) -> dict[str, Any]:
    """What an arena reports of a pairing, as the records page names it."""
    score, low, high = estimate([block.score for block in blocks], pairing.players)
    games = len(blocks) * pairing.players
    moves = sum(block.moves for block in blocks)
    return {
        "candidate": pairing.candidate,
        "baseline": pairing.baseline,
        "edition": pairing.rules.edition,
        "rules": pairing.rules.overrides,
        "players": pairing.players,
        "games": games,
        "score": score,
        "low": low,
        "high": high,
        "stalled": sum(block.stalled for block in blocks) / games if games else 0.0,
        "unfinished": sum(block.unfinished for block in blocks) / games if games else 0.0,
        "milliseconds": 1000 * sum(b.seconds for b in blocks) / moves if moves else 0.0,
        "seed": pairing.seed,
        "failures": {
            name: msgspec.to_builtins(sum((b.failures[i] for b in blocks), Failures()))
            for i, name in enumerate(("candidate", "baseline"))
        },
        **({"adjusted": adjusted(pairing, blocks)} if pairing.luck and len(blocks) > FOLDS else {}),
    }


# ---- the sequential test ------------------------------------------------------------------------


@dataclass(frozen=True)
class Sequential:
    """A test of two claims about a score that stops as soon as one is clear (GSPRT).

    The scores of blocks are taken as normal with the spread they show, so that blocks of any number
    of players will do. Either error has a chance of 5 %.
    """

    lower: float
    upper: float
    error: float = 0.05
    fewest: int = 8  # blocks before which nothing is decided

    def __post_init__(self) -> None:
        if not 0 <= self.lower < self.upper <= 1:
            raise ValueError(
                f"a sequential test is between two scores such as 0.50,0.52, the lower one first; "
                f"not {self.lower},{self.upper}"
            )

    @classmethod
    def parse(cls, text: str) -> Sequential:
        """A test from a text such as ``0.50,0.52``."""
        try:
            lower, upper = map(float, text.split(","))
        except ValueError:
            raise ValueError(f"{text!r} is not two scores such as 0.50,0.52") from None
        return cls(lower, upper)

    def ratio(self, scores: Sequence[float]) -> float:
        """The logarithm of how much likelier the scores are under the upper claim."""
        if len(scores) < 2:
            return 0.0
        # Half a block of either extreme keeps the spread above zero.
        spread = np.var([*scores, 0.0, 1.0], ddof=1)
        middle = (self.lower + self.upper) / 2
        gap = self.upper - self.lower
        return float(len(scores) * gap * (np.mean(scores) - middle) / spread)

    @property
    def bound(self) -> float:
        return log((1 - self.error) / self.error)

    def verdict(self, scores: Sequence[float]) -> str | None:
        """``upper`` or ``lower``, as soon as that claim is clear."""
        if len(scores) < self.fewest:
            return None
        ratio = self.ratio(scores)
        return "upper" if ratio >= self.bound else "lower" if ratio <= -self.bound else None


# ---- a scale of strength ------------------------------------------------------------------------


@dataclass(frozen=True)
class Fit:
    """Strengths that explain all scores as well as one number for each bot can."""

    bots: tuple[str, ...]
    strengths: tuple[float, ...]
    errors: tuple[float, ...]  # half of the 95 % interval, relative to the anchor
    residual: float  # of the scores: the root of the mean square of what the fit does not explain

    def data(self) -> dict[str, Any]:
        return {
            "bots": [
                {"bot": bot, "strength": strength, "low": strength - e, "high": strength + e}
                for bot, strength, e in zip(self.bots, self.strengths, self.errors, strict=True)
            ],
            "residual": self.residual,
        }


def fit(rows: Sequence[dict[str, Any]], anchor: str, at: float = 1000) -> Fit:
    """A Bradley–Terry fit; at larger tables, Plackett–Luce's of who comes last.

    A bot of strength s loses with a chance in proportion to exp(-s). The anchor's strength is
    given. Each row counts one more game shared evenly, so that a perfect score is not endless.
    """
    bots = tuple(dict.fromkeys(bot for r in rows for bot in (r["candidate"], r["baseline"])))
    free = [bot for bot in bots if bot != anchor]
    place = {bot: i for i, bot in enumerate(free)}
    x = np.zeros(len(free))

    def predicted(r: dict[str, Any], x: Any) -> float:
        gap = sum(
            sign * x[place[bot]]
            for bot, sign in ((r["candidate"], 1), (r["baseline"], -1))
            if bot in place
        )
        return float(1 - 1 / (1 + (r["players"] - 1) * np.exp(gap)))

    information = np.eye(len(free))
    for _ in range(100):
        slope = np.zeros(len(free))
        information = 1e-9 * np.eye(len(free))
        for r in rows:
            p = predicted(r, x)
            even = 1 - 1 / r["players"]
            missing = r["games"] * (r["score"] - p) + (even - p)
            signs = np.zeros(len(free))
            for bot, sign in ((r["candidate"], 1), (r["baseline"], -1)):
                if bot in place:
                    signs[place[bot]] += sign
            slope += missing * signs
            information += (r["games"] + 1) * p * (1 - p) * np.outer(signs, signs)
        step = np.linalg.solve(information, slope) if len(free) else slope
        x += np.clip(step, -1, 1)
        if len(free) == 0 or np.max(np.abs(step)) < 1e-9:
            break
    spread = Z * np.sqrt(np.diag(np.linalg.inv(information))) if len(free) else x
    residual = sqrt(float(np.mean([(r["score"] - predicted(r, x)) ** 2 for r in rows])))
    return Fit(
        bots=bots,
        strengths=tuple(at + (ELO * float(x[place[b]]) if b in place else 0.0) for b in bots),
        errors=tuple(ELO * float(spread[place[b]]) if b in place else 0.0 for b in bots),
        residual=residual,
    )
