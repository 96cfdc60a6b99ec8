"""Pages: the HTTP endpoints, each a few lines around what the tables do."""

import secrets
from collections.abc import Awaitable, Callable
from importlib.metadata import version
from io import BytesIO
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from karma.editions import EDITIONS, OPTIONS, Rules
from karma.protocol import PROTOCOL, bodies
from karma.protocol.codes import Phrase
from karma.protocol.state import ViewData
from karma.refusals import Refusal
from karma.rulebook import rulebook
from karma.server.access import COOKIE, Access, json_response
from karma.server.ratings import Ratings
from karma.server.transfers import Transfers
from karma.store.ports import GamesPort, KeptGame
from karma.table import Table
from karma.table.log.state import LEAST_PLAYERS, MOVE_SECONDS
from karma.table.requests.game import Rematch
from karma.table.requests.seats import Leave
from karma.view import View

MOST_FRAMES = 400
COOKIE_SECONDS = 400 * 24 * 60 * 60
Page = Callable[["Pages", Request], Awaitable[Response]]


class Pages:
    """The endpoints of one server."""

    def __init__(
        self, access: Access, ratings: Ratings, transfers: Transfers, games: GamesPort
    ) -> None:
        self.access = access
        self._tables = access.tables
        self._settings = access.settings
        self._ratings = ratings
        self._transfers = transfers
        self._games = games

    # ---- the server -----------------------------------------------------------------------------

    async def health(self, request: Request) -> Response:
        """Is the server well?"""
        return json_response(
            bodies.Health(
                status="ok",
                version=version("karma"),
                protocol=PROTOCOL,
                tables=len(self._tables.live),
                sockets=self.access.sockets,
            )
        )

    async def about(self, request: Request) -> Response:
        """What the server offers."""
        settings = self._settings
        notices = [name for name in ("email", "webhook") if self._notifies(name)]
        return json_response(
            bodies.About(
                version=version("karma"),
                protocol=PROTOCOL,
                editions=[
                    bodies.EditionInfo(
                        edition=name,
                        rules={option: getattr(rules, option) for option in OPTIONS},
                        least_players=LEAST_PLAYERS,
                        most_players=rules.most_players,
                    )
                    for name, rules in EDITIONS.items()
                ],
                options=[
                    bodies.OptionInfo(
                        option=option.name,
                        values=[*([0] if option.zero else []), *option.values],
                    )
                    for option in OPTIONS.values()
                ],
                bots=list(self._tables.levels),
                phrases=list(Phrase.__args__),  # type: ignore[attr-defined]
                clocks={clock: seconds for clock, seconds in MOVE_SECONDS.items()},
                public_url=self._address(request),
                secure=settings.secure,
                notices=notices,
            )
        )

    def _notifies(self, how: str) -> bool:
        return bool(self._settings.smtp if how == "email" else self._settings.webhook)

    def _address(self, request: Request) -> str:
        settings = self._settings
        if settings.public_url is not None:
            return settings.address
        if settings.listens_everywhere and request.url.hostname in (
            "127.0.0.1",
            "::1",
            "localhost",
        ):
            return settings.address  # friends cannot come by the name this machine has for itself
        return f"{request.url.scheme}://{request.headers.get('host', request.url.netloc)}"

    async def statistics(self, request: Request) -> Response:
        """Finished games and ratings by edition."""
        return json_response(await self._ratings.statistics())

    # ---- players --------------------------------------------------------------------------------

    async def new_player(self, request: Request) -> Response:
        """A new player, with a cookie or a token."""
        self.access.limit("player", request)
        wanted = await self.access.body(request, bodies.NewPlayer)
        player, token = await self.access.players.create(wanted.name)
        answer = bodies.Player(
            player=player.id, name=player.name, token=token if wanted.bearer else None
        )
        response = json_response(answer, 201)
        if not wanted.bearer:
            response.set_cookie(
                COOKIE,
                token,
                max_age=COOKIE_SECONDS,
                httponly=True,
                samesite="lax",
                secure=self._settings.secure,
            )
        return response

    async def player(self, request: Request) -> Response:
        """Who asks."""
        player = await self.access.player(request)
        return json_response(
            bodies.Player(
                player=player.id,
                name=player.name,
                email=player.email,
                tables=await self._tables.places(player.id),
                statistics=await self._ratings.of(player.id),
            )
        )

    async def change_player(self, request: Request) -> Response:
        """Another name or address."""
        player = await self.access.player(request)
        wanted = await self.access.body(request, bodies.ChangePlayer)
        await self.access.players.change(player, wanted.name, wanted.email)
        return await self.player(request)

    async def forget_player(self, request: Request) -> Response:
        """The token opens nothing any more."""
        await self.access.players.revoke(await self.access.player(request))
        response = Response(status_code=204)
        response.delete_cookie(COOKIE, httponly=True, samesite="lax", secure=self._settings.secure)
        return response

    # ---- tables ---------------------------------------------------------------------------------

    async def tables(self, request: Request) -> Response:
        """The public tables."""
        return json_response(bodies.Tables(tables=await self._tables.public()))

    async def new_table(self, request: Request) -> Response:
        """A new table."""
        self.access.limit("table", request)
        player = await self.access.player(request)
        wanted = await self.access.body(request, bodies.NewTable)
        if wanted.fork is not None:
            await self._may_look(request, await self._tables.find(wanted.fork.table))
        table = await self._tables.open(player, wanted)
        return json_response(self._joined(request, table, table.state.seat_of(player.id)), 201)

    def _joined(self, request: Request, table: Table, seat: int | None) -> bodies.Joined:
        invite = table.state.invite if seat is not None else None
        link = f"{self._address(request)}/join/{invite}" if invite is not None else None
        return bodies.Joined(table=table.id, seat=seat, invite=invite, link=link)

    async def look(self, request: Request) -> Response:
        """A table before joining it."""
        table = await self._table(request)
        return json_response(await self._look(request, table))

    async def invited(self, request: Request) -> Response:
        """The table that a code invites to."""
        self.access.limit("code", request)
        table = await self._tables.by_invite(request.path_params["code"])
        return json_response(await self._look(request, table))

    async def invite_picture(self, request: Request) -> Response:
        """The invitation as a QR code, for a friend's camera."""
        import segno

        self.access.limit("code", request)
        code = request.path_params["code"]
        await self._tables.by_invite(code)
        picture = BytesIO()
        segno.make(f"{self._address(request)}/join/{code}", micro=False).save(
            picture, kind="svg", border=2, light="#fff", xmldecl=False, omitsize=True
        )
        return Response(picture.getvalue(), media_type="image/svg+xml")

    async def _look(self, request: Request, table: Table) -> bodies.Look:
        player = await self.access.player_or_none(request)
        return table.look(player.id if player is not None else None)

    async def _table(self, request: Request) -> Table:
        """The table of a request, if who asks may look at it."""
        table = await self._tables.find(request.path_params["table"])
        await self._may_look(request, table)
        return table

    async def _may_look(self, request: Request, table: Table) -> None:
        if table.state.settings.privacy == "public":
            return
        player = await self.access.player(request)
        if not table.has(player.id):
            raise Refusal("not_allowed")

    async def join(self, request: Request) -> Response:
        """A seat, or a place to watch from."""
        self.access.limit("join", request)
        player = await self.access.player(request)
        wanted = await self.access.body(request, bodies.Join)
        table = await self._tables.find(request.path_params["table"])
        seat = await table.join(
            player.id,
            player.name,
            invite=wanted.invite,
            seat=wanted.seat,
            spectate=wanted.spectate,
        )
        return json_response(self._joined(request, table, seat))

    async def leave(self, request: Request) -> Response:
        """Away for good."""
        player = await self.access.player(request)
        table = await self._tables.find(request.path_params["table"])
        await table.ask(player.id, Leave(id=_action()))
        return Response(status_code=204)

    async def rematch(self, request: Request) -> Response:
        """Another game."""
        player = await self.access.player(request)
        table = await self._tables.find(request.path_params["table"])
        await table.ask(player.id, Rematch(id=_action()))
        return Response(status_code=204)

    async def transfer(self, request: Request) -> Response:
        """A one-time code for another device."""
        player = await self.access.player(request)
        table = await self._tables.find(request.path_params["table"])
        seat = table.state.seat_of(player.id)
        if seat is None:
            raise Refusal("not_seated")
        code, expires = self._transfers.make(table.id, seat, player.id)
        return json_response(bodies.TransferCode(code=code, expires=expires))

    async def take_transfer(self, request: Request) -> Response:
        """The seat that a one-time code is for."""
        self.access.limit("code", request)
        player = await self.access.player(request)
        wanted = await self.access.body(request, bodies.Transfer)
        promised = self._transfers.take(wanted.code)
        table = await self._tables.find(promised.table)
        await table.move_seat(player.id, promised.seat, promised.owner)
        return json_response(self._joined(request, table, promised.seat))

    async def rules(self, request: Request) -> Response:
        """The rules page of exactly this table."""
        table = await self._table(request)
        return _rulebook(table.state.rules, request)

    async def edition_rules(self, request: Request) -> Response:
        """The rules page of an edition."""
        rules = EDITIONS.get(request.path_params["edition"])
        if rules is None:
            raise Refusal("no_such_page")
        return _rulebook(rules, request)

    # ---- finished games -------------------------------------------------------------------------

    async def games(self, request: Request) -> Response:
        """The table's finished games."""
        table = await self._table(request)
        games = [_game_summary(game) for game in await self._games.of_table(table.id)]
        return json_response(bodies.Games(games=games))

    async def record(self, request: Request) -> Response:
        """A finished game's record, to download."""
        table = await self._table(request)
        record = await self._tables.record(table.id, request.path_params["game"])
        name = f"karma-{table.id}-{request.path_params['game']}.jsonl"
        return Response(
            record.dumps() + "\n",
            media_type="application/json",
            headers={"content-disposition": f'attachment; filename="{name}"'},
        )

    async def replay(self, request: Request) -> Response:
        """A finished game, moment by moment."""
        table = await self._table(request)
        game = request.path_params["game"]
        record = await self._tables.record(table.id, game)
        eyes = request.query_params.get("eyes", "audience")
        seats = {str(seat): seat for seat in range(len(record.players))}
        if eyes not in ("audience", "all", *seats):
            raise Refusal("no_such_seat")
        start = _number(request, "start", 0, len(record.moves))
        count = _number(request, "count", MOST_FRAMES, MOST_FRAMES)
        frames = _frames(record, seats.get(eyes), eyes == "all", start, count)
        return json_response(
            bodies.Replay(game=game, plies=len(record.moves), start=start, frames=frames)
        )


