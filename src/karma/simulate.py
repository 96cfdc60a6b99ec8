"""Many games of one line-up, and what happened in them.

Games between the quick policies are played in one compiled loop, on all cores at once; other bots
play move by move. Each game has chance of its own, made from the seed and its number, so that the
result is the same however many threads play.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from contextlib import ExitStack, nullcontext
from dataclasses import dataclass
from itertools import count as count_up
from math import sqrt
from typing import Any, NamedTuple

import msgspec
import numpy as np

from karma.bots.chance import words
from karma.bots.play import play
from karma.bots.policies import POLICIES, policy
from karma.bots.registry import read
from karma.cards import KINDS
from karma.core import apply, deal, fill_deck, legal, new_log
from karma.core.kernel import below, entry, kernel
from karma.core.layout import (
    CAME_BACK,
    COMPLETED_SET,
    GAVE,
    NOBODY,
    OVER,
    PICKED_UP,
    Record,
)
from karma.core.rules import kind_of
from karma.editions import Rules
from karma.game import Game
from karma.moves import TEXTS
from karma.packing import new_states
from karma.record import Record as GameRecord

Array = Any
LIMIT = 3000  # moves after which a game counts as unfinished
LOSER, ENDED, PLIES, SETS, PICK_UPS, GIVES, COMEBACKS, COLUMNS = range(8)  # of a game's result
LOST, STALLED, UNFINISHED = range(3)  # how a game ended
_DECK, _PLAY, _BLOCK = range(3)  # what chance is for


# ---- the compiled loop --------------------------------------------------------------------------


@kernel
def shuffle(state: Record, rng: Array) -> None:
    """Puts the deck into a random order."""
    for i in range(state.deck_size - 1, 0, -1):
        j = below(rng, i + 1)
        state.deck[i], state.deck[j] = state.deck[j], state.deck[i]


@kernel
def make(rules: Record, state: Record, move: int, log: Array, result: Array) -> None:
    """Makes a move, and counts what it did."""
    log[0, 0] = 0
    apply(rules, state, move, log)
    for i in range(1, 1 + log[0, 0]):
        what = log[i, 0]
        if what == COMPLETED_SET:
            result[SETS] += 1
        elif what == PICKED_UP:
            result[PICK_UPS] += 1
        elif what == GAVE:
            result[GIVES] += 1
        elif what == CAME_BACK:
            result[COMEBACKS] += 1


@kernel
def finish(state: Record, result: Array) -> None:
    """Writes down how a game ended."""
    result[LOSER] = state.loser
    result[PLIES] = state.ply
    if state.phase != OVER:
        result[ENDED] = UNFINISHED
    elif state.loser == NOBODY:
        result[ENDED] = STALLED


@entry
def shuffled_deck(rules: Array, states: Array, rng: Array, kinds: Array) -> int:
    """Writes the kinds of a shuffled deck down; returns how many cards it has."""
    state = states[0]
    fill_deck(rules[0], state)
    shuffle(state, rng)
    for place in range(state.deck_size):
        kinds[place] = kind_of(state.deck[place])
    return state.deck_size  # type: ignore[no-any-return]


@entry
def play_games(
    rules: Array,
    states: Array,
    lineups: Array,
    decks: Array,
    chances: Array,
    limit: int,
    log: Array,
    results: Array,
    moves: Array,
) -> None:
    """Plays one game for each line-up of policies, from a word for the deck and one for chance.

    Moves are written down as far as there are rows for them.
    """
    state = states[0]
    for game in range(len(lineups)):
        fill_deck(rules[0], state)
        shuffle(state, decks[game : game + 1])
        deal(rules[0], state, lineups.shape[1], lineups.shape[1] - 1)
        rng = chances[game : game + 1]
        while state.phase != OVER and state.ply < limit:
            plays, others = legal(rules[0], state)
            move = policy(lineups[game, state.actor], rules[0], state, plays, others, rng)
            if game < len(moves):
                moves[game, state.ply] = move
            make(rules[0], state, move, log, results[game])
        finish(state, results[game])


@entry
def count_game(
    rules: Array, states: Array, seats: int, deck: Array, moves: Array, log: Array, result: Array
) -> None:
    """Counts what happened in a game that was played move by move, from the word of its deck."""
    state = states[0]
    fill_deck(rules[0], state)
    shuffle(state, deck)
    deal(rules[0], state, seats, seats - 1)
    for move in moves:
        make(rules[0], state, move, log, result)
    finish(state, result)


# ---- games by their numbers ---------------------------------------------------------------------


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
        for move in moves.tolist():
            game.push(TEXTS[move])
        return GameRecord.of(game)


def _nothing() -> None:
    """What is to be done at the end of a bot that needs no end."""


# ---- many games, on all cores -------------------------------------------------------------------


def cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def batches(games: int, size: int) -> Iterator[Array]:
    """The numbers of the games, in batches."""
    for start in range(0, games, size):
        yield np.arange(start, min(start + size, games))


def simulate(
    lineup: Lineup,
    games: int,
    *,
    threads: int | None = None,
    records: Callable[[list[GameRecord]], None] | None = None,
    failures: Callable[[list[Failed]], None] | None = None,
    progress: Callable[[int], None] | None = None,
    executor: Executor | None = None,
) -> Array:
    """Plays games and returns their results in order; Ctrl-C ends it with those played so far.

    `records` is given the records in the order of the games; `failures`, what bots did not decide;
    `progress`, the number played. Another executor than this machine's threads gets larger batches,
    of about a second.
    """
    threads = threads or cores()
    size = 1 if not lineup.compiled else 200 if records else 2000
    if executor is not None:
        size *= 20
    done: dict[int, PlayedGames] = {}
    written = played = 0
    waiting: dict[Future[PlayedGames], int] = {}
    todo = zip(count_up(), batches(games, size), strict=False)
    with nullcontext(executor) if executor else ThreadPoolExecutor(threads) as pool:
        try:
            while True:
                for number, numbers in todo:
                    waiting[pool.submit(lineup.play, numbers, records is not None)] = number
                    if len(waiting) >= 2 * threads:
                        break
                if not waiting:
                    break
                finished, _ = wait(waiting, return_when=FIRST_COMPLETED)
                for future in finished:
                    number = waiting.pop(future)
                    done[number] = future.result()
                    played += len(done[number].results)
                    if failures is not None and done[number].failures:
                        failures(done[number].failures)
                while records is not None and written in done:
                    records(done[written].records)
                    written += 1
                if progress is not None:
                    progress(played)
        except KeyboardInterrupt:
            for future in waiting:
                future.cancel()
    ordered = [done[number].results for number in sorted(done)]
    return np.concatenate(ordered) if ordered else np.zeros((0, COLUMNS), np.int64)


# ---- what happened ------------------------------------------------------------------------------


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


def summary(lineup: Lineup, results: Array, failures: Sequence[Failed] = ()) -> dict[str, Any]:
    """What happened in the games, as data: a row for each seat, and means over all games."""
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
                    Failures.of([each for each in failures if each.seat == seat])
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
