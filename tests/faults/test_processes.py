"""Processes that are killed or stand still while their tables play."""

import asyncio
import os
import signal
import subprocess
import time
from collections.abc import Callable, Sequence

import httpx
import numpy as np
import psycopg

from checker import check
from servers import (
    House,
    Proxy,
    Roamer,
    Worker,
    answers,
    at,
    finish,
    lease,
    owning_process,
    process_of,
    two_seats,
)
from stranger import Stranger

PATIENCE = 20.0
FROZEN_SECONDS = 30
Figure = Callable[..., None]


def workers_at(shared: House, table: str) -> set[str]:
    """The workers through which the people of a table are connected."""
    with psycopg.connect(shared.database) as connection:
        rows = connection.execute("SELECT worker FROM presence WHERE tbl = %s", (table,)).fetchall()
    return {str(row[0]) for row in rows}


async def go_on(people: Sequence[Stranger], ply: int) -> None:
    """Everybody plays until the game has come so far."""
    async with asyncio.timeout(600):
        await asyncio.gather(*(each.play_through(at(ply)) for each in people))


async def all_the_way(people: Sequence[Stranger]) -> None:
    async with asyncio.timeout(1200):
        await asyncio.gather(*(each.play_through() for each in people))
    for each in people:
        await each.go()


async def test_behind_a_proxy_each_is_killed_in_turn_and_the_owner_frozen(shared: House) -> None:
    """Two workers, PostgreSQL and Redis; the seats of one table on both. One history."""
    workers = list(await shared.two())
    proxy = Proxy(shared.folder, [each.address for each in workers])
    try:
        async with httpx.AsyncClient(base_url=proxy.address) as http:
            await answers(http, "/api/health")
        people = [await Stranger(proxy.address, name).come() for name in ("Ana", "Bo", "Cy", "Di")]
        ana = people[0]
        await ana.open(edition="classic")
        for each in people:
            each.patience = PATIENCE
            await (each if each is ana else await each.join(ana)).connect()
        await ana.read_until(lambda: [s["connected"] for s in ana.state["seats"]] == [True] * 4)
        async with asyncio.timeout(300):
            while len(workers_at(shared, ana.table)) < 2:
                await people[1].connect()  # one each, in turn, is how the proxy sends them
        await ana.ask("start")
        await go_on(people, 14)

        for number, worker in enumerate(workers):
            worker.kill()
            await go_on(people, 18 + 4 * number)
            shared.workers.append(await worker.again().ready())

        shared.redis.kill()
        await go_on(people, 26)
        shared.redis.start()

        playing = asyncio.gather(*(each.play_through(at(32)) for each in people))
        await asyncio.to_thread(shared.postgres.stop)
        await asyncio.to_thread(shared.postgres.start)
        await asyncio.wait_for(playing, 600)

        frozen = await owning_process(shared, ana.table)
        os.kill(frozen, signal.SIGSTOP)
        await go_on(people, 40)
        os.kill(frozen, signal.SIGCONT)
        await all_the_way(people)
        assert "no live upstreams" not in proxy.log, "one of two was always there"
    finally:
        proxy.end()
    check(shared.folder, people)


async def test_an_owner_that_stands_still_for_half_a_minute_wakes_to_one_history(
    shared: House, figure: Figure
) -> None:
    one, other = await shared.two()
    ana, bo = await two_seats(shared, one, other)
    await go_on([ana, bo], 12)
    first, _ = await lease(shared, ana.table)
    frozen = process_of(shared, first)
    os.kill(frozen, signal.SIGSTOP)
    began = time.monotonic()
    await ana.go_to(other.address)
    playing = asyncio.gather(*(each.play_through() for each in (ana, bo)))
    async with asyncio.timeout(300):
        while (await lease(shared, ana.table))[0] == first:
            await asyncio.sleep(0.1)
    figure("the lease of a frozen owner is taken", seconds=round(time.monotonic() - began, 1))
    await asyncio.sleep(max(0.0, FROZEN_SECONDS - (time.monotonic() - began)))
    os.kill(frozen, signal.SIGCONT)
    await asyncio.wait_for(playing, 600)
    await finish([ana, bo])
    check(shared.folder, [ana, bo])


