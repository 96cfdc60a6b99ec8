"""The event store in one SQLite file: one connection that writes, on a thread of its own.

The thread takes everything that waits and commits it at once (group commit), with the log flushed
to the disk: what is acknowledged survives a power cut. A second process on the same file is
refused.
"""

import asyncio
import fcntl
import queue
import sqlite3
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

from karma.store import Conflict, Finished, Listing, StoreError
from karma.store.batch import MOST_ROWS, Batch, OnGame

T = TypeVar("T")
Write = Callable[[Batch], Any]
Job = tuple[Write, asyncio.AbstractEventLoop, "asyncio.Future[Any]"]
FILE = "karma.sqlite"
MOST_JOBS = 256
ITS_OWN_FAULT = sqlite3.IntegrityError
"""What of the database's errors is the fault of one job, and not of the disk."""


class SqliteStore:
    """Logs, finished games, listings and players in a folder's SQLite file."""

    def __init__(self, folder: Path, on_game: OnGame | None = None) -> None:
        from karma.store.schema import migrate

        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StoreError(f"cannot use {folder} as a folder: {error.strerror}") from None
        self.path = folder / FILE
        self._lock = _lock(folder)
        self._jobs: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        try:
            migrate(self.path)
            self._writer = _open(self.path)
            self._batch = Batch(self._writer, on_game)
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
        await self._do(lambda batch: batch.append(table, after, entries, finished, listing))

    async def read(self, table: str) -> list[bytes]:
        """All entries of a table, in order."""
        rows = await self.query("SELECT body FROM events WHERE tbl = ? ORDER BY seq", (table,))
        return [row[0] for row in rows]

    # ---- everything else ------------------------------------------------------------------------

    async def write(self, job: Callable[[sqlite3.Connection], T]) -> T:
        """Runs a job on the writing thread, and returns when what it wrote is on the disk."""

        def write(batch: Batch) -> T:
            batch.flush()
            return job(batch.database)

        return await self._do(write)

    async def _do(self, job: Callable[[Batch], T]) -> T:
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
            while len(batch) < MOST_JOBS:
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
                answers = self._commit(jobs, lambda job: job(self._batch))
            except Exception as error:
                if isinstance(error, sqlite3.Error) and not isinstance(error, ITS_OWN_FAULT):
                    raise
                answers = self._commit(jobs, self._try)  # one of them; this finds out which
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
            self._batch.flush()
            self._writer.execute("COMMIT")
        except Exception:
            self._batch.forget()
            if self._writer.in_transaction:
                self._writer.execute("ROLLBACK")
            raise
        return answers

    def _try(self, job: Write) -> Any:
        """Does one job of a transaction; what it raises is its answer, and undoes it alone."""
        self._writer.execute("SAVEPOINT job")
        try:
            answer = job(self._batch)
            self._batch.flush()
        except StoreError as error:
            answer = error
        except ITS_OWN_FAULT as error:
            answer = Conflict(str(error))
        except sqlite3.Error:
            raise
        except Exception as error:
            answer = error
        if isinstance(answer, Exception):
            self._batch.forget()
            self._writer.execute("ROLLBACK TO job")
        self._writer.execute("RELEASE job")
        return answer


def _answer(pairs: list[tuple["asyncio.Future[Any]", Any]]) -> None:
    for future, answer in pairs:
        if future.done():
            continue
        if isinstance(answer, Exception):
            future.set_exception(answer)
        else:
            future.set_result(answer)


def _open(path: Path) -> sqlite3.Connection:
    database = sqlite3.connect(
        path, isolation_level=None, check_same_thread=False, cached_statements=4 * MOST_ROWS
    )
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
