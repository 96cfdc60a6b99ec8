"""WriteBatch: what one transaction adds to the logs, gathered so that many rows take one statement.

Each statement makes the writing thread wait for the interpreter several times, and the event loop
does not let go of it at once: row by row, a busy server would be slow to commit.
"""

from collections import OrderedDict
from collections.abc import Sequence
from typing import TypeVar

from karma.clock import Clock
from karma.store import Conflict, Finished, Listing
from karma.store.chain import chained
from karma.store.database import EntryRow, HeadRow, ListingRow, Session
from karma.store.games import keep_game
from karma.store.log import last_link
from karma.store.ratings import count_game
from karma.store.tables import Parts, keep_parts, listing_row

T = TypeVar("T")
REMEMBERED_TABLES = 4096


class Remembered(OrderedDict[str, T]):
    """Something about each of the tables written to last."""

    def keep(self, table: str, value: T) -> None:
        """Remembers, and forgets the table not written to for longest."""
        self[table] = value
        self.move_to_end(table)
        if len(self) > REMEMBERED_TABLES:
            self.popitem(last=False)


class WriteBatch:
    """Entries and listings on their way into the database."""

    def __init__(self, session: Session, clock: Clock) -> None:
        self._session = session
        self._clock = clock
        self._hashes = Remembered[tuple[int, bytes]]()
        self._parts = Remembered[Parts]()
        self._entries: list[EntryRow] = []
        self._heads: dict[str, HeadRow] = {}
        self._listings: dict[str, ListingRow] = {}

    def forget(self) -> None:
        """Forgets what was not written, and whatever was and may have been taken back."""
        for each in (self._hashes, self._parts, self._entries, self._heads, self._listings):
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
        connection = self._session.connection
        last, digest = self._hashes.get(table) or last_link(connection, table)
        if last != after:  # another process may have written since
            last, digest = last_link(connection, table)
        if last != after:
            raise Conflict(f"the log of {table} has {last} entries, not {after}")
        for number, body in enumerate(entries, start=after + 1):
            digest = chained(digest, table, number, body)
            self._entries.append((table, number, body, digest))
        self._hashes.keep(table, (after + len(entries), digest))
        self._heads[table] = table, after + len(entries), digest
        for game in finished:
            self._session.count_alone()
            keep_game(connection, table, game, self._clock.date())
            count_game(connection, game)
        if listing is not None:
            self._listings[table] = listing_row(table, listing, self._clock.date())
            if self._parts.get(table) != listing.players:
                keep_parts(connection, table, listing.players)
                self._parts.keep(table, listing.players)

    def flush(self) -> None:
        """Writes what was gathered."""
        if self._entries:
            self._session.insert_entries(self._entries)
            self._entries.clear()
            self._session.put_heads(list(self._heads.values()))
            self._heads.clear()
        if self._listings:
            self._session.put_listings(list(self._listings.values()))
            self._listings.clear()
