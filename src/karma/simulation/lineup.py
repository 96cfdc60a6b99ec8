"""Lineup: who plays, by which rules, from which seed; and its games, by their numbers.

Each game has chance of its own, made from the seed and its number, so that the result is the same
however many threads play.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from karma.bots.chance import words
from karma.bots.play import play
from karma.bots.policies import POLICIES
from karma.bots.registry import read
from karma.cards import KINDS
from karma.core import new_log
from karma.editions import Rules
from karma.game import Game, rules_of
from karma.moves import ALL
from karma.packing import new_states
from karma.record import Record as GameRecord
from karma.simulation.loop import COLUMNS, PLIES, count_game, play_games, shuffled_deck
from karma.simulation.results import Failed

Array = Any
LIMIT = 3000  # moves after which a game counts as unfinished
_DECK, _PLAY, _BLOCK = range(3)  # what chance is for


def deck_words(seed: int, numbers: Array) -> Array:
    """The words that shuffle the decks with these numbers."""
    return words(seed, _DECK, numbers)


def deck_of(rules: Rules, word: Array) -> tuple[str, ...]:
    """The deck that a word shuffles, as the compiled loop does."""
    kinds = np.zeros(200, np.int64)
    number = shuffled_deck(rules.packed, new_states(rules), word.copy(), kinds)
    return tuple(KINDS[kind] for kind in kinds[:number].tolist())


def policies_of(bots: Sequence[str]) -> list[int] | None:
    """The numbers of the policies that bots follow, if all of them are policies."""
    if all(bot in POLICIES for bot in bots):
        return [POLICIES.index(bot) for bot in bots]
    return None


class PlayedGames(NamedTuple):
    """Games by their numbers: for each a row of results, and by seat the moves and the seconds."""

    results: Array
    moves: Array
    seconds: Array
    failures: list[Failed]
    records: list[GameRecord]


@dataclass(frozen=True)
class Lineup:
    """Who plays, by which rules, and from which seed.

    In a mirrored block several line-ups play one deck; each says which of the games it plays.
    """

    rules: Rules
    bots: tuple[str, ...]
    seed: int
    limit: int = LIMIT
    milliseconds: int | None = None  # a time limit for each move
    of_block: int | None = None

    @property
    def compiled(self) -> bool:
        """Can its games be played in the compiled loop?"""
        return policies_of(self.bots) is not None

    def play(self, numbers: Array, record: bool = False) -> PlayedGames:
        """The games with these numbers, with their records if they are wanted."""
        policies = policies_of(self.bots)
        if policies is None:
            return self._play_by_moves(numbers, record)
        return self._play_compiled(policies, numbers, record)

    def _chance(self, numbers: Array, *more: Array) -> Array:
        """The words for what is left to chance beside the decks."""
        if self.of_block is None:
            return words(self.seed, _PLAY, numbers, *more)
        return words(self.seed, _BLOCK, numbers, self.of_block, *more)

    def _play_compiled(self, policies: list[int], numbers: Array, record: bool) -> PlayedGames:
        results = np.zeros((len(numbers), COLUMNS), np.int64)
        moves = np.zeros((len(numbers) if record else 0, self.limit), np.int8)
        decks = deck_words(self.seed, numbers)
        began = time.thread_time()
        play_games(
            self.rules.packed,
            new_states(self.rules),
            np.tile(np.array(policies, np.int64), (len(numbers), 1)),
            decks.copy(),
            self._chance(numbers),
            self.limit,
            new_log(),
            results,
            moves,
        )
        seconds = (time.thread_time() - began) / max(1, len(numbers))
        shape = len(numbers), len(self.bots)
        # Nobody is timed alone: each seat stands for all moves, and all of the time.
        plies = np.broadcast_to(results[:, PLIES : PLIES + 1], shape)
        records = [
            self._record(decks[i : i + 1], moves[i, : results[i, PLIES]]) for i in range(len(moves))
        ]
        return PlayedGames(results, plies, np.full(shape, seconds), [], records)

    def _play_by_moves(self, numbers: Array, record: bool) -> PlayedGames:
        seats = len(self.bots)
        shape = len(numbers), seats
        results = np.zeros((len(numbers), COLUMNS), np.int64)
        played = PlayedGames(results, np.zeros(shape, np.int64), np.zeros(shape), [], [])
        for i, number in enumerate(numbers):
            word = deck_words(self.seed, [number])
            game = Game(self.rules, self.bots, deck=deck_of(self.rules, word))
            seeds = self._chance(number, np.arange(seats)).tolist()
            with ExitStack() as stack:
                bots = [
                    entry.make(seed, options, self.milliseconds)
                    for (entry, options), seed in zip(map(read, self.bots), seeds, strict=True)
                ]
                for bot in bots:
                    stack.callback(getattr(bot, "close", _nothing))
                effort = play(game, bots, self.limit)
            played.moves[i], played.seconds[i] = effort.moves, effort.seconds
            for seat, bot in enumerate(bots):
                played.failures.extend(
                    Failed(int(number), seat, *failure) for failure in getattr(bot, "failures", ())
                )
            moves = np.array([move.number for move in game.moves], np.int64)
            states, log = new_states(self.rules), new_log()
            count_game(self.rules.packed, states, seats, word, moves, log, results[i])
            if record:
                played.records.append(GameRecord.of(game))
        return played

    def _record(self, word: Array, moves: Array) -> GameRecord:
        game = Game(self.rules, self.bots, deck=deck_of(self.rules, word))
        game.push_all(ALL[move] for move in moves.tolist())
        return GameRecord.of(game)


def _nothing() -> None:
    """What is to be done at the end of a bot that needs no end."""


def lineup_of(rules: Rules | str, bots: Sequence[str], seed: int, limit: int = LIMIT) -> Lineup:
    """A line-up; one that cannot play is refused before the first game."""
    rules = rules_of(rules)
    if isinstance(bots, str):
        raise TypeError(f"bots cannot be {bots!r}; they can be [{bots!r}, 'greedy'], a bot by seat")
    rules.check_players(len(bots))
    for bot in bots:
        read(bot)
    return Lineup(rules, tuple(bots), seed, limit)
