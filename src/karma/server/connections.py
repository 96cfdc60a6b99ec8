"""Connections: how many there may be, how much each may send, and how long it may not read.

Uvicorn bounds nothing by itself. Every connection begins as HTTP, and is counted here until it is
gone; who takes nothing of what waits for it is cut off, whatever it is.
"""

import asyncio
import ipaddress
import resource
import socket
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from typing import Any
from urllib.parse import unquote

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.protocol import Protocol, State

from karma.protocol import encode
from karma.protocol.bodies import Problem
from karma.server.bans import Bans
from karma.server.frames import text_frame, whole_text
from karma.server.gauges import BURST, PER_SECOND, Common, Gauge, of_an_address, subscriber
from karma.server.handshakes import Handshake, whole_handshake
from karma.server.queues import Queue

REQUEST_SECONDS = 10
MOST_HEAD = 16 * 1024
KERNEL_BUFFER = 64 * 1024
SLICE = 1024
"""So many bytes of a socket are looked at before it is asked whether they were too many."""
LEAST_REST = 0.1
SWEEP_SECONDS = 5.0
SWEEP_STEPS = 50
"""A sweep looks at so many parts of all connections one after the other: nobody waits for it."""
SWEEPS = 3
"""So many sweeps in a row may find that a connection has taken next to nothing."""
LEAST_TAKEN = 4 * 1024
UNREAD_A_PERSON = 64 * 1024
"""What may wait for the connections of an address, for each of the people behind it."""
LEAST_UNREAD = 8 * 1024 * 1024
CONNECTIONS_A_PERSON = 3
LEAST_AN_ADDRESS = 30
OWN_DESCRIPTORS = 200
"""For the store, the log, the processes of bots and files on their way to browsers."""
RETRY_SECONDS = 10
TOO_FAST: Any = {"type": "websocket.receive", "too_fast": True}
"""What the application reads in place of what came too fast."""


