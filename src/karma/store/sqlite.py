"""The store in one SQLite file: one connection that writes, on a thread of its own.

The file's log is flushed to the disk with every commit: what is acknowledged survives a power cut.
A second process on the same folder is refused. Whoever only reads opens a `SqliteArchive`.
"""

import asyncio
import fcntl
import sqlite3
import stat
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, Executable, Row, create_engine
from sqlalchemy.exc import IntegrityError, SQLAlchemyError
from sqlalchemy.pool import StaticPool

from karma.clock import Clock
from karma.store import Damaged, StoreError
from karma.store.copy import copy_all
from karma.store.database import EntryRow, HeadRow, ListingRow, said
from karma.store.games import SqlGames
from karma.store.log import SqlLog
from karma.store.migration import migrate
from karma.store.repair import Repaired, repair
from karma.store.sql_store import SqlStore
from karma.store.writer import Writer, give_answers

FILE = "karma.sqlite"
LOCK = "karma.lock"
OURS = ("karma.", "operator.", "backups")
MOST_ROWS = 64
MOST_REMEMBERED = 4096
MOST_QUICK_BYTES = 64 * 1024 * 1024
DAMAGE = ("malformed", "not a database")
"""What SQLite says of a file that is not what was written."""
PRIVATE_FOLDER, PRIVATE_FILE = 0o700, 0o600
FAILURES: tuple[type[Exception], ...] = (sqlite3.Error, SQLAlchemyError)
INSERT_ENTRIES = "INSERT INTO events (tbl, seq, body, hash) VALUES "
PUT_LISTINGS = "INSERT INTO tables (tbl, phase, public, clock, invite, touched, listing) VALUES "
PUT_HEADS = "INSERT INTO heads (tbl, seq, hash) VALUES "
OVER_OLDER_HEADS = " ON CONFLICT (tbl) DO UPDATE SET seq = excluded.seq, hash = excluded.hash"
OVER_SIMILAR = (
    " ON CONFLICT (tbl) DO UPDATE SET touched = excluded.touched, listing = excluded.listing"
)
OVER_OLDER = (
    f"{OVER_SIMILAR}, phase = excluded.phase, public = excluded.public, clock = excluded.clock,"
    " invite = excluded.invite"
)
Question = tuple[Executable, dict[str, Any]]
MOMENT_SECONDS = 0.005
CHECKPOINT_PAGES = 4000
"""So many pages of the file's log are put into the file at a time: many are of the same places."""


class SqliteArchive:
    """What a folder's SQLite file holds, to read, at one moment: a server may write meanwhile."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / FILE
        if not self.path.is_file():
            raise StoreError(f"there is no {self.path}")
        with _clear_failures("read", self.path):
            self._reader = _Reader(self.path)
            self._reader.raw.execute("BEGIN")
            told = self._reader.raw.execute(
                "SELECT count(*) FROM sqlite_master WHERE name = 'heads'"
            )
            has_heads = bool(told.fetchone()[0])
        self.log = SqlLog(self._reader, has_heads=has_heads)
        self.games = SqlGames(self._reader)

    def workers(self) -> int:
        """How many workers share it: it has one server alone."""
        return 0

    @property
    def connection(self) -> Connection:
        """What everything can be read from, as it was at one moment."""
        return self._reader.connection

    def close(self) -> None:
        """Lets the file go."""
        self._reader.close()

    def backup(self, folder: Path) -> Path:
        """Copies everything into another folder."""
        copy = _new_file(folder)
        with _clear_failures("write", copy), closing(sqlite3.connect(copy)) as other:
            self._reader.raw.backup(other)
        return copy


class SqliteStore(SqlStore):
    """Everything a server keeps, in a folder's SQLite file."""

    def __init__(self, folder: Path, clock: Clock) -> None:
        _make(folder)
        self.path = folder / FILE
        self._lock = _lock(folder)
        new = not self.path.exists()
        _keep_private(self.path)
        try:
            with _clear_failures("open", self.path):
                session = _Session(self.path)
                self._reader = _Reader(self.path)
        except StoreError:
            if new:  # on a full disk: nothing half-made is left behind
                _remove(self.path)
            self._lock.close()
            raise
        super().__init__(self._reader, Writer(session, clock, str(self.path)), clock)

    async def damage(self) -> list[str]:
        """What SQLite finds wrong with the file, every page of it."""
        return await asyncio.to_thread(_check, self.path, "integrity_check(20)")

    def quick_damage(self) -> list[str]:
        """What it finds at a glance; of a large file nothing, for that would take its time."""
        if self.path.stat().st_size > MOST_QUICK_BYTES:
            return []
        return _check(self.path, "quick_check(1)")

    def close(self) -> None:
        """Finishes what waits, and lets the file go."""
        super().close()
        self._reader.close()
        self._lock.close()


