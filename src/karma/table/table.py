"""Table: people and bots in seats around one game, and the only writer of it.

One task owns the table: requests wait in a bounded mailbox and are done one after another. Whatever
changes the table is an entry, stored before anybody is told; to start again is to replay the log.
Clock, chance, store, bots and outboxes are arguments, so that tests can drive it in virtual time.
"""

import asyncio
from collections import OrderedDict, deque
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

import msgspec

from karma.game import Game
from karma.moves import IllegalMove, Move
from karma.protocol import messages
from karma.protocol.bodies import Look
from karma.protocol.codes import PROTOCOL, ErrorCode
from karma.protocol.state import Happening, Seat, Settings, TableInfo
from karma.store import Conflict, Finished, Listing, Store, StoreError
from karma.table import asking, entries, plain
from karma.table.asking import Asker
from karma.table.choosing import asking as asks
from karma.table.client import Client, Outbox
from karma.table.refusal import Refusal
from karma.table.showing import (
    Shown,
    against_bots,
    listing,
    show_seats,
    show_table,
    show_view,
    show_views,
    show_you,
)
from karma.table.sitting import COVER_LEVEL, Sitting
from karma.table.thinking import Thinker, safe_move
from karma.view import View

MAILBOX = 256
REMEMBERED_ANSWERS = 256
T = TypeVar("T")


class Clock(Protocol):
    """The time, real or virtual."""

    def now(self) -> int:
        """Milliseconds since 1970."""

    async def sleep(self, seconds: float) -> None:
        """Waits."""


@dataclass(frozen=True)
class Terms:
    """How patient a table is, in seconds."""

    pace: float = 0.0
    """How long a bot waits before it moves, so that people can follow."""
    thinking: float = 10.0
    """How long a bot may think."""
    absent: float = 60.0
    """How long a table without a clock waits for somebody who is gone."""
    delay: float = 30.0
    """How late spectators see the game, where they do."""
    ask_seeds: bool = True
    """Whether people's programs are asked for seeds of the fair deal."""
    said: int = 8
    """How many things a player may say in ten seconds."""


