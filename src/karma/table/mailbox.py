"""Mailbox: what waits to be done at a table, one thing after another, and not too much of it."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from karma.refusals import Refusal

MOST_JOBS = 256
Job = Callable[[], Awaitable[None]]
T = TypeVar("T")


class Mailbox:
    """A bounded queue of jobs, some of which somebody waits for."""

    def __init__(self) -> None:
        self._jobs: asyncio.Queue[Job] = asyncio.Queue(MOST_JOBS)
        self._calls: set[asyncio.Future[Any]] = set()

    @property
    def empty(self) -> bool:
        return self._jobs.empty()

    def put_at_once(self, job: Job) -> bool:
        """Puts a job behind the others; False if there are too many."""
        if self._jobs.full():
            return False
        self._jobs.put_nowait(job)
        return True

    async def put(self, job: Job) -> None:
        """Puts a job behind the others; waits while there are too many."""
        await self._jobs.put(job)

    async def get(self, seconds: float | None) -> Job | None:
        """The next job; None if none comes in time."""
        if seconds is None or not self.empty:
            return await self._jobs.get()
        try:
            async with asyncio.timeout(seconds):
                return await self._jobs.get()
        except TimeoutError:
            return None

    async def call(self, job: Callable[[], Awaitable[T]]) -> T:
        """Has a job done in its turn, and returns what it returns."""
        future: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._calls.add(future)
        future.add_done_callback(self._calls.discard)

        async def posted() -> None:
            try:
                result = await job()
            except Refusal as refusal:
                if not future.done():
                    future.set_exception(refusal)
            except Exception:
                if not future.done():
                    future.set_exception(Refusal("server_error"))
                raise
            else:
                if not future.done():
                    future.set_result(result)

        await self.put(posted)
        return await future

    def refuse(self) -> None:
        """Tells everybody who waits that nothing will be done any more."""
        for call in list(self._calls):
            if not call.done():
                call.set_exception(Refusal("stopping"))
