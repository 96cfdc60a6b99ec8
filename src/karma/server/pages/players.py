"""Pages of a player."""

import json

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from karma.protocol import bodies
from karma.protocol.state import Portrait
from karma.refusals import Refusal
from karma.server.access import COOKIE, Access, json_response
from karma.server.addresses import Addresses
from karma.server.notices import Notices
from karma.server.push import Push
from karma.server.ratings import Ratings
from karma.server.reviews import Reviews
from karma.store.ports import KeptGame, KeptSubscription
from karma.table.characters import CHARACTERS, characters_of

BOTS_FACES = range(CHARACTERS)
MOST_GAMES = 200
COOKIE_SECONDS = 400 * 24 * 60 * 60


class PlayerPages:
    """Coming, who one is, another name, going."""

    def __init__(
        self,
        access: Access,
        ratings: Ratings,
        addresses: Addresses,
        notices: Notices,
        reviews: Reviews,
        push: Push,
    ) -> None:
        self._reviews = reviews
        self._push = push
        self._addresses = addresses
        self._notices = notices
        self._access = access
        self._games = access.tables.store.games
        self._tables = access.tables
        self._ratings = ratings

    async def new_player(self, request: Request) -> Response:
        """A new player, with a cookie or a token."""
        await self._access.limit("player", request)
        wanted = await self._access.body(request, bodies.NewPlayer)
        player, token = await self._access.players.create(wanted.name)
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
                secure=self._access.settings.secure,
            )
        return response

    async def player(self, request: Request) -> Response:
        """Who asks."""
        player = await self._access.player(request)
        return json_response(
            bodies.Player(
                player=player.id,
                name=player.name,
                email=player.email,
                portrait=player.portrait or Portrait(),
                tables=await self._tables.of_player(player.id),
                statistics=await self._ratings.of(player.id),
            )
        )

    async def luck(self, request: Request) -> Response:
        """What chance has given who asks."""
        player = await self._access.player(request)
        return json_response(await self._reviews.luck_of(player.id))

    async def change_player(self, request: Request) -> Response:
        """Another name or address."""
        player = await self._access.player(request)
        wanted = await self._access.body(request, bodies.ChangePlayer)
        email = None
        if wanted.code is not None:
            email = self._addresses.confirm(player.id, wanted.code)
        elif wanted.email:
            if self._access.settings.smtp is None:
                raise Refusal("bad_message", reason="this server sends no mail")
            code = self._addresses.promise(player.id, wanted.email)
            await self._notices.send_code(wanted.email, code)
        elif wanted.email == "":
            email = ""
        portrait = wanted.portrait
        if portrait is not None and portrait.face is not None and portrait.face in BOTS_FACES:
            raise Refusal("bad_message", reason="that face is a bot's")
        await self._access.players.change(player, wanted.name, email, portrait)
        for table in list(self._tables.live.values()):
            if portrait is not None and table.has(player.id):
                await table.draw(player.id, portrait)
        return await self.player(request)

    async def subscribe(self, request: Request) -> Response:
        """A browser to be told of the player's turn, or to be told no more."""
        await self._access.limit("subscription", request)
        player = await self._access.player(request)
        wanted = await self._access.body(request, bodies.Subscription)
        if wanted.keys is None:
            await self._push.unsubscribe(player.id, wanted.endpoint)
        else:
            keys = (wanted.keys.p256dh, wanted.keys.auth)
            await self._push.subscribe(KeptSubscription(wanted.endpoint, player.id, *keys))
        return Response(status_code=204)

    async def games(self, request: Request) -> Response:
        """The player's finished games, the newest first."""
        player = await self._access.player(request)
        games = await self._games.of_player(player.id, MOST_GAMES)
        return json_response(bodies.OwnGames(games=[_played(kept, seat) for kept, seat in games]))

    async def export(self, request: Request) -> Response:
        """Everything that is kept of a player, to download."""
        await self._access.limit("replay", request)
        player = await self._access.player(request)
        who = json.loads(bytes((await self.player(request)).body))
        games = await self._games.of_player(player.id)
        records = [await self._games.record(kept.table, kept.game) for kept, _ in games]
        everything = {
            "player": who,
            "subscriptions": await self._push.endpoints(player.id),
            "luck": msgspec.to_builtins(await self._reviews.luck_of(player.id)),
            "games": [json.loads(record.dumps()) for record in records if record is not None],
        }
        return Response(
            json.dumps(everything, ensure_ascii=False, indent=1),
            media_type="application/json",
            headers={"content-disposition": 'attachment; filename="karma.json"'},
        )

    async def forget_player(self, request: Request) -> Response:
        """Everything that is kept of the player is deleted; the token opens nothing any more."""
        player = await self._access.player(request)
        await self._access.players.forget(player)
        await self._tables.forget(player.id)
        response = Response(status_code=204)
        response.delete_cookie(
            COOKIE, httponly=True, samesite="lax", secure=self._access.settings.secure
        )
        return response


def _played(kept: KeptGame, seat: int) -> bodies.OwnGame:
    people = {seat for seat, person in enumerate(kept.people) if person is not None}
    return bodies.OwnGame(
        table=kept.table,
        game=kept.game,
        edition=kept.edition,
        names=list(kept.players),
        characters=characters_of(kept.players, people),
        people=len(people),
        seat=seat,
        place=kept.places.index(seat) + 1 if seat in kept.places else None,
        lost=kept.loser == seat,
        complete=kept.complete,
        ended=kept.ended,
    )
