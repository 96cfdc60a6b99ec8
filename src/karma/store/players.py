"""Players in a database: their names, and the hashes of their tokens."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, Row, bindparam, delete, insert, select, update

from karma.clock import Clock
from karma.protocol.state import Portrait
from karma.store.database import Database
from karma.store.ports import Person
from karma.store.schema import LUCK, PLAYED, PLAYERS, RATINGS, SUBSCRIPTIONS, TOKENS

_PERSON = select(
    PLAYERS.c.player, PLAYERS.c.name, PLAYERS.c.email, PLAYERS.c.face, PLAYERS.c.colour
)
BY_TOKEN = _PERSON.join(TOKENS, TOKENS.c.player == PLAYERS.c.player).where(
    TOKENS.c.hash == bindparam("token")
)
BY_ID = _PERSON.where(PLAYERS.c.player == bindparam("id"))
CHANGE = update(PLAYERS).where(PLAYERS.c.player == bindparam("id"))
OF_PERSON = (TOKENS, RATINGS, LUCK, PLAYED, SUBSCRIPTIONS, PLAYERS)
TOKENS_OF = select(TOKENS.c.player).where(TOKENS.c.player == bindparam("id")).limit(1)


def person(rows: Sequence[Row[Any]]) -> Person | None:
    """The person of the one row, if there is one."""
    if not rows:
        return None
    row = rows[0]
    drawn = row.face is not None or row.colour is not None
    portrait = Portrait(face=row.face, colour=row.colour) if drawn else None
    return Person(row.player, row.name, row.email, portrait)


def _row(person: Person) -> dict[str, Any]:
    portrait = person.portrait or Portrait()
    drawn = {"face": portrait.face, "colour": portrait.colour}
    return {"name": person.name, "email": person.email, **drawn}


class SqlPlayers:
    """People and their tokens."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def add(self, person: Person, token_hash: bytes) -> None:
        """Keeps a new person with a first token."""
        row = {"player": person.id, **_row(person)}
        made = self._clock.date()

        def write(connection: Connection) -> None:
            connection.execute(insert(PLAYERS), {**row, "made": made})
            connection.execute(insert(TOKENS), {"hash": token_hash, "player": person.id})

        await self._database.write(write)

    async def by_token(self, token_hash: bytes) -> Person | None:
        """The person whom a token belongs to."""
        rows = await self._database.read(BY_TOKEN, token=token_hash)
        return person(rows)

    async def change(self, person: Person) -> None:
        """Keeps another name, address or portrait of a person."""
        values = {"id": person.id, **_row(person)}
        await self._database.write(lambda connection: connection.execute(CHANGE, values))

    async def forget(self, player: str) -> None:
        """Deletes a person: tokens, name, address, portrait, ratings, the list of games."""

        def write(connection: Connection) -> None:
            for each in OF_PERSON:
                connection.execute(
                    delete(each).where(each.c.player == bindparam("id")), {"id": player}
                )

        await self._database.write(write)

    async def has_token(self, player: str) -> bool:
        """Whether any token opens this person's seats."""
        return bool(await self._database.read(TOKENS_OF, id=player))
