"""Networks that lose, delay, hold back and break, between clients and workers and behind them."""

import asyncio
import time
from collections.abc import Callable
from contextlib import AsyncExitStack

import numpy as np

from checker import check
from network import Network
from relay import Relay, relay
from servers import House, Roamer, Worker, at
from stranger import Json, Stranger

PATIENCE = 12.0  # heartbeats every five seconds are answered
BLACK_HOLE_SECONDS = 60
Figure = Callable[..., None]


class Stutterer(Stranger):
    """Somebody whose line says some things twice."""

    async def send(self, message: Json) -> None:
        await super().send(message)
        if self.chance.random() < 0.3:
            await super().send(message)


async def at_one_table(addresses: list[str], seed: int, edition: str = "mini") -> list[Stranger]:
    """People who come by these addresses, one each, the game begun."""
    people: list[Stranger] = []
    for number, address in enumerate(addresses):
        who = await Stutterer(address, f"P{number}", seed).come()
        await (who.join(people[0]) if people else who.open(edition=edition))
        who.patience = PATIENCE
        people.append(who)
    for each in people:
        await each.connect()
    await people[0].ask("start")
    return people


async def to_the_end(people: list[Stranger]) -> None:
    async with asyncio.timeout(1200):
        await asyncio.gather(*(each.play_through() for each in people))
    for each in people:
        await each.go()


async def trouble(line: Relay, chance: np.random.Generator, done: Callable[[], bool]) -> int:
    """Does one thing after another to a line."""
    troubles = 0
    while not done():
        troubles += 1
        what = int(chance.integers(4))
        if what == 0:
            line.delay = float(chance.uniform(0.01, 0.3))
        elif what == 1:
            line.piece = int(chance.integers(1, 64))
        elif what == 2:
            line.cut()
        else:
            line.hold()
        await asyncio.sleep(float(chance.uniform(0.2, 3)))
        line.heal()
        await asyncio.sleep(float(chance.uniform(0, 0.5)))
    return troubles


async def test_through_lines_that_delay_stutter_hold_and_break(
    shared: House, chance: np.random.Generator, figure: Figure
) -> None:
    one, other = await shared.two()
    async with AsyncExitStack() as lines:
        through = [
            await lines.enter_async_context(relay(each.address, chance))
            for each in (one, other, one)
        ]
        addresses = [f"http://127.0.0.1:{line.port}" for line in through]
        people = await at_one_table(addresses, int(chance.integers(1 << 30)))
        playing = asyncio.gather(*(each.play_through() for each in people))
        done = await asyncio.gather(*(trouble(line, chance, playing.done) for line in through))
        await asyncio.wait_for(playing, 1200)
        for each in people:
            await each.go()
    check(shared.folder, people)
    figure("bad lines", troubles=sum(done), lost=0)


async def test_a_black_hole_of_a_minute_heals(
    shared: House, chance: np.random.Generator, figure: Figure
) -> None:
    """Nothing comes through and nobody is told: not to the client, nor to the worker."""
    one, other = await shared.two()
    async with relay(one.address, chance) as line:
        addresses = [f"http://127.0.0.1:{line.port}", other.address, other.address]
        people = await at_one_table(addresses, int(chance.integers(1 << 30)), "classic")
        async with asyncio.timeout(600):
            await asyncio.gather(*(each.play_through(at(12)) for each in people))
        playing = asyncio.gather(*(each.play_through() for each in people))
        line.hold()
        await asyncio.sleep(BLACK_HOLE_SECONDS)
        silent = people[0].version
        line.release()
        began = time.monotonic()
        async with asyncio.timeout(600):
            while people[0].version == silent and not playing.done():
                await asyncio.sleep(0.05)
        figure("healed after a black hole of 60 s", seconds=round(time.monotonic() - began, 1))
        await asyncio.wait_for(playing, 1200)
        for each in people:
            await each.go()
    check(shared.folder, people)


async def test_packets_are_lost_and_the_line_is_narrow(
    shared: House, namespace: Network, chance: np.random.Generator, figure: Figure
) -> None:
    """A worker in a network of its own loses a fifth of all packets, then all of them for a minute.

    Its neighbour beside it plays at the same table.
    """
    far = Worker(
        shared.folder, *shared.shared, "--host", namespace.address, inside=namespace.inside
    )
    shared.workers.append(far)
    await far.ready()
    (near,) = await shared.add()
    people = await at_one_table(
        [far.address, near.address, far.address], int(chance.integers(1 << 30)), "classic"
    )
    namespace.lose(20)
    namespace.narrow(256)
    async with asyncio.timeout(900):
        await asyncio.gather(*(each.play_through(at(16)) for each in people))
    playing = asyncio.gather(*(each.play_through() for each in people))
    namespace.lose(100)
    await asyncio.sleep(BLACK_HOLE_SECONDS)
    namespace.heal()
    began = time.monotonic()
    silent = people[0].version
    async with asyncio.timeout(600):
        while people[0].version == silent and not playing.done():
            await asyncio.sleep(0.05)
    figure(
        "healed after all packets were lost for 60 s", seconds=round(time.monotonic() - began, 1)
    )
    await asyncio.wait_for(playing, 1200)
    for each in people:
        await each.go()
    check(shared.folder, people)


async def test_a_worker_that_loses_its_database_refuses_and_another_plays_on(
    shared: House, chance: np.random.Generator
) -> None:
    """Half-open lines to PostgreSQL and Redis: nothing answers, nothing is closed."""
    async with AsyncExitStack() as lines:
        database = await lines.enter_async_context(
            relay(shared.postgres.folder / ".s.PGSQL.5432", chance)
        )
        bus = await lines.enter_async_context(relay(shared.redis.folder / "socket", chance))
        (cut_off,) = await shared.add(
            1,
            *("--database", f"postgresql://postgres@127.0.0.1:{database.port}/karma"),
            *("--redis", f"redis://127.0.0.1:{bus.port}/0"),
        )
        (well,) = await shared.add()
        ana, bo = Roamer([cut_off, well], "Ana"), Roamer([well, cut_off], "Bo", 1)
        await (await ana.come()).open(bots=1, edition="classic")
        await (await bo.come()).join(ana)
        for each in (ana, bo):
            each.patience = PATIENCE
            await each.connect()
        await ana.ask("start")
        async with asyncio.timeout(600):
            await asyncio.gather(*(each.play_through(at(10)) for each in (ana, bo)))
        bus.hold()
        async with asyncio.timeout(600):
            await asyncio.gather(*(each.play_through(at(16)) for each in (ana, bo)))
        database.hold()
        await ana.go_to(well.address)  # as somebody whose moves are not answered would
        async with asyncio.timeout(600):
            await asyncio.gather(*(each.play_through(at(24)) for each in (ana, bo)))
        database.heal()
        bus.heal()
        await ana.go_to(cut_off.address)
        await to_the_end([ana, bo])
    check(shared.folder, [ana, bo])
