"""Pages of finished games."""

import asyncio
from collections import OrderedDict
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from karma.protocol import bodies, encode
from karma.protocol.state import ViewData
from karma.refusals import Refusal
from karma.server.access import Access, json_response
from karma.server.reviews import Reviews
from karma.store.ports import GamesPort, KeptGame
from karma.table.characters import characters_of
from karma.table.clients.sight import view_counts
from karma.view import View

MOST_FRAMES = 400
MOST_WAITING = 8
"""So many replays may wait for the one that is being made; more are refused."""
REMEMBERED = 16


class GamePages:
    """Lists, records, replays and reviews."""

    def __init__(self, access: Access, games: GamesPort, reviews: Reviews) -> None:
        self._access = access
        self._reviews = reviews
        self._tables = access.tables
        self._games = games
        self._replays: OrderedDict[tuple[Any, ...], bytes] = OrderedDict()
        self._making = asyncio.Lock()
        self.waiting = 0

    async def games(self, request: Request) -> Response:
        """The table's finished games."""
        table = await self._access.table(request)
        games = [_game_summary(game) for game in await self._games.of_table(table.id)]
        return json_response(bodies.Games(games=games))

    async def record(self, request: Request) -> Response:
        """A finished game's record, to download."""
        table = await self._access.table(request)
        record = await self._tables.record(table.id, request.path_params["game"])
        name = f"karma-{table.id}-{request.path_params['game']}.jsonl"
        return Response(
            record.dumps() + "\n",
            media_type="application/json",
            headers={"content-disposition": f'attachment; filename="{name}"'},
        )

    async def review(self, request: Request) -> Response:
        """What was luck in a finished game: all that a replay shows, and nothing else, is used."""
        table = await self._access.table(request)
        game = request.path_params["game"]
        text = await self._reviews.kept(table.id, game)
        if text is None:
            if not self._reviews.makes(table.id, game):
                await self._access.limit("review", request)
            record = await self._tables.record(table.id, game)
            player = await self._access.player_or_none(request)
            text = await self._reviews.of(
                table.id,
                game,
                record,
                player.id if player is not None else "",
                has_ledger=request.query_params.get("have") == "ledger",
            )
        return Response(text, media_type="application/json")

    async def replay(self, request: Request) -> Response:
        """A finished game, moment by moment; made on a thread, one at a time."""
        await self._access.limit("replay", request)
        table = await self._access.table(request)
        game = request.path_params["game"]
        record = await self._tables.record(table.id, game)
        eyes = request.query_params.get("eyes", "audience")
        seats = {str(seat): seat for seat in range(len(record.players))}
        if eyes not in ("audience", "all", *seats):
            raise Refusal("no_such_seat")
        start = _number(request, "start", 0, len(record.moves))
        count = _number(request, "count", MOST_FRAMES, MOST_FRAMES)
        key = (table.id, game, eyes, start, count)
        if key not in self._replays:
            if self.waiting >= MOST_WAITING:
                raise Refusal("too_fast", seconds=self.waiting)
            self.waiting += 1
            try:
                async with self._making:
                    if key not in self._replays:
                        faces = await self._characters(table.id, game)
                        made = await asyncio.to_thread(
                            lambda: encode(
                                bodies.Replay(
                                    game=game,
                                    plies=len(record.moves),
                                    characters=faces,
                                    start=start,
                                    frames=_frames(
                                        record, seats.get(eyes), eyes == "all", start, count
                                    ),
                                )
                            )
                        )
                        self._replays[key] = made
            finally:
                self.waiting -= 1
        self._replays.move_to_end(key)
        if len(self._replays) > REMEMBERED:
            self._replays.popitem(last=False)
        return Response(self._replays[key], media_type="application/json")

    async def _characters(self, table: str, game: int) -> list[int | None]:
        """Which characters the bots of a game are."""
        kept = next(each for each in await self._games.of_table(table) if each.game == game)
        people = {seat for seat, person in enumerate(kept.people) if person is not None}
        return characters_of(kept.players, people)


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
                counts=view_counts(view),
                hands=position["hands"] if position is not None else None,
                face_down=position["face_down"] if position is not None else None,
                move=move,
                events=game.push(move) if move is not None else [],
            )
        )
    return frames
