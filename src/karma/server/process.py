"""Process: the application on uvicorn, with what it does not do by itself."""

import asyncio
import logging
import signal
import socket
import sys
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import structlog
import uvicorn
import uvloop
from starlette.applications import Starlette
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.exceptions import InvalidState

from karma.clock import WallClock
from karma.server import collector
from karma.server.access import Access
from karma.server.app import make_app
from karma.server.metrics import serve_metrics
from karma.server.settings import ServerSettings
from karma.store.sqlite import SqliteStore
from karma.table.bots.pool import Pool, warm_up

REQUEST_SECONDS = 10
MOST_FRAME = 16 * 1024
KERNEL_BUFFER = 64 * 1024
SWITCH_SECONDS = 0.0005
"""How long the loop keeps the store's thread waiting: it asks several times for a commit."""


class PatientHttp(H11Protocol):
    """HTTP that cuts connections on which no whole request arrives in time."""

    _cut: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._wait()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.transport.get_protocol() is not self:
            return  # a WebSocket now
        if self.cycle is not None and not self.cycle.response_complete:
            self._stop_waiting()
        elif self._cut is None:
            self._wait()

    def handle_websocket_upgrade(self, event: Any) -> None:
        self._stop_waiting()
        super().handle_websocket_upgrade(event)

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        super().connection_lost(exc)

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

    Its kernel buffer has a size of ours: left alone it grows to megabytes, and the outbox would
    learn too late that nobody reads.
    """

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        connection = transport.get_extra_info("socket")
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, KERNEL_BUFFER)

    def handle_connect(self, event: Any) -> None:
        super().handle_connect(event)
        if not self.close_sent:
            extensions: Any = self.scope["extensions"]
            extensions["karma.line"] = self

    def write(self, text: bytes) -> bool:
        """Sends a message if the connection takes it now; False if it has to wait."""
        if not self.writable.is_set() or self.close_sent or self.transport.is_closing():
            return False
        try:
            self.conn.send_text(text)
        except InvalidState:  # the client is about to go
            return False
        self.transport.write(b"".join(self.conn.data_to_send()))
        return True

    def abort(self) -> None:
        """Cuts the connection off."""
        self.transport.abort()


class Quiet(logging.Formatter):
    """Log lines without tracebacks: those could show what nobody may know."""

    def format(self, record: logging.LogRecord) -> str:
        error = record.exc_info[0] if record.exc_info else None
        name = f" ({error.__name__})" if error is not None else ""
        return f"{record.levelname.lower()}: {record.getMessage()}{name}"


def set_up_logs() -> None:
    """One line a thing, to standard error."""
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso"),
            structlog.processors.JSONRenderer(),
        ],
        logger_factory=structlog.PrintLoggerFactory(file=sys.stderr),
    )
    handler = logging.StreamHandler()
    handler.setFormatter(Quiet())
    logging.basicConfig(handlers=[handler], level=logging.WARNING, force=True)


class CannotListen(Exception):
    """The address or port cannot be had."""


def serve(settings: ServerSettings, ready: Callable[[ServerSettings], None]) -> None:
    """Runs the server until it is told to stop; calls `ready` when it is about to listen."""
    set_up_logs()
    settings.register_bots()
    bound = bind(settings)
    settings = replace(settings, port=bound.getsockname()[1])
    clock = WallClock()
    store = SqliteStore(settings.data, clock)
    warm_up()
    pool = Pool(settings.processes, settings.milliseconds)  # last: its processes take their time
    try:
        app = make_app(settings, store, clock, pool)
        server = make_server(settings, app)
        signal.signal(signal.SIGTERM, _leave)
        with serve_metrics(settings, app.state.access):
            collector.put_aside()
            sys.setswitchinterval(SWITCH_SECONDS)
            ready(settings)
            uvloop.run(_run(server, bound, app.state.access))
    finally:
        pool.close()
        store.close()


async def _run(server: uvicorn.Server, bound: socket.socket, access: Access) -> None:
    collecting = asyncio.create_task(
        collector.collect(ended=lambda: access.ended, still_open=lambda: access.sockets)
    )
    await server.serve([bound])
    collecting.cancel()


def _leave(number: int, frame: object) -> None:
    """Ends the process by its `finally`s: uvicorn raises the signal again when it has stopped."""
    sys.exit(0)


def bind(settings: ServerSettings) -> socket.socket:
    """The server's port, so that nobody is told of an address that cannot be had."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    bound = socket.socket(family)
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        bound.bind((settings.host, settings.port))
    except OSError as error:
        bound.close()
        raise CannotListen(
            f"cannot listen on {settings.host}, port {settings.port}: {error.strerror};"
            " --host and --port choose others"
        ) from None
    return bound


def make_server(settings: ServerSettings, app: Starlette) -> uvicorn.Server:
    """Uvicorn as this application needs it: no pings, no compression, small frames, no waiting."""
    return uvicorn.Server(
        uvicorn.Config(
            app,
            host=settings.host,
            port=settings.port,
            http=PatientHttp,
            ws=WebSocketLine,
            ws_max_size=MOST_FRAME,
            ws_ping_interval=None,
            ws_ping_timeout=None,
            ws_per_message_deflate=False,
            h11_max_incomplete_event_size=MOST_FRAME,
            timeout_graceful_shutdown=3,
            server_header=False,
            access_log=False,
            log_config=None,
            proxy_headers=settings.proxies is not None,
            forwarded_allow_ips=settings.proxies or "",
        )
    )
