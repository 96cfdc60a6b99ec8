"""Thinkers: bots that think on other machines (`karma think`), as long as any are there.

Where none is free, or its answer does not come in time, the server's own processes think.
"""

import asyncio
import secrets
from collections.abc import Callable, Collection
from contextlib import AbstractAsyncContextManager, aclosing, suppress
from typing import Any

import msgspec
import structlog

from karma.bots import BOTS
from karma.moves import InvalidMove, Move
from karma.server.questions import (
    HAILS,
    SECONDS,
    WAITING,
    Answer,
    Hail,
    RemoteQuestion,
    answers_to,
    client,
    key,
)
from karma.table import Thinker
from karma.view import View

GRACE_SECONDS = 3.0
"""How much longer than its limit an answer from elsewhere may take."""

log = structlog.get_logger()


class Thinkers:
    """A Thinker: those elsewhere, and the server's own when they fail."""

    def __init__(self, address: str, own: Thinker, milliseconds: int) -> None:
        self._client, self._errors = client(address)
        self._own = own
        self._milliseconds = milliseconds
        self._id = secrets.token_hex(8)
        self._heard: dict[str, tuple[int, float]] = {}
        """The thinkers that are there: their processes, and until when that is believed."""
        self._asked: dict[str, asyncio.Future[str | None]] = {}
        self._processes = 0

    @property
    def levels(self) -> tuple[str, ...]:
        return self._own.levels

    @property
    def preparing(self) -> Collection[str]:
        return self._own.preparing

    async def prepared(self, level: str) -> None:
        """Waits for our own, whom we may have to fall back on."""
        await self._own.prepared(level)

    def turn(self, level: str) -> AbstractAsyncContextManager[None]:
        """It is, when our own bots can think."""
        return self._own.turn(level)

    async def work(self, job: Callable[..., Any], *values: Any) -> Any:
        """Jobs of ours stay here."""
        return await self._own.work(job, *values)

    async def choose(self, level: str, view: View, seed: int) -> Move:
        """The move of a bot of this level, thought about by whoever is free."""
        if level in BOTS and len(self._asked) < self._processes:
            with suppress(TimeoutError, InvalidMove, *self._errors):
                move = await self._ask(level, view, seed)
                if move in view.legal:
                    return move
            log.warning("a thinker elsewhere has not answered; our own bots think", level=level)
        return await self._own.choose(level, view, seed)

    async def _ask(self, level: str, view: View, seed: int) -> Move | None:
        id = secrets.token_hex(8)
        question = RemoteQuestion(id, self._id, level, seed, self._milliseconds, view.json())
        seconds = self._milliseconds / 1000 * 2 + GRACE_SECONDS
        answer = self._asked[id] = asyncio.get_running_loop().create_future()
        try:
            async with asyncio.timeout(seconds), self._client.pipeline() as pipeline:
                body = msgspec.json.encode(question)
                pipeline.set(key(id), body, px=round(seconds * 1000))
                pipeline.rpush(WAITING, id)
                pipeline.expire(WAITING, round(seconds) + 1)
                await pipeline.execute()
                move = await answer
        finally:
            del self._asked[id]
        return Move(move) if move is not None else None

    async def run(self, more: Callable[[int], None]) -> None:
        """Listens to thinkers and their answers; tells how many processes come, or go."""
        await asyncio.gather(self._listen_for_ever(), self._count(more))

    async def _count(self, more: Callable[[int], None]) -> None:
        """Counts those who have been heard of lately."""
        while True:
            now = asyncio.get_running_loop().time()
            self._heard = {who: heard for who, heard in self._heard.items() if heard[1] > now}
            processes = sum(processes for processes, _ in self._heard.values())
            if processes != self._processes:
                log.info("processes that think for bots elsewhere", processes=processes)
                more(processes - self._processes)
                self._processes = processes
            await asyncio.sleep(0.5)

    async def _listen_for_ever(self) -> None:
        while True:
            with suppress(*self._errors):
                await self._listen()
            await asyncio.sleep(1)

    async def _listen(self) -> None:
        mine = answers_to(self._id)
        async with aclosing(self._client.pubsub()) as channel:
            await channel.subscribe(mine, HAILS)
            while True:
                message = await channel.get_message(timeout=SECONDS)
                if message is None or message["type"] != "message":
                    continue
                with suppress(msgspec.DecodeError):  # whatever else speaks there
                    if message["channel"].decode() == mine:
                        self._answered(msgspec.json.decode(message["data"], type=Answer))
                    else:
                        self._hailed(msgspec.json.decode(message["data"], type=Hail))

    def _answered(self, answer: Answer) -> None:
        asked = self._asked.get(answer.id)
        if asked is not None and not asked.done():
            asked.set_result(answer.move)

    def _hailed(self, hail: Hail) -> None:
        until = asyncio.get_running_loop().time() + SECONDS
        self._heard[hail.thinker] = max(0, hail.processes), until

    async def close(self) -> None:
        """Lets the connection go."""
        with suppress(*self._errors):
            await self._client.aclose()
