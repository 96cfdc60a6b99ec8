"""Access: who comes in. Tokens, origins, limits, and how a refusal looks from outside."""

import asyncio
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import msgspec
import structlog
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response

from karma.protocol import encode
from karma.protocol.bodies import Problem
from karma.protocol.codes import ErrorCode
from karma.refusals import Refusal
from karma.server.bans import Bans
from karma.server.connections import RETRY_SECONDS, most_of_an_address
from karma.server.gauges import subscriber
from karma.server.limits import Limits
from karma.server.players import Players
from karma.server.settings import ServerSettings
from karma.server.tables import ServerTables
from karma.server.waits import Waits
from karma.store.ports import Person
from karma.table import Table

log = structlog.get_logger()
COOKIE = "karma"
MOST_BODY = 16 * 1024
BODY_SECONDS = 10
MOST_HOST = 260
"""The longest name there is, and a port."""

STATUS: dict[ErrorCode, int] = {
    "unknown_token": 401,
    "wrong_origin": 403,
    "not_allowed": 403,
    "not_host": 403,
    "not_seated": 403,
    "kicked": 403,
    "wrong_invite": 403,
    "name_refused": 403,
    "no_such_table": 404,
    "no_such_game": 404,
    "no_such_page": 404,
    "code_expired": 404,
    "wrong_method": 405,
    "closed": 410,
    "too_large": 413,
    "not_json": 415,
    "bad_message": 422,
    "bad_name": 422,
    "bad_rules": 422,
    "bad_settings": 422,
    "no_such_bot": 422,
    "no_such_seat": 422,
    "too_fast": 429,
    "too_many_tables": 429,
    "server_error": 500,
    "not_stored": 503,
    "stopped": 503,
    "stopping": 503,
}


