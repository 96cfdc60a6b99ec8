"""Tables in this program: you and bots, or bots to watch; the log in a file, so nothing is lost."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Sequence
from dataclasses import replace

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
from karma.table.bots.port import ladder
from karma.table.log.games import Forked
from karma.tui.connection import TableGone
from karma.tui.home import Home, Plan
from karma.view import View

TABLE = "local"
YOU = "you"
STEPS = 5000  # of the table's history, so that the log of a long game is whole after a break


class Threaded(Inline):
    """Bots that think in another thread, so that the screen stays awake."""

    async def choose(self, level: str, view: View, seed: int) -> Move:
        """The move of a bot made for this one question."""
        return await asyncio.to_thread(make_bot(level, seed=seed).choose, view)


class Inbox:
    """What a table has sent and the client has not taken yet."""

    def __init__(self) -> None:
        self.messages: asyncio.Queue[FromServer | ErrorCode] = asyncio.Queue()

    def send(self, *messages: FromServer) -> None:
        """Takes messages of the table."""
        for message in messages:
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

    @property
    def left_out(self) -> bool:
        """Nobody is asked for seeds here."""
        return False

    def play_on(self) -> None:
        """There is nothing to play on from."""

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

    def __init__(self, home: Home, *, records: bool = True) -> None:
        self._home = home
        self._records = records
        self._open: Table | None = None
        self._kept = False
        self.finished: Record | None = None
        """The record of the last game that ended here."""
        self.failure: OSError | None = None
        """Why a record could not be kept."""

    @property
    def unfinished(self) -> bool:
        """Is a game going on at the open table?"""
        return self._open is not None and self._open.state.phase == "playing"

    @property
    def kept(self) -> bool:
        """Can one go on later with the game at the open table?"""
        return self.unfinished and self._kept

    @property
    def record(self) -> Record | None:
        """The game at the open table so far, every card of it: for those who only watch."""
        game = self._open.state.game if self._open is not None else None
        return Record.of(game) if game is not None else None

    # ---- opening --------------------------------------------------------------------------------

    async def begin(self, plan: Plan, *, keep: bool = True) -> LocalConnection:
        """A new table, and the first game at it; what was left of an older one is put away."""
        store = MemoryLog()
        self._kept = keep and self._home.claim()
        if self._kept:
            await self._put_away()
            store = FileLog(self._home.log, TABLE)
        table = self._open = self._table(store, plan.bots)
        await table.create(
            YOU, plan.name, _settings(plan), bots=plan.bots, start=True, seed=plan.seed
        )
        return await self._sit(table, plan.name)

    async def watch(self, plan: Plan) -> LocalConnection:
        """A table at which only bots play."""
        self._kept = False
        table = self._open = self._table(MemoryLog(), plan.bots)
        await table.create(
            YOU, plan.name, _settings(plan), bots=plan.bots, seed=plan.seed, watch=True
        )
        return await self._sit(table, plan.name)

    async def fork(
        self, record: Record, ply: int, seat: int, name: str, bot: str
    ) -> LocalConnection:
        """A practice game from a position of another game."""
        settings = Settings(edition=record.rules.edition, rules=record.rules.overrides)
        bots = [bot] * (len(record.players) - 1)
        fork = Forked(record=record.dumps(), ply=ply, seat=seat)
        table = self._table(MemoryLog(), bots)
        await table.create(YOU, name, settings, bots=bots, fork=fork)
        return await self._sit(table, name)

    async def resume(self) -> LocalConnection | None:
        """The table that was left, if a game is going on there."""
        table = await self._left()
        if table is None:
            return None
        self._open, self._kept = table, True
        seat = table.state.seat_of(YOU) or 0
        return await self._sit(table, table.state.chairs[seat].name)

    async def left_players(self) -> list[str]:
        """Who plays in the game that was left; nobody if there is none."""
        table = await self._left()
        if table is None:
            return []
        await table.stop()
        return [chair.name for chair in table.state.chairs]

    async def _left(self) -> Table | None:
        if not self._home.has_log or not self._home.claim():
            return None
        try:
            table = self._table(FileLog(self._home.log, TABLE))
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
            self._keep_unfinished(table)
        self._home.forget()

    def keep_unfinished(self) -> bool:
        """Keeps the record of a game that cannot be gone on with; False if there is none."""
        return self.unfinished and self._open is not None and self._keep_unfinished(self._open)

    def _keep_unfinished(self, table: Table) -> bool:
        state = table.state
        if state.game is None or not state.game.moves:
            return False
        extra = {} if state.seed is None else {"seed": state.seed}
        seat = state.seat_of(YOU)
        self._keep(Record.of(state.game, seat=seat, practice=state.practice, **extra))
        return True

    # ---- a table --------------------------------------------------------------------------------

    def _table(self, store: MemoryLog, bots: Sequence[str] = ()) -> Table:
        levels = ladder()
        others = tuple(dict.fromkeys(bot for bot in bots if bot not in levels))
        return Table(
            TABLE,
            store,
            clock=WallClock(),
            secret=secrets.token_bytes,
            thinker=Threaded((*others, *levels)),
            terms=Terms(ask_seeds=False, thinking=60, pace=None, remembered=STEPS),
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
        self._keep(self.finished)

    def _keep(self, record: Record) -> None:
        if not self._records:
            return
        try:
            self._home.keep(record)
        except OSError as error:
            self.failure = error


def _settings(plan: Plan) -> Settings:
    return Settings(edition=plan.edition, rules=plan.options)
