"""The application: routes, protection, and what runs from the server's start to its end."""

import asyncio
import re
import traceback
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import cache

import structlog
from starlette.applications import Starlette
from starlette.convertors import IntegerConvertor, register_url_convertor
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Mount, Route
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocket

from karma.clock import Clock
from karma.protocol import encode
from karma.protocol.codes import ErrorCode
from karma.refusals import Refusal
from karma.server.access import Access
from karma.server.addresses import Addresses
from karma.server.backups import Backups
from karma.server.headers import SecurityHeaders
from karma.server.notices import Notices
from karma.server.openapi import openapi
from karma.server.operator import Operator
from karma.server.pages.about import AboutPages
from karma.server.pages.games import GamePages
from karma.server.pages.players import PlayerPages
from karma.server.pages.rules import RulesPages
from karma.server.pages.shares import SharePages
from karma.server.pages.tables import TablePages
from karma.server.players import REMEMBERED, Players
from karma.server.push import Push
from karma.server.ratings import Ratings
from karma.server.reviews import Reviews, compile_reviews
from karma.server.settings import ServerSettings
from karma.server.sockets import serve_socket
from karma.server.static_files import BrowserTable
from karma.server.tables import ServerTables
from karma.server.thinkers import Thinkers
from karma.server.tracing import make_trace
from karma.server.transfers import Transfers
from karma.server.turns import Turns
from karma.store import StoreError
from karma.store.ports import Store
from karma.table import Thinker

REQUEST_SECONDS = 20
HOUSEKEEPING_SECONDS = 60
DAMAGE_SECONDS = 6 * 60 * 60
"""So long after one look for damage comes the next."""
METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"]


class GameNumber(IntegerConvertor):
    """A game's number in a path: what has more digits is none, and no page."""

    regex = "[0-9]{1,9}"


register_url_convertor("game", GameNumber())
_SOCKET = re.compile(r"/api/tables/(?P<table>[^/]+)/socket")
Handler = Callable[[Request], Awaitable[Response]]
log = structlog.get_logger()


def report(what: str, error: BaseException) -> None:
    """Writes a fault down: where it happened, never with which values, for those may be cards."""
    frames = traceback.extract_tb(error.__traceback__)
    where = [f"{frame.filename.rpartition('/karma/')[2]}:{frame.lineno}" for frame in frames]
    log.error(what, error=type(error).__name__, where=where)


def make_app(settings: ServerSettings, store: Store, clock: Clock, thinker: Thinker) -> Starlette:
    """The server as an ASGI application."""
    push = Push(settings, store.subscriptions, clock)
    notices = Notices(settings, store.notices, push)
    trace = make_trace(settings)
    thinkers = None
    if settings.thinkers is not None:
        thinkers = Thinkers(settings.thinkers, thinker, settings.milliseconds)
    tables = ServerTables(settings, store, clock, thinkers or thinker, report, notices.look, trace)
    # Where other workers are, a token may be revoked by one of them.
    remembered = REMEMBERED if store.workers is None else 0
    players = Players(store.players, settings.refused_words(), remembered)
    access = Access(settings, tables, players)
    ratings = Ratings(store.ratings)
    reviews = Reviews(store, tables.shares, report, compile_reviews)
    about, player = (
        AboutPages(access, ratings, push),
        PlayerPages(access, ratings, Addresses(clock), notices, reviews, push),
    )
    table = TablePages(access, Transfers(clock, store.codes))
    game = GamePages(access, store.games, reviews)
    rules = RulesPages(access)
    share = SharePages(access, store.games, store.notices)
    operator = Operator(settings.data, tables)

    def page(path: str, **handlers: Handler) -> Route:
        async def endpoint(request: Request) -> Response:
            method = "GET" if request.method == "HEAD" else request.method
            if method not in handlers:
                refused = access.problem(Refusal("wrong_method"))
                refused.headers["allow"] = ", ".join(handlers)
                return refused
            return await _answer(access, handlers[method], request)

        return Route(f"/api{path}", endpoint, methods=METHODS)

    async def preview(request: Request) -> Response:
        return await _answer(access, share.preview, request)

    async def schema_page(request: Request) -> Response:
        return Response(await asyncio.to_thread(_schema), media_type="application/json")

    async def openapi_page(request: Request) -> Response:
        return Response(await asyncio.to_thread(_openapi), media_type="application/json")

    async def csp(request: Request) -> Response:
        access.csp_reports += 1
        return Response(status_code=204)

    routes = [
        page("/health", GET=about.health),
        page("/about", GET=about.about),
        page("/schema.json", GET=schema_page),
        page("/openapi.json", GET=openapi_page),
        page("/statistics", GET=about.statistics),
        page("/csp", POST=csp),
        page(
            "/player",
            GET=player.player,
            POST=player.new_player,
            PUT=player.change_player,
            DELETE=player.forget_player,
        ),
        page("/player/games", GET=player.games),
        page("/player/subscription", PUT=player.subscribe),
        page("/player/export", GET=player.export),
        page("/player/luck", GET=player.luck),
        page("/tables", GET=table.tables, POST=table.new_table),
        page("/invites/{code}", GET=table.invited),
        page("/invites/{code}/picture", GET=table.invite_picture),
        page("/transfers", POST=table.take_transfer),
        page("/rules/{edition}", GET=rules.edition_rules),
        page("/tables/{table}", GET=table.look),
        page("/tables/{table}/join", POST=table.join),
        page("/tables/{table}/leave", POST=table.leave),
        page("/tables/{table}/rematch", POST=table.rematch),
        page("/tables/{table}/transfer", POST=table.transfer),
        page("/tables/{table}/rules", GET=rules.rules),
        page("/tables/{table}/games", GET=game.games),
        page("/tables/{table}/games/{game:game}", GET=game.record),
        page("/tables/{table}/games/{game:game}/replay", GET=game.replay),
        page("/tables/{table}/games/{game:game}/share", GET=share.share),
        page("/shared/{code}", GET=share.shared),
        page("/shared/{code}/picture", GET=share.picture),
        page("/tables/{table}/games/{game:game}/review", GET=game.review),
        page("/operator/tables/{table}/close", POST=operator.close_table),
        Mount("/api", _nothing_here),
        Route("/shared/{code}", preview),
        Mount("/", BrowserTable(settings.address)),
    ]

    async def http_error(request: Request, error: Exception) -> Response:
        status = error.status_code if isinstance(error, HTTPException) else 500
        code: ErrorCode = "wrong_method" if status == 405 else "no_such_page"
        return access.problem(Refusal(code))

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        backups = Backups(settings, clock)
        await _try(push.start)
        running = [asyncio.create_task(_keep_house(tables, access, backups, reviews))]
        if tables.workers is not None:
            running.append(asyncio.create_task(tables.workers.run()))
        if thinkers is not None:
            running.append(asyncio.create_task(thinkers.run(tables.shares.add)))
        yield
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)
        await reviews.close()
        await tables.close()
        await push.close()
        if thinkers is not None:
            await thinkers.close()
        await asyncio.to_thread(trace.close)

    app = Starlette(
        routes=routes,
        middleware=[
            Middleware(SecurityHeaders, secure=settings.secure),
            *([Middleware(Turns, access=access)] if settings.limits and settings.proxies else []),
            Middleware(Sockets, access=access),
            Middleware(GZipMiddleware, minimum_size=2000, compresslevel=5),
        ],
        exception_handlers={HTTPException: http_error},
        lifespan=lifespan,
    )
    app.state.access = access
    app.state.push = push
    return app


