"""Training with games from a real Ray with two workers, one of which is killed on the way."""

import os
import signal
from collections.abc import Callable
from concurrent.futures import Executor, Future
from pathlib import Path
from typing import Any

import pytest

from karma.arena.cluster import cluster
from karma.train.generator import make_chunk
from karma.train.run import TrainingRun

# Ray leaves sockets and files to the collector; compiling takes its time.
pytestmark = [pytest.mark.filterwarnings("default"), pytest.mark.timeout(1500)]
SMALL = """
name = "small"
tables = [{ edition = "mini", players = 2 }]
chunk = 8192
warm_start = 16384
"""
AHEAD, KILLS_AT, ORDERS = 4, 6, 16


class Killing(Executor):
    """Kills a worker as the sixth chunk is ordered, and says stop after sixteen."""

    def __init__(self, inner: Executor) -> None:
        self.inner = inner
        self.workers = {inner.submit(os.getpid).result() for _ in range(4)}
        self.orders = 0

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        if self.orders == ORDERS:
            raise KeyboardInterrupt
        self.orders += 1
        if self.orders == KILLS_AT:
            os.kill(min(self.workers), signal.SIGKILL)
        return self.inner.submit(fn, *args, **kwargs)


def test_games_are_the_same_there_and_a_killed_worker_costs_none(tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text(SMALL)
    run = TrainingRun(tmp_path, print)
    with cluster("local") as executor:
        order = run._order(0)
        there, here = executor.submit(make_chunk, *order).result(), make_chunk(*order)
        assert there.words.tobytes() == here.words.tobytes()
        assert there.samples.tobytes() == here.samples.tobytes()
        run.go(60, Killing(executor), AHEAD)
    assert run.chunks == ORDERS - AHEAD + 1
    assert run.samples >= run.chunks * run.config.chunk
    assert TrainingRun(tmp_path, print).samples == run.samples
