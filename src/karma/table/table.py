"""Table: people and bots in seats around one game, and the only writer of it.

One task owns the table: requests wait in a bounded mailbox and are done one after another. Whatever
changes the table is an entry: stored, then applied, acknowledged and told, so that nothing which is
not kept is ever seen by anybody. To start again is to replay the log.
Clock, chance, store, bots and outboxes are arguments, so that tests can drive it in virtual time.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

from karma.clock import Clock
from karma.game import shuffled
from karma.protocol import messages
from karma.protocol.bodies import Look
from karma.protocol.codes import PROTOCOL, ErrorCode
from karma.protocol.state import Happening, Settings
from karma.refusals import Refusal
from karma.store import Conflict, Finished, Listing, LogPort, StoreError
from karma.table.bots.port import Thinker
from karma.table.bots.thoughts import Thought, Thoughts, safe_moves
from karma.table.clients.broadcast import Broadcast
from karma.table.clients.chat import Talk
from karma.table.clients.client import Client, Outbox
from karma.table.clients.presence import Presence
from karma.table.clients.sight import listing
from karma.table.deadlines import Terms, move_due, next_due, seeds_due
from karma.table.log.envelope import Envelope, decode, encode
from karma.table.log.games import Dealt, Forked, Made, SeedsClosed, Shuffling
from karma.table.log.host import Closed
from karma.table.log.seats import BotSeated, Covered, Left, Opened, Returned, Watching
from karma.table.log.state import TableState
from karma.table.mailbox import Mailbox
from karma.table.requests import Request, seats
from karma.table.requests.asker import Asker, Entries, needs_level, needs_rules, new_code
from karma.table.requests.host import Start

REMEMBERED_ANSWERS = 256
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
    ) -> None:
        self.id = table
        self._store = store
        self._clock = clock
        self._secret = secret
        self._thinker = thinker
        self._terms = terms or Terms()
        self._report = report or (lambda what, error: None)
        self._after = after or (lambda table: None)
        self._ended = ended or (lambda table, finished: None)
        self._state = TableState(table)
        self._presence = Presence()
        self._broadcast = Broadcast(self._presence, self._terms.delay)
        self._talk = Talk(self._presence, self._terms.said)
        self._thoughts = Thoughts(
            thinker, clock, self._terms, self._bot_answered, self._bot_crashed
        )
        self._listed: Listing | None = None
        self._stopped: ErrorCode | None = None
        self._presence_changed = False
        self._answers: OrderedDict[tuple[str, str], messages.FromServer] = OrderedDict()
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
        most = needs_rules(settings).most_players
        if len(bots) + (not watch) > most:
            raise Refusal("table_full", most=most)
        for level in bots:
            needs_level(self._asker(player), level)
        invite = new_code(self._secret)
        new: Entries = [Opened(player=player, name=name, settings=settings, invite=invite)]
        new += [BotSeated(seat=seat, level=bot) for seat, bot in enumerate(bots, start=1)]
        if watch:
            new += [Left(player=player), Watching(player=player, name=name)]
        await self._commit(new)
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
        lines = await self._store.read(self.id)
        try:
            for line in lines:
                self._state.apply(decode(line))
        except Exception as error:
            self._halt("stopped", error)
        if lines:
            self._begin()
        return bool(lines)

    def _begin(self) -> None:
        self._presence.wake(self._clock.now())
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
        return self._state

    @property
    def stopped(self) -> ErrorCode | None:
        return self._stopped

    @property
    def connected(self) -> int:
        """How many clients are connected."""
        return len(self._presence)

    @property
    def awake(self) -> bool:
        """Is anybody there to play with, or does the game go on without?"""
        return self._presence.awake(self._state)

    def is_connected(self, player: str) -> bool:
        """Is this player connected?"""
        return player in self._presence

    def has(self, player: str) -> bool:
        """Does this player have a part at the table?"""
        return self._state.seat_of(player) is not None or player in self._state.spectators

    def look(self, player: str | None = None) -> Look:
        """The table as one sees it before joining."""
        seat = self._state.seat_of(player) if player is not None else None
        table, seats = self._broadcast.table(self._state), self._broadcast.seats(self._state)
        return Look(table=table, seats=seats, you=seat)

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
            return self._state.seat_of(player)

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
            if self._state.phase != "closed":
                await self._commit([Closed()])

        await self._call(job)

    async def connect(self, player: str, name: str, outbox: Outbox) -> Client:
        """Connects a player; an older connection of the same player is replaced."""
        client = Client(player, name, outbox)

        async def job() -> None:
            self._needs_running()
            if not self.has(player):
                raise Refusal("not_allowed")
            if not self.awake:
                self._presence.wake(self._clock.now())
            self._presence.add(client)
            seat = self._state.seat_of(player)
            if seat is not None and self._state.chairs[seat].covered in ("absent", "clock"):
                await self._commit([Returned(seat=seat)])
            self._presence_changed = True

        await self._call(job)
        return client

    async def disconnect(self, client: Client) -> None:
        """Forgets a connection; the seat stays its player's."""

        async def job() -> None:
            if self._presence.lose(client, self._clock.now()):
                self._presence_changed = True

        await self._call(job)

    async def receive(self, client: Client, message: messages.FromClient) -> None:
        """Takes a client's message; answers go into its outbox. Waits while the table is busy."""
        if isinstance(message, messages.Heartbeat):
            version = self._broadcast.version_for(self._state, client)
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
        return await self._mailbox.call(job)

    # ---- the task -------------------------------------------------------------------------------

    async def _run(self) -> None:
        while True:
            try:
                await self._do_what_is_due()
            except Refusal:  # the store did not take what the clock asked for
                await self._clock.sleep(1)
                continue
            if self._presence_changed and self._mailbox.empty:
                self._tell([])  # once for all who come back together
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
        times = [self._broadcast.late_due]
        if self._stopped is None:
            times.append(next_due(self._state, self._presence, self._terms))
        due = min((at for at in times if at is not None), default=None)
        return None if due is None else max(0.0, (due - self._clock.now()) / 1000)

    async def _do_what_is_due(self) -> None:
        self._broadcast.tell_late(self._state, self._clock.now())
        if self._stopped is not None or self._state.paused:
            self._thoughts.forget()
            return
        now = self._clock.now()
        seeds = seeds_due(self._state)
        if seeds is not None and seeds <= now:
            await self._commit([SeedsClosed()])
        for seat in self._state.asked():
            due = move_due(self._state, seat, self._presence, self._terms)
            if due is not None and due <= now and seat in self._state.asked():
                await self._go_on_without(seat)
        if self.awake:
            self._thoughts.ask(self._state)
        else:
            self._thoughts.forget()

    async def _go_on_without(self, seat: int) -> None:
        if self._state.move_seconds is None:
            await self._commit([Covered(seat=seat, why="absent")])
        else:
            moves = safe_moves(self._state, seat)
            await self._commit([Made(seat=seat, moves=moves, by="clock")])

    async def _bot_answered(
        self, seat: int, thought: Thought, moves: list[str], why: str | None
    ) -> None:
        async def job() -> None:
            if not self._thoughts.take(self._state, seat, thought):
                return
            made = Made(seat=seat, moves=moves, by="bot")
            if why is not None:
                safe = safe_moves(self._state, seat)
                made = Made(seat=seat, moves=safe, by="safe", why=why)
            await self._commit([made])

        await self._mailbox.put(job)

    def _bot_crashed(self, what: str, error: BaseException) -> None:
        self._report(f"table {self.id}: {what}", error)

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
        key = client.player, request.id
        if key in self._state.done:
            client.outbox.send(messages.Ack(id=request.id, version=self._state.done[key]))
            return
        if key in self._answers:
            client.outbox.send(self._answers[key])
            return
        try:
            answer = await self._do(client, request)
        except Refusal as refusal:
            answer = self._refused(client, request, refusal)
            if refusal.code in ("not_stored", "server_error"):
                client.outbox.send(answer)
                return
        except Exception as error:
            self._report(f"table {self.id} failed at {type(request).__name__}", error)
            answer = self._refused(client, request, Refusal("server_error"))
        if answer is not None:
            self._remember(key, answer)
            client.outbox.send(answer)

    def _remember(self, key: tuple[str, str], answer: messages.FromServer) -> None:
        self._answers[key] = answer
        if len(self._answers) > REMEMBERED_ANSWERS:
            self._answers.popitem(last=False)

    def _refused(self, client: Client, request: Request, refusal: Refusal) -> messages.Refused:
        seat = self._state.seat_of(client.player)
        view = self._state.view(seat)
        return messages.Refused(
            id=request.id,
            code=refusal.code,
            parameters=refusal.parameters,
            game=self._state.number,
            ply=view.ply if view is not None else 0,
        )

    async def _do(self, client: Client, request: Request) -> messages.FromServer | None:
        """Does what was asked; returns the answer, or None if it has been sent already."""
        new = request.entries(self._asker(client.player, client))
        if new:
            await self._commit(new, client=client, request=request)
            return None
        return messages.Ack(id=request.id, version=self._state.version)

    def _welcome(self, client: Client, hello: messages.Hello) -> None:
        if hello.protocol != PROTOCOL:
            wrong = messages.Error(code="wrong_protocol", parameters={"protocol": PROTOCOL})
            client.outbox.send(wrong)
        elif self._stopped is not None:
            client.outbox.close(self._stopped)
        else:
            self._broadcast.welcome(self._state, client, hello.version, self._clock.now())

    def _asker(self, player: str, client: Client | None = None) -> Asker:
        self._needs_running()
        return Asker(
            self._state,
            player,
            present=self._presence.present,
            levels=self._thinker.levels,
            secret=self._secret,
            thoughts=self._thoughts,
            talk=self._talk,
            now=self._clock.now(),
            client=client,
            ask_seeds=self._terms.ask_seeds,
        )

    def _needs_running(self) -> None:
        if self._stopped is not None:
            raise Refusal(self._stopped)

    # ---- the log --------------------------------------------------------------------------------

    async def _commit(
        self, new: Entries, client: Client | None = None, request: Request | None = None
    ) -> None:
        """Makes entries part of the table: stored, then applied, acknowledged, told to all.

        They are applied to a copy, which takes the table's place when the store has them. If it
        does not take them, nothing has happened.
        """
        if not new:
            return
        envelopes = self._envelopes(new, client, request)
        after = self._state.copy()
        try:
            steps = [after.apply(envelope) for envelope in envelopes]
        except Exception as error:
            self._halt("stopped", error)
            raise Refusal("stopped") from None
        finished = [game for _, game in steps if game is not None]
        await self._keep(envelopes, finished, listing(after))
        self._state = after
        if client is not None and request is not None:
            client.outbox.send(messages.Ack(id=request.id, version=after.version))
        self._tell([happening for happening, _ in steps])
        for game in finished:
            self._ended(self.id, game)
        self._after(self)

    def _envelopes(
        self, new: Entries, client: Client | None, request: Request | None
    ) -> list[Envelope]:
        """The entries as they are kept; the last of them names the request that asked for all."""
        now = self._clock.now()
        last = Envelope(
            at=now,
            entry=new[-1],
            player=client.player if client is not None else None,
            action=request.id if request is not None else None,
        )
        return [*(Envelope(at=now, entry=entry) for entry in new[:-1]), last]

    async def _keep(
        self, envelopes: list[Envelope], finished: list[Finished], listed: Listing
    ) -> None:
        """Has the store take entries and what they change of the lists, or refuses."""
        encoded = [encode(envelope) for envelope in envelopes]
        news = listed if listed != self._listed else None
        try:
            await self._store.append(self.id, self._state.version, encoded, finished, news)
        except Conflict as error:
            self._halt("stopped", error)
            raise Refusal("stopped") from None
        except StoreError:
            raise Refusal("not_stored") from None
        self._listed = listed

    def _tell(self, happened: list[Happening]) -> None:
        self._presence_changed = False
        self._broadcast.tell(self._state, happened, self._clock.now())