def raise_descriptors() -> int:
    """Lets this process open as many files as the machine allows; how many those are."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = 1 << 20 if hard == resource.RLIM_INFINITY else hard
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
    return most


def most_connections(descriptors: int) -> int:
    """How many connections so many descriptors are enough for."""
    return max(1, descriptors - OWN_DESCRIPTORS)


def most_of_an_address(people: int) -> int:
    """How many connections one address may have, with so many people behind it."""
    return max(LEAST_AN_ADDRESS, people * CONNECTIONS_A_PERSON)


def people_who_fit(descriptors: int) -> int:
    """How many people one address may have, so that it takes half of all connections at most."""
    return max(1, most_connections(descriptors) // (2 * CONNECTIONS_A_PERSON))


class _Unread:
    """What waited for a connection when it was last looked at, and how often in vain."""

    def __init__(self, whose: str) -> None:
        self.whose = whose
        self.size = self.sweeps = 0
        self.cut = False


class Connections:
    """All that are open, by address."""

    def __init__(
        self,
        *,
        limits: bool,
        people_per_address: int,
        proxies: str | None,
        bans: Bans | None = None,
    ) -> None:
        self.limits = limits
        self._bans = bans or Bans(None)
        self.most = most_connections(resource.getrlimit(resource.RLIMIT_NOFILE)[0])
        self.most_an_address = most_of_an_address(people_per_address)
        self.most_unread = max(LEAST_UNREAD, people_per_address * UNREAD_A_PERSON)
        self.refused: Counter[str] = Counter()
        self.requests = 0
        """How many requests have been answered, and connections for them have ended."""
        per_second = of_an_address(people_per_address)
        self.crowds = Common(lambda: Gauge(max(2.0 * BURST, per_second), per_second))
        self._queues = Common(lambda: Queue(per_second))
        self._proxies = _networks(proxies)
        self._open: dict[asyncio.Transport, _Unread] = {}
        self._by_address: defaultdict[str, set[asyncio.Transport]] = defaultdict(set)
        self._sweeping: asyncio.TimerHandle | None = None
        self._to_sweep: list[asyncio.Transport] = []

    def __len__(self) -> int:
        return len(self._open)

    @property
    def unread(self) -> int:
        """How many bytes wait for all of them."""
        return sum(map(_waiting, self._open))

    def add(self, transport: asyncio.Transport) -> bool:
        """Counts a new connection; False if there are too many."""
        address = _address(transport)
        if self._bans.hold(address):
            self.refused["banned"] += 1
            return False
        if len(self._open) >= self.most:
            self.refused["connections"] += 1
            return False
        whose = subscriber(address)
        if len(self._by_address[whose]) >= self.most_an_address and self._counts(address):
            self.refused["connections_of_address"] += 1
            return False
        self._open[transport] = _Unread(whose)
        self._by_address[whose].add(transport)
        if self._sweeping is None:
            self._sweep_later()
        return True

    def remove(self, transport: asyncio.Transport) -> None:
        """A connection is gone."""
        known = self._open.pop(transport, None)
        if known is not None:
            self._by_address[known.whose].remove(transport)
            if not self._by_address[known.whose]:
                del self._by_address[known.whose]

    def queue(self, transport: asyncio.Transport) -> Queue | None:
        """Where a connection waits until what it sends is taken; a proxy's need not."""
        address = _address(transport)
        now = asyncio.get_running_loop().time()
        return self._queues.of(address, now) if self._counts(address) else None

    def _counts(self, address: str) -> bool:
        """Whether an address stands for itself: a proxy stands for everybody behind it."""
        return self.limits and not any(_within(address, each) for each in self._proxies)

    def _sweep_later(self) -> None:
        loop = asyncio.get_running_loop()
        self._sweeping = loop.call_later(SWEEP_SECONDS / SWEEP_STEPS, self._sweep)

    def _sweep(self) -> None:
        """Cuts off who has not taken for a while what waits for it: looks at the next part of all.

        When it has seen all, it looks at the addresses for which something waits.
        """
        self._to_sweep = self._to_sweep or list(self._open)
        part = len(self._open) // SWEEP_STEPS + 1
        for transport in self._to_sweep[-part:]:
            self._look_at(transport)
        del self._to_sweep[-part:]
        if not self._to_sweep:
            self._bound([each for each, unread in self._open.items() if unread.size])
        self._sweeping = None
        if self._open:
            self._sweep_later()

    def _look_at(self, transport: asyncio.Transport) -> None:
        unread = self._open.get(transport)
        if unread is None:
            return  # gone meanwhile
        size = _waiting(transport)
        taken = not size or size <= unread.size - LEAST_TAKEN
        unread.sweeps = 0 if taken else unread.sweeps + 1
        unread.size = size
        if unread.sweeps > SWEEPS:
            self._cut(transport)

    def answered(self, transport: asyncio.Transport) -> None:
        """Looks at an address when a connection of its has an answer that is not taken at once."""
        self.requests += 1
        known = self._open.get(transport)
        if known is not None and transport.get_write_buffer_size() > KERNEL_BUFFER:
            self._bound(self._by_address[known.whose])

    def _bound(self, transports: Iterable[asyncio.Transport]) -> None:
        """Cuts off those for whom the most waits, where too much waits for an address."""
        waiting: defaultdict[str, list[tuple[int, asyncio.Transport]]] = defaultdict(list)
        for transport in transports:
            if (size := _waiting(transport)) and not self._open[transport].cut:
                waiting[_reader(transport)].append((size, transport))
        for held in waiting.values():
            much = sum(size for size, _ in held)
            for size, transport in sorted(held, key=lambda each: -each[0]):
                if much <= self.most_unread:
                    break
                much -= size
                self._cut(transport)

    def _cut(self, transport: asyncio.Transport) -> None:
        self.refused["unread"] += 1
        self._open[transport].cut = True
        transport.abort()


class _StrictHttp(h11.Connection):
    """HTTP whose requests have one length: of two, a proxy might believe the other one."""

    def next_event(self) -> Any:
        event = super().next_event()
        if isinstance(event, h11.Request):
            names = {name for name, _ in event.headers}
            if {b"content-length", b"transfer-encoding"} <= names:
                raise h11.RemoteProtocolError("a length and an encoding")
        return event


