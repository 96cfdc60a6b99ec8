"""The fair deal at a table: who is waited for, for how long, and what is told."""

import asyncio

import numpy as np

from karma import fair
from karma.protocol.state import Settings
from karma.store.memory import MemoryLog
from karma.table import Table
from people import FirstBot, Person, table_for
from virtual import run

MINI = Settings(edition="mini")


async def opened() -> Table:
    """A table that was opened with `start` by somebody who is not there yet."""
    table = table_for(MemoryLog(), thinker=FirstBot())
    await table.create("Ana", "Ana", MINI, bots=["first"], start=True)
    return table


def test_a_table_opened_with_start_waits_for_its_persons_seed() -> None:
    async def play() -> None:
        table = await opened()
        await asyncio.sleep(25)
        assert table.state.phase == "deal"
        ana = Person("Ana", np.random.default_rng(1))
        await ana.sit(table)
        await ana.play(table, lambda person: person.table.phase == "playing")
        assert table.state.deal.seeds == [ana.seed, fair.ZERO_SEED]
        assert table.state.deal.missing == []
        await table.stop()

    run(play())


def test_it_waits_thirty_seconds_and_no_longer() -> None:
    async def play() -> None:
        table = await opened()
        await asyncio.sleep(29)
        assert table.state.phase == "deal"
        await asyncio.sleep(2)
        assert table.state.phase == "playing"
        assert table.state.deal.missing == [0]
        await table.stop()

    run(play())
