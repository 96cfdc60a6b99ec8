"""People for tests: clients of a table that answer as the protocol page says, in one process."""

import asyncio
from collections.abc import Callable
from typing import Any

import numpy as np

from karma import fair
from karma.moves import Move
from karma.protocol import PROTOCOL, decode_server, encode, messages
from karma.protocol.codes import ErrorCode
from karma.protocol.state import Happening, Seat, TableInfo, ViewData, You
from karma.table import Client, Inline, Table, Terms, requests
from karma.view import View
from virtual import VirtualClock


class Box:
    """An outbox that keeps everything as the bytes a socket would carry."""

    def __init__(self) -> None:
        self.frames: list[bytes] = []
        self.closed: ErrorCode | None = None
        self.arrived = asyncio.Event()

    def send(self, *news: messages.FromServer) -> None:
        self.frames += map(encode, news)
        self.arrived.set()

    def close(self, code: ErrorCode) -> None:
        self.closed = self.closed or code
        self.arrived.set()


class FirstBot(Inline):
    """A thinker whose bots make the first legal move, at once."""

    levels = ("first",)

    async def choose(self, level: str, view: View, seed: int) -> Move:
        return view.legal[0]


def bytes_from(chance: np.random.Generator) -> Callable[[int], bytes]:
    """Seeded bytes in the place of secret ones."""
    return lambda count: chance.bytes(count)


def table_for(store: Any, *, name: str = "table", seed: int = 0, **more: Any) -> Table:
    """A table in virtual time."""
    arguments: dict[str, Any] = {
        "clock": VirtualClock(),
        "secret": bytes_from(np.random.default_rng(seed)),
        "thinker": Inline(),
        "terms": Terms(),
        "report": raise_report,
        **more,
    }
    return Table(name, store, **arguments)


def raise_report(what: str, error: BaseException) -> None:
    """A table that reports a fault fails its test."""
    raise AssertionError(what) from error


class Person:
    """A client that keeps what it was last shown, and answers by chance."""

    def __init__(self, player: str, chance: np.random.Generator) -> None:
        self.player = player
        self.chance = chance
        self.seed = chance.bytes(32)
        self.box = Box()
        self.client: Client | None = None
        self.read = 0
        self.version: int | None = None
        self.you: You | None = None
        self.table: TableInfo | None = None
        self.seats: list[Seat] = []
        self.view: ViewData | None = None
        self.happened: list[Happening] = []
        self.acked: list[str] = []
        self.refused: list[messages.Refused] = []
        self.said: list[messages.Said] = []
        self.advice: list[messages.Advice] = []
        self.errors: list[messages.Error] = []
        self.talk: set[str] = set()
        """Actions that change nothing which is kept."""
        self.keen = False
        """Never picks up without need."""
        self._ids = 0

    async def sit(self, table: Table) -> None:
        """Connects anew and says hello."""
        self.box = Box()
        self.read = 0
        self.client = await table.connect(self.player, self.player, self.box)
        await self.tell(table, messages.Hello(protocol=PROTOCOL, version=self.version))
        await self.box.arrived.wait()

    async def tell(self, table: Table, message: messages.FromClient) -> None:
        """Sends a message through bytes, as a socket would."""
        assert self.client is not None
        await table.receive(self.client, requests.decode(encode(message)))

    def next_id(self) -> str:
        self._ids += 1
        return f"{self.player}.{self._ids}"

    def look(self) -> None:
        """Reads everything that has arrived."""
        for frame in self.box.frames[self.read :]:
            self._take(decode_server(frame))
        self.read = len(self.box.frames)
        self.box.arrived.clear()

    def _take(self, message: messages.FromServer) -> None:
        if isinstance(message, messages.Welcome):
            self.version = message.version
            self.you, self.table, self.seats = message.you, message.table, message.seats
            self.view = message.view
            self.happened += message.missed
        elif isinstance(message, messages.Update):
            if message.happened:
                assert self.version is not None
                assert message.happened[0].version == self.version + 1, "a step was not told"
            else:
                assert message.version == self.version
            self.version = message.version
            self.happened += message.happened
            self.you = message.you or self.you
            self.table = message.table or self.table
            self.seats = message.seats if message.seats is not None else self.seats
            self.view = message.view or self.view
        elif isinstance(message, messages.Ack):
            self.acked.append(message.id)
        elif isinstance(message, messages.Refused):
            self.refused.append(message)
        elif isinstance(message, messages.Said):
            self.said.append(message)
        elif isinstance(message, messages.Advice):
            self.advice.append(message)
        elif isinstance(message, messages.Error):
            self.errors.append(message)

    def answer(self) -> messages.FromClient | None:
        """What this person would do now; None if nothing is asked."""
        table, you, view = self.table, self.you, self.view
        if table is None or you is None or you.seat is None:
            return None
        if table.phase == "deal" and table.fair is not None:
            return self._seed(table, you.seat)
        if table.phase != "playing" or view is None or not view.legal or table.paused:
            return None
        moves = view.legal
        if view.phase == "choose" and view.hand is not None:
            count = 3 - len(view.face_up[you.seat])
            chosen = self.chance.permutation(len(view.hand))[:count]
            picked = [f"^{view.hand[i]}" for i in chosen]
        else:
            if self.keen:
                moves = [move for move in moves if move != "P"] or moves
            picked = [moves[int(self.chance.integers(len(moves)))]]
        return requests.game.Act(id=self.next_id(), game=table.game, ply=view.ply, moves=picked)

    def _seed(self, table: TableInfo, seat: int) -> messages.FromClient | None:
        assert table.fair is not None
        part = table.fair.seats[seat]
        if table.fair.state == "committing" and part.commitment is None:
            promise = fair.seed_commitment(table.table, table.game, seat, self.seed).hex()
            return requests.game.Commit(id=self.next_id(), game=table.game, commitment=promise)
        if table.fair.state == "revealing" and part.commitment is not None and part.seed is None:
            return requests.game.Reveal(id=self.next_id(), game=table.game, seed=self.seed.hex())
        return None

    async def play(self, table: Table, until: Callable[["Person"], bool]) -> None:
        """Answers whatever is asked until something is so."""
        while True:
            self.look()
            if until(self):
                return
            message = self.answer()
            if message is not None:
                before = len(self.acked) + len(self.refused)
                await self.tell(table, message)
                while len(self.acked) + len(self.refused) == before:
                    await self.box.arrived.wait()
                    self.look()
            else:
                await self.box.arrived.wait()


def over(person: Person) -> bool:
    """Is the game over for this person?"""
    return person.table is not None and person.table.phase == "over"
