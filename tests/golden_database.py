"""Golden databases: what a released version wrote, for later ones to read.

`python tests/golden_database.py` writes tests/golden/database-NNNN.sql and what its tables are, for
the present version of the schema. A file that exists is never overwritten: old logs must replay.
"""

import asyncio
import json
import sqlite3
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from karma.protocol.state import Settings
from karma.store.sqlite import FILE, SqliteStore
from karma.table import Inline, Table, requests
from karma.table.log.envelope import decode
from karma.table.log.state import TableState
from people import Person, over

GOLDEN = Path(__file__).with_name("golden")
VERSION = "0001"


class Clock:
    """A clock that goes on by a second whenever somebody looks."""

    def __init__(self) -> None:
        self._now = 1_790_000_000_000

    def now(self) -> int:
        self._now += 1000
        return self._now

    def date(self) -> int:
        return self._now

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(0)


def fingerprint(database: sqlite3.Connection) -> dict[str, Any]:
    """What every table of a database is after its log: to be the same for ever."""
    states: dict[str, TableState] = {}
    for table, body in database.execute("SELECT tbl, body FROM events ORDER BY tbl, seq"):
        states.setdefault(table, TableState(table)).apply(decode(body))
    return {table: _of(state) for table, state in states.items()}


def _of(state: TableState) -> dict[str, Any]:
    game = state.game
    return {
        "version": state.version,
        "phase": state.phase,
        "seats": [[c.name, c.player, c.bot, c.covered, c.failed] for c in state.chairs],
        "game": state.number,
        "position": game.position() if game is not None else None,
        "score": [[t.name, t.played, t.lost] for t in state.tallies.values()],
    }


async def evening(store: SqliteStore, table: Table, edition: str) -> None:
    """Two people and a bot: a whole game, a pause, cover, an undo at another table, a rematch."""
    people = [Person(name, np.random.default_rng(seat)) for seat, name in enumerate(("Ana", "Bo"))]
    for each in people:
        each.keen = True
    await table.create("Ana", "Ana", Settings(edition=edition, clock="relaxed"), bots=["greedy"])
    await table.join("Bo", "Bo", invite=table.state.invite)
    await table.join("Cy", "Cy", invite=table.state.invite, spectate=True)
    for each in people:
        await each.sit(table)
    for message in (requests.host.Rotate(id="r"), requests.host.Start(id="s")):
        await people[0].tell(table, message)
    await asyncio.gather(*(each.play(table, over) for each in people))
    for each in people:
        await each.tell(table, requests.game.Rematch(id="again"))
    await asyncio.gather(*(each.play(table, lambda who: _begun(who, 2)) for each in people))
    await people[0].tell(table, requests.host.Pause(id="p"))
    await people[0].tell(table, requests.host.Resume(id="q"))
    await people[1].tell(table, requests.seats.StepAway(id="a"))
    await people[0].play(table, lambda who: who.view is not None and who.view.ply > 25)
    await table.stop()


def _begun(who: Person, game: int) -> bool:
    return who.table is not None and who.table.game == game and who.table.phase == "playing"


async def write(path: Path) -> None:
    with tempfile.TemporaryDirectory() as folder:
        clock = Clock()
        store = SqliteStore(Path(folder), clock)
        for number, edition in enumerate(("mini", "online")):
            chance = np.random.default_rng(number)
            table = Table(
                f"goldentab{number}",
                store.log,
                clock=clock,
                secret=chance.bytes,
                thinker=Inline(),
            )
            await evening(store, table, edition)
        store.close()
        with sqlite3.connect(Path(folder) / FILE) as database:
            path.write_text("\n".join(database.iterdump()) + "\n", encoding="utf-8")
            told = json.dumps(fingerprint(database), indent=1, ensure_ascii=False)
        database.close()
    path.with_suffix(".json").write_text(told + "\n", encoding="utf-8")


if __name__ == "__main__":
    golden = GOLDEN / f"database-{VERSION}.sql"
    if golden.exists():
        sys.exit(f"{golden} exists; a released database is never rewritten")
    asyncio.run(write(golden))
