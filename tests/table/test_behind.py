"""A table that is behind: another process has written, and what it wrote cannot be read."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from karma.protocol.state import Settings
from karma.store import Conflict, StoreError
from karma.store.memory import MemoryLog
from karma.table import requests
from people import Person, table_for
from virtual import run


class AwayLog(MemoryLog):
    """A log that another process has added to, in a database that is away just now."""

    away = False

    async def append(self, table: str, after: int, entries: Sequence[bytes], *more: Any) -> None:
        if self.away:
            raise Conflict("another process was first")
        await super().append(table, after, entries, *more)

    async def read(self, table: str, after: int = 0) -> list[bytes]:
        if self.away:
            raise StoreError("the database is away")
        return await super().read(table, after)


async def ask_while_away() -> None:
    log = AwayLog()
    table = table_for(log)
    ana = Person("ana", np.random.default_rng(1))
    await table.create("ana", "ana", Settings(edition="mini"))
    await ana.sit(table)
    log.away = True
    await ana.tell(table, requests.host.Rotate(id="away"))
    while not ana.refused:
        await ana.box.arrived.wait()
        ana.look()
    assert [(each.id, each.code) for each in ana.refused] == [("away", "not_stored")]
    log.away = False
    await ana.tell(table, requests.host.Rotate(id="away"))
    while not ana.acked:
        await ana.box.arrived.wait()
        ana.look()
    assert ana.acked == ["away"]
    await table.stop()


def test_who_asks_while_the_others_entries_cannot_be_read_is_refused_and_may_ask_again() -> None:
    run(ask_while_away())