class HttpConnection(H11Protocol):
    """HTTP that is counted, waits in its address's queue, and is cut when it asks for nothing."""

    _cut: asyncio.TimerHandle | None = None
    _queue: Queue | None = None

    def __init__(self, all_of_them: Connections, **arguments: Any) -> None:
        super().__init__(**arguments)
        self.conn = _StrictHttp(h11.SERVER, MOST_HEAD)
        self._all = all_of_them

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        connection = transport.get_extra_info("socket")
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, KERNEL_BUFFER)
        if not self._all.add(transport):
            transport.write(_TOO_MANY)
            transport.close()
            return
        self._queue = self._all.queue(transport)
        self._wait()

    def data_received(self, data: bytes) -> None:
        if not self.transport.is_closing():
            super().data_received(data)

    def handle_events(self) -> None:
        """Takes what has been received, a piece or the next of several requests, in its turn."""
        if not self.conn.trailing_data[0]:
            return
        if self._queue is None or self._queue.lets_pass(self):
            self.go_on()
        else:
            self.flow.pause_reading()

    def go_on(self) -> None:
        """Takes what has been received."""
        if self.transport.is_closing():
            return
        self.flow.resume_reading()
        handshake = self._handshake
        if handshake is not None:
            self._upgrade(handshake)
        else:
            super().handle_events()
        if self.transport.get_protocol() is not self:
            return  # a WebSocket now
        if self.cycle is not None and not self.cycle.response_complete:
            self._stop_waiting()
        elif self._cut is None:
            self._wait()

    @property
    def _handshake(self) -> Handshake | None:
        """The handshake that has been received, if it is what comes next, and nothing else has."""
        if self.conn.their_state is not h11.IDLE:
            return None
        return whole_handshake(self.conn.trailing_data[0])

    def _upgrade(self, handshake: Handshake) -> None:
        """Goes on as a WebSocket; what the libraries do, without having it read twice."""
        self._queue = None
        self._stop_waiting()
        self.connections.discard(self)
        line = self.ws_protocol_class(  # type: ignore[call-arg, misc]
            config=self.config, server_state=self.server_state, app_state=self.app_state
        )
        line.connection_made(self.transport)
        line.begin(handshake)  # type: ignore[union-attr]
        self.transport.set_protocol(line)

    def handle_websocket_upgrade(self, event: Any) -> None:
        self._queue = None
        self._stop_waiting()
        super().handle_websocket_upgrade(event)

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        if self._queue is not None:
            self._queue.leave(self)
        self._all.requests += 1
        self._all.remove(self.transport)
        super().connection_lost(exc)

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._all.answered(self.transport)

    def _wait(self) -> None:
        self._cut = self.loop.call_later(REQUEST_SECONDS, self._cut_off)

    def _stop_waiting(self) -> None:
        if self._cut is not None:
            self._cut.cancel()
            self._cut = None

    def _cut_off(self) -> None:
        self._cut = None
        if self.cycle is None or self.cycle.response_complete:
            self.transport.abort()


