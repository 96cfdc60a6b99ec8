"""Crowds at two workers: a fifth of them never reads, half or all lose their connection at once."""

import asyncio
import os
import signal
import time
from argparse import Namespace
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from urllib.parse import urlsplit

import numpy as np
import psycopg

import processes
from load import Crowd, LoadTable
from servers import House, Worker, process_of

TABLES, SEATS = 40, 4
Figure = Callable[..., None]


class Seen:
    """What a load's crowd needs to know of a server: where it is, and its memory."""

    def __init__(self, worker: Worker) -> None:
        self.door = urlsplit(worker.address).port
        self._process = worker.process.pid

    @property
    def memory(self) -> int:
        return processes.memory([self._process])


@asynccontextmanager
async def crowd(shared: House) -> AsyncIterator[Crowd]:
    """A crowd at two workers behind one port, every game begun."""
    (several,) = await shared.add(1, "--workers", 2)
    options = Namespace(tables=TABLES, seats=SEATS, edition="classic", rate=40.0, seconds=15.0)
    made = Crowd(Seen(several), options)  # type: ignore[arg-type]
    try:
        async with asyncio.timeout(600):
            await made.sit()
        yield made
    finally:
        for task in made.living:
            task.cancel()
        await asyncio.gather(*made.living, return_exceptions=True)


async def play(tables: list[LoadTable], actions: int, chance: np.random.Generator) -> list[float]:
    """Has people act so many times, one after another table; the seconds that each took."""
    for table in tables:
        table.times.clear()
    async with asyncio.timeout(900):
        done = turn = 0
        while done < actions:
            turn += 1
            done += tables[turn % len(tables)].act(chance)
            await asyncio.sleep(0.002)
        while any(table.lost for table in tables):
            await asyncio.sleep(0.05)
    return [each for table in tables for each in table.times]


def presence(shared: House) -> dict[str, str]:
    """Through which worker each player is connected."""
    with psycopg.connect(shared.database) as connection:
        return dict(connection.execute("SELECT player, worker FROM presence").fetchall())


def nothing_was_lost(tables: list[LoadTable]) -> None:
    assert sum(table.lost for table in tables) == 0
    assert sum(table.gaps for table in tables) == 0
    assert not {code for table in tables for code in table.refused} - {"wrong_ply", "not_your_turn"}


async def test_a_fifth_that_never_reads_costs_the_others_nothing_that_they_asked_for(
    shared: House, chance: np.random.Generator, figure: Figure
) -> None:
    async with crowd(shared) as people:
        alone = await play(people.tables, 400, chance)
        async with people.deaf():
            beside = await play(people.tables, 400, chance)
        nothing_was_lost(people.tables)
    p99 = [round(float(np.percentile(times, 99)) * 1000) for times in (alone, beside)]
    figure("a fifth never reads", people=TABLES * SEATS, p99_ms_alone=p99[0], p99_ms_beside=p99[1])


async def test_everybody_comes_back_at_once_and_after_a_worker_is_killed(
    shared: House, chance: np.random.Generator, figure: Figure
) -> None:
    async with crowd(shared) as people:
        for seat in people.seats:
            seat.drop()
        began = time.monotonic()
        async with asyncio.timeout(300):
            await people.until_here()
        figure("all lose their connection", people=len(people.seats), seconds=_since(began))
        await play(people.tables, 100, chance)

        async with asyncio.timeout(120):
            while len(where := presence(shared)) < len(people.seats):
                await asyncio.sleep(0.1)
        unlucky = next(iter(where.values()))
        cut_off = [seat for seat in people.seats if where[seat.you["player"]] == unlucky]
        sockets = [seat.socket for seat in cut_off]
        os.kill(process_of(shared, unlucky), signal.SIGKILL)
        began = time.monotonic()
        async with asyncio.timeout(300):
            while any(seat.socket in sockets for seat in cut_off):
                await asyncio.sleep(0.02)
            await people.until_here()
        figure("one of two workers is killed", people=len(cut_off), seconds=_since(began))
        await play(people.tables, 200, chance)
        assert sum(table.gaps for table in people.tables) == 0


def _since(began: float) -> float:
    return round(time.monotonic() - began, 1)
