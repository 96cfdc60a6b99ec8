"""The terminal's menu of a table on a server: whom not to listen to."""

import asyncio

import numpy as np

from karma.protocol.state import Settings
from karma.store.memory import MemoryLog
from karma.table.requests.talk import Mute, Say
from karma.texts import Texts
from karma.tui.menu import wishes
from karma.tui.mirror import Mirror
from people import Person, table_for
from virtual import run


def mutes(mirror: Mirror, id: str) -> dict[str, Mute]:
    """The lines of the menu about listening, and what each asks for."""
    found = wishes(mirror, Texts("en"), id)
    return {wish.text: wish.action for wish in found if isinstance(wish.action, Mute)}


def test_people_and_watchers_are_muted_by_name_and_stay_so() -> None:
    async def main() -> None:
        table = table_for(MemoryLog())
        await table.create("Ana", "Ana", Settings(edition="mini"), bots=["greedy"])
        ana, bo, eve = (Person(name, np.random.default_rng(1)) for name in ("Ana", "Bo", "Eve"))
        await table.join("Bo", "Bo", invite=table.state.invite)
        await table.join("Eve", "Eve", invite=table.state.invite, spectate=True)
        for each in (bo, eve, ana):
            await each.sit(table)
        await asyncio.sleep(1)
        ana.look()
        mirror = Mirror()
        mirror.you, mirror.table, mirror.seats = ana.you, ana.table, ana.seats
        assert list(mutes(mirror, "m")) == ["Do not listen to Bo", "Do not listen to Eve"]
        for number, wish in enumerate(mutes(mirror, "m").values()):
            mirror.mute(wish)
            await ana.tell(table, Mute(id=f"m{number}", **vars_of(wish)))
        assert list(mutes(mirror, "n")) == ["Listen to Bo again", "Listen to Eve again"]
        await asyncio.sleep(1)
        await table.disconnect(ana.client)
        await ana.sit(table)
        for each in (bo, eve):
            await each.tell(table, Say(id="hello", phrase="hello"))
        await asyncio.sleep(1)
        for each in (ana, bo):
            each.look()
        assert (ana.said, len(bo.said)) == ([], 2)
        await table.stop()

    run(main())


def vars_of(wish: Mute) -> dict[str, object]:
    return {"seat": wish.seat, "name": wish.name, "muted": wish.muted}
