"""The store in a PostgreSQL database, which several processes and machines may share.

One connection writes, on a thread of its own, and comes back by itself when the server does. Of two
processes that write one table, the key of the entries lets one go first; the other is told.
"""

import asyncio
import threading
from collections.abc import Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import psycopg
from psycopg.pq import TransactionStatus
from sqlalchemy import URL, Connection, Engine, Executable, Row, create_engine, make_url, text
from sqlalchemy.exc import ArgumentError, DataError, DBAPIError, IntegrityError, SQLAlchemyError
from sqlalchemy.pool import NullPool, Pool, QueuePool, StaticPool

from karma.clock import Clock
from karma.store import StoreError
from karma.store.copy import copy_all
from karma.store.database import EntryRow, HeadRow, ListingRow, said
from karma.store.games import SqlGames
from karma.store.log import SqlLog
from karma.store.migration import migrate
from karma.store.sql_store import ReaderAndWriter, SqlStore
from karma.store.sqlite import write_copy
from karma.store.workers import ALIVE, SqlWorkers
from karma.store.writer import Writer

READERS = 4
MIGRATING, COUNTING = 7_015_001, 7_015_002
"""The keys of our advisory locks."""
FAILURES: tuple[type[Exception], ...] = (psycopg.Error, SQLAlchemyError)
OPTIONS: dict[str, Any] = {
    "connect_timeout": 5,
    "tcp_user_timeout": 10_000,
    "application_name": "karma",
}
IN_PLAY = {
    **OPTIONS,
    # A process that was stopped in the middle of a transaction must not keep the others waiting.
    "options": "-c idle_in_transaction_session_timeout=5s -c lock_timeout=8s"
    " -c statement_timeout=60s",
}
HOLD_HEADS = "SELECT tbl, seq, hash FROM heads WHERE tbl = ANY(%b) ORDER BY tbl FOR UPDATE"
PUT = (  # in one statement: each takes two threads and two processes
    "WITH entries AS (INSERT INTO events (tbl, seq, body, hash)"
    " SELECT * FROM unnest(%b::text[], %b::int[], %b::bytea[], %b::bytea[])),"
    " ends AS (INSERT INTO heads (tbl, seq, hash)"
    " SELECT * FROM unnest(%b::text[], %b::int[], %b::bytea[])"
    " ON CONFLICT (tbl) DO UPDATE SET seq = excluded.seq, hash = excluded.hash)"
    " INSERT INTO tables (tbl, phase, public, clock, invite, touched, listing)"
    " SELECT * FROM unnest(%b::text[], %b::text[], %b::bool[], %b::text[], %b::text[],"
    " %b::bigint[], %b::text[])"
    " ON CONFLICT (tbl) DO UPDATE SET phase = excluded.phase, public = excluded.public,"
    " clock = excluded.clock, invite = excluded.invite, touched = excluded.touched,"
    " listing = excluded.listing"
)


class PostgresStore(SqlStore):
    """Everything a server keeps, in a PostgreSQL database."""

    def __init__(self, address: str, clock: Clock) -> None:
        url = _url(address)
        name = _name(url)
        try:
            _migrate(url)
            session = _PostgresSession(url, IN_PLAY)
        except FAILURES as error:
            raise StoreError(f"cannot use {name}: {said(error)}") from None
        self._reader = _PostgresReader(url, name)
        writer = Writer(session, clock, name)
        super().__init__(self._reader, writer, clock)
        self.workers = SqlWorkers(ReaderAndWriter(self._reader, writer))

    def close(self) -> None:
        """Finishes what waits, and lets the connections go."""
        super().close()
        self._reader.close()


class PostgresArchive:
    """What a database holds, to read, at one moment: servers may write meanwhile."""

    def __init__(self, address: str) -> None:
        url = _url(address)
        self._name = _name(url)
        self._lock = threading.Lock()
        try:
            self.connection = _engine(url, NullPool).connect()
            self.connection.execution_options(isolation_level="REPEATABLE READ")
            self.connection.execute(text("SET TRANSACTION READ ONLY"))
        except FAILURES as error:
            raise StoreError(f"cannot use {self._name}: {said(error)}") from None
        self.log = SqlLog(self)
        self.games = SqlGames(self)

    async def read(self, statement: Executable, **values: Any) -> Sequence[Row[Any]]:
        """Reads rows, on another thread."""
        return await asyncio.to_thread(self._read, statement, values)

    def _read(self, statement: Executable, values: dict[str, Any]) -> Sequence[Row[Any]]:
        try:
            with self._lock:
                return self.connection.execute(statement, values).all()
        except FAILURES as error:
            raise StoreError(f"cannot read {self._name}: {said(error)}") from None

    def workers(self) -> int:
        """How many workers serve from it at the moment."""
        return len(self._read(ALIVE, {}))

    def backup(self, folder: Path) -> Path:
        """Copies everything into a folder's new SQLite file."""
        return write_copy(self.connection, folder)

    def close(self) -> None:
        """Lets the connection go."""
        self.connection.close()


def fill(address: str, source: Connection) -> dict[str, int]:
    """Copies everything from another database into this empty one; returns how much it was."""
    url = _url(address)
    try:
        _migrate(url)
        with closing(_PostgresSession(url, OPTIONS)) as session:
            session.begin()
            counts = copy_all(source, session.connection)
            session.commit()
    except FAILURES as error:
        raise StoreError(f"cannot write {_name(url)}: {said(error)}") from None
    return counts