class Table:
    """A live table."""

    def __init__(
        self,
        table: str,
        store: Store,
        *,
        clock: Clock,
        secret: Callable[[int], bytes],
        thinker: Thinker,
        terms: Terms | None = None,
        report: Callable[[str, BaseException], None] | None = None,
        after: Callable[["Table"], None] | None = None,
        ended: Callable[[str, Finished], None] | None = None,
    ) -> None:
        self.table = table
        self._store = store
        self._clock = clock
        self._secret = secret
        self._thinker = thinker
        self._terms = terms or Terms()
        self._report = report or (lambda what, error: None)
        self._after = after or (lambda table: None)
        self._ended = ended or (lambda table, finished: None)
        self._sitting = Sitting(table)
        self._told = 0
        """The last version told to everybody: what is not kept yet is nobody's business."""
        self._listed: Listing | None = None
        self._stopped: ErrorCode | None = None
        self._stale = False
        self._clients: dict[str, Client] = {}
        self._gone_at: dict[str, int] = {}
        self._woke_at = 0
        self._answers: OrderedDict[tuple[str, str], messages.FromServer] = OrderedDict()
        self._said: dict[str, deque[int]] = {}
        self._thoughts: dict[int, tuple[Any, asyncio.Task[None]]] = {}
        self._advice: set[asyncio.Task[None]] = set()
        self._late: deque[tuple[int, messages.Update]] = deque()
        self._late_shown: messages.Update | None = None
        self._mailbox: asyncio.Queue[Callable[[], Awaitable[None]]] = asyncio.Queue(MAILBOX)
        self._calls: set[asyncio.Future[Any]] = set()
        self._task: asyncio.Task[None] | None = None

    # ---- beginning and end ----------------------------------------------------------------------

    async def create(
        self,
        player: str,
        name: str,
        settings: Settings,
        *,
        bots: Sequence[str] = (),
        start: bool = False,
        fork: entries.Forked | None = None,
    ) -> None:
        """Opens a new table, its maker in the first seat, and starts it."""
        most = asking.needs_rules(settings).most_players
        if len(bots) + 1 > most:
            raise Refusal("table_full", most=most)
        for level in bots:
            asking.needs_level(self._asker(player), level)
        invite = asking.new_code(self._secret)
        new: asking.Entries = [
            entries.Opened(player=player, name=name, settings=settings, invite=invite)
        ]
        new += [entries.BotSeated(seat=seat, level=bot) for seat, bot in enumerate(bots, start=1)]
        await self._commit(new)
        if fork is not None:
            await self._commit([fork])
        elif start:
            await self._commit(asking.start(self._asker(player), messages.Start(id="start")))
        self._begin()

    async def load(self) -> bool:
        """Replays the table's log and starts it; False if there is no such table."""
        if not await self._replay():
            return False
        self._begin()
        return True

    def _begin(self) -> None:
        self._woke_at = self._clock.now()
        self._task = asyncio.get_running_loop().create_task(self._run(), name=self.table)

    async def stop(self) -> None:
        """Stops the table as a crash would: the log has everything."""
        tasks = [task for _, task in self._thoughts.values()] + list(self._advice)
        if self._task is not None:
            tasks.append(self._task)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for call in list(self._calls):
            if not call.done():
                call.set_exception(Refusal("stopping"))

    async def _replay(self) -> bool:
        lines = await self._store.read(self.table)
        sitting = Sitting(self.table)
        try:
            for line in lines:
                sitting.apply(entries.decode_line(line))
        except Exception as error:
            self._halt("stopped", error)
        self._sitting = sitting
        self._told = sitting.version
        self._stale = False
        return bool(lines)

    def _halt(self, code: ErrorCode, error: BaseException) -> None:
        """Stops for good: this table cannot go on, the others do."""
        self._stopped = code
        self._report(f"table {self.table} stopped", error)
        for client in list(self._clients.values()):
            client.outbox.close(code)

    # ---- what others may ask --------------------------------------------------------------------

    @property
    def sitting(self) -> Sitting:
        """The table as it is; to look at, not to change."""
        return self._sitting

    @property
    def stopped(self) -> ErrorCode | None:
        return self._stopped

    @property
    def connected(self) -> int:
        """How many clients are connected."""
        return len(self._clients)

    @property
    def awake(self) -> bool:
        """Is anybody there to play with, or does the game go on without?"""
        if self._sitting.settings.clock == "days":
            return True
        return any(self._sitting.seat_of(player) is not None for player in self._clients)

    def is_connected(self, player: str) -> bool:
        """Is this player connected?"""
        return player in self._clients

    def has(self, player: str) -> bool:
        """Does this player have a part at the table?"""
        return self._sitting.seat_of(player) is not None or player in self._sitting.spectators

    async def look(self, player: str | None = None) -> Look:
        """The table as one sees it before joining."""

        async def job() -> Look:
            seat = self._sitting.seat_of(player) if player is not None else None
            return Look(table=self._show_table(), seats=self._show_seats(), you=seat)

        return await self._call(job)

    async def join(
        self,
        player: str,
        name: str,
        *,
        invite: str | None = None,
        seat: int | None = None,
        spectate: bool = False,
    ) -> int | None:
        """Sits a player down, or lets them watch; returns the seat."""

        async def job() -> int | None:
            asker = self._asker(player)
            await self._commit(
                asking.join(asker, name, invite=invite, seat=seat, spectate=spectate)
            )
            return self._sitting.seat_of(player)

        return await self._call(job)

    async def ask(self, player: str, message: messages.Action) -> None:
        """Does what a player asks without a connection; a Refusal says why not."""

        async def job() -> None:
            await self._commit(asking.ASKED[type(message)](self._asker(player), message))

        await self._call(job)

    async def move_seat(self, player: str, seat: int, owner: str) -> None:
        """Moves a seat to another device of its person."""

        async def job() -> None:
            await self._commit(asking.move_seat(self._asker(player), seat, owner))

        await self._call(job)

    async def close(self) -> None:
        """Closes the table, at its operator's word."""

        async def job() -> None:
            if self._sitting.phase != "closed":
                await self._commit([entries.Closed()])

        await self._call(job)

    async def connect(self, player: str, name: str, outbox: Outbox) -> Client:
        """Connects a player; an older connection of the same player is replaced."""
        client = Client(player, name, outbox)

        async def job() -> None:
            self._needs_running()
            if not self.has(player):
                raise Refusal("not_allowed")
            older = self._clients.get(player)
            if older is not None:
                older.outbox.close("replaced")
                client.muted = older.muted
            if not self.awake:
                self._woke_at = self._clock.now()
            self._clients[player] = client
            self._gone_at.pop(player, None)
            seat = self._sitting.seat_of(player)
            if seat is not None and self._sitting.chairs[seat].covered in ("absent", "clock"):
                await self._commit([entries.Returned(seat=seat)])
            self._tell_presence()

        await self._call(job)
        return client

    async def disconnect(self, client: Client) -> None:
        """Forgets a connection; the seat stays its player's."""

        async def job() -> None:
            if self._clients.get(client.player) is client:
                del self._clients[client.player]
                self._gone_at[client.player] = self._clock.now()
                self._tell_presence()

        await self._call(job)

    async def receive(self, client: Client, message: messages.FromClient) -> None:
        """Takes a client's message; answers go into its outbox. Waits while the table is busy."""
        if isinstance(message, messages.Heartbeat):
            version = self._version_for(client)
            now = self._clock.now()
            client.outbox.send(messages.Beat(beat=message.beat, version=version, now=now))
            return

        async def job() -> None:
            await self._answer(client, message)

        await self._mailbox.put(job)

    async def _call(self, job: Callable[[], Awaitable[T]]) -> T:
        """Does something in the table's own task, and returns what it returns."""
        if self._task is None or self._task.done():
            raise Refusal("stopping")
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

        await self._mailbox.put(posted)
        return await future

    # ---- the task -------------------------------------------------------------------------------

    async def _run(self) -> None:
        while True:
            try:
                await self._do_what_is_due()
                wait = self._seconds_to_wait()
                async with asyncio.timeout(wait):
                    job = await self._mailbox.get()
            except TimeoutError:
                continue
            except Refusal:  # the store did not take what the clock asked for
                await self._clock.sleep(1)
                continue
            try:
                await job()
            except Refusal:
                pass  # whoever asked has been told
            except Exception as error:
                self._report(f"table {self.table} failed to answer", error)

    def _seconds_to_wait(self) -> float | None:
        """How long there is nothing to do unless somebody asks."""
        due = self._due_at()
        return None if due is None else max(0.0, (due - self._clock.now()) / 1000)

    def _due_at(self) -> int | None:
        sitting = self._sitting
        times = [self._late[0][0]] if self._late else []
        if self._stopped is None and not sitting.paused:
            if sitting.phase == "deal" and sitting.deal is not None and sitting.deal.deadline:
                times.append(sitting.deal.deadline)
            times += [at for seat in sitting.asked() if (at := self._limit(seat)) is not None]
        return min(times, default=None)

    def _limit(self, seat: int) -> int | None:
        """When the table stops waiting for a person's decision; None if it does not."""
        sitting = self._sitting
        chair = sitting.chairs[seat]
        if chair.player is None or chair.moved_by_bot or not self.awake:
            return None
        if sitting.move_seconds is not None:
            return self._asked_at + sitting.move_seconds * 1000
        if chair.player in self._clients:
            return None
        gone_at = max(self._gone_at.get(chair.player, 0), self._asked_at)
        return gone_at + round(self._terms.absent * 1000)

    @property
    def _asked_at(self) -> int:
        """When the present decision began; nobody's time ran while the table slept."""
        if self._sitting.settings.clock == "days":
            return self._sitting.asked_at
        return max(self._sitting.asked_at, self._woke_at)

    async def _do_what_is_due(self) -> None:
        self._show_late()
        if self._stale:
            await self._try_replay()
        if self._stopped is not None or self._sitting.paused:
            self._forget_thoughts()
            return
        now = self._clock.now()
        deal = self._sitting.deal
        if self._sitting.phase == "deal" and deal is not None and (deal.deadline or now) <= now:
            await self._commit([entries.SeedsClosed()])
        for seat in self._sitting.asked():
            limit = self._limit(seat)
            if limit is not None and limit <= now and seat in self._sitting.asked():
                await self._go_on_without(seat)
        self._let_bots_think()

    async def _go_on_without(self, seat: int) -> None:
        if self._sitting.move_seconds is None:
            await self._commit([entries.Covered(seat=seat, why="absent")])
        else:
            moves = self._safe_moves(seat)
            await self._commit([entries.Made(seat=seat, moves=moves, by="clock")])

    def _safe_moves(self, seat: int) -> list[str]:
        """The safe move for a seat, or all its choices while the table chooses."""
        sitting = self._sitting
        if sitting.choosing is None:
            view = sitting.view(seat)
            assert view is not None
            return [str(safe_move(view))]
        asked, moves = sitting.choosing.asked(seat), []
        while asks(asked, seat):
            moves.append(safe_move(asked.view(seat)))
            asked.push(moves[-1])
        return [str(move) for move in moves]

    # ---- bots -----------------------------------------------------------------------------------

    def _let_bots_think(self) -> None:
        """Asks the bots that have to decide, and forgets what others were thinking about."""
        wanted: dict[int, Any] = {}
        if self.awake:
            for seat in self._sitting.asked():
                if self._sitting.chairs[seat].moved_by_bot:
                    wanted[seat] = self._question(seat)
        for seat, (question, task) in list(self._thoughts.items()):
            if wanted.get(seat) != question:
                task.cancel()
                del self._thoughts[seat]
        for seat, question in wanted.items():
            if seat not in self._thoughts:
                thought = self._think(seat, question)
                task = asyncio.get_running_loop().create_task(thought)
                self._thoughts[seat] = question, task

    def _forget_thoughts(self) -> None:
        for _, task in self._thoughts.values():
            task.cancel()
        self._thoughts.clear()

    def _question(self, seat: int) -> Any:
        """What tells one decision of a seat from every other."""
        view = self._sitting.view(seat)
        assert view is not None
        level = self._sitting.chairs[seat].bot or COVER_LEVEL
        return self._sitting.number, view.ply, self._sitting.undone, level

    async def _think(self, seat: int, question: Any) -> None:
        """Gets a bot's move, and posts it; what goes wrong ends in a safe one."""
        level = question[-1]
        choosing, view = self._sitting.choosing, self._sitting.view(seat)
        assert view is not None
        game = choosing.asked(seat) if choosing is not None else None
        if self._terms.pace:
            await self._clock.sleep(self._terms.pace)
        moves: list[str] = []
        why = None
        try:
            async with asyncio.timeout(self._terms.thinking):
                moves = [str(move) for move in await self._bots_moves(level, seat, view, game)]
        except TimeoutError:
            why = "hang"
        except IllegalMove:
            why = "nonsense"
        except Exception as error:
            self._report(f"table {self.table}: bot {level} crashed", error)
            why = "crash"

        async def job() -> None:
            if self._thoughts.get(seat, (None,))[0] != question:
                return
            del self._thoughts[seat]
            if seat not in self._sitting.asked() or self._question(seat) != question:
                return
            made = (
                entries.Made(seat=seat, moves=moves, by="bot")
                if why is None
                else entries.Made(seat=seat, moves=self._safe_moves(seat), by="safe", why=why)
            )
            await self._commit([made])

        await self._mailbox.put(job)

    async def _bots_moves(self, level: str, seat: int, view: View, game: Game | None) -> list[Move]:
        if game is None:
            move = await self._thinker.choose(level, view, self._seed(view))
            if move not in view.legal:
                raise IllegalMove(f"the bot answered {move!r}")
            return [move]
        moves = []
        while asks(game, seat):
            view = game.view(seat)
            moves.append(await self._thinker.choose(level, view, self._seed(view)))
            game.push(moves[-1])
        return moves

    def _seed(self, view: View) -> int:
        return self._sitting.number << 20 | view.ply

    # ---- answering ------------------------------------------------------------------------------

    async def _answer(self, client: Client, message: messages.FromClient) -> None:
        if isinstance(message, messages.Hello):
            self._welcome(client, message)
            return
        if isinstance(message, messages.Heartbeat):
            return
        if not client.greeted:
            client.outbox.send(messages.Error(code="hello_first"))
            return
        key = client.player, message.id
        if key in self._sitting.done and not self._stale:
            client.outbox.send(messages.Ack(id=message.id, version=self._sitting.done[key]))
            return
        if key in self._answers:
            client.outbox.send(self._answers[key])
            return
        try:
            answer = await self._do(client, message)
        except Refusal as refusal:
            answer = self._refused(client, message.id, refusal)
            if refusal.code in ("not_stored", "server_error"):
                client.outbox.send(answer)
                return
        except Exception as error:
            self._report(f"table {self.table} failed at {type(message).__name__}", error)
            answer = self._refused(client, message.id, Refusal("server_error"))
        if answer is not None:
            self._remember(key, answer)
            client.outbox.send(answer)

    def _remember(self, key: tuple[str, str], answer: messages.FromServer) -> None:
        self._answers[key] = answer
        if len(self._answers) > REMEMBERED_ANSWERS:
            self._answers.popitem(last=False)

    def _refused(self, client: Client, action: str, refusal: Refusal) -> messages.Refused:
        seat = self._sitting.seat_of(client.player)
        view = self._sitting.view(seat)
        return messages.Refused(
            id=action,
            code=refusal.code,
            parameters=refusal.parameters,
            game=self._sitting.number,
            ply=view.ply if view is not None else 0,
        )

    async def _do(self, client: Client, message: messages.Action) -> messages.FromServer | None:
        """Does what was asked; returns the answer, or None if it has been sent already."""
        self._needs_running()
        if isinstance(message, messages.Say | messages.Chat):
            self._speak(client, message)
        elif isinstance(message, messages.Mute):
            self._mute(client, message)
        elif isinstance(message, messages.Hint):
            self._advise(client, message)
        else:
            new = asking.ASKED[type(message)](self._asker(client.player), message)
            if new:
                await self._commit(new, client=client, action=message.id)
                return None
        return messages.Ack(id=message.id, version=self._sitting.version)

    def _asker(self, player: str) -> Asker:
        self._needs_running()
        return Asker(
            self._sitting,
            player,
            present=self._clients.keys(),
            levels=self._thinker.levels,
            secret=self._secret,
            ask_seeds=self._terms.ask_seeds,
        )

    def _needs_running(self) -> None:
        if self._stopped is not None:
            raise Refusal(self._stopped)
        if self._stale:
            raise Refusal("not_stored")

    # ---- the log --------------------------------------------------------------------------------

    async def _commit(
        self, new: asking.Entries, client: Client | None = None, action: str | None = None
    ) -> None:
        """Makes entries part of the table: first kept, then acknowledged, then told to all."""
        if not new:
            return
        now = self._clock.now()
        before = self._sitting.version
        asked_by = client.player if client is not None else None
        last = len(new) - 1
        lines = [
            entries.Line(
                at=now,
                entry=entry,
                player=asked_by if i == last else None,
                action=action if i == last else None,
            )
            for i, entry in enumerate(new)
        ]
        try:
            steps = [self._sitting.apply(line) for line in lines]
        except Exception as error:
            self._halt("stopped", error)
            raise Refusal("stopped") from None
        finished = [step.finished for step in steps if step.finished is not None]
        try:
            encoded = [entries.encode_line(line) for line in lines]
            listed = listing(self._sitting)
            news = listed if listed != self._listed else None
            await self._store.append(self.table, before, encoded, finished, news)
            self._listed = listed
        except Conflict as error:
            self._halt("stopped", error)
            raise Refusal("stopped") from None
        except StoreError:
            self._stale = True
            await self._try_replay()
            raise Refusal("not_stored") from None
        if client is not None and action is not None:
            client.outbox.send(messages.Ack(id=action, version=self._sitting.version))
        self._tell([step.happening for step in steps])
        for game in finished:
            self._ended(self.table, game)
        self._after(self)

    async def _try_replay(self) -> None:
        """Throws away what was not kept, by replaying what was."""
        try:
            await self._replay()
        except StoreError:
            self._stale = True

    # ---- telling --------------------------------------------------------------------------------

    def _show_table(self) -> TableInfo:
        watching = sum(player in self._sitting.spectators for player in self._clients)
        return show_table(self._sitting, watching)

    def _show_seats(self) -> list[Seat]:
        return show_seats(self._sitting, self._clients.keys(), self._asked_at)

    def _is_late(self, client: Client) -> bool:
        return (
            self._sitting.settings.spectators == "delayed"
            and self._sitting.seat_of(client.player) is None
        )

    def _version_for(self, client: Client) -> int:
        if not self._is_late(client):
            return self._told
        return self._late_shown.version if self._late_shown is not None else 0

    def _tell(self, happened: list[Happening]) -> None:
        """Tells every client what happened, and its own view of what is so now."""
        now = self._clock.now()
        self._told = self._sitting.version
        table, seats = self._show_table(), self._show_seats()
        views: Shown = {}
        if happened:
            views = show_views(self._sitting, map(self._sitting.seat_of, self._clients))
        for client in list(self._clients.values()):
            if not self.has(client.player):
                self._send_away(client)
                continue
            if not client.greeted or self._is_late(client):
                continue
            seat = self._sitting.seat_of(client.player)
            view, run = views.get(seat, (None, None))
            you = show_you(self._sitting, client.player, client.name)
            client.outbox.send(
                messages.Update(
                    version=self._sitting.version,
                    now=now,
                    happened=happened,
                    you=you if you != client.you else None,
                    table=table if table != client.table else None,
                    seats=seats if seats != client.seats else None,
                    view=view,
                    run=run,
                )
            )
            client.you, client.table, client.seats = you, table, seats
        self._tell_late(now, happened, table, seats)
        if self._sitting.phase == "closed":
            for client in list(self._clients.values()):
                client.outbox.close("closed")

    def _tell_presence(self) -> None:
        self._tell([])

    def _send_away(self, client: Client) -> None:
        del self._clients[client.player]
        kicked = client.player in self._sitting.banned
        client.outbox.close("kicked" if kicked else "seat_moved")

    def _tell_late(
        self, now: int, happened: list[Happening], table: TableInfo, seats: list[Seat]
    ) -> None:
        if self._sitting.settings.spectators != "delayed":
            self._late.clear()
            self._late_shown = None
            return
        view, run = show_view(self._sitting, None) or (None, None)
        update = messages.Update(
            version=self._sitting.version,
            now=now,
            happened=happened,
            table=table,
            seats=seats,
            view=view,
            run=run,
        )
        self._late.append((now + round(self._terms.delay * 1000), update))

    def _show_late(self) -> None:
        now = self._clock.now()
        while self._late and self._late[0][0] <= now:
            _, self._late_shown = self._late.popleft()
            update = msgspec.structs.replace(self._late_shown, now=now)
            for client in self._clients.values():
                if client.greeted and self._is_late(client):
                    client.outbox.send(update)

    def _welcome(self, client: Client, hello: messages.Hello) -> None:
        if hello.protocol != PROTOCOL:
            wrong = messages.Error(code="wrong_protocol", parameters={"protocol": PROTOCOL})
            client.outbox.send(wrong)
            return
        if self._stopped is not None:
            client.outbox.close(self._stopped)
            return
        client.greeted = True
        client.you = show_you(self._sitting, client.player, client.name)
        client.table, client.seats = self._show_table(), self._show_seats()
        version = self._sitting.version
        view, run = show_view(self._sitting, client.you.seat) or (None, None)
        if self._is_late(client):
            late = self._late_shown
            version = late.version if late is not None else 0
            view, run = (late.view, late.run) if late is not None else (None, None)
            if late is not None and late.table is not None and late.seats is not None:
                client.table, client.seats = late.table, late.seats
        missed, complete = self._missed(hello.version, version)
        client.outbox.send(
            messages.Welcome(
                protocol=PROTOCOL,
                version=version,
                now=self._clock.now(),
                you=client.you,
                table=client.table,
                seats=client.seats,
                view=view,
                run=run,
                missed=missed,
                complete=complete,
            )
        )

    def _missed(self, since: int | None, until: int) -> tuple[list[Happening], bool]:
        """What happened after one version and until another, as far as it is remembered."""
        after = since if since is not None and since <= until else 0
        missed = [step for step in self._sitting.steps if after < step.version <= until]
        return missed, len(missed) == until - after

    # ---- what is not kept -----------------------------------------------------------------------

    def _speak(self, client: Client, message: messages.Say | messages.Chat) -> None:
        now = self._clock.now()
        recent = self._said.setdefault(client.player, deque())
        while recent and recent[0] <= now - 10_000:
            recent.popleft()
        if len(recent) >= self._terms.said:
            raise Refusal("muted")
        phrase, text = None, None
        if isinstance(message, messages.Say):
            phrase = message.phrase
        elif not self._sitting.settings.chat:
            raise Refusal("chat_off")
        else:
            text = plain.line(message.text)
            if not text:
                raise Refusal("bad_message", reason="nothing visible in the text")
        recent.append(now)
        you = show_you(self._sitting, client.player, client.name)
        said = messages.Said(seat=you.seat, name=you.name, at=now, phrase=phrase, text=text)
        for other in self._clients.values():
            if other.greeted and said.seat not in other.muted:
                other.outbox.send(said)

    def _mute(self, client: Client, message: messages.Mute) -> None:
        if message.seat >= len(self._sitting.chairs):
            raise Refusal("no_such_seat")
        if message.muted:
            client.muted.add(message.seat)
        else:
            client.muted.discard(message.seat)

    def _advise(self, client: Client, message: messages.Hint) -> None:
        """Has the best bot think about the seat's view, and sends what it would do."""
        seat = self._asker(client.player).seat
        if not against_bots(self._sitting):
            raise Refusal("no_hints")
        view = self._sitting.view(seat)
        if view is None or seat not in self._sitting.asked():
            raise Refusal("not_your_turn", actor=view.actor if view is not None else None)
        choosing = self._sitting.choosing
        game = choosing.asked(seat) if choosing is not None else None

        async def advise() -> None:
            level = self._thinker.levels[-1]
            try:
                async with asyncio.timeout(self._terms.thinking):
                    moves = await self._bots_moves(level, seat, view, game)
            except Exception:
                moves = [Move(text) for text in self._safe_moves(seat)]
            advice = [str(move) for move in moves]
            client.outbox.send(messages.Advice(id=message.id, ply=view.ply, moves=advice))

        task = asyncio.get_running_loop().create_task(advise())
        self._advice.add(task)
        task.add_done_callback(self._advice.discard)
