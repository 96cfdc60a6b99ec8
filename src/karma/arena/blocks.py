"""Mirrored blocks: one deck, played once from each seat by the candidate."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from karma.editions import Rules, edition
from karma.record import Record
from karma.simulation.lineup import LIMIT, Lineup
from karma.simulation.loop import ENDED, LOSER, STALLED, UNFINISHED
from karma.simulation.results import Failures


@dataclass(frozen=True)
class Pairing:
    """A candidate, the baseline that fills the other seats, and the game they play."""

    candidate: str
    baseline: str
    rules: Rules
    players: int
    seed: int
    limit: int = LIMIT
    milliseconds: int | None = None  # a time limit for each move
    luck: bool = False  # is the candidate's luck measured too?

    @property
    def key(self) -> str:
        """What makes its blocks comparable, as a text."""
        return msgspec.json.encode(self.data()).decode()

    def data(self) -> dict[str, Any]:
        return {
            "candidate": self.candidate,
            "baseline": self.baseline,
            "edition": self.rules.edition,
            "rules": self.rules.overrides,
            "players": self.players,
            "seed": self.seed,
            "limit": self.limit,
            "time_limit": self.milliseconds,
            **({"luck": True} if self.luck else {}),
        }

    @classmethod
    def of(cls, data: dict[str, Any]) -> Pairing:
        """A pairing from its data."""
        return cls(
            candidate=data["candidate"],
            baseline=data["baseline"],
            rules=edition(data["edition"], **data["rules"]),
            players=data["players"],
            seed=data["seed"],
            limit=data["limit"],
            milliseconds=data["time_limit"],
            luck=data.get("luck", False),
        )

    @property
    def compiled(self) -> bool:
        """Can its games be played in the compiled loop, and nothing else is asked?"""
        return self.lineup(0).compiled and not self.luck

    def lineup(self, seat: int) -> Lineup:
        """Who plays when the candidate has this seat."""
        bots = [self.candidate if s == seat else self.baseline for s in range(self.players)]
        return Lineup(self.rules, tuple(bots), self.seed, self.limit, self.milliseconds, seat)


class Block(msgspec.Struct, frozen=True):
    """What came of a block: the candidate's score, and what the games were like."""

    number: int
    score: float  # share of the block's games not lost; a game without a loser counts 1 - 1/n
    stalled: int
    unfinished: int
    moves: int  # the candidate's decisions, and the seconds they took
    seconds: float
    failures: tuple[Failures, Failures] = (
        Failures(),
        Failures(),
    )  # the candidate's, the baseline's
    luck: float | None = None  # what chance gave the candidate, the mean of the block's games


def play_blocks(pairing: Pairing, numbers: Sequence[int]) -> list[Block]:
    """Plays the blocks with these numbers; a number and a seed always give the same block."""
    seats = range(pairing.players)
    games = [pairing.lineup(seat).play(numbers, record=pairing.luck) for seat in seats]
    blocks = []
    for i, number in enumerate(numbers):
        scores = [_score(int(games[s].results[i, LOSER]), s, len(seats)) for s in seats]
        ends = [int(games[s].results[i, ENDED]) for s in seats]
        failed = [
            (seat == each.seat, msgspec.structs.replace(each, game=int(number) * len(seats) + seat))
            for seat in seats
            for each in games[seat].failures
            if each.game == number
        ]
        blocks.append(
            Block(
                number=int(number),
                score=sum(scores) / len(seats),
                stalled=ends.count(STALLED),
                unfinished=ends.count(UNFINISHED),
                moves=sum(int(games[s].moves[i, s]) for s in seats),
                seconds=sum(float(games[s].seconds[i, s]) for s in seats),
                failures=(
                    Failures.of([each for own, each in failed if own]),
                    Failures.of([each for own, each in failed if not own]),
                ),
                luck=mean_luck([games[s].records[i] for s in seats]) if pairing.luck else None,
            )
        )
    return blocks


def mean_luck(records: Sequence[Record]) -> float:
    """What chance gave the candidate, who has the first seat in the first game, and so on."""
    from karma.review.reviewer import account

    given = [sum(account(record).luck(seat).values()) for seat, record in enumerate(records)]
    return sum(given) / len(given)


def _score(loser: int, seat: int, players: int) -> float:
    return 1 - 1 / players if loser < 0 else float(loser != seat)
