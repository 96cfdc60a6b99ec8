"""Results: what happened in the games of a simulation, as rows and in sum."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import sqrt
from typing import TYPE_CHECKING, Any, NamedTuple, overload

import msgspec
import numpy as np

from karma.core.layout import NOBODY
from karma.simulation.loop import (
    COLUMNS,
    COMEBACKS,
    ENDED,
    GIVES,
    LOSER,
    PICK_UPS,
    PLIES,
    SETS,
    STALLED,
    UNFINISHED,
)

if TYPE_CHECKING:
    from karma.simulation.lineup import Lineup

Array = Any
ENDINGS = ("lost", "stalled", "unfinished")


class Failed(msgspec.Struct, frozen=True, order=True):
    """A decision that a bot left to greedy: in which game, at which seat and ply, and why."""

    game: int
    seat: int
    ply: int
    reason: str


class Failures(msgspec.Struct, frozen=True):
    """How often a bot did not decide, and where it first did not."""

    number: int = 0
    first: Failed | None = None

    @classmethod
    def of(cls, failures: Sequence[Failed]) -> Failures:
        """The failures of one bot."""
        return cls(len(failures), min(failures, default=None))

    def __add__(self, other: Failures) -> Failures:
        firsts = [each.first for each in (self, other) if each.first is not None]
        return Failures(self.number + other.number, min(firsts, default=None))


class GameResult(NamedTuple):
    """What happened in one game of a simulation: a row of a data frame."""

    game: int  # its number, from 0
    loser: int | None  # a seat; None if the game stalled or was not finished
    ended: str  # lost, stalled or unfinished
    moves: int
    sets: int
    pick_ups: int
    gives: int
    comebacks: int


def rows_of(numbers: Array, results: Array) -> list[GameResult]:
    """The results of games, with their numbers, as rows."""
    return [
        GameResult(game, None if loser == NOBODY else loser, ENDINGS[ended], *counts)
        for game, (loser, ended, *counts) in zip(numbers.tolist(), results.tolist(), strict=True)
    ]


def interval(hits: float, trials: int) -> tuple[float, float]:
    """A 95 % interval for a share (Wilson's), right for rare things and few trials too."""
    if trials == 0:
        return 0.0, 1.0
    z = 1.959964
    share = hits / trials
    middle = share + z * z / (2 * trials)
    half = z * sqrt(share * (1 - share) / trials + z * z / (4 * trials * trials))
    return max(0.0, (middle - half) / (1 + z * z / trials)), min(
        1.0, (middle + half) / (1 + z * z / trials)
    )


class Results(Sequence[GameResult]):
    """The games of a simulation, in order: a sequence of rows, and a summary of them.

    >>> import karma
    >>> results = karma.simulate("mini", ["greedy", "random"], games=100, seed=1)
    >>> len(results), results[0].ended
    (100, 'lost')
    >>> results.summary()["rows"][1]["losses"] > 80
    True
    """

    def __init__(
        self, lineup: Lineup, numbers: Array, array: Array, failures: Sequence[Failed] = ()
    ) -> None:
        self.lineup = lineup
        self.numbers = numbers
        self.array = array  # a row of numbers for each game
        self.failures = failures  # what bots did not decide

    def __len__(self) -> int:
        return len(self.array)

    def __iter__(self) -> Iterator[GameResult]:
        return iter(rows_of(self.numbers, self.array))

    @overload
    def __getitem__(self, place: int) -> GameResult: ...
    @overload
    def __getitem__(self, place: slice) -> list[GameResult]: ...
    def __getitem__(self, place: int | slice) -> GameResult | list[GameResult]:
        return rows_of(self.numbers, self.array)[place]

    def __repr__(self) -> str:
        return f"<Results of {len(self)} games of {self.lineup.rules}>"

    def summary(self) -> dict[str, Any]:
        """What happened in the games, as data: a row for each seat, and means over all games."""
        lineup, results = self.lineup, self.array
        games = len(results)
        rows = []
        for seat, bot in enumerate(lineup.bots):
            losses = int(np.sum(results[:, LOSER] == seat))
            low, high = interval(losses, games)
            share = losses / games if games else 0.0
            rows.append(
                {
                    "seat": seat,
                    "bot": bot,
                    "losses": losses,
                    "share": share,
                    "low": low,
                    "high": high,
                    "failures": msgspec.to_builtins(
                        Failures.of([each for each in self.failures if each.seat == seat])
                    ),
                }
            )
        means = results.mean(axis=0).tolist() if games else [0.0] * COLUMNS
        lengths = np.percentile(results[:, PLIES], (5, 50, 95)).tolist() if games else [0.0] * 3
        return {
            "edition": lineup.rules.edition,
            "rules": lineup.rules.overrides,
            "players": len(lineup.bots),
            "games": games,
            "seed": lineup.seed,
            "limit": lineup.limit,
            "moves": {
                "mean": means[PLIES],
                "5%": lengths[0],
                "median": lengths[1],
                "95%": lengths[2],
            },
            "sets": means[SETS],
            "pick_ups": means[PICK_UPS],
            "gives": means[GIVES],
            "comebacks": means[COMEBACKS],
            "stalled": float(np.mean(results[:, ENDED] == STALLED)) if games else 0.0,
            "unfinished": float(np.mean(results[:, ENDED] == UNFINISHED)) if games else 0.0,
            "rows": rows,
        }
