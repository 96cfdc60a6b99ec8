"""Tables in a database, as lists show them, and who has a part at each."""

from collections.abc import Collection
from typing import Any

import msgspec
from sqlalchemy import Connection, Row, bindparam, delete, func, insert, select

from karma.store import Listing
from karma.store.database import Database, ListingRow
from karma.store.ports import ListedTable
from karma.store.schema import EVENTS, GAMES, HEADS, PARTS, PLAYED, REVIEWS, TABLES

Parts = tuple[tuple[str, int | None], ...]

_AT_TABLE = PARTS.c.tbl == TABLES.c.tbl
_OF_PLAYER = PARTS.c.player == bindparam("player")
_IS_OPEN = TABLES.c.phase != "closed"
_LISTED = select(
    TABLES.c.tbl,
    TABLES.c.phase,
    TABLES.c.public,
    TABLES.c.clock,
    TABLES.c.invite,
    TABLES.c.touched,
    TABLES.c.listing,
)
_NEWEST = TABLES.c.touched.desc()
COUNT_OPEN = (
    select(func.count()).select_from(PARTS.join(TABLES, _AT_TABLE)).where(_OF_PLAYER, _IS_OPEN)
)
BY_INVITE = select(TABLES.c.tbl).where(TABLES.c.invite == bindparam("invite"), _IS_OPEN)
PUBLIC = _LISTED.where(TABLES.c.public, _IS_OPEN).order_by(_NEWEST).limit(bindparam("most"))
OF_PLAYER = (
    _LISTED.add_columns(PARTS.c.seat)
    .join(PARTS, _AT_TABLE)
    .where(_OF_PLAYER)
    .order_by(_NEWEST)
    .limit(bindparam("most"))
)
RUNNING_FOR_DAYS = select(TABLES.c.tbl).where(
    TABLES.c.clock == "days", TABLES.c.phase.in_(("deal", "playing"))
)
UNTOUCHED = select(TABLES.c.tbl).where(TABLES.c.touched < bindparam("before"))
DELETE_PARTS = delete(PARTS).where(PARTS.c.tbl == bindparam("table"))


class SqlTables:
    """What is known of tables without replaying their logs."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def count_open(self, player: str) -> int:
        """At how many tables that are not closed a person has a part."""
        ((count,),) = await self._database.read(COUNT_OPEN, player=player)
        return int(count)

    async def by_invite(self, invite: str) -> str | None:
        """The open table that an invite is for."""
        rows = await self._database.read(BY_INVITE, invite=invite)
        return rows[0].tbl if rows else None

    async def public(self, most: int) -> list[ListedTable]:
        """The open tables that everybody may see, the newest first."""
        rows = await self._database.read(PUBLIC, most=most)
        return [ListedTable(row.tbl, _listing(row), row.touched) for row in rows]

    async def of_player(self, player: str, most: int) -> list[ListedTable]:
        """The tables at which a person has a part, the newest first."""
        rows = await self._database.read(OF_PLAYER, player=player, most=most)
        return [ListedTable(row.tbl, _listing(row), row.touched, row.seat) for row in rows]

    async def running_for_days(self) -> list[str]:
        """The tables whose clocks run while nobody is there."""
        return [table for (table,) in await self._database.read(RUNNING_FOR_DAYS)]

    async def delete_untouched(self, before: int, but: Collection[str]) -> None:
        """Deletes what was not touched since a time, with everything that hangs on it."""
        kept = frozenset(but)

        def write(connection: Connection) -> None:
            rows = connection.execute(UNTOUCHED, {"before": before}).all()
            old = [{"table": table} for (table,) in rows if table not in kept]
            if old:
                for each in (EVENTS, HEADS, GAMES, PLAYED, PARTS, REVIEWS, TABLES):
                    connection.execute(delete(each).where(each.c.tbl == bindparam("table")), old)

        await self._database.write(write)


def listing_row(table: str, listing: Listing, touched: int) -> ListingRow:
    """What is known of a table, as a row."""
    rest = msgspec.json.encode(
        {
            "edition": listing.edition,
            "rules": listing.rules,
            "names": listing.names,
            "players": listing.players,
            "asked": listing.asked,
            "most_players": listing.most_players,
            "spectators": listing.spectators,
        }
    ).decode()
    columns = listing.phase, listing.public, listing.clock, listing.invite
    return (table, *columns, touched, rest)


def _listing(row: Row[Any]) -> Listing:
    rest = msgspec.json.decode(row.listing)
    return Listing(
        phase=row.phase,
        public=row.public,
        edition=rest["edition"],
        rules=rest["rules"],
        clock=row.clock,
        invite=row.invite,
        names=tuple(rest["names"]),
        players=tuple((player, seat) for player, seat in rest["players"]),
        asked=tuple(rest["asked"]),
        most_players=rest["most_players"],
        spectators=rest["spectators"],
    )


def keep_parts(connection: Connection, table: str, parts: Parts) -> None:
    """Writes down who has a part at a table now."""
    connection.execute(DELETE_PARTS, {"table": table})
    rows = [{"player": player, "tbl": table, "seat": seat} for player, seat in parts]
    if rows:
        connection.execute(insert(PARTS), rows)
