"""A table in this program: you and bots, its log in a file, so that nothing is lost."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from karma.bots import make_bot
from karma.clock import WallClock
from karma.moves import Move
from karma.protocol.codes import PROTOCOL, ErrorCode
from karma.protocol.messages import FromClient, FromServer, Hello
from karma.protocol.state import Settings
from karma.record import Record
from karma.store import Finished, StoreError
from karma.store.memory import FileLog, MemoryLog
from karma.table import Client, Inline, Table, Terms
from karma.table.log.games import Forked
from karma.tui.connection import TableGone
from karma.tui.home import Home, Plan
from karma.view import View

NAME = "local"
YOU = "you"


class Threaded(Inline):
    """Bots that think in another thread, so that the screen stays awake."""

    async def choose(self, level: str, view: View, seed: int) -> Move:
        """The move of a bot made for this one question."""
        return await asyncio.to_thread(make_bot(level, seed=seed).choose, view)


class Inbox:
    """What a table has sent and the client has not taken yet."""

    def __init__(self) -> None:
        self.messages: asyncio.Queue[FromServer | ErrorCode] = asyncio.Queue()

    def send(self, message: FromServer) -> None:
        """Takes a message of the table."""
        self.messages.put_nowait(message)

    def close(self, code: ErrorCode) -> None:
        """Takes the table's last word."""
        self.messages.put_nowait(code)


class LocalConnection:
    """The connection to a table in this program."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._inbox = Inbox()
        self._client: Client | None = None

    @property
    def away(self) -> None:
        """It is never down."""
        return None

    async def connect(self, name: str) -> None:
        """Takes the seat, and says hello."""
        self._client = await self._table.connect(YOU, name, self._inbox)
        await self.send(Hello(protocol=PROTOCOL))

    async def send(self, message: FromClient) -> None:
        """Sends a message to the table."""
        assert self._client is not None
        await self._table.receive(self._client, message)

    async def receive(self) -> FromServer:
        """The next message from the table."""
        message = await self._inbox.messages.get()
        if isinstance(message, str):
            raise TableGone(message)
        return message

    async def close(self) -> None:
        """Stops the table; its log has everything."""
        await self._table.stop()


class LocalTables:
    """Opens tables whose log and whose finished games are kept at home."""

    def __init__(self, home: Home) -> None:
        self._home = home
        self._open: Table | None = None
        self.finished: Record | None = None
        """The record of the last game that ended here."""

    @property
    def unfinished(self) -> bool:
        """Is there a game to go on with at the table in the log?"""
        return self._open is not None and self._open.state.phase == "playing"

    @property
    def done(self) -> bool:
        """Has the last game at the table in the log ended?"""
        return self._open is not None and not self.unfinished

    async def begin(self, plan: Plan) -> LocalConnection:
        """A new table, and the first game at it; what was left of an older one is put away."""
        store = MemoryLog()
        if self._home.claim():
            await self._put_away()
            store = FileLog(self._home.log, NAME)
        table = self._open = self._table(store, plan.seed)
        settings = Settings(edition=plan.edition, rules=plan.options)
        await table.create(YOU, plan.name, settings, bots=plan.bots, start=True)
        return await self._sit(table, plan.name)

    async def fork(
        self, record: Record, ply: int, seat: int, name: str, bot: str
    ) -> LocalConnection:
        """A practice game from a position of another game."""
        settings = Settings(edition=record.rules.edition, rules=record.rules.overrides)
        bots = [bot] * (len(record.players) - 1)
        fork = Forked(record=record.dumps(), ply=ply, seat=seat)
        table = self._table(MemoryLog(), None)
        await table.create(YOU, name, settings, bots=bots, fork=fork)
        return await self._sit(table, name)

    async def resume(self) -> LocalConnection | None:
        """The table that was left, if a game is going on there."""
        table = await self._left()
        if table is None:
            return None
        self._open = table
        seat = table.state.seat_of(YOU) or 0
        return await self._sit(table, table.state.chairs[seat].name)

    async def _left(self) -> Table | None:
        if not self._home.has_log or not self._home.claim():
            return None
        try:
            table = self._table(FileLog(self._home.log, NAME), None)
            loaded = await table.load()
        except (StoreError, OSError, ValueError):
            return None
        seat = table.state.seat_of(YOU)
        if loaded and not table.stopped and table.state.phase == "playing" and seat is not None:
            return table
        await table.stop()
        return None

    async def _put_away(self) -> None:
        """Keeps the record of a game that nobody will finish."""
        table = await self._left()
        if table is not None:
            await table.stop()
            if table.state.game is not None and table.state.game.moves:
                seat = table.state.seat_of(YOU)
                practice = table.state.practice
                self._home.keep(Record.of(table.state.game, seat=seat, practice=practice))
        self._home.forget()

    def _table(self, store: MemoryLog, seed: int | None) -> Table:
        return Table(
            NAME,
            store,
            clock=WallClock(),
            secret=_chance(seed),
            thinker=Threaded(),
            terms=Terms(ask_seeds=False, thinking=60),
            ended=self._ended,
        )

    async def _sit(self, table: Table, name: str) -> LocalConnection:
        connection = LocalConnection(table)
        await connection.connect(name)
        return connection

    def _ended(self, table: str, finished: Finished) -> None:
        seats = [seat for seat, player in enumerate(finished.players) if player == YOU]
        extra = {**finished.record.extra, "seat": seats[0] if seats else None}
        self.finished = replace(finished.record, extra=extra)
        self._home.keep(self.finished)


def _chance(seed: int | None) -> Callable[[int], bytes]:
    """Where secrets come from: nowhere known, or from a seed, to deal the same cards again."""
    if seed is None:
        return secrets.token_bytes
    generator = np.random.default_rng(seed)
    return generator.bytes
