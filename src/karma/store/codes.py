"""Codes in a database: each opens a seat to another device, once and for a while."""

from sqlalchemy import Connection, bindparam, delete, func, insert, select

from karma.store.database import Database
from karma.store.ports import SeatCode
from karma.store.schema import CODES

_OF_SEAT = (CODES.c.tbl == bindparam("table")) & (CODES.c.seat == bindparam("at_seat"))
CLEAR = delete(CODES).where(_OF_SEAT | (CODES.c.expires <= bindparam("now")))
COUNT = select(func.count()).select_from(CODES)
FIND = select(CODES).where(CODES.c.hash == bindparam("code"))
DELETE = delete(CODES).where(CODES.c.hash == bindparam("code"))


class SqlCodes:
    """The codes that are good at the moment."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def keep(self, code_hash: bytes, code: SeatCode, now: int, most: int) -> bool:
        """Keeps a code, which voids an older one for its seat; False if there are too many."""

        def write(connection: Connection) -> bool:
            connection.execute(CLEAR, {"table": code.table, "at_seat": code.seat, "now": now})
            if (connection.scalar(COUNT) or 0) >= most:
                return False
            row = {"tbl": code.table, "seat": code.seat, "owner": code.owner}
            connection.execute(insert(CODES), {"hash": code_hash, "expires": code.expires, **row})
            return True

        return await self._database.write(write)

    async def take(self, code_hash: bytes) -> SeatCode | None:
        """What a code is for, once."""

        def write(connection: Connection) -> SeatCode | None:
            row = connection.execute(FIND, {"code": code_hash}).first()
            if row is None or not connection.execute(DELETE, {"code": code_hash}).rowcount:
                return None
            return SeatCode(row.tbl, row.seat, row.owner, row.expires)

        return await self._database.write(write)