class _Session:
    """The connection that writes; what is hot is said to SQLite without a detour."""

    failures = FAILURES
    own_faults: tuple[type[Exception], ...] = (sqlite3.IntegrityError, IntegrityError)
    crossed: tuple[type[Exception], ...] = ()  # there is no other process

    def __init__(self, path: Path) -> None:
        self.raw = sqlite3.connect(
            path, isolation_level=None, check_same_thread=False, cached_statements=4 * MOST_ROWS
        )
        self.connection = _engine(self.raw).connect()
        self.raw.execute("PRAGMA journal_mode = WAL")
        self.raw.execute("PRAGMA synchronous = FULL")
        self.raw.execute("PRAGMA foreign_keys = ON")
        self.raw.execute(f"PRAGMA wal_autocheckpoint = {CHECKPOINT_PAGES}")
        self._found_by: dict[str, tuple[Any, ...]] = {}
        self.begin()
        try:
            migrate(self.connection)
        except BaseException:
            self.rollback()
            raise
        self.commit()

    def begin(self) -> bool:
        self.raw.execute("BEGIN IMMEDIATE")
        return False

    def commit(self) -> None:
        self.raw.execute("COMMIT")

    def rollback(self) -> None:
        self._found_by.clear()
        if self.raw.in_transaction:
            self.raw.execute("ROLLBACK")

    def mark(self) -> None:
        self.raw.execute("SAVEPOINT job")

    def back_to_mark(self) -> None:
        self._found_by.clear()
        self.raw.execute("ROLLBACK TO job")

    def unmark(self) -> None:
        self.raw.execute("RELEASE job")

    def count_alone(self) -> None:
        pass  # there is no other process

    def hold_heads(self, tables: Sequence[str]) -> Sequence[HeadRow]:
        return ()  # there are no others

    def put(
        self,
        entries: Sequence[EntryRow],
        heads: Sequence[HeadRow],
        listings: Sequence[ListingRow],
    ) -> None:
        self._insert(INSERT_ENTRIES, entries)
        self._put_heads(heads)
        self._put_listings(listings)

    def _put_listings(self, listings: Sequence[ListingRow]) -> None:
        """Writes listings; the indices, only where a table is to be found by something else."""
        similar = [row for row in listings if self._found_by.get(row[0]) == row[1:5]]
        others = [row for row in listings if self._found_by.get(row[0]) != row[1:5]]
        self._insert(PUT_LISTINGS, similar, OVER_SIMILAR)
        self._insert(PUT_LISTINGS, others, OVER_OLDER)
        if len(self._found_by) > MOST_REMEMBERED:
            self._found_by.clear()
        self._found_by.update({row[0]: row[1:5] for row in others})

    def _put_heads(self, heads: Sequence[HeadRow]) -> None:
        self._insert(PUT_HEADS, heads, OVER_OLDER_HEADS)

    def _insert(self, head: str, rows: Sequence[tuple[Any, ...]], tail: str = "") -> None:
        for start in range(0, len(rows), MOST_ROWS):
            some = rows[start : start + MOST_ROWS]
            marks = ", ".join(["(" + ", ".join("?" * len(some[0])) + ")"] * len(some))
            self.raw.execute(head + marks + tail, [value for row in some for value in row])

    def close(self) -> None:
        self.connection.close()
        self.raw.close()


class _Reader:
    """A connection that reads, one thread at a time."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.raw = sqlite3.connect(
            f"{path.absolute().as_uri()}?mode=ro",
            uri=True,
            isolation_level=None,
            check_same_thread=False,
        )
        self.connection = _engine(self.raw).connect()
        self._lock = threading.Lock()
        self._asked: list[tuple[Question, asyncio.Future[Sequence[Row[Any]]]]] = []
        self._reading: asyncio.Task[None] | None = None

    async def read(self, statement: Executable, **values: Any) -> Sequence[Row[Any]]:
        """Asks the file; what is asked while it answers is asked together after that."""
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[Sequence[Row[Any]]] = loop.create_future()
        self._asked.append(((statement, values), answer))
        if self._reading is None:
            self._reading = loop.create_task(self._read_all())
        return await answer

    async def _read_all(self) -> None:
        try:
            while self._asked:
                questions = [question for question, _ in self._asked]
                answers = await asyncio.to_thread(self._answer_some, questions)
                answered, self._asked = self._asked[: len(answers)], self._asked[len(answers) :]
                give_answers(zip([future for _, future in answered], answers, strict=True))
        finally:
            for _, answer in self._asked:  # it was ended: nobody is to wait for ever
                answer.cancel()
            self._asked, self._reading = [], None

    def _answer_some(self, questions: Sequence[Question]) -> list[Sequence[Row[Any]] | Exception]:
        """Answers questions for a moment: the first have their answers before the last are read."""
        until = time.monotonic() + MOMENT_SECONDS
        answers = []
        with self._lock:
            for question in questions:
                answers.append(self._answer(*question))
                if time.monotonic() >= until:
                    break
        return answers

    def _answer(
        self, statement: Executable, values: dict[str, Any]
    ) -> Sequence[Row[Any]] | Exception:
        try:
            with _clear_failures("read", self._path):
                return self.connection.execute(statement, values).all()
        except Exception as error:
            return error

    def close(self) -> None:
        self.connection.close()
        self.raw.close()


def _engine(raw: sqlite3.Connection) -> Engine:
    """SQLAlchemy on a connection of ours, whose transactions are ours too."""
    return create_engine(
        "sqlite://",
        creator=lambda: raw,
        poolclass=StaticPool,
        isolation_level="AUTOCOMMIT",
        hide_parameters=True,
    )


def _check(path: Path, pragma: str) -> list[str]:
    """What a check of SQLite's finds."""
    try:
        with closing(_Reader(path)) as reader:
            told = [str(line) for (line,) in reader.raw.execute(f"PRAGMA {pragma}")]
    except FAILURES as error:
        return [said(error)]
    return [] if told == ["ok"] else told


