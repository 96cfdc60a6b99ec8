"""Stored, then applied, acknowledged, told: what is not kept is seen by nobody."""

import asyncio
from collections.abc import Sequence
from typing import Any

from karma.protocol import decode_server, messages
from karma.store import StoreError
from karma.store.memory import MemoryLog
from karma.table import Table
from people import Person
from table.test_table import ask, playing, start, together
from virtual import run


class GatedStore(MemoryLog):
    """A store that writes when its gate is open, and cannot write when it is broken."""

    def __init__(self) -> None:
        super().__init__()
        self.gate = asyncio.Event()
        self.gate.set()
        self.asked = asyncio.Event()
        self.broken = False
        self.reads = 0

    async def append(self, table: str, after: int, entries: Sequence[bytes], *more: Any) -> None:
        self.asked.set()
        await self.gate.wait()
        if self.broken:
            raise StoreError("the disk is full")
        await super().append(table, after, entries, *more)

    async def read(self, table: str) -> list[bytes]:
        self.reads += 1
        return await super().read(table)


async def begun(store: GatedStore, **settings: Any) -> tuple[Table, Person, Person]:
    """A table in the middle of a game, who decides, and the other one."""
    table, people = await together(store, "Ana", "Bo", **settings)
    await start(table, people)
    await asyncio.gather(*(each.play(table, playing) for each in people))
    for each in people:
        each.look()
    decides = table.state.asked()[0]
    return table, people[decides], people[1 - decides]


def test_what_is_not_kept_yet_is_seen_by_nobody() -> None:
    async def main() -> None:
        for edition in ("online", "classic"):  # with moves, and with choices that all make at once
            store = GatedStore()
            table, actor, other = await begun(store, edition=edition)
            before, looked, view = table.state.copy(), table.look(), table.state.view(None)
            store.gate.clear()
            store.asked.clear()
            act = actor.answer()
            assert act is not None
            await actor.tell(table, act)
            await store.asked.wait()

            assert table.state.version == before.version == len(store.logs["table"])
            assert table.state.asked() == before.asked() and table.state.done == before.done
            assert table.state.view(None) == view and table.look() == looked
            await other.tell(table, messages.Heartbeat())
            (beat,) = map(decode_server, other.box.frames[other.read :])
            assert isinstance(beat, messages.Beat) and beat.version == before.version
            assert len(actor.box.frames) == actor.read, "told before it was kept"

            store.gate.set()
            while act.id not in actor.acked:
                await actor.box.arrived.wait()
                actor.look()
            assert table.state.version == before.version + 1 == len(store.logs["table"])
            await table.stop()

    run(main())


def test_what_could_not_be_kept_has_not_happened_and_nothing_is_replayed() -> None:
    async def main() -> None:
        for edition in ("online", "classic"):
            store = GatedStore()
            table, actor, other = await begun(store, edition=edition)
            kept, looked = table.state, table.look()
            store.broken = True
            act = actor.answer()
            refused = await ask(table, actor, act)
            assert refused.code == "not_stored"
            other.look()
            assert table.state is kept and table.look() == looked
            assert table.state.version == len(store.logs["table"]) == other.version
            store.broken = False
            assert await ask(table, actor, act) is None
            assert store.reads == 0
            await table.stop()

    run(main())
