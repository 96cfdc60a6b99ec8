"""Database: what the ports need of a database, and what each kind of database has to bring."""

from collections.abc import Callable, Sequence
from typing import Any, Protocol, TypeVar

from sqlalchemy import Connection, Executable, Row
from sqlalchemy.exc import DBAPIError

T = TypeVar("T")
EntryRow = tuple[str, int, bytes, bytes]
"""Table, number, body, hash."""
HeadRow = tuple[str, int, bytes]
"""Table, number and hash of its last entry."""
ListingRow = tuple[str, str, bool, str, str, int, str]
"""Table, phase, public, clock, invite, touched, and the rest as JSON."""


class Readable(Protocol):
    """A database, for ports that read."""

    async def read(self, statement: Executable, **values: Any) -> Sequence[Row[Any]]:
        """Reads rows, on another thread and connection than the writer's."""


class Database(Readable, Protocol):
    """A database, for ports that write too."""

    async def write(self, job: Callable[[Connection], T]) -> T:
        """Runs a job on the writing thread, and returns when what it wrote is on the disk."""


class Session(Protocol):
    """The one connection that writes, in the words of one kind of database."""

    connection: Connection
    failures: tuple[type[Exception], ...]
    """What the database raises."""
    own_faults: tuple[type[Exception], ...]
    """What of that is the fault of one job, and not of the disk."""
    crossed: tuple[type[Exception], ...]
    """What takes a transaction back because processes waited for each other: it can be repeated."""

    def begin(self) -> bool:
        """Begins a transaction; True if on a new connection, to what may be an older database."""

    def commit(self) -> None:
        """Ends it; what it wrote is on the disk."""

    def rollback(self) -> None:
        """Takes back all of it, if there is one."""

    def mark(self) -> None:
        """Marks a place in the transaction."""

    def back_to_mark(self) -> None:
        """Takes back what was written since the mark."""

    def unmark(self) -> None:
        """Forgets the mark."""

    def count_alone(self) -> None:
        """Keeps other processes from counting finished games until the transaction ends."""

    def hold_heads(self, tables: Sequence[str]) -> Sequence[HeadRow]:
        """Keeps other processes from adding to these logs until the transaction ends.

        Returns how far the logs go; nothing where no other process can be.
        """

    def put(
        self,
        entries: Sequence[EntryRow],
        heads: Sequence[HeadRow],
        listings: Sequence[ListingRow],
    ) -> None:
        """Writes entries, and heads and listings over older ones; a server does this all day."""

    def close(self) -> None:
        """Lets the connection go."""


def said(error: Exception) -> str:
    """What a database said, in a line, without the statement and its values: those may be cards."""
    told = str(error.orig) if isinstance(error, DBAPIError) else str(error)
    return told.partition("\n")[0]