def write_copy(source: Connection, folder: Path) -> Path:
    """Copies everything from another database into a folder's new file."""
    path = _new_file(folder)
    try:
        with _clear_failures("write", path), closing(_Session(path)) as session:
            session.begin()
            copy_all(source, session.connection)
            session.commit()
            session.raw.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    except StoreError:
        _remove(path)
        raise
    return path


def mend(folder: Path, backup: Path) -> Repaired:
    """Writes a folder's file anew, from what is whole of it and a backup; the old one is kept."""
    path, new = folder / FILE, folder / f"{FILE}.new"
    for each in (path, backup / FILE):
        if not each.is_file():
            raise StoreError(f"there is no {each}")
    with locked(folder):
        _remove(new)
        _keep_private(new)
        with _clear_failures("write", new), closing(_Session(new)) as session:
            session.begin()
            told = repair(path, backup / FILE, session.raw)
            session.commit()
            session.raw.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        for each in folder.glob(f"{FILE}*"):
            if each.name in (FILE, f"{FILE}-wal", f"{FILE}-shm"):
                each.replace(folder / each.name.replace(FILE, f"{FILE}.damaged", 1))
        new.replace(path)
    return told


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Keeps servers off a folder."""
    with closing(_lock(folder)):
        yield


def _new_file(folder: Path) -> Path:
    """An empty file for a copy, in a folder that has none."""
    path = folder / FILE
    if path.exists():
        raise StoreError(f"{path} exists; give a folder without one")
    _make(folder)
    _keep_private(path)
    return path


def _remove(path: Path) -> None:
    """Removes a database and the files that SQLite keeps beside it."""
    for tail in ("", "-wal", "-shm", "-journal"):
        path.with_name(path.name + tail).unlink(missing_ok=True)


@contextmanager
def _clear_failures(what: str, path: Path) -> Iterator[None]:
    """Says what the database could not do."""
    try:
        yield
    except FAILURES as error:
        kind = Damaged if any(word in said(error) for word in DAMAGE) else StoreError
        raise kind(f"cannot {what} {path}: {said(error)}") from None


def _make(folder: Path) -> None:
    """Makes a folder, or closes one to others that holds nothing but what is ours."""
    try:
        folder.mkdir(mode=PRIVATE_FOLDER, parents=True, exist_ok=True)
        others = stat.S_IMODE(folder.stat().st_mode) & 0o077
        if others and all(each.name.startswith(OURS) for each in folder.iterdir()):
            folder.chmod(PRIVATE_FOLDER)
    except OSError as error:
        raise StoreError(f"cannot use {folder} as a folder: {error.strerror}") from None


def _keep_private(path: Path) -> None:
    """Makes a file its owner's alone: it shows every hand. SQLite's other files follow its mode."""
    try:
        path.touch(mode=PRIVATE_FILE)
        for each in path.parent.glob(f"{path.name}*"):
            each.chmod(PRIVATE_FILE)
    except OSError as error:
        raise StoreError(f"cannot keep {path} private: {error.strerror}") from None


def _lock(folder: Path) -> Any:
    try:
        (folder / LOCK).touch(mode=PRIVATE_FILE)
        file = (folder / LOCK).open("w")
    except OSError as error:
        raise StoreError(f"cannot write in {folder}: {error.strerror}") from None
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        file.close()
        raise StoreError(
            f"another process uses {folder}; stop it, or give this one another folder by --data"
        ) from None
    return file
