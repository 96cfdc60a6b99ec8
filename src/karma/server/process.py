"""Process: the application on uvicorn, with what it does not do by itself."""

import asyncio
import logging
import signal
import socket
import sys
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from functools import partial
from typing import Any

import structlog
import uvicorn
import uvloop
from starlette.applications import Starlette

from karma.bots import BOTS
from karma.clock import WallClock
from karma.server import collector
from karma.server.access import Access
from karma.server.app import make_app
from karma.server.connections import (
    Connections,
    HttpConnection,
    WebSocketLine,
    people_who_fit,
    raise_descriptors,
)
from karma.server.metrics import serve_metrics
from karma.server.settings import ServerSettings
from karma.store.location import open_store
from karma.table.bots.pool import Pool, warm_up
from karma.table.bots.port import ladder
from karma.table.bots.rehearsal import Rehearsal

MOST_FRAME = 16 * 1024
BACKLOG = 2048
SWITCH_SECONDS = 0.0005
"""How long the loop keeps the store's thread waiting: it asks several times for a commit."""

log = structlog.get_logger()


NOISE = (
    "ASGI callable returned without completing handshake.",
    "Invalid HTTP request received.",
    "Unsupported upgrade request.",
)
"""What uvicorn says of what strangers send: they could fill a disk with it."""


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
    handler.addFilter(lambda record: record.getMessage() not in NOISE)
    logging.basicConfig(handlers=[handler], level=logging.WARNING, force=True)


class CannotListen(Exception):
    """The address or port cannot be had."""


def serve(settings: ServerSettings, ready: Callable[[ServerSettings], None]) -> None:
    """Runs the server until it is told to stop; calls `ready` when it is about to listen."""
    settings.check()
    bound = bind(settings)
    settings = replace(settings, port=bound.getsockname()[1])
    if settings.workers > 1:
        from karma.server.supervisor import supervise

        supervise(settings, bound, ready)
    else:
        serve_on(bound, settings, ready)


def serve_on(
    bound: socket.socket, settings: ServerSettings, ready: Callable[[ServerSettings], None]
) -> None:
    """Runs the server in this process, on a port that is had already."""
    set_up_logs()
    settings.register_bots()
    settings = fit(settings)
    clock = WallClock()
    store = open_store(settings.data, settings.database, clock)
    with (
        closing(store),
        serve_metrics(settings) as count,
        closing(Rehearsal(level for level in ladder() if level in BOTS)) as rehearsal,
    ):
        for damage in store.quick_damage():
            log.error("what is kept is damaged; karma games repair mends it", damage=damage)
        warm_up()
        # Last, because its processes take their time.
        bots = Pool(settings.processes, settings.milliseconds, rehearsal=rehearsal)
        with closing(bots) as pool:
            app = make_app(settings, store, clock, pool)
            server = make_server(settings, app)
            count(app.state.access, app.state.connections, app.state.push)
            signal.signal(signal.SIGTERM, _leave)
            collector.put_aside()
            sys.setswitchinterval(SWITCH_SECONDS)
            bound.listen(BACKLOG)  # who comes as soon as the address is told is not turned away
            ready(settings)
            uvloop.run(_run(server, bound, app.state.access, app.state.connections))


async def _run(
    server: uvicorn.Server, bound: socket.socket, access: Access, connections: Connections
) -> None:
    collecting = collector.Collector(
        ended=lambda: access.ended,
        still_open=lambda: access.sockets,
        answered=lambda: connections.requests,
    )
    running = asyncio.create_task(collecting.run())
    await server.serve([bound])
    running.cancel()


def _leave(number: int, frame: object) -> None:
    """Ends the process by its `finally`s: uvicorn raises the signal again when it has stopped."""
    sys.exit(0)


def fit(settings: ServerSettings) -> ServerSettings:
    """The settings with as many people behind one address as this machine can hold."""
    descriptors = raise_descriptors()
    people = people_who_fit(descriptors)
    if people >= settings.people_per_address or not settings.limits:
        return settings
    log.warning(
        "this machine lets the server open few files; fewer people may come from one address",
        files=descriptors,
        people_per_address=people,
        raise_it_with="ulimit -n, or LimitNOFILE= in a unit of systemd",
    )
    return replace(settings, people_per_address=people)


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
    connections = Connections(
        limits=settings.limits,
        people_per_address=settings.people_per_address,
        proxies=settings.proxies,
        bans=app.state.access.bans,
    )
    app.state.connections = connections
    http: Any = partial(HttpConnection, connections)
    websocket: Any = partial(WebSocketLine, connections)
    return uvicorn.Server(
        uvicorn.Config(
            app,
            host=settings.host,
            port=settings.port,
            http=http,
            ws=websocket,
            ws_max_size=MOST_FRAME,
            ws_ping_interval=None,
            ws_ping_timeout=None,
            ws_per_message_deflate=False,
            timeout_graceful_shutdown=3,
            server_header=False,
            access_log=False,
            log_config=None,
            proxy_headers=settings.proxies is not None,
            forwarded_allow_ips=settings.proxies or "",
        )
    )
