"""The logs in a database, as far as they are read; writing them is each database's own affair."""

from sqlalchemy import Connection, bindparam, select

from karma.store.chain import FIRST_HASH, breaks
from karma.store.database import Readable
from karma.store.schema import EVENTS

_OF_TABLE = EVENTS.c.tbl == bindparam("table")
READ = select(EVENTS.c.body).where(_OF_TABLE).order_by(EVENTS.c.seq)
LAST = select(EVENTS.c.seq, EVENTS.c.hash).where(_OF_TABLE).order_by(EVENTS.c.seq.desc()).limit(1)
TABLES = select(EVENTS.c.tbl).distinct().order_by(EVENTS.c.tbl)
ALL = select(EVENTS.c.tbl, EVENTS.c.seq, EVENTS.c.body, EVENTS.c.hash).order_by(
    EVENTS.c.tbl, EVENTS.c.seq
)


class SqlLog:
    """The logs of all tables, to read."""

    def __init__(self, database: Readable) -> None:
        self._database = database

    async def read(self, table: str) -> list[bytes]:
        """All entries of a table, in order; none for a table that does not exist."""
        return [body for (body,) in await self._database.read(READ, table=table)]

    async def tables(self) -> list[str]:
        """The ids of all tables that have a log."""
        return [table for (table,) in await self._database.read(TABLES)]

    async def broken_links(self) -> list[tuple[str, int]]:
        """The entries, as table and number, at which a log is not what was written."""
        return list(breaks(await self._database.read(ALL)))


def last_link(connection: Connection, table: str) -> tuple[int, bytes]:
    """The number and the hash of a table's last entry."""
    row = connection.execute(LAST, {"table": table}).first()
    return (0, FIRST_HASH) if row is None else (row.seq, row.hash)
