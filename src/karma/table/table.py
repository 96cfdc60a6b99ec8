"""Table: people and bots in seats around one game, and the only writer of it.

One task owns the table: requests wait in a bounded mailbox and are done one after another. Whatever
changes the table is an entry: stored, then applied, acknowledged and told, so that nothing which is
not kept is ever seen by anybody. To start again is to replay the log.
Clock, chance, store, bots and outboxes are arguments, so that tests can drive it in virtual time.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence, Set
from functools import partial
from typing import TypeVar

from karma.clock import Clock, TableClock
from karma.game import shuffled
from karma.protocol import messages
from karma.protocol.bodies import Look
from karma.protocol.codes import PROTOCOL, ErrorCode
from karma.protocol.state import Happening, Portrait, Settings
from karma.refusals import Refusal
from karma.store import Finished, LogPort
from karma.table.allowance import Allowance
from karma.table.bots.port import Thinker
from karma.table.bots.thoughts import Thought, Thoughts, safe_moves
from karma.table.clients.broadcast import Acks, Broadcast
from karma.table.clients.chat import Talk
from karma.table.clients.client import Client, Outbox
from karma.table.clients.presence import Presence
from karma.table.deadlines import Terms, move_due, next_due, seeds_due
from karma.table.log.games import Dealt, Forked, Made, SeedsClosed, Shuffling
from karma.table.log.host import Closed
from karma.table.log.seats import Covered, PortraitShown, Returned
from karma.table.log.state import TableState
from karma.table.log.table_log import Behind, BrokenLog, TableLog
from karma.table.mailbox import Mailbox
from karma.table.requests import Request, seats
from karma.table.requests.answers import Answers, refused
from karma.table.requests.asker import Asker, Entries, needs_rules
from karma.table.requests.host import Start
from karma.table.trace import NoTrace, Trace

T = TypeVar("T")


class Table:
    """A live table."""

    def __init__(
        self,
        table: str,
        store: LogPort,
        *,
        clock: Clock,
        secret: Callable[[int], bytes],
        thinker: Thinker,
        terms: Terms | None = None,
        report: Callable[[str, BaseException], None] | None = None,
        after: Callable[["Table"], None] | None = None,
        ended: Callable[[str, Finished], None] | None = None,
        owns: Callable[[], bool] | None = None,
        said: Callable[[str, messages.Said], None] | None = None,
        crowded: Callable[[], int | None] | None = None,
        trace: Trace | None = None,
    ) -> None:
        self.id = table
        self._trace = trace or NoTrace()
        self._terms = terms or Terms()
        self._log = TableLog(table, store, self._terms.remembered)
        self._clock = TableClock(clock)
        self._secret = secret
        self._thinker = thinker
        self._report = report or (lambda what, error: None)
        self._after = after or (lambda table: None)
        self._ended = ended or (lambda table, finished: None)
        self._crowded = crowded or (lambda: None)
        self._presence = Presence()
        self._broadcast = Broadcast(self._presence, self._terms, lambda: thinker.preparing)
        self._owns = owns or (lambda: True)
        self._talk = Talk(self._broadcast, self._terms.said, said and partial(said, table))
        self._allowance = Allowance(self._terms.changes)
        self._thoughts = Thoughts(
            thinker,
            self._clock,
            self._terms,
            self._bot_answered,
            lambda what, error: self._report(f"table {table}: {what}", error),
        )
        self._stopped: ErrorCode | None = None
        self._answers = Answers()
        self._mailbox = Mailbox()
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
        fork: Forked | None = None,
        seed: int | None = None,
        watch: bool = False,
    ) -> None:
        """Opens a new table, its maker in the first seat (or watching bots), and starts it."""
        asker = self._asker(player)
        await self._commit(seats.open_table(asker, name, settings, bots=bots, watch=watch))
        if fork is not None:
            await self._commit([fork])
        elif seed is not None:
            deck = shuffled(needs_rules(settings), seed)
            await self._commit([Dealt(seed=seed, deck=list(deck))])
        elif watch:
            await self._commit([Shuffling(secret=self._secret(64).hex(), seats=[])])
        elif start:
            await self._commit(Start(id="start").entries(self._asker(player)))
        self._begin()

    async def load(self) -> bool:
        """Replays the table's log and starts it; False if there is no such table."""
        try:
            if not await self._log.replay():
                return False
        except BrokenLog as error:
            if self.state.phase == "closed":  # at its operator's word
                self._stopped = "closed"
            else:
                self._halt("stopped", error)
        self._begin()
        return True

    def _begin(self) -> None:
        if self.state.steps:
            self._clock.go_on_from(self.state.steps[-1].at)
        self._presence.wake(self._clock.now())
        self._broadcast.begin(self.state)
        self._task = asyncio.get_running_loop().create_task(self._run(), name=self.id)

    async def stop(self) -> None:
        """Stops the table as a crash would: the log has everything."""
        tasks = self._thoughts.tasks
        if self._task is not None:
            tasks.append(self._task)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._thoughts.end()
        self._mailbox.refuse()

    def _halt(self, code: ErrorCode, error: BaseException) -> None:
        """Stops for good: this table cannot go on, the others do."""
        self._stopped = code
        self._report(f"table {self.id} stopped", error)
        self._presence.close(code)

    # ---- what others may ask --------------------------------------------------------------------

    @property
    def state(self) -> TableState:
        """The table as it is kept; to look at, not to change."""
        return self._log.state

    @property
    def stopped(self) -> ErrorCode | None:
        return self._stopped

    @property
    def connected(self) -> int:
        """How many clients are connected."""
        return len(self._presence)

    @property
    def players_here(self) -> Set[str]:
        """The players who are connected through this process."""
        return self._presence.here

    @property
    def players_elsewhere(self) -> Set[str]:
        """The players who are connected through others."""
        return self._presence.elsewhere

    @property
    def is_waited_for(self) -> bool:
        """Whether this process has to look after the table: for somebody here, or for its clock."""
        days = self.state.settings.clock == "days" and self.state.phase in ("deal", "playing")
        return bool(self.players_here) or days

    @property
    def awake(self) -> bool:
        """Is anybody there to play with, or does the game go on without?"""
        return self._presence.awake(self.state)

    def is_connected(self, player: str) -> bool:
        """Is this player connected?"""
        return player in self._presence

    def has(self, player: str) -> bool:
        """Does this player have a part at the table?"""
        return self.state.seat_of(player) is not None or player in self.state.spectators

    def look(self, player: str | None = None) -> Look:
        """The table as one sees it before joining."""
        return self._broadcast.look(self.state, player)

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
            await self._commit(seats.join(asker, name, invite=invite, seat=seat, spectate=spectate))
            return self.state.seat_of(player)

        return await self._call(job)

    async def ask(self, player: str, request: Request) -> None:
        """Does what a player asks without a connection; a Refusal says why not."""

        async def job() -> None:
            await self._commit(request.entries(self._asker(player)))

        await self._call(job)

    async def move_seat(self, player: str, seat: int, owner: str) -> None:
        """Moves a seat to another device of its person."""

        async def job() -> None:
            await self._commit(seats.move_seat(self._asker(player), seat, owner))

        await self._call(job)

    async def close(self) -> None:
        """Closes the table, at its operator's word."""

        async def job() -> None:
            if self.state.phase == "closed":
                return
            if self._stopped is None:
                await self._commit([Closed()])
            else:
                await self._log.close_broken(self._clock)
                self._stopped = "closed"

        await self._call(job)

    async def cut(self, player: str) -> None:
        """Ends the connection of a player whose token opens nothing any more."""

        async def job() -> None:
            self._presence.end(player, "unknown_token")

        await self._call(job)

    async def connect(
        self, player: str, name: str, outbox: Outbox, portrait: Portrait | None = None
    ) -> Client:
        """Connects a player; an older connection of the same player is replaced."""
        client = Client(player, name, outbox)

        async def job() -> None:
            self._needs_running()
            if not self.has(player):
                raise Refusal("not_allowed")
            if not self.awake:
                self._presence.wake(self._clock.now())
            self._presence.add(client, self._clock.now())
            seat = self.state.seat_of(player)
            if seat is not None and self.state.chairs[seat].covered in ("absent", "clock"):
                await self._commit([Returned(seat=seat)])
            await self._draw(player, portrait)

        await self._call(job)
        return client

    async def draw(self, player: str, portrait: Portrait) -> None:
        """Has a player drawn otherwise from now on."""
        await self._call(lambda: self._draw(player, portrait))

    async def _draw(self, player: str, portrait: Portrait | None) -> None:
        seat = self.state.seat_of(player)
        if seat is None or portrait is None or self.state.chairs[seat].portrait == portrait:
            return
        if self._allowance.used_up(player, self._clock.now()):
            return  # the next time they come
        await self._commit([PortraitShown(seat=seat, portrait=portrait)])

    async def disconnect(self, client: Client) -> None:
        """Forgets a connection; the seat stays its player's."""

        async def job() -> None:
            self._presence.lose(client, self._clock.now())

        await self._call(job)

    async def catch_up(self) -> None:
        """Takes in what other processes have added to the log, and tells it."""
        await self._call(self._catch_up)

    async def hear(self, elsewhere: Set[str], said: Sequence[messages.Said]) -> None:
        """Takes in who is connected through other processes by now, and what was said there."""

        async def job() -> None:
            was_awake = self.awake
            self._presence.hear(elsewhere, self._clock.now())
            if self.awake and not was_awake:
                self._presence.wake(self._clock.now())
            for words in said:
                self._broadcast.pass_on(self.state, words, self._clock.now())

        await self._call(job)

    def end_connection(self, player: str, code: ErrorCode) -> None:
        """Ends the connection of a player who is connected through another process by now."""
        self._presence.end(player, code)

    def receive_at_once(self, client: Client, message: messages.FromClient) -> bool:
        """Takes a client's message; answers go into its outbox. False if the table is too busy."""
        if isinstance(message, messages.Heartbeat):  # says that the connection lives
            version, now = self._broadcast.version_for(self.state, client), self._clock.now()
            client.outbox.send(messages.Beat(beat=message.beat, version=version, now=now))
            return True
        return self._mailbox.put_at_once(partial(self._take, client, message))

    async def receive(self, client: Client, message: messages.FromClient) -> None:
        """Takes a client's message; waits while the table is busy."""
        if not self.receive_at_once(client, message):
            await self._mailbox.put(partial(self._take, client, message))

    async def _take(self, client: Client, message: messages.FromClient) -> None:
        try:
            await self._up_to_date(lambda: self._answer(client, message))
        except Refusal as refusal:  # what others have added to the log could not be read
            if isinstance(message, Request):
                answer = refused(self.state, client.player, message, refusal)
                client.outbox.send(self._broadcast.as_late(self.state, client, answer))

    async def _call(self, job: Callable[[], Awaitable[T]]) -> T:
        """Does something in the table's own task, and returns what it returns."""
        if self._task is None or self._task.done():
            raise Refusal("stopping")
        return await self._mailbox.call(lambda: self._up_to_date(job))

    async def _up_to_date(self, job: Callable[[], Awaitable[T]]) -> T:
        """Does a job, and from its beginning if other processes have added to the log meanwhile."""
        while True:
            try:
                return await job()
            except Behind as error:
                if not await self._catch_up():
                    self._halt("stopped", error)  # what it is behind of cannot be read
                    raise Refusal("stopped") from None

    async def _catch_up(self) -> bool:
        """Takes in what was added to the log elsewhere; False if nothing was."""
        if self._stopped is not None:
            return False
        try:
            happened = await self._log.catch_up()
        except BrokenLog as error:
            self._halt("stopped", error)
            raise Refusal("stopped") from None
        if happened:
            self._tell(happened)
        return bool(happened)

    # ---- the task -------------------------------------------------------------------------------

    async def _run(self) -> None:
        while True:
            try:
                await self._up_to_date(self._do_what_is_due)
            except Refusal:  # the store did not take what the clock asked for
                await self._clock.sleep(1)
                continue
            news_due = self._presence.news_due
            if news_due is not None and news_due <= self._clock.now() and self._mailbox.empty:
                self._tell([])
            job = await self._mailbox.get(self._seconds_to_wait())
            if job is None:
                continue
            try:
                await job()
            except Refusal:
                pass  # whoever asked has been told
            except Exception as error:
                self._report(f"table {self.id} failed to answer", error)

    def _seconds_to_wait(self) -> float | None:
        """How long there is nothing to do unless somebody asks."""
        times = [self._broadcast.late_due, self._presence.news_due]
        if self._stopped is None and self._owns():
            times.append(next_due(self.state, self._presence, self._terms))
        due = min((at for at in times if at is not None), default=None)
        return None if due is None else max(0.0, (due - self._clock.now()) / 1000)

    async def _do_what_is_due(self) -> None:
        self._broadcast.tell_late(self.state, self._clock.now())
        if self._stopped is not None or self.state.paused or not self._owns():
            self._thoughts.forget()
            return
        now = self._clock.now()
        seeds = seeds_due(self.state)
        if seeds is not None and seeds <= now:
            await self._commit([SeedsClosed()])
        for seat in self.state.asked():
            due = move_due(self.state, seat, self._presence, self._terms)
            if due is not None and due <= now and seat in self.state.asked():
                await self._go_on_without(seat)
        if self.awake:
            self._thoughts.ask(self.state)
        else:
            self._thoughts.forget()

    async def _go_on_without(self, seat: int) -> None:
        if self.state.move_seconds is None:
            await self._commit([Covered(seat=seat, why="absent")])
        else:
            moves = safe_moves(self.state, seat)
            await self._commit([Made(seat=seat, moves=moves, by="clock")])

    async def _bot_answered(
        self, seat: int, thought: Thought, moves: list[str], why: str | None
    ) -> None:
        async def job() -> None:
            if not self._thoughts.take(self.state, seat, thought):
                return
            made = Made(seat=seat, moves=moves, by="bot")
            if why is not None:
                made = Made(seat=seat, moves=safe_moves(self.state, seat), by="safe", why=why)
            await self._commit([made])

        await self._mailbox.put(lambda: self._up_to_date(job))

    # ---- answering ------------------------------------------------------------------------------

    async def _answer(self, client: Client, message: messages.FromClient) -> None:
        if isinstance(message, messages.Hello):
            self._welcome(client, message)
        elif not isinstance(message, Request):
            return
        elif not client.greeted:
            client.outbox.send(messages.Error(code="hello_first"))
        else:
            await self._answer_request(client, message)

    async def _answer_request(self, client: Client, request: Request) -> None:
        """Does what is asked, once: who asks again gets the same answer again."""
        given = self._answers.given(self.state, client.player, request)
        if given is not None:
            client.outbox.send(self._broadcast.as_late(self.state, client, given))
            return
        ids = {"table": self.id, "player": client.player, "request": request.id}
        try:
            with self._trace.span("request", **ids):
                answer = await self._do(client, request)
        except Refusal as refusal:
            answer = refused(self.state, client.player, request, refusal)
            if refusal.code in ("not_stored", "server_error", "too_fast"):
                client.outbox.send(self._broadcast.as_late(self.state, client, answer))
                return
        except Behind:
            raise
        except Exception as error:
            self._report(f"table {self.id} failed at {type(request).__name__}", error)
            answer = refused(self.state, client.player, request, Refusal("server_error"))
        if answer is not None:
            self._answers.remember(client.player, request, answer)
            client.outbox.send(self._broadcast.as_late(self.state, client, answer))

    async def _do(self, client: Client, request: Request) -> messages.FromServer | None:
        """Does what was asked; returns the answer, or None if it has been sent already."""
        new = request.entries(self._asker(client.player, client))
        if new:
            await self._commit(new, client=client, request=request)
            return None
        return self._ack(client, request)

    def _ack(self, client: Client, request: Request) -> messages.Ack:
        return messages.Ack(id=request.id, version=self._broadcast.version_for(self.state, client))

    def _welcome(self, client: Client, hello: messages.Hello) -> None:
        if hello.protocol != PROTOCOL:
            wrong = messages.Error(code="wrong_protocol", parameters={"protocol": PROTOCOL})
            client.outbox.send(wrong)
        elif self._stopped is not None:
            client.outbox.close(self._stopped)
        else:
            self._broadcast.welcome(self.state, client, hello.version, self._clock.now())

    def _asker(self, player: str, client: Client | None = None) -> Asker:
        self._needs_running()
        return Asker(
            self.state,
            player,
            present=self._presence.present,
            away_since=self._presence.away_since,
            levels=self._thinker.levels,
            secret=self._secret,
            thoughts=self._thoughts,
            talk=self._talk,
            allowance=self._allowance,
            now=self._clock.now(),
            client=client,
            ask_seeds=self._terms.ask_seeds,
            crowded=self._crowded,
        )

    def _needs_running(self) -> None:
        if self._stopped is not None:
            raise Refusal(self._stopped)

    # ---- the log --------------------------------------------------------------------------------

    async def _commit(
        self, new: Entries, client: Client | None = None, request: Request | None = None
    ) -> None:
        """Makes entries part of the table: stored, then applied, acknowledged, told to all."""
        if not new:
            return
        asked = (client.player, request.id) if client and request else None
        entry = self.state.version + len(new)
        try:
            with self._trace.span("append", table=self.id, entry=entry):
                happened, finished = await self._log.append(new, self._clock, asked)
        except BrokenLog as error:
            self._halt("stopped", error)
            raise Refusal("stopped") from None
        acks = {client: self._ack(client, request)} if client and request else None
        self._tell(happened, acks)
        for game in finished:
            self._ended(self.id, game)
        self._after(self)

    def _tell(self, happened: list[Happening], acks: Acks | None = None) -> None:
        self._presence.told()
        with self._trace.span("tell", table=self.id, entry=self.state.version):
            self._broadcast.tell(self.state, happened, self._clock.now(), acks)