def _action() -> str:
    return secrets.token_hex(8)


def _number(request: Request, name: str, usual: int, most: int) -> int:
    text = request.query_params.get(name, str(usual))
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise Refusal("bad_message", reason=f"{name} has to be a number")
    return min(int(text), most)


def _game_summary(kept: KeptGame) -> bodies.GameSummary:
    return bodies.GameSummary(
        game=kept.game,
        edition=kept.edition,
        players=list(kept.players),
        loser=kept.loser,
        places=list(kept.places),
        plies=kept.plies,
        ended=kept.ended,
    )


def _frames(
    record: Any, seat: int | None, everything: bool, start: int, count: int
) -> list[bodies.Frame]:
    game = record.deal()
    frames = []
    for ply in range(min(start + count, len(record.moves) + 1)):
        move = record.moves[ply] if ply < len(record.moves) else None
        if ply < start:
            game.push(move)
            continue
        view: View = game.view(seat)
        position = game.position() if everything else None
        frames.append(
            bodies.Frame(
                ply=ply,
                view=msgspec.convert(view.json(), ViewData),
                hands=position["hands"] if position is not None else None,
                face_down=position["face_down"] if position is not None else None,
                move=move,
                events=game.push(move) if move is not None else [],
            )
        )
    return frames


def _rulebook(rules: Rules, request: Request) -> Response:
    """The rules in the language asked for."""
    try:
        book = rulebook(rules, request.query_params.get("language", "en"))
    except (ValueError, KeyError, OSError):
        raise Refusal("no_such_page") from None
    return json_response(
        bodies.Document(language=book.language, title=book.title, markdown=book.markdown())
    )
