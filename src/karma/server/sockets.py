"""The WebSocket of a seat or a spectator: frames in, messages out, nothing decided here."""

import asyncio
from collections.abc import Callable
from contextlib import ExitStack, suppress

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from karma.protocol.messages import Error, FromClient, Heartbeat, Hello
from karma.refusals import Refusal
from karma.server.access import Access
from karma.server.outbox import Line, SocketOutbox
from karma.store import StoreError
from karma.store.ports import Person
from karma.table import Client, Table, requests

HELLO_SECONDS = 10
SILENCE_SECONDS = 30
MOST_BAD_FRAMES = 10


async def serve_socket(socket: WebSocket, name: str, access: Access) -> None:
    """One connection to a table, from the handshake to its end."""
    with ExitStack() as counted:
        try:
            player = await access.for_socket(socket)
            table = await access.tables.find(name)
            if not table.has(player.id):
                raise Refusal("not_allowed")
            counted.enter_context(access.counted(socket))
        except Refusal as refusal:
            await socket.send_denial_response(access.problem(refusal))
            return
        except StoreError:
            await socket.send_denial_response(access.problem(Refusal("not_stored")))
            return
        await _serve(socket, table, player, access)


async def _serve(socket: WebSocket, table: Table, player: Person, access: Access) -> None:
    """A connection that is let in."""
    await socket.accept()
    line: Line | None = socket.scope.get("extensions", {}).get("karma.line")
    outbox = SocketOutbox(socket, line, access.waits.add)
    sending = asyncio.create_task(outbox.run())
    try:
        client = await table.connect(player.id, player.name, outbox, player.portrait)
        silence = Silence(lambda: outbox.close("hello_first"))
        reader = Reader(table, client, outbox, silence, access)
        if line is not None:
            line.take_at_once = reader.take_at_once
        reading = asyncio.create_task(reader.run(socket))
        try:
            await asyncio.wait((reading, sending), return_when=asyncio.FIRST_COMPLETED)
            for task in (reading, sending):
                if task.done() and not task.cancelled() and task.exception() is not None:
                    _expect(task.exception())
        finally:
            if line is not None:
                line.take_at_once = None
            silence.end()
            reading.cancel()
            await asyncio.gather(reading, return_exceptions=True)
            await _forget(table, client)
            access.tables.left(table)
    except Refusal as refusal:
        outbox.close(refusal.code)
    finally:
        sending.cancel()
        await asyncio.gather(sending, return_exceptions=True)
        if socket.client_state is not WebSocketState.DISCONNECTED:
            await outbox.finish()


def _expect(error: BaseException | None) -> None:
    """A lost connection is how most of them end; anything else is a fault of ours."""
    if error is not None and not isinstance(error, WebSocketDisconnect | RuntimeError | OSError):
        raise error


async def _forget(table: Table, client: Client) -> None:
    with suppress(Refusal):  # a table that has stopped forgets by itself
        await table.disconnect(client)


class Silence:
    """How long a client may be silent: until its hello, then after every frame anew.

    One timer looks from time to time; one that is set anew for each of thousands of heartbeats a
    second would cost more than answering them.
    """

    def __init__(self, give_up: Callable[[], None]) -> None:
        self._loop = asyncio.get_running_loop()
        self._give_up = give_up
        self._until = self._loop.time() + HELLO_SECONDS
        self._timer = self._loop.call_at(self._until, self._look)

    def heard(self) -> None:
        """A client that has said hello has sent something."""
        self._until = self._loop.time() + SILENCE_SECONDS

    def end(self) -> None:
        """Nobody waits any more."""
        self._timer.cancel()

    def _look(self) -> None:
        if self._loop.time() >= self._until:
            self._give_up()
        else:
            self._timer = self._loop.call_at(self._until, self._look)


class Reader:
    """What a client sends, taken until it goes, is silent for too long, or misbehaves."""

    def __init__(
        self, table: Table, client: Client, outbox: SocketOutbox, silence: Silence, access: Access
    ) -> None:
        self._table, self._client, self._outbox = table, client, outbox
        self._silence, self._access = silence, access
        self._greeted, self._bad = False, 0
        self._busy = False
        """With a message that something has to be waited for."""

    def take_at_once(self, frame: str, behind: bool) -> bool:
        """Takes what nothing has to be waited for, though others may be before it (`behind`).

        False if it has to wait for its turn; heartbeats never have to.
        """
        if self._outbox.closing is not None:
            return False
        try:
            message = requests.decode(frame)
        except (msgspec.MsgspecError, RecursionError):
            return False
        if not isinstance(message, Heartbeat) and (behind or not self._can_be_next(message)):
            return False
        if not self._table.receive_at_once(self._client, message):
            return False
        self._note(message)
        return True

    def _can_be_next(self, message: FromClient) -> bool:
        """Is there nothing to wait for before a table takes this?"""
        asks = isinstance(message, requests.Request) and not message.begins
        return asks and self._greeted and not self._busy

    def _note(self, message: FromClient) -> None:
        """Notes that a client is there, and since when it waits for an answer."""
        self._greeted = self._greeted or isinstance(message, Hello)
        if self._greeted:
            self._silence.heard()
        if isinstance(message, requests.Request):
            self._outbox.note(message.id)

    async def run(self, socket: WebSocket) -> None:
        """Takes frames, one after another."""
        await self._access.tables.arrived(self._table)
        while self._outbox.closing is None:
            frame = await socket.receive()
            if frame["type"] == "websocket.disconnect":
                return
            if "too_fast" in frame:
                self._outbox.close("too_fast")
                return
            self._busy = True
            await self._take(frame.get("text") or frame.get("bytes") or b"")
            self._busy = False

    async def _take(self, frame: str | bytes) -> None:
        try:
            message = requests.decode(frame)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            self._bad += 1
            self._outbox.send(_complaint(error))
            if self._bad >= MOST_BAD_FRAMES:
                self._outbox.close("bad_message")
            return
        self._note(message)
        if isinstance(message, requests.Request) and message.begins:
            await self._access.tables.look_around(self._table)
        await self._table.receive(self._client, message)


def _complaint(error: Exception) -> Error:
    reason = str(error) if isinstance(error, msgspec.ValidationError) else "not JSON"
    return Error(code="bad_message", parameters={"reason": reason[:200]})
