"""The logs in a database, as far as they are read; writing them is each database's own affair."""

import asyncio
from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, Row, bindparam, func, select

from karma.store import Damaged
from karma.store.chain import FIRST_HASH, breaks, chained
from karma.store.database import Readable
from karma.store.schema import EVENTS, HEADS

AT_ONCE = 500
"""So many entries are looked at before others have their turn."""
_OF_TABLE = EVENTS.c.tbl == bindparam("table")
READ = (
    select(EVENTS.c.seq, EVENTS.c.body, EVENTS.c.hash)
    .where(_OF_TABLE, EVENTS.c.seq >= bindparam("first"))
    .order_by(EVENTS.c.seq)
)
HEAD = select(HEADS.c.seq, HEADS.c.hash).where(HEADS.c.tbl == bindparam("table"))
ALL_HEADS = select(HEADS.c.tbl, HEADS.c.seq, HEADS.c.hash)
LAST = select(EVENTS.c.seq, EVENTS.c.hash).where(_OF_TABLE).order_by(EVENTS.c.seq.desc()).limit(1)
LAST_OF_ALL = select(EVENTS.c.tbl, func.max(EVENTS.c.seq).label("seq")).group_by(EVENTS.c.tbl)
TABLES_WITHOUT_HEADS = select(EVENTS.c.tbl).distinct().order_by(EVENTS.c.tbl)
TABLES = select(HEADS.c.tbl).order_by(HEADS.c.tbl)
ALL = select(EVENTS.c.tbl, EVENTS.c.seq, EVENTS.c.body, EVENTS.c.hash).order_by(
    EVENTS.c.tbl, EVENTS.c.seq
)


class SqlLog:
    """The logs of all tables, to read."""

    def __init__(self, database: Readable, *, has_heads: bool = True) -> None:
        self._database = database
        self._has_heads = has_heads

    async def read(self, table: str, after: int = 0) -> list[bytes]:
        """The entries of a table after the first `after` ones, in order.

        A log that is not what was written is damaged, and not read at all.
        """
        if after:
            rows = list(await self._database.read(READ, table=table, first=after))
            if not rows:  # the database has gone back behind what was acknowledged
                raise Damaged(f"table {table} has lost its entry of number {after}")
            known = rows.pop(0)
            await self._check(table, after, known.hash, rows)
            return [row.body for row in rows]
        head = await self._database.read(HEAD, table=table) if self._has_heads else []
        rows = list(await self._database.read(READ, table=table, first=1))
        await self._check(table, 0, FIRST_HASH, rows)
        if head and (len(rows) < head[0].seq or rows[head[0].seq - 1].hash != head[0].hash):
            raise Damaged(f"table {table} has lost its entries after number {len(rows)}")
        return [row.body for row in rows]

    async def _check(self, table: str, after: int, digest: bytes, rows: Sequence[Row[Any]]) -> None:
        """Finds damage in what follows an entry of this number and hash."""
        for number, row in enumerate(rows, start=after + 1):
            digest = chained(digest, table, number, row.body)
            if row.seq != number or digest != row.hash:
                raise Damaged(f"entry {number} of table {table} is not what was written")
            if not number % AT_ONCE:
                await asyncio.sleep(0)  # a long log keeps nobody else waiting

    async def tables(self) -> list[str]:
        """The ids of all tables that have a log."""
        statement = TABLES if self._has_heads else TABLES_WITHOUT_HEADS
        return [row.tbl for row in await self._database.read(statement)]

    async def broken_links(self) -> list[tuple[str, int]]:
        """The entries, as table and number, at which a log is not what was written."""
        return list(breaks(await self._database.read(ALL)))

    async def cut_off(self) -> list[tuple[str, int]]:
        """The tables whose newest entries are gone, with the number of the last that should be."""
        if not self._has_heads:
            return []  # a file of an older version, that no server has opened yet
        last = {row.tbl: row.seq for row in await self._database.read(LAST_OF_ALL)}
        heads = await self._database.read(ALL_HEADS)
        return [(head.tbl, head.seq) for head in heads if last.get(head.tbl, 0) < head.seq]


def last_link(connection: Connection, table: str) -> tuple[int, bytes]:
    """The number and the hash of a table's last entry."""
    row = connection.execute(LAST, {"table": table}).first()
    return (0, FIRST_HASH) if row is None else (row.seq, row.hash)