class WebSocketLine(WebSocketsSansIOProtocol):
    """A WebSocket that the application can write to at once, and cut off when nobody reads.

    Its kernel buffer has a size of ours, since it was HTTP: left alone it grows to megabytes, and
    the outbox would learn too late that nobody reads. Every frame is metered, not only messages:
    pings, pongs and pieces of messages cost the server as much. A socket that sends too many is
    closed; all sockets of an address together are read more slowly.
    """

    behind = 0
    """How many bytes wait in the outbox, behind those that the connection has."""
    take_at_once: Callable[[str, bool], bool] | None = None
    """Takes a message, with others before it or not; False if it has to wait for its turn."""

    def __init__(self, all_of_them: Connections, **arguments: Any) -> None:
        super().__init__(**arguments)
        self._all = all_of_them
        self._gauge = Gauge(BURST, PER_SECOND)
        self._crowd: Gauge | None = None
        self._too_fast = False
        self._received = b""
        self._resting: asyncio.TimerHandle | None = None
        self._handshake: Handshake | None = None

    def begin(self, handshake: Handshake) -> None:
        """Begins with a handshake that has been read; the library begins with what follows it."""
        self._handshake = handshake
        self.handshake_initiated = True
        self.conn.parser = Protocol.parse(self.conn)
        next(self.conn.parser)
        path, _, query = handshake.target.partition(b"?")
        extensions: Any = {"websocket.http.response": {}, "karma.line": self}
        self.scope = {
            "type": "websocket",
            "asgi": {"version": self.asgi_version, "spec_version": "2.4"},
            "http_version": "1.1",
            "scheme": self.scheme,
            "server": self.server,
            "client": self.client,
            "root_path": self.root_path,
            "path": self.root_path + unquote(path.decode()),
            "raw_path": self.root_path.encode() + path,
            "query_string": query,
            "headers": handshake.headers,
            "subprotocols": [],
            "state": self.app_state.copy(),
            "extensions": extensions,
        }
        self.queue.put_nowait({"type": "websocket.connect"})
        task = self.loop.create_task(self.run_asgi())
        task.add_done_callback(self.on_task_complete)
        self.tasks.add(task)

    async def send(self, message: Any) -> None:
        """Takes what the application says; here it lets a handshake in that was read here."""
        if self._handshake is None or message["type"] != "websocket.accept" or self.disconnected:
            await super().send(message)
        elif not self.transport.is_closing():
            self.handshake_complete = True
            self.conn.state = State.OPEN
            self.transport.write(self._handshake.acceptance)

    def connection_lost(self, exc: Exception | None) -> None:
        if self._resting is not None:
            self._resting.cancel()
        self._all.remove(self.transport)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        self._received += data
        if self._resting is None:
            self._take()

    def _take(self) -> None:
        """Takes what has been received, little by little, and rests if its address is too fast."""
        while self._received and not self._too_fast and not self.transport.is_closing():
            rest = self._crowd.seconds(self.loop.time()) if self._crowd is not None else 0.0
            if rest > 0:
                self._stop_reading()
                self._resting = self.loop.call_later(max(rest, LEAST_REST), self._go_on)
                return
            piece, self._received = self._received[:SLICE], self._received[SLICE:]
            text = whole_text(piece) if self._between_messages else None
            if text is None:
                super().data_received(piece)
            elif self._allows():
                self._pass_on(text)

    @property
    def _between_messages(self) -> bool:
        """Whether the library waits for the first byte of a message."""
        conn = self.conn
        return conn.state is State.OPEN and not conn.reader.buffer and conn.current_size is None

    def _pass_on(self, text: str) -> None:
        """Gives the application a message; reads no more while it has not taken the one before."""
        behind = not self.queue.empty()
        if self.close_sent or (self.take_at_once is not None and self.take_at_once(text, behind)):
            return
        self.queue.put_nowait({"type": "websocket.receive", "text": text})
        if behind and not self.read_paused:
            self.read_paused = True
            self.transport.pause_reading()

    def _go_on(self) -> None:
        """Reads on after a rest."""
        self._resting = None
        self._take()
        idle = self._resting is None and not self.read_paused and not self._too_fast
        if idle and not self.transport.is_closing():
            self.transport.resume_reading()

    def _stop_reading(self) -> None:
        self.read_paused = False  # so that nothing resumes it
        self.transport.pause_reading()

    def _allows(self) -> bool:
        """Whether one more frame is taken; if not, none ever is, and the application is told."""
        if self._too_fast:
            return False
        if not self._all.limits:
            return True
        now = self.loop.time()
        if self._crowd is None:  # not before: only now it is known whom a proxy stands for
            self._crowd = self._all.crowds.of(str((self.scope["client"] or "?")[0]), now)
        self._crowd.take(now)
        if self._gauge.take(now):
            return True
        self._too_fast = True
        self._received = b""
        self._all.refused["frames"] += 1
        self._stop_reading()
        self.queue.put_nowait(TOO_FAST)
        return False

    def handle_text(self, event: Any) -> None:
        if self._allows():
            super().handle_text(event)

    def handle_bytes(self, event: Any) -> None:
        if self._allows():
            super().handle_bytes(event)

    def handle_cont(self, event: Any) -> None:
        if self._allows():
            super().handle_cont(event)

    def handle_pong(self, event: Any) -> None:
        if self._allows():
            super().handle_pong(event)

    def handle_ping(self) -> None:
        if self._allows() and self.writable.is_set():
            super().handle_ping()
        else:
            self.conn.data_to_send()  # who does not read is not answered

    def handle_connect(self, event: Any) -> None:
        super().handle_connect(event)
        if not self.close_sent:
            extensions: Any = self.scope["extensions"]
            extensions["karma.line"] = self

    def write(self, texts: Sequence[bytes]) -> bool:
        """Sends messages if the connection takes them now; False if they have to wait."""
        if not self.writable.is_set() or self.close_sent or self.transport.is_closing():
            return False
        if self.conn.state is not State.OPEN:  # the client is about to go
            return False
        self.transport.write(b"".join(map(text_frame, texts)))  # at once: each costs a system call
        return True

    def abort(self) -> None:
        """Cuts the connection off."""
        self.transport.abort()


def _address(transport: asyncio.Transport) -> str:
    peer = transport.get_extra_info("peername")
    return str(peer[0]) if peer else "?"


def _waiting(transport: asyncio.Transport) -> int:
    """How many bytes a connection keeps in memory, because they are not taken."""
    behind: int = getattr(transport.get_protocol(), "behind", 0)
    return transport.get_write_buffer_size() + behind


def _reader(transport: asyncio.Transport) -> str:
    """The address that is to read: behind a proxy, the one it names."""
    scope: Any = getattr(transport.get_protocol(), "scope", None)
    client = scope["client"] if scope else None
    return subscriber(str(client[0]) if client else _address(transport))


def _networks(proxies: str | None) -> list[str]:
    return [each.strip() for each in (proxies or "").split(",") if each.strip()]


def _within(address: str, network: str) -> bool:
    """Whether an address is one of a network's, as uvicorn reads it."""
    try:
        return network == "*" or ipaddress.ip_address(address) in ipaddress.ip_network(network)
    except ValueError:
        return address == network


def _refusal() -> bytes:
    """The whole answer to a connection that is one too many: nobody waits for its request."""
    body = encode(Problem(code="too_fast", parameters={"seconds": RETRY_SECONDS}))
    return (
        b"HTTP/1.1 503 Service Unavailable\r\nconnection: close\r\n"
        b"content-type: application/json\r\nretry-after: %d\r\ncontent-length: %d\r\n\r\n%s"
        % (RETRY_SECONDS, len(body), body)
    )


_TOO_MANY = _refusal()
