"""Pages of tables: opening, looking, joining and leaving."""

import asyncio
import secrets
from functools import lru_cache
from io import BytesIO

from starlette.requests import Request
from starlette.responses import Response

from karma.protocol import bodies
from karma.refusals import Refusal
from karma.server.access import Access, json_response
from karma.server.transfers import Transfers
from karma.table import Table
from karma.table.requests.game import Rematch
from karma.table.requests.seats import Leave


class TablePages:
    """Tables, and the seats at them."""

    def __init__(self, access: Access, transfers: Transfers) -> None:
        self._access = access
        self._tables = access.tables
        self._transfers = transfers

    async def tables(self, request: Request) -> Response:
        """The public tables."""
        return json_response(bodies.Tables(tables=await self._tables.public()))

    async def new_table(self, request: Request) -> Response:
        """A new table."""
        await self._access.limit("table", request)
        player = await self._access.player(request)
        self._access.note(player, request)
        wanted = await self._access.body(request, bodies.NewTable)
        if wanted.fork is not None:
            await self._access.may_look(request, await self._tables.find(wanted.fork.table))
        table = await self._tables.open(player, wanted)
        return json_response(self._joined(request, table, table.state.seat_of(player.id)), 201)

    def _joined(self, request: Request, table: Table, seat: int | None) -> bodies.Joined:
        invite = table.state.invite if seat is not None else None
        link = f"{self._access.address(request)}/join/{invite}" if invite is not None else None
        return bodies.Joined(table=table.id, seat=seat, invite=invite, link=link)

    async def look(self, request: Request) -> Response:
        """A table before joining it."""
        table = await self._access.table(request)
        return json_response(await self._look(request, table))

    async def invited(self, request: Request) -> Response:
        """The table that a code invites to."""
        await self._access.limit("code", request)
        table = await self._tables.by_invite(request.path_params["code"])
        return json_response(await self._look(request, table))

    async def invite_picture(self, request: Request) -> Response:
        """The invitation as a QR code, for a friend's camera."""
        await self._access.limit("code", request)
        table = await self._tables.by_invite(request.path_params["code"])
        link = f"{self._access.address(request)}/join/{table.state.invite}"
        return Response(await asyncio.to_thread(_picture, link), media_type="image/svg+xml")

    async def _look(self, request: Request, table: Table) -> bodies.Look:
        player = await self._access.player_or_none(request)
        return table.look(player.id if player is not None else None)

    async def join(self, request: Request) -> Response:
        """A seat, or a place to watch from."""
        await self._access.limit("join", request)
        player = await self._access.player(request)
        wanted = await self._access.body(request, bodies.Join)
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
        player = await self._access.player(request)
        table = await self._tables.find(request.path_params["table"])
        await table.ask(player.id, Leave(id=_action()))
        return Response(status_code=204)

    async def rematch(self, request: Request) -> Response:
        """Another game."""
        player = await self._access.player(request)
        table = await self._tables.find(request.path_params["table"])
        await table.ask(player.id, Rematch(id=_action()))
        return Response(status_code=204)

    async def transfer(self, request: Request) -> Response:
        """A one-time code for another device."""
        await self._access.limit("transfer", request)
        player = await self._access.player(request)
        table = await self._tables.find(request.path_params["table"])
        seat = table.state.seat_of(player.id)
        if seat is None:
            raise Refusal("not_seated")
        code, expires = await self._transfers.make(table.id, seat, player.id)
        return json_response(bodies.TransferCode(code=code, expires=expires))

    async def take_transfer(self, request: Request) -> Response:
        """The seat that a one-time code is for."""
        await self._access.limit("code", request)
        player = await self._access.player(request)
        wanted = await self._access.body(request, bodies.Transfer)
        promised = await self._transfers.take(wanted.code)
        table = await self._tables.find(promised.table)
        await table.move_seat(player.id, promised.seat, promised.owner)
        return json_response(self._joined(request, table, promised.seat))


@lru_cache(maxsize=256)
def _picture(link: str) -> bytes:
    """A link as a QR code."""
    import segno

    picture = BytesIO()
    segno.make(link, micro=False).save(
        picture, kind="svg", border=2, light="#fff", xmldecl=False, omitsize=True
    )
    return picture.getvalue()


def _action() -> str:
    return secrets.token_hex(8)
