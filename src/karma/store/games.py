"""Finished games in a database."""

import json
from typing import Any

from sqlalchemy import Connection, Row, bindparam, insert, select

from karma.record import Record
from karma.store import Finished
from karma.store.database import Readable
from karma.store.ports import KeptGame
from karma.store.schema import GAMES, PLAYED

_OF_TABLE = GAMES.c.tbl == bindparam("table")
ALL = select(*[column for column in GAMES.c if column.name != "record"]).order_by(GAMES.c.ended)
OF_TABLE = ALL.where(_OF_TABLE).order_by(None).order_by(GAMES.c.game)
RECORD = select(GAMES.c.record).where(_OF_TABLE, GAMES.c.game == bindparam("game"))
OF_PLAYER = (
    select(*ALL.selected_columns, PLAYED.c.seat)
    .join(PLAYED, (PLAYED.c.tbl == GAMES.c.tbl) & (PLAYED.c.game == GAMES.c.game))
    .where(PLAYED.c.player == bindparam("player"))
    .order_by(GAMES.c.ended.desc())
)
RECORDS = select(GAMES.c.game, GAMES.c.record).order_by(GAMES.c.ended)


class SqlGames:
    """Finished games, and their records."""

    def __init__(self, database: Readable) -> None:
        self._database = database

    async def all(self) -> list[KeptGame]:
        """Every game, the newest last."""
        return [_kept(row) for row in await self._database.read(ALL)]

    async def of_table(self, table: str) -> list[KeptGame]:
        """A table's games in order."""
        return [_kept(row) for row in await self._database.read(OF_TABLE, table=table)]

    async def of_player(self, player: str, most: int | None = None) -> list[tuple[KeptGame, int]]:
        """A person's games, the newest first, each with the seat."""
        rows = await self._database.read(OF_PLAYER.limit(most), player=player)
        return [(_kept(row), row.seat) for row in rows]

    async def record(self, table: str, game: int) -> Record | None:
        """The record of a game; None if there is no such finished game."""
        rows = await self._database.read(RECORD, table=table, game=game)
        return Record.loads(rows[0].record) if rows else None

    async def records(self, table: str | None = None) -> list[tuple[int, str]]:
        """The number and the line of each record, of one table or of all, the newest last."""
        if table is None:
            rows = await self._database.read(RECORDS)
        else:
            rows = await self._database.read(RECORDS.where(_OF_TABLE), table=table)
        return [(row.game, row.record) for row in rows]


def _kept(row: Row[Any]) -> KeptGame:
    names, people = json.loads(row.players)
    return KeptGame(
        table=row.tbl,
        game=row.game,
        edition=row.edition,
        players=tuple(names),
        people=tuple(people),
        loser=row.loser,
        places=tuple(json.loads(row.places)),
        plies=row.plies,
        complete=row.complete,
        ended=row.ended,
    )


def keep_game(connection: Connection, table: str, finished: Finished, now: int) -> None:
    """Writes a finished game down."""
    record = finished.record
    connection.execute(
        insert(GAMES),
        {
            "tbl": table,
            "game": finished.game,
            "edition": record.rules.edition,
            "players": json.dumps([record.players, finished.players]),
            "loser": record.result["loser"],
            "places": json.dumps(record.result["places"]),
            "plies": len(record.moves),
            "complete": finished.complete,
            "rated": finished.rated,
            "ended": record.extra.get("date", now),
            "record": record.dumps(),
        },
    )
    there = [
        {"player": player, "tbl": table, "game": finished.game, "seat": seat}
        for seat, player in enumerate(finished.players)
        if player is not None
    ]
    if there:
        connection.execute(insert(PLAYED), there)