class Access:
    """What every request and every handshake passes through."""

    def __init__(self, settings: ServerSettings, tables: ServerTables, players: Players) -> None:
        self.settings = settings
        self.tables = tables
        self.players = players
        self.sockets = 0
        self.ended = 0
        """How many sockets there have been."""
        self._sockets_of: Counter[str] = Counter()
        self._most_sockets = most_of_an_address(settings.people_per_address)
        self.bans = Bans(settings.banned)
        self.waits = Waits()
        self.csp_reports = 0
        self.refused: Counter[str] = Counter()
        """How often each refusal was the answer, since the start."""
        self._told: Counter[str] = Counter()
        self._limits = Limits(settings.people_per_address, settings.redis)

    # ---- who ------------------------------------------------------------------------------------

    async def player(self, request: HTTPConnection) -> Person:
        """The player who asks; refused without a token that opens something."""
        token, _ = _token(request)
        if token is None:
            raise Refusal("unknown_token")
        player = await self.players.find(token)
        if self.bans.hold_player(player.id):
            raise Refusal("not_allowed")
        return player

    async def player_or_none(self, request: HTTPConnection) -> Person | None:
        """The player who asks, or nobody in particular."""
        try:
            return await self.player(request)
        except Refusal:
            return None

    async def for_socket(self, socket: HTTPConnection) -> Person:
        """The player behind a handshake, whose origin has to be right."""
        await self.limit("socket", socket)
        token, by_cookie = _token(socket)
        self._check_origin(socket, needed=by_cookie or token is None)
        player = await self.player(socket)
        self.note(player, socket)
        return player

    def note(self, player: Person, request: HTTPConnection) -> None:
        """Notes where a player is: bots have so much time for all of an address."""
        self.tables.came_from(player.id, subscriber(_address(request)))

    @contextmanager
    def counted(self, socket: HTTPConnection) -> Iterator[None]:
        """Counts an open socket; refused where its address, behind a proxy too, has enough."""
        address = subscriber(_address(socket))
        if self.settings.limits and self._sockets_of[address] >= self._most_sockets:
            raise Refusal("too_fast", seconds=RETRY_SECONDS)
        self.sockets += 1
        self._sockets_of[address] += 1
        try:
            yield
        finally:
            self.sockets -= 1
            self.ended += 1
            self._sockets_of[address] -= 1
            if not self._sockets_of[address]:
                del self._sockets_of[address]

    def check(self, request: Request) -> None:
        """Refuses a request that changes something if another site may be behind it."""
        _, by_cookie = _token(request)
        self._check_origin(request, needed=by_cookie)
        if request.headers.get("sec-fetch-site") in ("cross-site", "same-site"):
            raise Refusal("wrong_origin")

    def _check_origin(self, request: HTTPConnection, *, needed: bool) -> None:
        """CORS does not cover WebSockets: the Origin header has to be looked at by hand."""
        origin = request.headers.get("origin")
        if origin is None:
            if needed:
                raise Refusal("wrong_origin")
            return
        expected = self.settings.origin
        if expected is None:
            host = request.headers.get("host", "").lower()
            right = origin.lower() in (f"http://{host}", f"https://{host}")
        else:
            right = origin.lower() == expected
        if not right:
            raise Refusal("wrong_origin")

    async def limit(self, what: str, request: HTTPConnection) -> None:
        """Refuses an address that asks too often, or that is not let in."""
        host = _address(request)
        if self.bans.hold(host):
            raise Refusal("not_allowed")
        if self.settings.limits:
            await self._limits.count(what, subscriber(host))

    # ---- where ----------------------------------------------------------------------------------

    def address(self, request: Request) -> str:
        """The address under which friends reach this server, as far as a request tells."""
        settings = self.settings
        if settings.public_url is not None:
            return settings.address
        if settings.listens_everywhere and request.url.hostname in (
            "127.0.0.1",
            "::1",
            "localhost",
        ):
            return settings.address  # friends cannot come by the name this machine has for itself
        host = request.headers.get("host", request.url.netloc)
        if len(host) > MOST_HOST:
            return settings.address  # no machine has such a name
        return f"{request.url.scheme}://{host}"

    async def table(self, request: Request) -> Table:
        """The table of a request, if who asks may look at it."""
        table = await self.tables.find(request.path_params["table"])
        await self.may_look(request, table)
        return table

    async def may_look(self, request: Request, table: Table) -> None:
        """Refuses who may not look at a table."""
        if table.state.settings.privacy == "public":
            return
        player = await self.player(request)
        if not table.has(player.id):
            raise Refusal("not_allowed")

    # ---- bodies ---------------------------------------------------------------------------------

    async def body(self, request: Request, kind: type[Any]) -> Any:
        """The body of a request, checked against its struct."""
        kind_of_text = request.headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind_of_text != "application/json":
            raise Refusal("not_json")
        data = bytearray()
        try:
            async with asyncio.timeout(BODY_SECONDS):
                async for chunk in request.stream():
                    data += chunk
                    if len(data) > MOST_BODY:
                        raise Refusal("too_large", most=MOST_BODY)
        except TimeoutError:
            raise Refusal("bad_message", reason="the body did not come in time") from None
        try:
            return msgspec.json.decode(bytes(data), type=kind)
        except msgspec.ValidationError as error:
            raise Refusal("bad_message", reason=str(error)[:200]) from None
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            raise Refusal("bad_message", reason="not JSON") from None

    def problem(self, refusal: Refusal) -> Response:
        """A refusal as an HTTP answer."""
        self.refused[refusal.code] += 1
        status = STATUS.get(refusal.code, 409)
        headers = {}
        if refusal.code == "too_fast":
            headers["retry-after"] = str(refusal.parameters.get("seconds", 60))
        body = Problem(code=refusal.code, parameters=refusal.parameters)
        return json_response(body, status, headers)

    async def look_at_bans(self) -> None:
        """Takes notice of a changed list of those who are not let in."""
        self.bans.look()

    def tell_refused(self) -> None:
        """Writes down what was refused since the last time: one line, however much it was."""
        news = self.refused - self._told
        self._told = self.refused.copy()
        if news:
            log.info("requests were refused", refused=dict(news.most_common()))


def json_response(body: Any, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    """A struct as an HTTP answer."""
    return Response(encode(body), status, headers=headers, media_type="application/json")


def _address(request: HTTPConnection) -> str:
    """Where a request comes from; behind a proxy, what the proxy says."""
    return request.client.host if request.client is not None else "?"


def _token(request: HTTPConnection) -> tuple[str | None, bool]:
    """The token that comes with a request, and whether a cookie brought it."""
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer" and token.strip():
        return token.strip(), False
    cookie = request.cookies.get(COOKIE)
    return cookie, cookie is not None
