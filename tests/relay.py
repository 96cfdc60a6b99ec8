"""A relay: a TCP line between a client and a server that delays, stutters, falls silent, breaks."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from pathlib import Path
from urllib.parse import urlsplit

import numpy as np

PIECE = 16 * 1024


class Relay:
    """Passes bytes on in both directions, as badly as it is told to; what it takes, it keeps."""

    def __init__(self, target: Path | str, chance: np.random.Generator) -> None:
        self._target = target
        self._chance = chance
        self._passing = asyncio.Event()
        self._passing.set()
        self._lines: set[asyncio.StreamWriter] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self.delay = 0.0
        """Seconds by which every piece comes later, on average."""
        self.piece = PIECE
        """How many bytes travel at once."""

    async def start(self) -> None:
        self._server = await asyncio.start_server(self._join, "127.0.0.1", 0)
        self.port = int(self._server.sockets[0].getsockname()[1])

    # ---- what can go wrong ----------------------------------------------------------------------

    def hold(self) -> None:
        """Nothing passes any more, and nobody is told: a black hole, or half-open lines."""
        self._passing.clear()

    def release(self) -> None:
        """What was held comes now, and all that is sent from now on."""
        self._passing.set()

    def cut(self) -> None:
        """Breaks every line there is; new ones can be made."""
        for writer in list(self._lines):
            writer.transport.abort()

    def heal(self) -> None:
        """A good line again."""
        self.delay, self.piece = 0.0, PIECE
        self.release()

    # ---- passing on -----------------------------------------------------------------------------

    async def _join(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._lines.add(writer)
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        try:
            await self._passing.wait()
            there, back = await self._dial()
            self._lines.add(back)
            try:
                async with asyncio.TaskGroup() as both:
                    both.create_task(self._pass(reader, back))
                    both.create_task(self._pass(there, writer))
            finally:
                self._lines.discard(back)
                back.transport.abort()
        except* (OSError, asyncio.IncompleteReadError):
            pass  # one side has ended it, and so does the other
        finally:
            self._lines.discard(writer)
            writer.transport.abort()

    async def _dial(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        if isinstance(self._target, Path):
            return await asyncio.open_unix_connection(str(self._target))
        parts = urlsplit(self._target)
        return await asyncio.open_connection(parts.hostname, parts.port)

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while some := await reader.read(self.piece):
            if self.delay:
                await asyncio.sleep(float(self._chance.exponential(self.delay)))
            await self._passing.wait()
            writer.write(some)
            await writer.drain()
        raise ConnectionResetError  # both directions end together

    async def end(self) -> None:
        self._server.close()
        self.release()
        self.cut()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


@contextlib.asynccontextmanager
async def relay(target: Path | str, chance: np.random.Generator) -> AsyncIterator[Relay]:
    """A relay to a socket in a folder, or to an address."""
    made = Relay(target, chance)
    await made.start()
    try:
        yield made
    finally:
        await made.end()
