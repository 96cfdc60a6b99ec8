"""Batch: what one transaction adds to the logs, gathered so that many rows take one statement.

Each statement makes the writing thread wait for the interpreter several times, and the event loop
does not let go of it at once: row by row, a busy server would be slow to commit.
"""

import json
import sqlite3
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from karma.store import Conflict, Finished, Listing
from karma.store.chain import chained, last_link

T = TypeVar("T")
OnGame = Callable[[sqlite3.Connection, Finished], None]
"""What else is written down, in the same breath, when a game has ended."""
Parts = tuple[tuple[str, int | None], ...]
MOST_ROWS = 64
REMEMBERED_TABLES = 4096


class Remembered(OrderedDict[str, T]):
    """Something about each of the tables written to last."""

    def keep(self, table: str, value: T) -> None:
        """Remembers, and forgets the table not written to for longest."""
        self[table] = value
        self.move_to_end(table)
        if len(self) > REMEMBERED_TABLES:
            self.popitem(last=False)


class Batch:
    """Entries and listings on their way into the database."""

    def __init__(self, database: sqlite3.Connection, on_game: OnGame | None) -> None:
        self.database = database
        self._on_game = on_game
        self._hashes = Remembered[tuple[int, bytes]]()
        self._parts = Remembered[Parts]()
        self._entries: list[tuple[Any, ...]] = []
        self._listings: dict[str, tuple[Any, ...]] = {}

    def forget(self) -> None:
        """Forgets what was not written, and whatever was and may have been taken back."""
        for each in (self._hashes, self._parts, self._entries, self._listings):
            each.clear()

    def append(
        self,
        table: str,
        after: int,
        entries: Sequence[bytes],
        finished: Sequence[Finished],
        listing: Listing | None,
    ) -> None:
        """Takes entries and what they changed; Conflict if others are there."""
        last, digest = self._hashes.get(table) or last_link(self.database, table)
        if last != after:
            raise Conflict(f"the log of {table} has {last} entries, not {after}")
        for number, body in enumerate(entries, start=after + 1):
            digest = chained(digest, table, number, body)
            self._entries.append((table, number, body, digest))
        self._hashes.keep(table, (after + len(entries), digest))
        for game in finished:
            _keep_game(self.database, table, game)
            if self._on_game is not None:
                self._on_game(self.database, game)
        if listing is not None:
            self._listings[table] = _listing_row(table, listing)
            if self._parts.get(table) != listing.players:
                _keep_parts(self.database, table, listing.players)
                self._parts.keep(table, listing.players)

    def flush(self) -> None:
        """Writes what was gathered."""
        _insert(self.database, "events (tbl, seq, body, hash)", self._entries)
        _insert(
            self.database,
            "tables (tbl, phase, public, clock, invite, touched, listing)",
            list(self._listings.values()),
            " ON CONFLICT (tbl) DO UPDATE SET phase = excluded.phase, public = excluded.public,"
            " clock = excluded.clock, invite = excluded.invite, touched = excluded.touched,"
            " listing = excluded.listing",
        )
        self._entries.clear()
        self._listings.clear()


def _insert(
    database: sqlite3.Connection, columns: str, rows: list[tuple[Any, ...]], otherwise: str = ""
) -> None:
    for start in range(0, len(rows), MOST_ROWS):
        some = rows[start : start + MOST_ROWS]
        marks = ", ".join(["(" + ", ".join("?" * len(some[0])) + ")"] * len(some))
        values = [value for row in some for value in row]
        database.execute(f"INSERT INTO {columns} VALUES {marks}{otherwise}", values)


def _keep_game(database: sqlite3.Connection, table: str, finished: Finished) -> None:
    record = finished.record
    database.execute(
        "INSERT INTO games (tbl, game, edition, players, loser, places, plies, complete, rated,"
        " ended, record) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            table,
            finished.game,
            record.rules.edition,
            json.dumps([record.players, finished.players]),
            record.result["loser"],
            json.dumps(record.result["places"]),
            len(record.moves),
            finished.complete,
            finished.rated,
            record.extra.get("date", round(time.time() * 1000)),
            record.dumps(),
        ),
    )


def _listing_row(table: str, listing: Listing) -> tuple[Any, ...]:
    return (
        table,
        listing.phase,
        listing.public,
        listing.clock,
        listing.invite,
        round(time.time() * 1000),
        json.dumps(
            {
                "edition": listing.edition,
                "rules": listing.rules,
                "names": listing.names,
                "players": listing.players,
                "asked": listing.asked,
                "most_players": listing.most_players,
                "spectators": listing.spectators,
            }
        ),
    )


def _keep_parts(database: sqlite3.Connection, table: str, parts: Parts) -> None:
    database.execute("DELETE FROM parts WHERE tbl = ?", (table,))
    database.executemany(
        "INSERT INTO parts (player, tbl, seat) VALUES (?, ?, ?)",
        [(player, table, seat) for player, seat in parts],
    )