class _PostgresSession:
    """The connection that writes; what is hot is said to PostgreSQL without a detour."""

    failures = FAILURES
    own_faults: tuple[type[Exception], ...] = (
        psycopg.IntegrityError,
        psycopg.DataError,
        IntegrityError,
        DataError,
    )
    crossed: tuple[type[Exception], ...] = (
        psycopg.errors.DeadlockDetected,
        psycopg.errors.IdleInTransactionSessionTimeout,
    )
    connection: Connection

    def __init__(self, url: URL, options: dict[str, Any]) -> None:
        self._url = url
        self._options = options
        self._connect()

    def _connect(self) -> None:
        self.raw = _dial(self._url, self._options, autocommit=True)
        engine = create_engine(
            "postgresql+psycopg://",
            creator=lambda: self.raw,
            poolclass=StaticPool,
            pool_reset_on_return=None,  # it may be lost by then, and transactions are begun by hand
            isolation_level="AUTOCOMMIT",
            hide_parameters=True,
        )
        self.connection = engine.connect()

    def begin(self) -> bool:
        try:
            self.raw.execute("BEGIN")
        except psycopg.OperationalError:
            if not self.raw.closed:
                raise
            self._connect()  # the server was away; nothing was begun
            self.raw.execute("BEGIN")
            return True
        return False

    def commit(self) -> None:
        self.raw.execute("COMMIT")

    def rollback(self) -> None:
        idle = TransactionStatus.IDLE
        if not self.raw.closed and self.raw.info.transaction_status != idle:
            self.raw.execute("ROLLBACK")

    def mark(self) -> None:
        self.raw.execute("SAVEPOINT job")

    def back_to_mark(self) -> None:
        self.raw.execute("ROLLBACK TO job")

    def unmark(self) -> None:
        self.raw.execute("RELEASE job")

    def count_alone(self) -> None:
        self.raw.execute("SELECT pg_advisory_xact_lock(%s)", (COUNTING,))

    def hold_heads(self, tables: Sequence[str]) -> Sequence[HeadRow]:
        return self.raw.execute(HOLD_HEADS, [list(tables)], prepare=True).fetchall()

    def put(
        self,
        entries: Sequence[EntryRow],
        heads: Sequence[HeadRow],
        listings: Sequence[ListingRow],
    ) -> None:
        columns = [*_columns(entries, 4), *_columns(heads, 3), *_columns(listings, 7)]
        self.raw.execute(PUT, columns, prepare=True)

    def close(self) -> None:
        with suppress(*FAILURES):  # it may be lost by then
            self.connection.close()
        self.raw.close()


class _PostgresReader:
    """Connections that read, a few at a time."""

    def __init__(self, url: URL, name: str) -> None:
        self._name = name
        self._engine = _engine(
            url, QueuePool, pool_size=READERS, max_overflow=0, isolation_level="AUTOCOMMIT"
        )

    async def read(self, statement: Executable, **values: Any) -> Sequence[Row[Any]]:
        return await asyncio.to_thread(self._read, statement, values)

    def _read(self, statement: Executable, values: dict[str, Any]) -> Sequence[Row[Any]]:
        try:
            try:
                return self._ask(statement, values)
            except DBAPIError as error:
                if not error.connection_invalidated:
                    raise
            return self._ask(statement, values)  # the server was away meanwhile
        except FAILURES as error:
            raise StoreError(f"cannot read {self._name}: {said(error)}") from None

    def _ask(self, statement: Executable, values: dict[str, Any]) -> Sequence[Row[Any]]:
        with self._engine.connect() as connection:
            return connection.execute(statement, values).all()

    def close(self) -> None:
        self._engine.dispose()


def _columns(rows: Sequence[tuple[Any, ...]], width: int) -> list[list[Any]]:
    """Rows as columns, in an order that two processes cannot cross each other in."""
    return [list(column) for column in zip(*sorted(rows), strict=True)] or [[]] * width


def _url(address: str) -> URL:
    """An address as it is given: postgresql://user@host/database."""
    try:
        url = make_url(address)
    except ArgumentError:
        url = None
    if url is None or url.drivername != "postgresql" or not url.database:
        raise StoreError("a database's address is like postgresql://karma@host/karma")
    return url.set(drivername="postgresql+psycopg")


def _name(url: URL) -> str:
    """An address to show, without its password."""
    return url.set(drivername="postgresql").render_as_string(hide_password=True)


def _engine(url: URL, pool: type[Pool], **options: Any) -> Engine:
    return create_engine(
        "postgresql+psycopg://",
        creator=lambda: _dial(url, OPTIONS),
        poolclass=pool,
        hide_parameters=True,
        **options,
    )


def _dial(url: URL, options: dict[str, Any], **how: Any) -> "psycopg.Connection[Any]":
    plain = url.set(drivername="postgresql").render_as_string(hide_password=False)
    return psycopg.connect(plain, **options, **how)


def _migrate(url: URL) -> None:
    """Brings the schema up to date, one process at a time."""
    with _engine(url, NullPool).begin() as connection:
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": MIGRATING})
        migrate(connection)
