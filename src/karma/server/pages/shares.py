"""Pages of what is shared: a finished game as a picture, and as a link that shows it."""

import asyncio
import hashlib
from collections import OrderedDict
from html import escape
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from karma.protocol import bodies
from karma.protocol.state import Portrait
from karma.record import Record
from karma.refusals import Refusal
from karma.server.access import Access, json_response
from karma.server.game_picture import Participant, Story, describe, draw, invite, tell
from karma.server.static_files import FOLDER, not_built
from karma.store.ports import GamesPort, KeptGame, NoticesPort
from karma.table.characters import characters_of
from karma.texts import LANGUAGES, Texts

Told = tuple[Story, list[Participant], Texts]

REMEMBERED = 32
MOST_WAITING = 8
"""So many pictures may wait for the one that is being drawn; more are refused."""
MARK = 16
"""How many hexadecimal digits of the record's hash a link has."""
FOREVER = {"cache-control": "public, max-age=31536000, immutable"}


class SharePages:
    """A finished game for those who were not there.

    A link tells its table, game, language, and the beginning of the record's hash, which nobody can
    guess who may not see the game: whoever was there gives it away by sharing it.
    """

    def __init__(self, access: Access, games: GamesPort, people: NoticesPort) -> None:
        self._access = access
        self._tables = access.tables
        self._games = games
        self._people = people
        self._told: OrderedDict[str, Told] = OrderedDict()
        self._pictures: OrderedDict[str, bytes] = OrderedDict()
        self._drawing = asyncio.Lock()
        self._waiting = 0

    async def share(self, request: Request) -> Response:
        """A link to give away, with words and a picture."""
        table = await self._access.table(request)
        game = request.path_params["game"]
        record = await self._tables.record(table.id, game)
        language = request.query_params.get("language", "en")
        if language not in LANGUAGES:
            raise Refusal("no_such_page")
        code = f"{table.id}-{game}-{language}-{_mark(record)}"
        return json_response(await self._shared(request, code))

    async def shared(self, request: Request) -> Response:
        """What a shared link shows."""
        return json_response(await self._shared(request, request.path_params["code"]))

    async def picture(self, request: Request) -> Response:
        """The picture; drawn on a thread, one at a time, and kept."""
        code = request.path_params["code"]
        if code not in self._pictures:
            told = await self._find(request, code)
            if self._waiting >= MOST_WAITING:
                raise Refusal("too_fast", seconds=self._waiting)
            self._waiting += 1
            try:
                async with self._drawing:
                    if code not in self._pictures:
                        self._pictures[code] = await asyncio.to_thread(draw, *told)
            finally:
                self._waiting -= 1
            _forget_oldest(self._pictures)
        self._pictures.move_to_end(code)
        return Response(self._pictures[code], media_type="image/png", headers=FOREVER)

    async def preview(self, request: Request) -> Response:
        """The table's page, with what programs that show previews of links read."""
        file = FOLDER / "index.html"
        if not file.is_file():
            return not_built(self._access.settings.address)
        page = file.read_text(encoding="utf-8")
        try:
            shared = await self._shared(request, request.path_params["code"])
        except Refusal:
            return Response(page, media_type="text/html", headers={"cache-control": "no-cache"})
        tags = {
            "og:type": "website",
            "og:title": Texts(shared.language)("web_app_name"),
            "og:description": shared.text,
            "og:url": shared.link,
            "og:image": shared.picture,
            "og:image:width": "1200",
            "og:image:height": "630",
            "og:image:alt": shared.alt,
            "twitter:card": "summary_large_image",
        }
        lines = (
            f'<meta property="{name}" content="{escape(text)}" />' for name, text in tags.items()
        )
        page = page.replace("</head>", "\n".join([*lines, "</head>"]), 1)
        return Response(page, media_type="text/html", headers={"cache-control": "no-cache"})

    async def _shared(self, request: Request, code: str) -> bodies.Shared:
        told = await self._find(request, code)
        address = self._access.address(request)
        table, game, language, _ = code.split("-")
        return bodies.Shared(
            table=table,
            game=int(game),
            language=language,
            link=f"{address}/shared/{code}",
            picture=f"{address}/api/shared/{code}/picture",
            text=invite(*told),
            alt=describe(*told),
        )

    async def _find(self, request: Request, code: str) -> Told:
        """The game that a link is for; a wrong link is as good as none."""
        if code in self._told:
            self._told.move_to_end(code)
            return self._told[code]
        await self._access.limit("replay", request)
        table, game, language, mark = (*code.split("-"), "", "", "", "")[:4]
        if not (game.isascii() and game.isdigit() and len(game) < 10 and language in LANGUAGES):
            raise Refusal("no_such_game")
        kept = next((g for g in await self._games.of_table(table) if g.game == int(game)), None)
        record = await self._games.record(table, int(game))
        if kept is None or record is None or mark != _mark(record):
            raise Refusal("no_such_game")
        say = Texts(language)
        story = await asyncio.to_thread(tell, record)
        self._told[code] = story, await self._participants(kept, say), say
        _forget_oldest(self._told)
        return self._told[code]

    async def _participants(self, kept: KeptGame, say: Texts) -> list[Participant]:
        """Who played, by the names and with the faces that are shown."""
        people = {seat for seat, person in enumerate(kept.people) if person is not None}
        faces = characters_of(kept.players, people)
        participants = []
        for name, person, face in zip(kept.players, kept.people, faces, strict=True):
            known = await self._people.recipient(person) if person is not None else None
            portrait = known.portrait if known is not None else None
            shown = name if face is None else say(f"character_{face}")
            participants.append(Participant(shown, portrait or Portrait(face=face)))
        return participants


def _forget_oldest(kept: "OrderedDict[str, Any]") -> None:
    while len(kept) > REMEMBERED:
        kept.popitem(last=False)


def _mark(record: Record) -> str:
    return hashlib.sha256(f"shared {record.dumps()}".encode()).hexdigest()[:MARK]
