"""Many games of one line-up, and what happened in them.

Games between the quick policies are played in one compiled loop, on all cores at once; other bots
play move by move.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from contextlib import nullcontext
from itertools import count as count_up
from typing import Any

import numpy as np

from karma.editions import Rules
from karma.record import Record as GameRecord
from karma.simulation.lineup import LIMIT, PlayedGames, lineup_of
from karma.simulation.loop import COLUMNS
from karma.simulation.results import GameResult, Results, rows_of

Array = Any


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
    rules: Rules | str,
    bots: Sequence[str],
    games: int = 1000,
    *,
    seed: int = 0,
    limit: int = LIMIT,
    threads: int | None = None,
    each: Callable[[list[GameResult]], None] | None = None,
    records: Callable[[list[GameRecord]], None] | None = None,
    progress: Callable[[int], None] | None = None,
    executor: Executor | None = None,
) -> Results:
    """Plays many games between bots; Ctrl-C ends it with those played so far.

    `each` and `records` are given the results and the records as games are done, in their order;
    `progress`, the number played. Another executor than this machine's threads gets larger batches,
    of about a second.
    """
    lineup = lineup_of(rules, bots, seed, limit)
    threads = threads or cores()
    size = 1 if not lineup.compiled else 200 if records else 2000
    if executor is not None:
        size *= 20
    done: dict[int, tuple[Array, PlayedGames]] = {}
    written = played = 0
    waiting: dict[Future[PlayedGames], tuple[int, Array]] = {}
    todo = zip(count_up(), batches(games, size), strict=False)
    with nullcontext(executor) if executor else ThreadPoolExecutor(threads) as pool:
        try:
            while True:
                for number, numbers in todo:
                    future = pool.submit(lineup.play, numbers, records is not None)
                    waiting[future] = number, numbers
                    if len(waiting) >= 2 * threads:
                        break
                if not waiting:
                    break
                finished, _ = wait(waiting, return_when=FIRST_COMPLETED)
                for future in finished:
                    number, numbers = waiting.pop(future)
                    done[number] = numbers, future.result()
                    played += len(numbers)
                while written in done:
                    numbers, batch = done[written]
                    if each is not None:
                        each(rows_of(numbers, batch.results))
                    if records is not None:
                        records(batch.records)
                    written += 1
                if progress is not None:
                    progress(played)
        except KeyboardInterrupt:
            for future in waiting:
                future.cancel()
    in_order = [done[number] for number in sorted(done)]
    return Results(
        lineup,
        np.concatenate([np.zeros(0, np.int64), *(numbers for numbers, _ in in_order)]),
        np.concatenate([np.zeros((0, COLUMNS), np.int64), *(b.results for _, b in in_order)]),
        [failure for _, batch in in_order for failure in batch.failures],
    )
