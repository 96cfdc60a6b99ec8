"""Runs pairings on all cores, and stops when told to: by Ctrl-C, or by a sequential test."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable, Sequence
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

    def took(self, seconds: float, blocks: int) -> None:
        """Learns how long a batch took, and makes the next ones as long as they should be."""
        if self._grows:
            self._size = max(1, min(100, int(_BATCH_SECONDS * blocks / max(seconds, 1e-6))))


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
    try:
        for pairing in pairings:
            if executor is None and pairing.compiled not in pools:
                pools[pairing.compiled] = new_pool(pairing.compiled, number)
            pool = executor or pools[pairing.compiled]
            _run_one(pairing, blocks, results, sequential, pool, number, progress)
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


def _run_one(
    pairing: Pairing,
    blocks: int,
    results: ArenaResults,
    sequential: Sequential | None,
    pool: Executor,
    workers: int,
    progress: Progress | None,
) -> None:
    batches = Batches(results.missing(pairing, blocks), pairing.compiled)
    waiting: dict[Future[tuple[list[Block], float]], int] = {}
    if progress is not None:
        progress(pairing, len(results.of(pairing)))
    while not decided(results.of(pairing), sequential):
        while batches and len(waiting) < workers + 1:
            numbers = batches.next()
            waiting[pool.submit(_timed, pairing, numbers)] = len(numbers)
        if not waiting:
            return
        finished, _ = wait(waiting, return_when=FIRST_COMPLETED)
        for future in finished:
            number = waiting.pop(future)
            played, seconds = future.result()
            results.add(pairing, played)
            batches.took(seconds, number)
        if progress is not None:
            progress(pairing, len(results.of(pairing)))
    for future in waiting:
        future.cancel()


def decided(blocks: Sequence[Block], sequential: Sequential | None) -> bool:
    """Has the test come to an end? It reads the blocks in order, without gaps."""
    if sequential is None:
        return False
    ordered = [block for i, block in enumerate(blocks) if block.number == i]
    return sequential.verdict(scores_of(ordered)) is not None


def _timed(pairing: Pairing, numbers: Sequence[int]) -> tuple[list[Block], float]:
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
