"""Writer: the one thread that writes.

It takes everything that waits and commits it at once (group commit): what is acknowledged is on the
disk. A job that fails takes only itself along, a failed commit all of its transaction. What is done
together is done in the order of its tables, as other processes do it: so none of them holds a table
that the other waits for while it waits itself.
"""

import asyncio
import queue
import threading
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

from sqlalchemy import Connection

from karma.clock import Clock
from karma.store import Conflict, StoreError
from karma.store.batch import WriteBatch
from karma.store.database import Session, said

T = TypeVar("T")
Write = Callable[[WriteBatch], Any]
Task = tuple[str, Write]
"""The table that it is for, if it is for one, and what to do."""
Job = tuple[Task, asyncio.AbstractEventLoop, "asyncio.Future[Any]"]
"""A task, and who waits for it."""
MOST_JOBS = 256
ATTEMPTS = 3
"""How often a transaction is tried that another process was in the way of."""


class Writer:
    """A thread, and what waits for it."""

    def __init__(self, session: Session, clock: Clock, name: str) -> None:
        self._session = session
        self._name = name
        self._batch = WriteBatch(session, clock)
        self._jobs: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self.failing = False
        """Whether the last attempt to write failed."""
        self.errors = 0
        self._thread = threading.Thread(target=self._run, name="store", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Finishes what waits, and ends."""
        self._jobs.put(None)
        self._thread.join()

    async def write(self, job: Callable[[Connection], T]) -> T:
        """Runs a job, and returns when what it wrote is on the disk."""

        def write(batch: WriteBatch) -> T:
            batch.flush()
            return job(self._session.connection)

        return await self.append("", write)

    async def append(self, table: str, job: Callable[[WriteBatch], T]) -> T:
        """Adds to the batch, and returns when it is on the disk."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[T] = loop.create_future()
        self._jobs.put(((table, job), loop, future))
        return await future

    # ---- the thread -----------------------------------------------------------------------------

    def _run(self) -> None:
        stop = False
        while not stop:
            job = self._jobs.get()
            batch: list[Job] = []
            while job is not None:
                batch.append(job)
                if len(batch) == MOST_JOBS or self._jobs.empty():
                    break
                job = self._jobs.get_nowait()
            stop = job is None
            if batch:
                self._write(batch)
        self._session.close()

    def _write(self, batch: list[Job]) -> None:
        batch.sort(key=lambda job: job[0][0])
        try:
            answers = self._do([task for task, _, _ in batch])
            self.failing = False
        except self._session.failures as error:
            self.failing = True
            self.errors += 1
            answers = [StoreError(f"cannot write {self._name}: {said(error)}")] * len(batch)
        by_loop: dict[asyncio.AbstractEventLoop, list[tuple[asyncio.Future[Any], Any]]] = {}
        for (_, loop, future), answer in zip(batch, answers, strict=True):
            by_loop.setdefault(loop, []).append((future, answer))
        for loop, pairs in by_loop.items():
            if not loop.is_closed():
                loop.call_soon_threadsafe(give_answers, pairs)

    def _do(self, tasks: Sequence[Task]) -> list[Any]:
        """Does tasks together; each alone, where this process and another waited for each other.

        Alone, none holds what another process waits for while it waits itself.
        """
        try:
            return self._do_once(tasks)
        except self._session.failures as error:
            if not self._crossed(error):
                raise
        return [self._do_alone(task) for task in tasks]

    def _do_alone(self, task: Task) -> Any:
        for _ in range(ATTEMPTS):
            try:
                (answer,) = self._do_once([task])
                return answer
            except self._session.failures as error:
                failed = StoreError(f"cannot write {self._name}: {said(error)}")
                if not self._crossed(error):
                    break
        self.errors += 1
        return failed

    def _crossed(self, error: Exception) -> bool:
        cause = getattr(error, "orig", error)  # SQLAlchemy wraps it
        return isinstance(cause, self._session.crossed)

    def _do_once(self, tasks: Sequence[Task]) -> list[Any]:
        failures, own_faults = self._session.failures, self._session.own_faults
        try:
            return self._commit(tasks, self._try_to_add)
        except Exception as error:
            if isinstance(error, failures) and not isinstance(error, own_faults):
                raise
            return self._commit(tasks, self._try)  # one of them; this finds out which

    def _commit(self, tasks: Sequence[Task], do: Callable[[Write], Any]) -> list[Any]:
        """Does tasks in one transaction; an exception, and none of them is done."""
        try:
            if self._session.begin():
                self._batch.forget()  # nor is it sure any more how far the logs go
            self._batch.begin({table for table, _ in tasks if table})
            answers = [do(job) for _, job in tasks]
            self._batch.flush()
            self._session.commit()
        except Exception:
            self._batch.forget()
            self._session.rollback()
            raise
        return answers

    def _try_to_add(self, job: Write) -> Any:
        """Does one job of a transaction; one that comes too late has added nothing to it."""
        try:
            return job(self._batch)
        except Conflict as late:
            return late

    def _try(self, job: Write) -> Any:
        """Does one job of a transaction; what it raises is its answer, and undoes it alone."""
        self._session.mark()
        try:
            answer = job(self._batch)
            self._batch.flush()
        except self._session.own_faults as error:
            answer = Conflict(said(error))
        except self._session.failures:
            raise
        except Exception as error:
            answer = error
        if isinstance(answer, Exception):
            self._batch.forget()
            self._session.back_to_mark()
        self._session.unmark()
        return answer


def give_answers(pairs: Iterable[tuple["asyncio.Future[Any]", Any]]) -> None:
    """Gives each who waits an answer; an exception is raised where it is waited for."""
    for future, answer in pairs:
        if future.done():
            continue
        if isinstance(answer, Exception):
            future.set_exception(answer)
        else:
            future.set_result(answer)
