"""Workers: this process among those that share a database.

Sockets land anywhere: every worker with somebody at a table has the table in memory, and whoever is
asked for something writes it; the key of the entries lets one of two go first, and the other looks
again. The table's owner, by its lease, runs the clocks and the bots. What the others wrote is read
when the bus says so, and once in a while in case it did not.
"""

import asyncio
import os
import secrets
from collections import defaultdict
from collections.abc import Awaitable, Callable, Collection, Coroutine
from contextlib import suppress
from typing import Any

import msgspec
import structlog

from karma.protocol import encode
from karma.protocol.messages import Said
from karma.refusals import Refusal
from karma.server.bus import Bus
from karma.server.players import public_id
from karma.store import StoreError
from karma.store.ports import Elsewhere, Place, PlayersPort, WorkersPort
from karma.store.workers import LEASE_SECONDS
from karma.table import Table

TURN_SECONDS = 1.0
LOOK_TURNS, BURY_TURNS = 5, 60
"""After how many turns a worker looks at all of its tables though the bus is well; and clears up.
"""
REMEMBERED_WORDS = 256

log = structlog.get_logger()


class Together:
    """Work that is done for all tables at once that ask for it while it is done for others."""

    def __init__(self, work: Callable[[Collection[str]], Awaitable[None]]) -> None:
        self._work = work
        self._one_at_a_time = asyncio.Lock()
        self._tables: set[str] = set()
        self._next: asyncio.Task[None] | None = None

    async def do(self, table: str) -> None:
        """Returns when it is done for a table, from the beginning."""
        self._tables.add(table)
        if self._next is None:
            self._next = asyncio.get_running_loop().create_task(self._do())
        await asyncio.shield(self._next)

    async def _do(self) -> None:
        async with self._one_at_a_time:
            tables, self._tables, self._next = self._tables, set(), None
            await self._work(tables)


