"""SqlStore: what a server keeps, in a database of either kind: one writer, and ports on it."""

from collections.abc import Sequence

from karma.clock import Clock
from karma.store import Finished, Listing
from karma.store.codes import SqlCodes
from karma.store.database import Readable
from karma.store.games import SqlGames
from karma.store.log import SqlLog
from karma.store.notices import SqlNotices
from karma.store.players import SqlPlayers
from karma.store.ports import WorkersPort
from karma.store.ratings import SqlRatings
from karma.store.reviews import SqlReviews
from karma.store.subscriptions import SqlSubscriptions
from karma.store.tables import SqlTables
from karma.store.writer import Writer


class SqlStore:
    """Everything a server keeps; each kind of database brings how it reads, writes and ends."""

    def __init__(self, reader: Readable, writer: Writer, clock: Clock) -> None:
        self._writer = writer
        database = ReaderAndWriter(reader, writer)
        self.log = KeptLog(database, writer)
        self.players = SqlPlayers(database, clock)
        self.notices = SqlNotices(database)
        self.tables = SqlTables(database)
        self.games = SqlGames(database)
        self.ratings = SqlRatings(database)
        self.reviews = SqlReviews(database)
        self.codes = SqlCodes(database)
        self.subscriptions = SqlSubscriptions(database, clock)
        self.workers: WorkersPort | None = None

    @property
    def failing(self) -> bool:
        """Whether the last attempt to write failed."""
        return self._writer.failing

    @property
    def errors(self) -> int:
        """How many attempts have failed since the start."""
        return self._writer.errors

    async def damage(self) -> list[str]:
        """What is wrong with the whole of it; a database that looks after itself finds nothing."""
        return []

    def quick_damage(self) -> list[str]:
        """What is wrong at a glance, before the start."""
        return []

    def close(self) -> None:
        """Finishes what waits."""
        self._writer.close()


class KeptLog(SqlLog):
    """The logs of all tables, to read and to add to."""

    def __init__(self, database: Readable, writer: Writer) -> None:
        super().__init__(database)
        self._writer = writer

    async def append(
        self,
        table: str,
        after: int,
        entries: Sequence[bytes],
        finished: Sequence[Finished] = (),
        listing: Listing | None = None,
        parts_changed: bool = True,
    ) -> None:
        """Keeps entries and what they changed, on the disk; Conflict if others are there."""
        await self._writer.append(
            table,
            lambda batch: batch.append(table, after, entries, finished, listing, parts_changed),
        )


class ReaderAndWriter:
    """Both connections, for the ports."""

    def __init__(self, reader: Readable, writer: Writer) -> None:
        self.read = reader.read
        self.write = writer.write
