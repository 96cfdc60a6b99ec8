"""Many games of one line-up, and what happened in them.

Games between the quick policies are played in one compiled loop, on all cores at once; other bots
play move by move. Each game has chance of its own, made from the seed and its number, so that the
result is the same however many threads play.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from contextlib import nullcontext
from dataclasses import dataclass
from itertools import count as count_up
from math import sqrt
from typing import Any

import numpy as np

from karma.bots import make_bot
from karma.bots.chance import words
from karma.bots.playing import play
from karma.bots.policies import POLICIES, policy
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
from karma.events import CameBack, CompletedSet, Event, Gave, PickedUp
from karma.game import Game
from karma.moves import TEXTS
from karma.packing import new_states
from karma.record import Record as GameRecord

Array = Any
LIMIT = 3000  # moves after which a game counts as unfinished
LOSER, ENDED, PLIES, SETS, PICK_UPS, GIVES, COMEBACKS, COLUMNS = range(8)  # of a game's result
LOST, STALLED, UNFINISHED = range(3)  # how a game ended
_DECK, _PLAY = range(2)  # what chance is for


# ---- the compiled loop --------------------------------------------------------------------------


@kernel
def shuffle(state: Record, rng: Array) -> None:
    """Puts the deck into a random order."""
    for i in range(state.deck_size - 1, 0, -1):
        j = below(rng, i + 1)
        state.deck[i], state.deck[j] = state.deck[j], state.deck[i]


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
        result = results[game]
        while state.phase != OVER and state.ply < limit:
            plays, others = legal(rules[0], state)
            move = policy(lineups[game, state.actor], rules[0], state, plays, others, rng)
            if game < len(moves):
                moves[game, state.ply] = move
            log[0, 0] = 0
            apply(rules[0], state, move, log)
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
        result[LOSER] = state.loser
        result[PLIES] = state.ply
        if state.phase != OVER:
            result[ENDED] = UNFINISHED
        elif state.loser == NOBODY:
            result[ENDED] = STALLED


# ---- games by their numbers ---------------------------------------------------------------------


def deck_words(seed: int, numbers: Array) -> Array:
    """The words that shuffle the decks with these numbers."""
    return words(seed, _DECK, numbers)


def play_words(seed: int, numbers: Array) -> Array:
    """The words for what else is left to chance in the games with these numbers."""
    return words(seed, _PLAY, numbers)


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


class _Tally:
    """Counts what happens in one game."""

    _COLUMNS: tuple[tuple[type[Event], int], ...] = (
        (CompletedSet, SETS),
        (PickedUp, PICK_UPS),
        (Gave, GIVES),
        (CameBack, COMEBACKS),
    )

    def __init__(self, result: Array) -> None:
        self.result = result

    def __call__(self, events: list[Event]) -> None:
        for event in events:
            for kind, column in self._COLUMNS:
                self.result[column] += isinstance(event, kind)

    def finish(self, game: Game) -> None:
        outcome = game.outcome
        loser = None if outcome is None else outcome.loser
        self.result[LOSER] = NOBODY if loser is None else loser
        self.result[PLIES] = game.ply
        self.result[ENDED] = UNFINISHED if outcome is None else STALLED if loser is None else LOST


@dataclass(frozen=True)
class Lineup:
    """Who plays, by which rules, and from which seed."""

    rules: Rules
    bots: tuple[str, ...]
    seed: int
    limit: int = LIMIT

    def play(self, numbers: Array, record: bool = False) -> tuple[Array, list[GameRecord]]:
        """The results of the games with these numbers, and their records if they are wanted."""
        policies = policies_of(self.bots)
        if policies is None:
            return self._play_by_moves(numbers, record)
        results = np.zeros((len(numbers), COLUMNS), np.int64)
        moves = np.zeros((len(numbers) if record else 0, self.limit), np.int8)
        decks = deck_words(self.seed, numbers)
        play_games(
            self.rules.packed,
            new_states(self.rules),
            np.tile(np.array(policies, np.int64), (len(numbers), 1)),
            decks.copy(),
            play_words(self.seed, numbers),
            self.limit,
            new_log(),
            results,
            moves,
        )
        records = [
            self._record(decks[i : i + 1], moves[i, : results[i, PLIES]]) for i in range(len(moves))
        ]
        return results, records

    def _play_by_moves(self, numbers: Array, record: bool) -> tuple[Array, list[GameRecord]]:
        results = np.zeros((len(numbers), COLUMNS), np.int64)
        records = []
        for result, number in zip(results, numbers, strict=True):
            word = deck_words(self.seed, [number])
            game = Game(self.rules, self.bots, deck=deck_of(self.rules, word))
            seeds = words(self.seed, _PLAY, number, np.arange(len(self.bots)))
            bots = [make_bot(bot, seed=int(s)) for bot, s in zip(self.bots, seeds, strict=True)]
            tally = _Tally(result)
            play(game, bots, self.limit, tally)
            tally.finish(game)
            if record:
                records.append(GameRecord.of(game))
        return results, records

    def _record(self, word: Array, moves: Array) -> GameRecord:
        game = Game(self.rules, self.bots, deck=deck_of(self.rules, word))
        for move in moves.tolist():
            game.push(TEXTS[move])
        return GameRecord.of(game)


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
    progress: Callable[[int], None] | None = None,
    executor: Executor | None = None,
) -> Array:
    """Plays games and returns their results in order; Ctrl-C ends it with those played so far.

    `records` is given the records in the order of the games; `progress`, the number played. Another
    executor than this machine's threads gets larger batches, of about a second.
    """
    threads = threads or cores()
    size = 1 if policies_of(lineup.bots) is None else 200 if records else 2000
    if executor is not None:
        size *= 20
    done: dict[int, tuple[Array, list[GameRecord]]] = {}
    written = played = 0
    waiting: dict[Future[tuple[Array, list[GameRecord]]], int] = {}
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
                    played += len(done[number][0])
                while records is not None and written in done:
                    records(done[written][1])
                    written += 1
                if progress is not None:
                    progress(played)
        except KeyboardInterrupt:
            for future in waiting:
                future.cancel()
    ordered = [done[number][0] for number in sorted(done)]
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


def summary(lineup: Lineup, results: Array) -> dict[str, Any]:
    """What happened in the games, as data: a row for each seat, and means over all games."""
    games = len(results)
    rows = []
    for seat, bot in enumerate(lineup.bots):
        losses = int(np.sum(results[:, LOSER] == seat))
        low, high = interval(losses, games)
        share = losses / games if games else 0.0
        rows.append(
            {"seat": seat, "bot": bot, "losses": losses, "share": share, "low": low, "high": high}
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
