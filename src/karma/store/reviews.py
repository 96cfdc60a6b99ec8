"""Reviews in a database, and the luck that people have received, counted as each game is valued."""

import json
from collections.abc import Sequence

from sqlalchemy import Connection, and_, bindparam, insert, select, update

from karma.store.database import Database
from karma.store.ports import KeptReview, LuckTotals
from karma.store.schema import GAMES, LUCK, PLAYERS, REVIEWS

_GAME = and_(REVIEWS.c.tbl == bindparam("table"), REVIEWS.c.game == bindparam("number"))
OF_GAME = select(REVIEWS.c.judge, REVIEWS.c.review).where(_GAME)
KEEP = update(REVIEWS).where(_GAME).values(judge=bindparam("by"), review=bindparam("text"))
UNCOUNTED = (
    select(GAMES.c.tbl, GAMES.c.game)
    .join(REVIEWS, and_(REVIEWS.c.tbl == GAMES.c.tbl, REVIEWS.c.game == GAMES.c.game), isouter=True)
    .where(GAMES.c.complete, REVIEWS.c.tbl.is_(None))
    .limit(bindparam("most"))
)
PEOPLE = select(GAMES.c.players, GAMES.c.edition, GAMES.c.complete).where(
    GAMES.c.tbl == bindparam("table"), GAMES.c.game == bindparam("number")
)
KNOWN = select(PLAYERS.c.player).where(PLAYERS.c.player == bindparam("id"))
_PERSON = and_(LUCK.c.player == bindparam("id"), LUCK.c.edition == bindparam("of_edition"))
OF_PLAYER = select(LUCK).where(LUCK.c.player == bindparam("id")).order_by(LUCK.c.edition)
ADD = (
    update(LUCK)
    .where(_PERSON)
    .values(
        games=LUCK.c.games + 1,
        luck=LUCK.c.luck + bindparam("given"),
        squares=LUCK.c.squares + bindparam("square"),
    )
)


class SqlReviews:
    """What was found out about finished games."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def of_game(self, table: str, game: int) -> KeptReview | None:
        """The review of a game, if there is one."""
        rows = await self._database.read(OF_GAME, table=table, number=game)
        if not rows or rows[0].review is None:
            return None
        return KeptReview(rows[0].judge, rows[0].review)

    async def keep(self, table: str, game: int, kept: KeptReview) -> None:
        """Keeps the review of a game whose luck was counted, in the place of an older one."""
        values = {"table": table, "number": game, "by": kept.judge, "text": kept.review}
        await self._database.write(lambda connection: connection.execute(KEEP, values))

    async def count_luck(self, table: str, game: int, judge: str, luck: Sequence[float]) -> None:
        """Adds what chance gave the seats of a game to its people's totals, once for good.

        Nothing is counted for practice, for which no luck is given.
        """

        def write(connection: Connection) -> None:
            key = {"table": table, "number": game}
            game_row = connection.execute(PEOPLE, key).one_or_none()
            if game_row is None or connection.execute(OF_GAME, key).one_or_none() is not None:
                return
            connection.execute(insert(REVIEWS), {"tbl": table, "game": game, "judge": judge})
            _, people = json.loads(game_row.players)
            if game_row.complete:
                for player, given in zip(people, luck, strict=False):
                    if player is not None and connection.execute(KNOWN, {"id": player}).first():
                        _add(connection, player, game_row.edition, given)

        await self._database.write(write)

    async def uncounted(self, most: int) -> list[tuple[str, int]]:
        """Some complete games whose luck has not been counted."""
        rows = await self._database.read(UNCOUNTED, most=most)
        return [(row.tbl, row.game) for row in rows]

    async def luck_of(self, player: str) -> list[LuckTotals]:
        """What a person has received, by edition."""
        return [
            LuckTotals(row.edition, row.games, row.luck, row.squares)
            for row in await self._database.read(OF_PLAYER, id=player)
        ]


def _add(connection: Connection, player: str, edition: str, given: float) -> None:
    values = {"id": player, "of_edition": edition, "given": given, "square": given**2}
    if connection.execute(ADD, values).rowcount == 0:
        totals = {"games": 1, "luck": given, "squares": given**2}
        connection.execute(insert(LUCK), {"player": player, "edition": edition, **totals})
