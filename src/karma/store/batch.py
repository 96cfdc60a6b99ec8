"""WriteBatch: what one transaction adds to the logs, gathered so that many rows take one statement.

Each statement makes the writing thread wait for the interpreter several times, and the event loop
does not let go of it at once: row by row, a busy server would be slow to commit.
"""

from collections import OrderedDict
from collections.abc import Collection, Sequence

from karma.clock import Clock
from karma.store import Conflict, Finished, Listing
from karma.store.chain import chained
from karma.store.database import EntryRow, HeadRow, ListingRow, Session
from karma.store.games import keep_game
from karma.store.log import last_link
from karma.store.ratings import count_game
from karma.store.tables import keep_parts, listing_row

REMEMBERED_TABLES = 4096


class Links(OrderedDict[str, tuple[int, bytes]]):
    """The number and the hash of the last entry of each of the tables written to last."""

    def keep(self, table: str, number: int, digest: bytes) -> None:
        """Remembers, and forgets the table not written to for longest."""
        self[table] = number, digest
        self.move_to_end(table)
        if len(self) > REMEMBERED_TABLES:
            self.popitem(last=False)


class WriteBatch:
    """Entries and listings on their way into the database."""

    def __init__(self, session: Session, clock: Clock) -> None:
        self._session = session
        self._clock = clock
        self._links = Links()
        self._entries: list[EntryRow] = []
        self._heads: dict[str, HeadRow] = {}
        self._listings: dict[str, ListingRow] = {}
        self._to_hold: Collection[str] = ()

    def begin(self, tables: Collection[str]) -> None:
        """A transaction begins that is to add to the logs of these tables."""
        self._to_hold = tables

    def forget(self) -> None:
        """Forgets what was not written, and whatever was and may have been taken back."""
        for each in (self._links, self._entries, self._heads, self._listings):
            each.clear()

    def append(
        self,
        table: str,
        after: int,
        entries: Sequence[bytes],
        finished: Sequence[Finished],
        listing: Listing | None,
        parts_changed: bool,
    ) -> None:
        """Takes entries and what they changed; Conflict if others are there."""
        connection = self._session.connection
        self._hold()
        last, digest = self._links.get(table) or last_link(connection, table)
        if last != after:
            raise Conflict(f"the log of {table} has {last} entries, not {after}")
        for number, body in enumerate(entries, start=after + 1):
            digest = chained(digest, table, number, body)
            self._entries.append((table, number, body, digest))
        self._links.keep(table, after + len(entries), digest)
        self._heads[table] = table, after + len(entries), digest
        for game in finished:
            self._session.count_alone()
            keep_game(connection, table, game, self._clock.date())
            count_game(connection, game)
        if listing is not None:
            self._listings[table] = listing_row(table, listing, self._clock.date())
            if parts_changed:
                keep_parts(connection, table, listing.players)

    def _hold(self) -> None:
        """Has other processes wait that would add to the same logs; learns what they have added.

        All at once, before the first entry: found by the database among many entries, one that
        comes too late would have all of them taken back and written again one by one.
        """
        if self._to_hold:
            for table, last, digest in self._session.hold_heads(sorted(self._to_hold)):
                self._links.keep(table, last, digest)
            self._to_hold = ()

    def flush(self) -> None:
        """Writes what was gathered."""
        if self._entries or self._listings:
            heads, listings = list(self._heads.values()), list(self._listings.values())
            self._session.put(self._entries, heads, listings)
        for each in (self._entries, self._heads, self._listings):
            each.clear()
