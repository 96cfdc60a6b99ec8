"""The event store in one SQLite file: one connection that writes, on a thread of its own.

The thread takes everything that waits and commits it at once (group commit), with the log flushed
to the disk: what is acknowledged survives a power cut. Every entry carries the hash of the one
before, so that a changed log shows. A second process on the same file is refused.

A statement costs this thread a wait for the interpreter, half a millisecond when the loop is busy:
so there are as few as can be, one or two for a move.
"""

import asyncio
import fcntl
import hashlib
import json
import queue
import sqlite3
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar

from karma.store import Conflict, Finished, Listing, StoreError

T = TypeVar("T")
Write = Callable[[sqlite3.Connection], Any]
Job = tuple[Write, asyncio.AbstractEventLoop, "asyncio.Future[Any]"]
Parts = tuple[tuple[str, int | None], ...]
OnGame = Callable[[sqlite3.Connection, Finished], None]
"""What else is written down, in the same breath, when a game has ended."""
FILE = "karma.sqlite"
BATCH = 256
REMEMBERED_TABLES = 4096
FIRST_HASH = bytes(32)


class Remembered(OrderedDict[str, T]):
    """What the writing thread knows of the tables it wrote to last."""

    def keep(self, table: str, value: T) -> None:
        """Remembers, and forgets the table not written to for longest."""
        self[table] = value
        self.move_to_end(table)
        if len(self) > REMEMBERED_TABLES:
            self.popitem(last=False)


