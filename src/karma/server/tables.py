"""Tables: all of a server's; one is replayed from its log when it is first touched."""

import asyncio
import re
import secrets
import shutil
import time
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, cast
from weakref import WeakValueDictionary

from karma.clock import Clock
from karma.protocol.bodies import NewTable, OwnTable, TableSummary
from karma.protocol.codes import TablePhase
from karma.record import Record
from karma.refusals import Refusal
from karma.server.players import public_id
from karma.server.settings import ServerSettings
from karma.store import Damaged, StoreError
from karma.store.ports import ListedTable, Person, Store
from karma.table import Table, Terms, Thinker
from karma.table.bots.port import best
from karma.table.bots.shares import Claim, Shares
from karma.table.characters import characters_of
from karma.table.log.games import Forked
from karma.table.log.state import DAY
from karma.table.trace import Trace

if TYPE_CHECKING:
    from karma.server.workers import ServerWorkers

IDLE_SECONDS = 600
THINKING_SECONDS = 5.0
"""How long a bot may take beyond twice the time it was told to think."""
STARVED = 6.0
"""How many times as long, where the machine is busy: a bot that waited is not one that failed."""
MOST_TABLES_A_PLAYER = 20
MOST_CHANGES = 30
"""So many things a player may change at a table in ten seconds, moves aside."""
LISTED = 100
MOST_ADDRESSES = 10_000
LOOK_SECONDS = 0.01
DISK_SECONDS = 1.0
LEAST_FREE = 32 * 1024 * 1024
_ID = re.compile(r"[a-z0-9]{10}")


