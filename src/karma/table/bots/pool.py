"""Pool: bots that think in processes of their own, at the lowest priority.

A bot that hangs is cut off with its process; a process that dies is replaced. Whoever asked gets an
error, and the table makes a safe move.
"""

import asyncio
import multiprocessing
import os
import threading
from collections.abc import AsyncIterator, Callable, Collection
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

from karma.bots.orphans import end_with
from karma.moves import Move
from karma.table.bots.port import SAFE, ladder
from karma.table.bots.rehearsal import Rehearsal
from karma.view import View

Think = Callable[[str, int, int | None, View], Move]
GRACE_SECONDS = 5
"""How long a move that nobody waits for any more may still be thought about."""
END_SECONDS = 0.5
LOOK_SECONDS = 1.0


class _ReplacedError(BrokenProcessPool):
    """Another bot's failure ended the process that this one waited for."""


class Pool:
    """Bots in worker processes."""

    def __init__(
        self,
        processes: int = 1,
        milliseconds: int | None = None,
        *,
        think: Think | None = None,
        levels: tuple[str, ...] | None = None,
        rehearsal: Rehearsal | None = None,
    ) -> None:
        self._processes = processes
        self._milliseconds = milliseconds
        self._think = think or _choose
        self._levels = ladder() if levels is None else levels
        self._rehearsal = rehearsal
        self._executor, self._starting = self._new()

    def _new(self) -> tuple[ProcessPoolExecutor, list["Future[None]"]]:
        executor = ProcessPoolExecutor(
            self._processes,
            mp_context=multiprocessing.get_context("forkserver"),
            initializer=_begin,
            initargs=(os.getpid(),),
        )
        return executor, [executor.submit(warm_up) for _ in range(self._processes)]

    @property
    def levels(self) -> tuple[str, ...]:
        return self._levels

    async def ready(self) -> None:
        """Waits until a process has loaded what bots need."""
        starting = [asyncio.wrap_future(each) for each in self._starting if not each.done()]
        if starting:
            await asyncio.wait(starting, return_when=asyncio.FIRST_COMPLETED)

    @property
    def preparing(self) -> Collection[str]:
        """The levels that are being compiled."""
        return self._rehearsal.missing if self._rehearsal is not None else ()

    async def prepared(self, level: str) -> None:
        """Waits until there is a process that can think, and nothing to compile for this level."""
        await self.ready()
        if self._rehearsal is not None:
            await self._rehearsal.over(level)

    @asynccontextmanager
    async def turn(self, level: str) -> AsyncIterator[None]:
        """It is, as soon as the level is prepared."""
        await self.prepared(level)
        yield

    async def choose(self, level: str, view: View, seed: int) -> Move:
        """The move of a bot of this level, thought about elsewhere."""
        return await self.think(level, view, seed, self._milliseconds)

    async def think(self, level: str, view: View, seed: int, limit: int | None) -> Move:
        """The same, with another limit than usual: so many milliseconds."""
        question = level, seed, limit, view
        move: Move  # or whatever a bot answers; whoever asked looks whether it is legal
        try:
            move = await self._ask(self._executor, limit, self._think, *question)
        except _ReplacedError:
            move = await self._ask(self._executor, limit, self._think, *question)
        return move

    async def work(self, job: Callable[..., Any], *values: Any) -> Any:
        """Has a process do a job of ours, which ends by itself."""
        try:
            return await self._ask(self._executor, None, job, *values)
        except _ReplacedError:
            return await self._ask(self._executor, None, job, *values)

    async def _ask(self, executor: ProcessPoolExecutor, limit: int | None, *question: Any) -> Any:
        await self.ready()  # to start is not to think
        try:
            future = executor.submit(*question)
        except (BrokenProcessPool, RuntimeError):
            self._replace(executor)
            raise _ReplacedError from None
        try:
            return await self._answer(executor, limit, asyncio.wrap_future(future))
        except TimeoutError:
            self._replace(executor)
            raise
        except BrokenProcessPool:
            if self._replace(executor):
                raise
            raise _ReplacedError from None
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if future.cancelled() and task is not None and not task.cancelling():
                raise _ReplacedError from None  # with the processes, not by whoever asked
            if not future.done():
                loop = asyncio.get_running_loop()
                loop.call_later(GRACE_SECONDS, self._cut_off, executor, future)
            raise

    async def _answer(
        self, executor: ProcessPoolExecutor, limit: int | None, future: "asyncio.Future[Any]"
    ) -> Any:
        """Waits for an answer, while thinking about it has not taken too much of the processor."""
        most = (limit or 0) / 1000 * 2 + GRACE_SECONDS
        before = _worked(executor)
        try:
            while not (await asyncio.wait([future], timeout=LOOK_SECONDS))[0]:
                if limit and _worked(executor) - before > most * self._processes:
                    raise TimeoutError
            return future.result()
        finally:
            future.cancel()  # nothing, if it has answered

    def _cut_off(self, executor: ProcessPoolExecutor, future: "Future[Any]") -> None:
        """Ends the processes if one of them still thinks about what nobody waits for."""
        if not future.done():
            self._replace(executor)

    def _replace(self, executor: ProcessPoolExecutor) -> bool:
        """Begins anew with other processes, unless somebody else did."""
        if executor is not self._executor:
            return False
        self._executor, self._starting = self._new()
        threading.Thread(target=_end, args=(executor,), daemon=True).start()  # it may take a while
        return True

    def close(self) -> None:
        """Ends all processes."""
        _end(self._executor)


def _worked(executor: ProcessPoolExecutor) -> float:
    """Seconds that its processes have had of the processor; 0 where the machine does not tell."""
    ticks = 0
    for pid in list(executor._processes or {}):
        try:
            words = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        ticks += int(words[11]) + int(words[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def _end(executor: ProcessPoolExecutor) -> None:
    """Ends an executor, and what its processes think about: first asked, then killed."""
    workers = list((executor._processes or {}).values())
    manager: Any = executor._executor_manager_thread
    executor.shutdown(wait=False, cancel_futures=True)
    if manager is not None:
        manager.join(END_SECONDS)  # killed before it has let go of what waits, it would complain
    for worker in workers:
        worker.kill()


def _begin(owner: int) -> None:
    """Gets ready before it steps back, so that a busy machine does not delay the start."""
    end_with(owner)
    warm_up()
    _step_back()


def _step_back() -> None:
    """Lets everybody else go first: where the system can, whoever wakes up has the processor."""
    os.nice(19)
    if hasattr(os, "SCHED_IDLE"):
        with suppress(OSError):  # it may not let us
            os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))


def warm_up() -> None:
    """Has everything compiled that a table needs, once for all processes to come."""
    from karma.editions import CLASSIC, MINI
    from karma.game import Game

    for rules, players in ((MINI, 2), (CLASSIC.replace(decks=2), 7)):
        game = Game(rules, players, seed=0)
        game.push(_choose(SAFE, 0, None, game.view(0)))
        game.view(None).json()
        game.pop()
        assert game.legal


def _choose(level: str, seed: int, milliseconds: int | None, view: View) -> Move:
    from karma.bots import make_bot

    return make_bot(level, seed=seed, milliseconds=milliseconds).choose(view)
