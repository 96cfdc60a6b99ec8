"""Workers in PostgreSQL: the processes that share a database, and what each knows of the others.

Every worker renews one row; its leases and what it said of people's presence hold as long as that
does. Time is the database's, for the clocks of several machines differ.
"""

from collections.abc import Collection, Sequence

from sqlalchemy import Connection, text

from karma.store.database import Database
from karma.store.ports import Elsewhere, Place

LEASE_SECONDS = 6.0
SAID_SECONDS = 60

_NOW = "(extract(epoch FROM clock_timestamp()) * 1000)::bigint"
ALIVE = text(f"SELECT worker FROM workers WHERE expires > {_NOW}")
_ALIVE = f"({ALIVE})"
RENEW = text(
    f"INSERT INTO workers VALUES (:worker, {_NOW} + :lease)"
    " ON CONFLICT (worker) DO UPDATE SET expires = excluded.expires"
)
RETIRE = [text(f"DELETE FROM {name} WHERE {column} = :worker") for name, column in (
    ("workers", "worker"), ("leases", "owner"), ("presence", "worker"))]  # fmt: skip
BURY = [
    text(f"DELETE FROM presence WHERE worker NOT IN {_ALIVE}"),
    text(f"DELETE FROM workers WHERE expires < {_NOW} - 3600000"),
    text(f"DELETE FROM said WHERE at < {_NOW} - {SAID_SECONDS * 1000}"),
]
TAKE = text(  # what another holds is only read: an insertion would lock it
    "INSERT INTO leases"
    " SELECT tbl, :worker, 1 FROM unnest(CAST(:tables AS text[])) AS wanted (tbl) WHERE NOT EXISTS"
    f" (SELECT FROM leases WHERE leases.tbl = wanted.tbl AND owner IN {_ALIVE})"
    " ON CONFLICT (tbl) DO UPDATE SET owner = excluded.owner, epoch = leases.epoch + 1"
    f" WHERE leases.owner <> excluded.owner AND leases.owner NOT IN {_ALIVE}"
)
OWNED = text("SELECT tbl FROM leases WHERE owner = :worker")
RELEASE = text("DELETE FROM leases WHERE owner = :worker AND tbl = ANY(:tables)")
ARRIVE = text(
    "INSERT INTO presence"
    " SELECT *, :worker FROM unnest(CAST(:tables AS text[]), CAST(:players AS text[]))"
    " ON CONFLICT (tbl, player) DO UPDATE SET worker = excluded.worker"
)
LEAVE = text(
    "DELETE FROM presence USING"
    " unnest(CAST(:tables AS text[]), CAST(:players AS text[])) AS gone (tbl, player)"
    " WHERE presence.tbl = gone.tbl AND presence.player = gone.player AND worker = :worker"
)
FORGET = text("DELETE FROM presence WHERE player = :player RETURNING tbl")
SAY = text(f"INSERT INTO said VALUES (:id, :table, :worker, {_NOW}, :body)")
HEADS_OF = text("SELECT tbl, seq FROM heads WHERE tbl = ANY(:tables)")
PRESENT = text(
    f"SELECT tbl, player, worker FROM presence WHERE tbl = ANY(:tables) AND worker IN {_ALIVE}"
)
HEARD = text(
    "SELECT id, tbl, body FROM said WHERE tbl = ANY(:tables) AND worker <> :worker"
    f" AND at > {_NOW} - {SAID_SECONDS * 1000} ORDER BY at"
)
UNOWNED_FOR_DAYS = text(
    "SELECT tbl FROM tables WHERE clock = 'days' AND phase IN ('deal', 'playing')"
    f" AND tbl NOT IN (SELECT tbl FROM leases WHERE owner IN {_ALIVE})"
)


class SqlWorkers:
    """What the workers of one database have to know of each other."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def renew(self, worker: str) -> None:
        """Keeps a worker, its leases and the presence of its people for a while longer."""
        lease = round(LEASE_SECONDS * 1000)
        await self._do([RENEW], worker=worker, lease=lease)

    async def retire(self, worker: str) -> None:
        """Ends a worker: its tables are anybody's at once."""
        await self._do(RETIRE, worker=worker)

    async def bury(self) -> None:
        """Clears away what workers left that are gone."""
        await self._do(BURY)

    async def take(self, worker: str, tables: Collection[str]) -> set[str]:
        """Takes the leases that nobody holds; returns all that the worker holds now."""
        wanted = sorted(tables)

        def write(connection: Connection) -> set[str]:
            if wanted:
                connection.execute(TAKE, {"worker": worker, "tables": wanted})
            return {row.tbl for row in connection.execute(OWNED, {"worker": worker})}

        return await self._database.write(write)

    async def release(self, worker: str, tables: Collection[str]) -> None:
        """Gives leases back."""
        await self._do([RELEASE], worker=worker, tables=sorted(tables))

    async def unowned_for_days(self) -> list[str]:
        """The tables whose clocks run while nobody is there, and which no worker looks after."""
        return [row.tbl for row in await self._database.read(UNOWNED_FOR_DAYS)]

    async def note(self, worker: str, came: Collection[Place], went: Collection[Place]) -> None:
        """Notes who is connected through this worker, not any other, and who is not any more.

        All of a crowd at once: one by one, the last would wait for as many commits.
        """

        def write(connection: Connection) -> None:
            for statement, places in ((LEAVE, went), (ARRIVE, came)):
                if places:
                    tables, players = zip(*sorted(places), strict=True)
                    names = {"tables": list(tables), "players": list(players), "worker": worker}
                    connection.execute(statement, names)

        await self._database.write(write)

    async def forget(self, player: str) -> list[str]:
        """Notes that somebody is connected nowhere any more; returns the tables where they were."""

        def write(connection: Connection) -> list[str]:
            return [row.tbl for row in connection.execute(FORGET, {"player": player})]

        return await self._database.write(write)

    async def say(self, worker: str, table: str, id: str, body: bytes) -> None:
        """Passes on what somebody said."""
        await self._do([SAY], worker=worker, table=table, id=id, body=body)

    async def look(self, worker: str, tables: Collection[str]) -> dict[str, Elsewhere]:
        """How far tables are, who is connected to them through whom, what was said elsewhere."""
        names = sorted(tables)
        found = {name: Elsewhere() for name in names}
        for row in await self._database.read(HEADS_OF, tables=names):
            found[row.tbl].version = row.seq
        for row in await self._database.read(PRESENT, tables=names):
            found[row.tbl].present[row.player] = row.worker
        for row in await self._database.read(HEARD, tables=names, worker=worker):
            found[row.tbl].said[row.id] = row.body
        return found

    async def _do(self, statements: Sequence[object], **values: object) -> None:
        def write(connection: Connection) -> None:
            for statement in statements:
                connection.execute(statement, values)  # type: ignore[call-overload]

        await self._database.write(write)
