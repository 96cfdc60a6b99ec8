"""Think: a process that takes servers' questions from their queue, and answers each with a move."""

import asyncio
import os
import secrets
import signal
from collections.abc import Callable
from contextlib import closing, suppress
from typing import Any

import msgspec
import structlog

from karma.bots import BOTS
from karma.server.questions import (
    HAIL_SECONDS,
    HAILS,
    WAITING,
    Answer,
    Hail,
    RemoteQuestion,
    answers_to,
    client,
    key,
)
from karma.table.bots.pool import Pool
from karma.table.bots.port import ladder
from karma.table.bots.rehearsal import Rehearsal

log = structlog.get_logger()


class CannotThink(Exception):
    """There is no queue to take questions from."""


def think(address: str, processes: int, ready: Callable[[], None]) -> None:
    """Answers questions until it is told to stop; what was taken is answered first."""
    redis, errors = client(address)
    levels = [level for level in ladder() if level in BOTS]
    with (
        closing(Rehearsal(levels)) as rehearsal,
        closing(Pool(processes, rehearsal=rehearsal)) as pool,
    ):
        asyncio.run(Answering(redis, errors, pool, processes, levels).run(ready))


class Answering:
    """Takes questions, as many at once as there are processes."""

    def __init__(
        self,
        redis: Any,
        errors: tuple[type[Exception], ...],
        pool: Pool,
        processes: int,
        levels: list[str],
    ) -> None:
        self._redis, self._errors = redis, errors
        self._pool = pool
        self._processes = processes
        self._levels = levels
        self._id = f"{os.getpid()}.{secrets.token_hex(4)}"
        self._free = asyncio.Semaphore(processes)
        self._answering: set[asyncio.Task[None]] = set()
        self._stopping = asyncio.Event()

    async def run(self, ready: Callable[[], None]) -> None:
        """Says that it is there, and answers, until it is told to stop."""
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, self._stopping.set)
        try:
            await self._redis.ping()
        except self._errors as error:
            raise CannotThink(f"no Redis answers there: {type(error).__name__}") from None
        stopping = asyncio.create_task(self._stopping.wait())
        preparing = asyncio.create_task(self._prepare())
        await asyncio.wait([stopping, preparing], return_when=asyncio.FIRST_COMPLETED)
        preparing.cancel()
        if not self._stopping.is_set():
            ready()
            working = [asyncio.create_task(each) for each in (self._hail(), self._take())]
            await asyncio.wait([stopping, *working], return_when=asyncio.FIRST_COMPLETED)
            for task in working:
                task.cancel()
            await asyncio.gather(*working, *self._answering, return_exceptions=True)
        await self._redis.aclose()

    async def _prepare(self) -> None:
        """Nothing is taken before every level can be answered for."""
        for level in self._levels:
            await self._pool.prepared(level)

    async def _hail(self) -> None:
        while True:
            hail = Hail(self._id, self._processes)
            with suppress(*self._errors):
                await self._redis.publish(HAILS, msgspec.json.encode(hail))
            await asyncio.sleep(HAIL_SECONDS)

    async def _take(self) -> None:
        while True:
            await self._free.acquire()
            try:
                question = await self._next()
            except self._errors:
                self._free.release()
                await asyncio.sleep(HAIL_SECONDS)
                continue
            if question is None:
                self._free.release()
                continue
            task = asyncio.create_task(self._answer(question))
            self._answering.add(task)
            task.add_done_callback(self._answered)

    def _answered(self, task: asyncio.Task[None]) -> None:
        self._answering.discard(task)
        self._free.release()

    async def _next(self) -> RemoteQuestion | None:
        """The question that has waited longest; none if there is none for a while."""
        taken = await self._redis.blpop([WAITING], timeout=1)
        body = await self._redis.getdel(key(taken[1].decode())) if taken is not None else None
        try:
            return msgspec.json.decode(body, type=RemoteQuestion) if body is not None else None
        except msgspec.DecodeError:
            return None

    async def _answer(self, question: RemoteQuestion) -> None:
        move = None
        try:
            limit = question.milliseconds
            chosen = await self._pool.think(question.level, question.seen(), question.seed, limit)
            move = str(chosen)
        except Exception as error:
            log.warning("a bot failed", level=question.level, error=type(error).__name__)
        with suppress(*self._errors):
            answer = msgspec.json.encode(Answer(question.id, move))
            await self._redis.publish(answers_to(question.asker), answer)