class ServerTables:
    """The tables, and how to find them."""

    def __init__(
        self,
        settings: ServerSettings,
        store: Store,
        clock: Clock,
        thinker: Thinker,
        report: Callable[[str, BaseException], None],
        after: Callable[[Table], None],
        trace: Trace,
    ) -> None:
        self._settings = settings
        self._trace = trace
        self.store = store
        self._clock = clock
        self._thinker = thinker
        self.shares = Shares(thinker, settings.processes, settings.people_per_address)
        self._addresses: OrderedDict[str, str] = OrderedDict()
        self._report = report
        self._after = after
        self.live: dict[str, Table] = {}
        self._loading: dict[str, asyncio.Task[Table | None]] = {}
        self._touched: dict[str, float] = {}
        self.damaged: dict[str, str] = {}
        """The tables whose logs are not what was written, and what is wrong with each."""
        self.file_damage: list[str] = []
        self._free, self._look_at_disk = 0, 0.0
        self._opening: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        """Held by each player who opens a table."""
        self.workers = self._make_workers()

    @property
    def levels(self) -> tuple[str, ...]:
        return self._thinker.levels

    def _new(self, table: str) -> Table:
        return Table(
            table,
            self.store.log,
            clock=self._clock,
            secret=secrets.token_bytes,
            thinker=self.shares.of(table, lambda: self._claim(table)),
            terms=Terms(
                pace=self._settings.pace,
                thinking=self._settings.milliseconds / 1000 * 2 + THINKING_SECONDS,
                starved=STARVED,
                changes=MOST_CHANGES if self._settings.limits else None,
            ),
            report=self._report,
            after=self._changed,
            owns=partial(self.workers.owns, table) if self.workers is not None else None,
            said=self.workers.tell_words if self.workers is not None else None,
            crowded=lambda: self._too_long(self._claim(table).person),
            trace=self._trace,
        )

    def _changed(self, table: Table) -> None:
        self._after(table)
        if self.workers is not None:
            self.workers.tell(table.id, table.state.version)

    async def arrived(self, table: Table) -> None:
        """Returns when the other workers can know that somebody has come here."""
        if self.workers is not None:
            await self.workers.arrived(table.id)

    def left(self, table: Table) -> None:
        """Lets the other workers know that somebody has gone from here."""
        if self.workers is not None:
            self.workers.left(table.id)

    async def look_around(self, table: Table) -> None:
        """Has a table know who is connected to it through other workers."""
        if self.workers is not None:
            with suppress(StoreError):  # which will not take what is asked, either
                await self.workers.enter(table.id)

    async def forget(self, player: str) -> None:
        """Ends the connections of a player whose token opens nothing any more."""
        for table in list(self.live.values()):
            if table.is_connected(player):
                await table.cut(player)
        if self.workers is not None:
            await self.workers.forget(player)

    def _make_workers(self) -> "ServerWorkers | None":
        """This process among others, if there can be any."""
        if self.store.workers is None:
            return None
        from karma.server.workers import ServerWorkers

        redis = self._settings.redis
        return ServerWorkers(self.store.workers, self.store.players, redis, self.live, self._report)

    def _claim(self, table: str) -> Claim:
        """For whom the bots of a table think."""
        live = self.live.get(table)
        if live is None:
            return Claim(table, watched=False)
        host = live.state.host or table
        return Claim(host, watched=live.connected > 0, address=self._addresses.get(host, ""))

    def came_from(self, player: str, address: str) -> None:
        """Notes where a player is; the longest unseen are forgotten."""
        self._addresses[player] = address
        self._addresses.move_to_end(player)
        if len(self._addresses) > MOST_ADDRESSES:
            self._addresses.popitem(last=False)

    def _too_long(self, person: str) -> int | None:
        """How many seconds bots of a person have to wait, where that is too long for more."""
        return self.shares.too_long(person, self._addresses.get(person, ""))

    async def open(self, player: Person, wanted: NewTable) -> Table:
        """A new table, its maker in the first seat."""
        opening = self._opening.get(player.id)
        if opening is None:
            opening = self._opening[player.id] = asyncio.Lock()
        async with opening:  # one at a time: those asked for at once count, too
            if await self.store.tables.count_open(player.id) >= MOST_TABLES_A_PLAYER:
                raise Refusal("too_many_tables", most=MOST_TABLES_A_PLAYER)
            return await self._open(player, wanted)

    async def _open(self, player: Person, wanted: NewTable) -> Table:
        seconds = self._too_long(player.id) if wanted.bots or wanted.fork else None
        if seconds is not None:
            raise Refusal("too_fast", seconds=seconds)
        settings, bots, fork = wanted.settings, wanted.bots, None
        if wanted.fork is not None:
            record = await self.record(wanted.fork.table, wanted.fork.game)
            if wanted.fork.seat >= len(record.players):
                raise Refusal("no_such_seat")
            if not 0 <= wanted.fork.ply < len(record.moves):
                raise Refusal("stale_ply")
            settings = type(settings)(
                edition=record.rules.edition, rules=dict(record.rules.overrides)
            )
            bots = (bots or [best(self.levels)]) * len(record.players)
            bots = bots[: len(record.players) - 1]
            fork = Forked(record=record.dumps(), ply=wanted.fork.ply, seat=wanted.fork.seat)
        table = self._new(public_id())
        await table.create(
            player.id, player.name, settings, bots=bots, start=wanted.start, fork=fork
        )
        self.live[table.id] = table
        self.touch(table)
        return table

    async def find(self, table: str) -> Table:
        """A table by its id, replayed if it is not in memory; refused if there is none."""
        live = self.live.get(table)
        if live is None:
            if not _ID.fullmatch(table):
                raise Refusal("no_such_table")
            if table not in self._loading:
                self._loading[table] = asyncio.create_task(self._load(table))
            live = await asyncio.shield(self._loading[table])
            if live is None:
                raise Refusal("no_such_table")
        elif self.workers is not None:
            await live.catch_up()
        self.touch(live)
        return live

    async def _load(self, table: str) -> Table | None:
        try:
            live = self._new(table)
            try:
                if not await live.load():
                    return None
            except Damaged as error:
                self.damaged[table] = str(error)
                self._report(f"table {table} is damaged", error)
                raise Refusal("stopped") from None
            self.live[table] = live
            if self.workers is not None:
                await self.workers.enter(table)
            return live
        finally:
            del self._loading[table]

    def touch(self, table: Table) -> None:
        """Notes that a table is in use."""
        self._touched[table.id] = asyncio.get_running_loop().time()

    async def wake(self) -> None:
        """Loads the tables whose clocks run while nobody is there."""
        if self.store.workers is not None:
            tables = await self.store.workers.unowned_for_days()
        else:
            tables = await self.store.tables.running_for_days()
        for table in tables:
            await self.find(table)

    async def put_idle_away(self) -> None:
        """Forgets tables that nobody has used for a while; their logs stay."""
        now = asyncio.get_running_loop().time()
        for name, table in list(self.live.items()):
            days = table.state.settings.clock == "days" and table.state.phase == "playing"
            days = days and (self.workers is None or self.workers.owns(name))
            idle = now - self._touched.get(name, now) > IDLE_SECONDS
            if idle and not table.connected and not days:
                del self.live[name]
                self._touched.pop(name, None)
                await table.stop()

    async def look_for_damage(self) -> None:
        """Reads every log, one after another and without haste; those damaged are not served."""
        for table in await self.store.log.tables():
            try:
                await self.store.log.read(table)
            except Damaged as error:
                self.damaged[table] = str(error)
            await asyncio.sleep(LOOK_SECONDS)
        self.file_damage = await self.store.damage()
        if self.damaged or self.file_damage:
            what = "what is kept is damaged; karma games repair mends it"
            self._report(what, Damaged(what))

    @property
    def problems(self) -> list[str]:
        """What keeps the server from being well, in a word each."""
        found = {
            "damaged": bool(self.damaged or self.file_damage),
            "not_stored": self.store.failing,
            "disk_full": self._free_bytes() < LEAST_FREE,
            "bots_crowded": self.shares.crowded,
        }
        return [word for word, is_so in found.items() if is_so]

    def _free_bytes(self) -> int:
        """The room on the disk, looked at once a second at most: whoever asks may ask often."""
        now = time.monotonic()
        if now >= self._look_at_disk:
            self._look_at_disk = now + DISK_SECONDS
            self._free = shutil.disk_usage(self._settings.data).free
        return self._free

    async def delete_old(self) -> None:
        """Deletes tables that nobody has touched for as long as the operator keeps them."""
        if not self._settings.retention:
            return
        before = self._clock.date() - self._settings.retention * DAY * 1000
        await self.store.tables.delete_untouched(before, but=list(self.live))

    async def close(self) -> None:
        """Stops all tables, as a crash would."""
        await asyncio.gather(*(table.stop() for table in self.live.values()))
        if self.workers is not None:
            await self.workers.close()

    # ---- lists ----------------------------------------------------------------------------------

    async def by_invite(self, code: str) -> Table:
        """The table that an invite is for."""
        plain = code.replace("-", "").upper()
        invite = f"{plain[:4]}-{plain[4:]}"
        if len(code) > len(invite):
            raise Refusal("wrong_invite")
        table = await self.store.tables.by_invite(invite)
        if table is None:
            raise Refusal("wrong_invite")
        return await self.find(table)

    async def public(self) -> list[TableSummary]:
        """The public tables, the newest first."""
        return [_summary(listed) for listed in await self.store.tables.public(LISTED)]

    async def of_player(self, player: str) -> list[OwnTable]:
        """The tables at which a player has a part."""
        return [
            _own_table(listed, player)
            for listed in await self.store.tables.of_player(player, LISTED)
        ]

    async def record(self, table: str, game: int) -> Record:
        """The record of a finished game."""
        if not 0 < game < 1 << 31:
            raise Refusal("no_such_game")
        record = await self.store.games.record(table, game)
        if record is not None:
            return record
        live = await self.find(table)
        raise Refusal("not_over" if game == live.state.number else "no_such_game")


def _own_table(listed: ListedTable, player: str) -> OwnTable:
    listing = listed.listing
    seats = {person: seat for person, seat in listing.players if seat is not None}
    asked = listing.asked if listed.seat is not None else ()  # who watches may be told late
    return OwnTable(
        table=listed.id,
        seat=listed.seat,
        phase=cast(TablePhase, listing.phase),
        edition=listing.edition,
        rules=dict(listing.rules),
        names=list(listing.names),
        people=sorted(seats.values()),
        characters=characters_of(listing.names, seats.values()),
        your_turn=player in listing.asked,
        waits_for=sorted(seats[person] for person in asked if person in seats),
        changed=listed.touched,
    )


def _summary(listed: ListedTable) -> TableSummary:
    listing = listed.listing
    people = [seat for _, seat in listing.players if seat is not None]
    return TableSummary(
        table=listed.id,
        edition=listing.edition,
        rules=dict(listing.rules),
        phase=cast(TablePhase, listing.phase),
        clock=listing.clock,
        names=list(listing.names),
        characters=characters_of(listing.names, people),
        people=len(people),
        most_players=listing.most_players,
        spectators=listing.spectators,
    )
