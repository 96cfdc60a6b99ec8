"""Notices from a database: whom to tell."""

from karma.store.database import Readable
from karma.store.players import BY_ID, person
from karma.store.ports import Person


class SqlNotices:
    """Whom to tell that it is their turn."""

    def __init__(self, database: Readable) -> None:
        self._database = database

    async def recipient(self, player: str) -> Person | None:
        """The person of this id, with the address for notices."""
        return person(await self._database.read(BY_ID, id=player))
