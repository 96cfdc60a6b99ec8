"""Mirrored blocks: one deck, played once from each seat by the candidate."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
import numpy as np

from karma.bots import make_bot
from karma.bots.chance import words
from karma.bots.playing import play
from karma.core import new_log
from karma.editions import Rules, edition
from karma.game import Game
from karma.packing import new_states
from karma.simulate import (
    COLUMNS,
    ENDED,
    LIMIT,
    LOSER,
    PLIES,
    STALLED,
    UNFINISHED,
    deck_of,
    deck_words,
    play_games,
    policies_of,
)

QUIET_TURNS = 40  # for each player: the stall limit of an arena's games, unless told otherwise
_BOTS = 2  # what chance is for; simulations use 0 and 1


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
        )

    @property
    def compiled(self) -> bool:
        """Can its games be played in the compiled loop?"""
        return policies_of((self.candidate, self.baseline)) is not None

    def lineup(self, seat: int) -> list[str]:
        """The bots by seat when the candidate has this seat."""
        return [self.candidate if s == seat else self.baseline for s in range(self.players)]


class Block(msgspec.Struct, frozen=True):
    """What came of a block: the candidate's score, and what the games were like."""

    number: int
    score: float  # share of the block's games not lost; a game without a loser counts 1 - 1/n
    stalled: int
    unfinished: int
    moves: int  # the candidate's decisions, and the seconds they took
    seconds: float


def play_blocks(pairing: Pairing, numbers: Sequence[int]) -> list[Block]:
    """Plays the blocks with these numbers; a number and a seed always give the same block."""
    if pairing.compiled:
        return _play_compiled(pairing, numbers)
    return [_play_by_moves(pairing, number) for number in numbers]


def _score(loser: int | None, seat: int, players: int) -> float:
    return 1 - 1 / players if loser is None else float(loser != seat)


def _play_compiled(pairing: Pairing, numbers: Sequence[int]) -> list[Block]:
    seats = pairing.players
    lineups = np.array(
        [policies_of(pairing.lineup(seat)) for _ in numbers for seat in range(seats)], np.int64
    )
    blocks = np.repeat(np.asarray(numbers, np.int64), seats)
    turns = np.tile(np.arange(seats), len(numbers))
    results = np.zeros((len(lineups), COLUMNS), np.int64)
    began = time.thread_time()
    play_games(
        pairing.rules.packed,
        new_states(pairing.rules),
        lineups,
        deck_words(pairing.seed, blocks),
        words(pairing.seed, _BOTS, blocks, turns),
        pairing.limit,
        new_log(),
        results,
        np.zeros((0, 0), np.int8),
    )
    seconds = (time.thread_time() - began) / len(numbers)
    out = []
    for i, number in enumerate(numbers):
        rows = results[i * seats : (i + 1) * seats]
        losers = [None if row[LOSER] < 0 else int(row[LOSER]) for row in rows]
        scores = [_score(loser, seat, seats) for seat, loser in enumerate(losers)]
        plies = int(rows[:, PLIES].sum())
        out.append(
            Block(
                number=int(number),
                score=sum(scores) / seats,
                stalled=int(np.sum(rows[:, ENDED] == STALLED)),
                unfinished=int(np.sum(rows[:, ENDED] == UNFINISHED)),
                moves=plies,
                seconds=seconds,
            )
        )
    return out


def _play_by_moves(pairing: Pairing, number: int) -> Block:
    seats = pairing.players
    deck = deck_of(pairing.rules, deck_words(pairing.seed, [number]))
    score = seconds = 0.0
    stalled = unfinished = moves = 0
    for seat in range(seats):
        lineup = pairing.lineup(seat)
        seeds = words(pairing.seed, _BOTS, number, seat, np.arange(seats)).tolist()
        game = Game(pairing.rules, lineup, deck=deck)
        bots = [
            make_bot(bot, seed=s, milliseconds=pairing.milliseconds)
            for bot, s in zip(lineup, seeds, strict=True)
        ]
        effort = play(game, bots, pairing.limit)
        outcome = game.outcome
        loser = None if outcome is None else outcome.loser
        score += _score(loser, seat, seats) / seats
        stalled += outcome is not None and loser is None
        unfinished += outcome is None
        moves += effort.moves[seat]
        seconds += effort.seconds[seat]
    return Block(number, score, stalled, unfinished, moves, seconds)