class SqliteStore:
    """Logs, finished games, listings and players in a folder's SQLite file."""

    def __init__(self, folder: Path, on_game: OnGame | None = None) -> None:
        from karma.store.schema import migrate

        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StoreError(f"cannot use {folder} as a folder: {error.strerror}") from None
        self.path = folder / FILE
        self._on_game = on_game
        self._lock = _lock(folder)
        self._jobs: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._hashes = Remembered[tuple[int, bytes]]()
        self._parts = Remembered[Parts]()
        try:
            migrate(self.path)
            self._writer = _open(self.path)
            self._reader = sqlite3.connect(
                f"file:{self.path}?mode=ro", uri=True, check_same_thread=False
            )
        except sqlite3.Error as error:
            raise StoreError(f"cannot open {self.path}: {error}") from None
        self._reading = threading.Lock()
        self._thread = threading.Thread(target=self._write_for_ever, name="store", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Finishes what waits, and lets the file go."""
        self._jobs.put(None)
        self._thread.join()
        self._reader.close()
        self._lock.close()

    # ---- the port -------------------------------------------------------------------------------

    async def append(
        self,
        table: str,
        after: int,
        entries: Sequence[bytes],
        finished: Sequence[Finished] = (),
        listing: Listing | None = None,
    ) -> None:
        """Keeps entries and what they changed, on the disk; Conflict if others are there."""

        def write(database: sqlite3.Connection) -> None:
            self._append(database, table, after, entries)
            for game in finished:
                _keep_game(database, table, game)
                if self._on_game is not None:
                    self._on_game(database, game)
            if listing is not None:
                _keep_listing(database, table, listing)
                if self._parts.get(table) != listing.players:
                    _keep_parts(database, table, listing.players)
                    self._parts.keep(table, listing.players)

        await self.write(write)

    async def read(self, table: str) -> list[bytes]:
        """All entries of a table, in order."""
        rows = await self.query("SELECT body FROM events WHERE tbl = ? ORDER BY seq", (table,))
        return [row[0] for row in rows]

    # ---- everything else ------------------------------------------------------------------------

    async def write(self, job: Callable[[sqlite3.Connection], T]) -> T:
        """Runs a job on the writing thread, and returns when what it wrote is on the disk."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[T] = loop.create_future()
        self._jobs.put((job, loop, future))
        return await future

    async def query(self, sql: str, values: Sequence[Any] = ()) -> list[Any]:
        """Reads rows, on another thread and connection than the writer's."""
        return await asyncio.to_thread(self.look_up, sql, values)

    def look_up(self, sql: str, values: Sequence[Any] = ()) -> list[Any]:
        """Reads rows at once: for start-up and commands."""
        try:
            with self._reading:
                return self._reader.execute(sql, values).fetchall()
        except sqlite3.Error as error:
            raise StoreError(f"cannot read {self.path}: {error}") from None

    # ---- the writing thread ---------------------------------------------------------------------

    def _write_for_ever(self) -> None:
        while True:
            job = self._jobs.get()
            if job is None:
                self._writer.close()
                return
            batch = [job]
            stop = False
            while len(batch) < BATCH:
                try:
                    more = self._jobs.get_nowait()
                except queue.Empty:
                    break
                if more is None:
                    stop = True
                    break
                batch.append(more)
            self._write(batch)
            if stop:
                self._writer.close()
                return

    def _write(self, batch: list[Job]) -> None:
        """Commits a batch; a job that fails takes only itself along, a failed commit all of it."""
        jobs = [job for job, _, _ in batch]
        try:
            try:
                answers = self._commit(jobs, lambda job: job(self._writer))
            except Exception:  # one of them; which, is found out by trying each
                answers = self._commit(jobs, self._try)
        except sqlite3.Error as error:
            answers = [StoreError(f"cannot write {self.path}: {error}")] * len(batch)
        by_loop: dict[asyncio.AbstractEventLoop, list[tuple[asyncio.Future[Any], Any]]] = {}
        for (_, loop, future), answer in zip(batch, answers, strict=True):
            by_loop.setdefault(loop, []).append((future, answer))
        for loop, pairs in by_loop.items():
            if not loop.is_closed():
                loop.call_soon_threadsafe(_answer, pairs)

    def _commit(self, jobs: Sequence[Write], do: Callable[[Write], Any]) -> list[Any]:
        """Does jobs in one transaction; an exception, and none of them is done."""
        try:
            self._writer.execute("BEGIN IMMEDIATE")
            answers = [do(job) for job in jobs]
            self._writer.execute("COMMIT")
        except Exception:
            self._forget()
            if self._writer.in_transaction:
                self._writer.execute("ROLLBACK")
            raise
        return answers

    def _try(self, job: Write) -> Any:
        """Does one job of a transaction; what it raises is its answer, and undoes it alone."""
        self._writer.execute("SAVEPOINT job")
        try:
            answer = job(self._writer)
        except StoreError as error:
            answer = error
        except sqlite3.IntegrityError as error:
            answer = Conflict(str(error))
        except sqlite3.Error:
            raise
        except Exception as error:
            answer = error
        if isinstance(answer, Exception):
            self._forget()
            self._writer.execute("ROLLBACK TO job")
        self._writer.execute("RELEASE job")
        return answer

    def _forget(self) -> None:
        """Forgets what may have been taken back."""
        self._hashes.clear()
        self._parts.clear()

    def _append(
        self, database: sqlite3.Connection, table: str, after: int, entries: Sequence[bytes]
    ) -> None:
        last, digest = self._hashes.get(table) or _last(database, table)
        if last != after:
            raise Conflict(f"the log of {table} has {last} entries, not {after}")
        rows = []
        for number, body in enumerate(entries, start=after + 1):
            digest = chained(digest, table, number, body)
            rows.append((table, number, body, digest))
        database.executemany("INSERT INTO events (tbl, seq, body, hash) VALUES (?, ?, ?, ?)", rows)
        self._hashes.keep(table, (after + len(entries), digest))


def chained(before: bytes, table: str, number: int, body: bytes) -> bytes:
    """The hash of an entry: of the one before it, its place, and itself."""
    name = table.encode()
    head = before + len(name).to_bytes(2, "big") + name + number.to_bytes(8, "big")
    return hashlib.sha256(head + body).digest()


def broken_links(database: sqlite3.Connection) -> Iterator[tuple[str, int]]:
    """The entries, as table and number, at which a log is not what was written."""
    table, expected, digest, told = None, 1, FIRST_HASH, False
    for tbl, seq, body, kept in database.execute(
        "SELECT tbl, seq, body, hash FROM events ORDER BY tbl, seq"
    ):
        if tbl != table:
            table, expected, digest, told = tbl, 1, FIRST_HASH, False
        if not told and (seq != expected or chained(digest, tbl, seq, body) != kept):
            told = True  # what follows hangs on this one
            yield tbl, seq
        expected, digest = seq + 1, kept


def _last(database: sqlite3.Connection, table: str) -> tuple[int, bytes]:
    row = database.execute(
        "SELECT seq, hash FROM events WHERE tbl = ? ORDER BY seq DESC LIMIT 1", (table,)
    ).fetchone()
    return (0, FIRST_HASH) if row is None else (row[0], row[1])


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


def _keep_listing(database: sqlite3.Connection, table: str, listing: Listing) -> None:
    database.execute(
        "INSERT INTO tables (tbl, phase, public, clock, invite, touched, listing)"
        " VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (tbl) DO UPDATE SET phase = excluded.phase,"
        " public = excluded.public, clock = excluded.clock, invite = excluded.invite,"
        " touched = excluded.touched, listing = excluded.listing",
        (
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
        ),
    )


def _keep_parts(database: sqlite3.Connection, table: str, parts: Parts) -> None:
    database.execute("DELETE FROM parts WHERE tbl = ?", (table,))
    database.executemany(
        "INSERT INTO parts (player, tbl, seat) VALUES (?, ?, ?)",
        [(player, table, seat) for player, seat in parts],
    )


def _answer(pairs: list[tuple["asyncio.Future[Any]", Any]]) -> None:
    for future, answer in pairs:
        if future.done():
            continue
        if isinstance(answer, Exception):
            future.set_exception(answer)
        else:
            future.set_result(answer)


def _open(path: Path) -> sqlite3.Connection:
    database = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    database.execute("PRAGMA journal_mode = WAL")
    database.execute("PRAGMA synchronous = FULL")
    database.execute("PRAGMA foreign_keys = ON")
    return database


def _lock(folder: Path) -> Any:
    try:
        file = (folder / "karma.lock").open("w")
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