@cache
def _schema() -> bytes:
    """The schema of all messages, made once: it takes a while."""
    from karma.protocol.schema import schema

    return encode(schema())


@cache
def _openapi() -> bytes:
    return encode(openapi())


async def _nothing_here(scope: Scope, receive: Receive, send: Send) -> None:
    raise HTTPException(404)


class Sockets:
    """The tables' sockets, served before the layers that only pages need."""

    def __init__(self, app: ASGIApp, *, access: Access) -> None:
        self._app = app
        self._access = access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "websocket":
            await self._app(scope, receive, send)
            return
        socket = WebSocket(scope, receive, send)
        asked = _SOCKET.fullmatch(scope["path"])
        if asked is None:  # there is none: refused as a page is
            await socket.send_denial_response(Response(status_code=404))
        else:
            await serve_socket(socket, asked["table"], self._access)


async def _answer(access: Access, handler: Handler, request: Request) -> Response:
    """Runs a page; whatever goes wrong becomes a code."""
    try:
        await access.limit("request", request)
        if request.method not in ("GET", "HEAD"):
            access.check(request)
        async with asyncio.timeout(REQUEST_SECONDS):
            return await handler(request)
    except Refusal as refusal:
        return access.problem(refusal)
    except (StoreError, TimeoutError) as error:
        log.warning("cannot answer now", error=type(error).__name__, path=request.scope["path"])
        return access.problem(Refusal("not_stored"))
    except ClientDisconnect:
        return Response(status_code=400)
    except Exception as error:
        report("a request failed", error)
        return access.problem(Refusal("server_error"))


async def _keep_house(
    tables: ServerTables, access: Access, backups: Backups, reviews: Reviews
) -> None:
    loop = asyncio.get_running_loop()
    await _try(tables.wake)
    look_at = loop.time()
    while True:
        if loop.time() >= look_at:
            await _try(tables.look_for_damage)
            look_at = loop.time() + DAMAGE_SECONDS
        await asyncio.sleep(HOUSEKEEPING_SECONDS)
        access.tell_refused()
        if tables.workers is not None:
            await _try(tables.wake)  # a worker may be gone, and its games of days nobody's
        await _try(access.look_at_bans)
        await _try(backups.keep)
        await _try(tables.put_idle_away)
        await _try(tables.delete_old)
        await _try(reviews.count_some)


async def _try(task: Callable[[], Awaitable[None]]) -> None:
    try:
        await task()
    except Exception as error:
        report("housekeeping failed", error)