class Evening:
    """What may happen to workers, Redis and PostgreSQL while people play."""

    def __init__(self, shared: House, chance: np.random.Generator) -> None:
        self.shared = shared
        self.chance = chance
        self.done: list[str] = []

    async def happen(self) -> None:
        """One fault, and its end."""
        faults = (
            self.kill_a_worker,
            self.freeze_a_worker,
            self.kill_redis,
            self.empty_redis,
            self.freeze_redis,
            self.stop_postgres,
        )
        fault = faults[int(self.chance.integers(len(faults)))]
        self.done.append(fault.__name__)
        await fault()

    async def while_it_lasts(self) -> None:
        await asyncio.sleep(float(self.chance.uniform(0.5, 4)))

    def any_worker(self) -> int:
        return int(self.chance.integers(len(self.shared.workers)))

    async def kill_a_worker(self) -> None:
        number = self.any_worker()
        worker = self.shared.workers[number]
        worker.kill()
        self.shared.workers[number] = await worker.again().ready()

    async def freeze_a_worker(self) -> None:
        worker = self.shared.workers[self.any_worker()]
        worker.send(signal.SIGSTOP)
        await asyncio.sleep(float(self.chance.uniform(1, 12)))
        worker.send(signal.SIGCONT)

    async def kill_redis(self) -> None:
        self.shared.redis.kill()
        await self.while_it_lasts()
        await asyncio.to_thread(self.shared.redis.start)

    async def empty_redis(self) -> None:
        socket = self.shared.redis.folder / "socket"
        subprocess.run(["redis-cli", "-s", socket, "flushall"], check=True, capture_output=True)

    async def freeze_redis(self) -> None:
        self.shared.redis.process.send_signal(signal.SIGSTOP)
        await self.while_it_lasts()
        self.shared.redis.process.send_signal(signal.SIGCONT)

    async def stop_postgres(self) -> None:
        await asyncio.to_thread(self.shared.postgres.stop)
        await self.while_it_lasts()
        await asyncio.to_thread(self.shared.postgres.start)


async def several_tables(workers: list[Worker], tables: int, seed: int) -> list[Roamer]:
    """Two people at different workers and a bot at each, the game begun."""
    people = []
    for number in range(tables):
        ana = await Roamer(workers, f"Ana{number}", seed).come()
        await ana.open(bots=1, edition="classic")
        bo = Roamer(workers[::-1], f"Bo{number}", seed)
        await (await bo.come()).join(ana)
        for each in (ana, bo):
            each.patience = PATIENCE
            await each.connect()
        await ana.ask("start")
        people += [ana, bo]
    return people


async def test_whatever_happens_in_an_evening_nothing_is_lost(
    shared: House, chance: np.random.Generator, figure: Figure
) -> None:
    """Faults in a row, drawn from the seed, until every game is over."""
    workers = list(await shared.two())
    people = await several_tables(workers, 4, int(chance.integers(1 << 30)))
    evening = Evening(shared, chance)
    playing = asyncio.gather(*(each.play_through() for each in people))
    async with asyncio.timeout(1200):
        while not playing.done() and len(evening.done) < 12:
            await evening.happen()
            await asyncio.sleep(float(chance.uniform(0, 1)))
        await playing
    for each in people:
        await each.go()
    print("what happened:", *evening.done)
    check(shared.folder, people)
    acks = sum(a["type"] == "ack" for each in people for a in each.answers.values())
    figure("an evening of faults", faults=len(evening.done), acknowledged=acks, lost=0)


async def test_a_database_that_went_back_in_time_is_not_written_behind(shared: House) -> None:
    """It is emptied, or an older one in its place: refused, and after a restart played on."""
    one, other = await shared.two()
    ana, bo = await two_seats(shared, one, other)
    await go_on([ana, bo], 12)
    await ana.ask("pause")
    await asyncio.to_thread(shared.postgres.stop)
    await asyncio.to_thread(shared.postgres.start)
    before = "(SELECT seq FROM heads WHERE tbl = %(table)s) - 3"
    with psycopg.connect(shared.database) as restored:
        values = {"table": ana.table}
        restored.execute(f"DELETE FROM events WHERE tbl = %(table)s AND seq > {before}", values)
        restored.execute(
            "UPDATE heads SET (seq, hash) = (SELECT seq, hash FROM events"
            " WHERE tbl = %(table)s ORDER BY seq DESC LIMIT 1) WHERE tbl = %(table)s",
            values,
        )
    refused = await ana.ask("resume")
    assert (refused["type"], refused["code"]) == ("refused", "not_stored")
    for number in (0, 1):
        shared.workers[number].kill()
        shared.workers[number] = await shared.workers[number].again().ready()
    for each in (ana, bo):  # who have seen what is gone begin anew with what is there
        each.version, each.happened, each.answers, each.pending = None, [], {}, {}
        each.frames.clear()
        each.socket = None
    await finish([ana, bo])
    check(shared.folder, [ana, bo])
