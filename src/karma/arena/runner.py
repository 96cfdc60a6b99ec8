"""Runs pairings on all cores, and stops when told to: by Ctrl-C, or by a sequential test."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import (
    FIRST_COMPLETED,
    Executor,
    Future,
    ProcessPoolExecutor,
    ThreadPoolExecutor,
    wait,
)

from karma.arena.blocks import Block, Pairing, play_blocks
from karma.arena.results import ArenaResults
from karma.arena.statistics import Sequential, scores_of
from karma.simulation import cores

Progress = Callable[[Pairing, int], None]
Batch = tuple[list[Block], float]  # and how many seconds it took
_BATCH_SECONDS = 1.0


class Batches:
    """The blocks of a pairing still to be played, in batches of about a second."""

    def __init__(self, numbers: Sequence[int], compiled: bool) -> None:
        self._numbers = list(numbers)
        self._size = 250 if compiled else 1
        self._grows = not compiled

    def __bool__(self) -> bool:
        return bool(self._numbers)

    def next(self) -> list[int]:
        batch, self._numbers = self._numbers[: self._size], self._numbers[self._size :]
        return batch

    def drop(self) -> None:
        """None of them is wanted any more."""
        self._numbers.clear()

    def took(self, seconds: float, blocks: int) -> None:
        """Learns how long a batch took, and makes the next ones as long as they should be."""
        if self._grows:
            self._size = max(1, min(100, int(_BATCH_SECONDS * blocks / max(seconds, 1e-6))))


class Round:
    """A pairing that is being played: what is left of it, and whether a test has ended it."""

    def __init__(
        self,
        pairing: Pairing,
        pool: Executor,
        results: ArenaResults,
        blocks: int,
        sequential: Sequential | None,
    ) -> None:
        self.pairing = pairing
        self.results = results
        self._pool = pool
        self._sequential = sequential
        self.batches = Batches(results.missing(pairing, blocks), pairing.compiled)
        self._look()

    def submit(self) -> Future[Batch]:
        """Gives the next batch to a worker."""
        return self._pool.submit(_timed, self.pairing, self.batches.next())

    def add(self, batch: Batch) -> None:
        """Keeps what came of a batch; once the test is decided, no other is begun."""
        played, seconds = batch
        self.results.add(self.pairing, played)
        self.batches.took(seconds, len(played))
        self._look()

    def _look(self) -> None:
        self.decided = decided(self.results.of(self.pairing), self._sequential)
        if self.decided:
            self.batches.drop()


def run(
    pairings: Sequence[Pairing],
    blocks: int,
    results: ArenaResults,
    *,
    sequential: Sequential | None = None,
    workers: int | None = None,
    progress: Progress | None = None,
    executor: Executor | None = None,
) -> bool:
    """Plays what is missing of each pairing; returns False if Ctrl-C ended it early."""
    number = workers or cores()
    pools: dict[bool, Executor] = {}

    def begin(pairing: Pairing) -> Round:
        if executor is None and pairing.compiled not in pools:
            pools[pairing.compiled] = new_pool(pairing.compiled, number)
        begun = Round(pairing, executor or pools[pairing.compiled], results, blocks, sequential)
        if progress is not None:
            progress(pairing, len(results.of(pairing)))
        return begun

    try:
        _play(map(begin, pairings), number, progress)
    except KeyboardInterrupt:
        for (
            worker
        ) in multiprocessing.active_children():  # what they have not told is not waited for
            worker.terminate()
        return False
    finally:
        for pool in pools.values():  # waited for: Python's exit stumbles over one that is closing
            pool.shutdown(cancel_futures=True)
    return True


def _play(rounds: Iterator[Round], workers: int, progress: Progress | None) -> None:
    """Plays them in order; while the last batches of one are played, the next begins."""
    waiting: dict[Future[Batch], Round] = {}
    current = next(rounds, None)
    while current is not None or waiting:
        while current is not None and len(waiting) <= workers:
            if current.batches:
                waiting[current.submit()] = current
            else:
                current = next(rounds, None)
        finished, _ = wait(waiting, return_when=FIRST_COMPLETED)
        for future in finished:
            if (whose := waiting.pop(future, None)) is None:
                continue  # its test was decided by another that finished with it
            whose.add(future.result())
            if progress is not None:
                progress(whose.pairing, len(whose.results.of(whose.pairing)))
            if whose.decided:
                left = [future for future, other in waiting.items() if other is whose]
                for future in left:
                    future.cancel()
                    del waiting[future]


def decided(blocks: Sequence[Block], sequential: Sequential | None) -> bool:
    """Has the test come to an end? It reads the blocks in order, without gaps."""
    if sequential is None:
        return False
    ordered = [block for i, block in enumerate(blocks) if block.number == i]
    return sequential.verdict(scores_of(ordered)) is not None


def _timed(pairing: Pairing, numbers: Sequence[int]) -> Batch:
    began = time.perf_counter()
    played = play_blocks(pairing, numbers)
    return played, time.perf_counter() - began


def new_pool(compiled: bool, number: int) -> Executor:
    """Threads for compiled games, which let one another run; processes for all others."""
    if compiled:
        return ThreadPoolExecutor(number)
    context = multiprocessing.get_context("spawn")
    return ProcessPoolExecutor(number, mp_context=context, initializer=_begin)


def _begin() -> None:
    """Ctrl-C is the parent's business, which then ends its workers; killed, it cannot."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
