"""Simulate and arena on a real Ray with two workers, one of which is killed on the way."""

import os
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import karma
from karma.arena import ArenaResults, Pairing, run
from karma.arena.cluster import ClusterError, RayExecutor, cluster
from karma.simulation import simulate

# Ray leaves sockets and files to the collector.
pytestmark = pytest.mark.filterwarnings("default")
RULES = karma.edition("mini", stall_limit=80)


@pytest.fixture(scope="module")
def executor() -> Iterator[RayExecutor]:
    with cluster("local") as found:
        yield found


def test_arena_gives_the_same_blocks_though_a_worker_is_killed(
    executor: RayExecutor, tmp_path: Path
) -> None:
    pairing = Pairing("greedy@1", "beginner", RULES, 2, seed=3)
    workers = {executor.submit(os.getpid).result() for _ in range(4)}

    def kill_one() -> None:
        time.sleep(2)
        os.kill(min(workers), signal.SIGKILL)

    killer = threading.Thread(target=kill_one)
    killer.start()
    there = ArenaResults(tmp_path / "results.jsonl")
    assert run([pairing], 200, there, workers=2, executor=executor)
    killer.join()
    here = ArenaResults()
    run([pairing], 200, here, workers=2)
    assert [b.number for b in there.of(pairing)] == list(range(200))
    assert [b.score for b in there.of(pairing)] == [b.score for b in here.of(pairing)]


def test_simulate_gives_the_same_results(executor: RayExecutor) -> None:
    bots = ("greedy", "random")
    there = simulate(karma.MINI, bots, 50000, seed=4, threads=2, executor=executor)
    assert np.array_equal(there.array, simulate(karma.MINI, bots, 50000, seed=4).array)


def test_an_address_where_nothing_is_is_refused(executor: RayExecutor) -> None:
    with pytest.raises(ClusterError), cluster("10.255.255.1:1"):
        pass