class ServerWorkers:
    """What one worker knows of the others, and lets them know."""

    def __init__(
        self,
        port: WorkersPort,
        players: PlayersPort,
        redis: str | None,
        live: dict[str, Table],
        report: Callable[[str, BaseException], None],
    ) -> None:
        self.id = public_id()
        self._port = port
        self._players = players
        self._live = live
        self._report = report
        self._bus = Bus(redis, self._wake) if redis is not None else None
        self._held: set[str] = set()
        self._sure_until = 0.0
        self._arrived: defaultdict[str, dict[str, float]] = defaultdict(dict)
        """Who is known to be connected to each table through this worker, and since when."""
        self._heard: dict[str, None] = {}
        self._woken: dict[str, int] = {}
        self._changed: set[str] = set()
        self._registering, self._taking = Together(self._register), Together(self._take)
        self._tasks: set[asyncio.Task[None]] = set()
        self._failing = False

    # ---- leases ---------------------------------------------------------------------------------

    def owns(self, table: str) -> bool:
        """Whether the lease of a table is ours, for certain: a process may have been stopped."""
        return table in self._held and asyncio.get_running_loop().time() < self._sure_until

    async def _take(self, tables: Collection[str]) -> None:
        """Takes leases that nobody holds, and has those tables do what is due from now on."""
        held = await self._port.take(self.id, tables)
        new, self._held = held - self._held, held
        for name in new & self._live.keys():
            await self._catch_up(self._live[name])

    # ---- what the others should know ------------------------------------------------------------

    def tell(self, table: str, version: int) -> None:
        """Lets the others know of a table's newest entry."""
        if self._bus is not None:
            self._bus.tell(table, version)

    def tell_words(self, table: str, said: Said) -> None:
        """Has the others pass on what somebody said."""
        self._start(self._say(table, secrets.token_hex(8), encode(said)))

    async def _say(self, table: str, id: str, body: bytes) -> None:
        await self._port.say(self.id, table, id, body)
        self.tell(table, 0)

    async def arrived(self, table: str) -> None:
        """Lets the others know who has come to a table through this worker, before it is served."""
        with suppress(StoreError):  # the next turn does it
            await self._registering.do(table)
        if table not in self._held:
            self._start(self._taking.do(table))

    def left(self, table: str) -> None:
        """Lets the others know who has gone."""
        self._start(self._registering.do(table))

    async def enter(self, table: str) -> None:
        """Learns of a table that has come into memory who is there and what others added."""
        await self._look([table])

    async def forget(self, player: str) -> None:
        """Has the others end the connections of somebody whose token opens nothing any more."""
        for table in await self._port.forget(player):
            self.tell(table, 0)

    async def _register(self, tables: Collection[str]) -> None:
        """Writes down who came and who went."""
        came, went = set[Place](), set[Place]()
        for table in tables:
            live, known = self._live.get(table), self._arrived[table]
            here = set(live.players_here) if live is not None else set()
            came |= {(table, player) for player in here - known.keys()}
            went |= {(table, player) for player in known.keys() - here}
            if live is None and not known:
                self._arrived.pop(table, None)
        if not came and not went:
            return
        for table, player in went:
            self._arrived[table].pop(player, None)
        try:
            await self._port.note(self.id, came, went)
        except StoreError:
            for table, player in went:
                self._arrived[table].setdefault(player, 0.0)  # the next turn tries again
            raise
        for table, player in came:
            self._arrived[table][player] = asyncio.get_running_loop().time()
        for table in {table for table, _ in came | went}:
            self.tell(table, 0)

    # ---- what the others let us know ------------------------------------------------------------

    def _wake(self, table: str, version: int) -> None:
        live = self._live.get(table)
        if live is None:
            return
        if version > live.state.version:
            is_new = table not in self._woken
            self._woken[table] = max(version, self._woken.get(table, 0))
            if is_new:
                self._start(self._follow(table))
        elif version == 0:
            is_new = not self._changed
            self._changed.add(table)
            if is_new:
                self._start(self._look_at_changed())

    async def _follow(self, name: str) -> None:
        """Reads a table's log as far as the others said it goes."""
        try:
            while (table := self._live.get(name)) is not None:
                before = table.state.version
                if self._woken[name] <= before:
                    return
                await self._catch_up(table)
                if table.state.version == before:
                    return
        finally:
            del self._woken[name]

    async def _look_at_changed(self) -> None:
        await asyncio.sleep(0)  # for all that were told of together
        changed, self._changed = self._changed, set()
        await self._look(changed)

    async def _catch_up(self, table: Table) -> None:
        with suppress(Refusal):  # it stops, or the database is away
            await table.catch_up()

    async def _look(self, tables: Collection[str]) -> None:
        """Reads what others know of tables, and passes it on."""
        began = asyncio.get_running_loop().time()
        for name, elsewhere in (await self._port.look(self.id, tables)).items():
            table = self._live.get(name)
            if table is None:
                continue
            if elsewhere.version > table.state.version:
                await self._catch_up(table)
            await self._end_connections(table, elsewhere, began)
            others = {who for who, worker in elsewhere.present.items() if worker != self.id}
            words = [body for id, body in elsewhere.said.items() if self._is_news(id)]
            if words or others != table.players_elsewhere:
                said = [msgspec.json.decode(each, type=Said) for each in words]
                with suppress(Refusal):
                    await table.hear(others, said)

    async def _end_connections(self, table: Table, elsewhere: Elsewhere, began: float) -> None:
        """Ends those connections here whose players have come to another worker, or are gone."""
        for player in list(table.players_here):
            known = self._arrived[table.id]
            if known.get(player, began) >= began or elsewhere.present.get(player) == self.id:
                continue
            if player in elsewhere.present:
                table.end_connection(player, "replaced")
            elif not await self._players.has_token(player):
                table.end_connection(player, "unknown_token")
            else:
                known.pop(player, None)  # others thought us gone; the next turn tells them

    def _is_news(self, id: str) -> bool:
        if id in self._heard:
            return False
        self._heard[id] = None
        if len(self._heard) > REMEMBERED_WORDS:
            del self._heard[next(iter(self._heard))]
        return True

    # ---- turns ----------------------------------------------------------------------------------

    async def run(self) -> None:
        """Renews, takes, gives back, looks, once a second, until the end."""
        log.info("a worker of this name serves", worker=self.id, process=os.getpid())
        bus = [self._bus.run()] if self._bus is not None else []
        await asyncio.gather(self._turns(), self._renew_for_ever(), *bus)

    async def _renew_for_ever(self) -> None:
        """Stays alive for the others, however long a turn takes."""
        while True:
            await asyncio.sleep(TURN_SECONDS)
            with suppress(StoreError):  # the turn tells of it
                await self._renew()

    async def _turns(self) -> None:
        number = 0
        while True:
            try:
                await self._turn(number)
                self._failing = False
            except StoreError as error:
                if not self._failing:
                    log.warning(
                        "the database does not answer; nothing is acknowledged meanwhile",
                        error=str(error),
                    )
                self._failing = True
            except Exception as error:
                self._report("a worker's turn failed", error)
            number += 1
            await asyncio.sleep(TURN_SECONDS)

    async def _renew(self) -> None:
        began = asyncio.get_running_loop().time()
        await self._port.renew(self.id)
        if self._sure_until < began:
            self._held = set()  # we were stopped for too long: whatever is ours is ours anew
        self._sure_until = max(self._sure_until, began + LEASE_SECONDS)

    async def _turn(self, number: int) -> None:
        await self._renew()
        wanted = {name for name, table in self._live.items() if table.is_waited_for}
        left = self._held - wanted
        if left:
            await self._port.release(self.id, left)
        await self._take(wanted - self._held)
        await self._register(list(self._live.keys() | self._arrived.keys()))
        if self._bus is None or not self._bus.alive or number % LOOK_TURNS == 0:
            await self._look(wanted)
        if number % BURY_TURNS == 0:
            await self._port.bury()

    async def close(self) -> None:
        """Leaves: the others may have our tables at once."""
        for task in list(self._tasks):
            task.cancel()
        with suppress(StoreError):
            await self._port.retire(self.id)
        if self._bus is not None:
            await self._bus.close()

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        """Does something nobody waits for; what fails is done by the next turn."""

        async def run() -> None:
            with suppress(StoreError):
                await work

        task = asyncio.get_running_loop().create_task(run())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
