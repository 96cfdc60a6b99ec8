"""Location: where things are kept, in a folder's SQLite file or at a database's address."""

from contextlib import closing
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Union

from karma.clock import Clock, WallClock
from karma.store import StoreError
from karma.store.sql_store import SqlStore

if TYPE_CHECKING:
    from karma.store.postgres import PostgresArchive
    from karma.store.sqlite import SqliteArchive

Archive = Union["SqliteArchive", "PostgresArchive"]
"""What is kept, to read, as it was at one moment."""
SCHEME = "postgresql:"


def open_store(folder: Path, database: str | None, clock: Clock) -> SqlStore:
    """The store of a server: in its folder, unless the address of a database is given."""
    if database is not None:
        store: SqlStore = _postgres().PostgresStore(database, clock)
        return store
    from karma.store.sqlite import SqliteStore

    return SqliteStore(folder, clock)


def open_archive(folder: Path, database: str | None) -> Archive:
    """What is kept there, to read."""
    if database is not None:
        archive: Archive = _postgres().PostgresArchive(database)
        return archive
    from karma.store.sqlite import SqliteArchive

    return SqliteArchive(folder)


def copy_to_database(folder: Path, database: str) -> dict[str, int]:
    """Copies everything from a folder that no server uses into an empty database."""
    from karma.store.sqlite import SqliteArchive, SqliteStore, locked

    SqliteStore(folder, WallClock()).close()  # an older version's is brought up to date
    with locked(folder), closing(SqliteArchive(folder)) as archive:
        counts: dict[str, int] = _postgres().fill(database, archive.connection)
    return counts


def _postgres() -> ModuleType:
    try:
        from karma.store import postgres
    except ImportError:
        raise StoreError("PostgreSQL needs an extra: pip install 'karma[postgres]'") from None
    return postgres
