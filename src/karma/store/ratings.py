"""Ratings in a database: counted as each finished game is kept, in the same transaction."""

from typing import Any

from sqlalchemy import Connection, Row, bindparam, func, insert, select, update

from karma.store import Finished
from karma.store.database import Readable
from karma.store.ports import EditionTotals, PlayerTotals
from karma.store.schema import GAMES, PLAYERS, RATINGS
from karma.store.skill import Skill, rate

_OF_PLAYER = RATINGS.c.player == bindparam("id")
_OF_EDITION = RATINGS.c.edition == bindparam("of_edition")
_TOTALS = select(RATINGS, PLAYERS.c.name).join(PLAYERS, PLAYERS.c.player == RATINGS.c.player)
OF_PLAYER = _TOTALS.where(_OF_PLAYER).order_by(RATINGS.c.edition)
BEST = (
    _TOTALS.where(_OF_EDITION, RATINGS.c.mu.is_not(None))
    .order_by((RATINGS.c.mu - 3 * RATINGS.c.sigma).desc())
    .limit(bindparam("most"))
)
EDITIONS = (
    select(
        GAMES.c.edition,
        func.count().label("games"),
        func.count().filter(GAMES.c.loser.is_(None)).label("stalled"),
        func.avg(GAMES.c.plies).label("mean_plies"),
    )
    .where(GAMES.c.complete)
    .group_by(GAMES.c.edition)
    .order_by(GAMES.c.edition)
)
COUNT = (
    update(RATINGS)
    .where(_OF_PLAYER, _OF_EDITION)
    .values(
        played=RATINGS.c.played + 1,
        lost=RATINGS.c.lost + bindparam("loses"),
        rated=RATINGS.c.rated + bindparam("counts"),
    )
)
SKILL = select(RATINGS.c.mu, RATINGS.c.sigma).where(_OF_PLAYER, _OF_EDITION)
KEEP_SKILL = (
    update(RATINGS)
    .where(_OF_PLAYER, _OF_EDITION)
    .values(mu=bindparam("new_mu"), sigma=bindparam("new_sigma"))
)


class SqlRatings:
    """What finished games say of people."""

    def __init__(self, database: Readable) -> None:
        self._database = database

    async def of_player(self, player: str) -> list[PlayerTotals]:
        """One person's games, by edition."""
        return [_totals(row) for row in await self._database.read(OF_PLAYER, id=player)]

    async def editions(self) -> list[EditionTotals]:
        """All games, by edition."""
        rows = await self._database.read(EDITIONS)
        return [
            EditionTotals(row.edition, row.games, row.stalled, float(row.mean_plies))
            for row in rows
        ]

    async def best(self, edition: str, most: int) -> list[PlayerTotals]:
        """The people of the highest rating in an edition."""
        rows = await self._database.read(BEST, of_edition=edition, most=most)
        return [_totals(row) for row in rows]


def _totals(row: Row[Any]) -> PlayerTotals:
    return PlayerTotals(
        player=row.player,
        name=row.name,
        edition=row.edition,
        played=row.played,
        lost=row.lost,
        rated=row.rated,
        rating=Skill(row.mu, row.sigma).shown if row.mu is not None else None,
    )


def count_game(connection: Connection, finished: Finished) -> None:
    """Adds a finished game to its people's totals, and to their ratings if it is rated."""
    record = finished.record
    if not finished.complete or record.extra.get("practice"):
        return
    edition, loser = record.rules.edition, record.result["loser"]
    for seat, player in enumerate(finished.players):
        if player is not None:
            _count(connection, player, edition, lost=seat == loser, rated=finished.rated)
    people = [player for player in finished.players if player is not None]
    if finished.rated and loser is not None and len(people) == len(finished.players):
        _rate(connection, edition, people, loser)


def _count(connection: Connection, player: str, edition: str, *, lost: bool, rated: bool) -> None:
    counted = connection.execute(
        COUNT, {"id": player, "of_edition": edition, "loses": int(lost), "counts": int(rated)}
    )
    if counted.rowcount == 0:
        totals = {"played": 1, "lost": int(lost), "rated": int(rated)}
        connection.execute(insert(RATINGS), {"player": player, "edition": edition, **totals})


def _rate(connection: Connection, edition: str, people: list[str], loser: int) -> None:
    keys = [{"id": player, "of_edition": edition} for player in people]
    rows = [connection.execute(SKILL, key).one() for key in keys]
    skills = rate([Skill(*row) if row.mu is not None else None for row in rows], loser)
    connection.execute(
        KEEP_SKILL,
        [
            {**key, "new_mu": skill.mu, "new_sigma": skill.sigma}
            for key, skill in zip(keys, skills, strict=True)
        ],
    )
