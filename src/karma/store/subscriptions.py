"""Subscriptions in a database: the browsers to be told, and the key to do it with."""

from contextlib import suppress

from sqlalchemy import Connection, bindparam, delete, insert, select

from karma.clock import Clock
from karma.store import Conflict
from karma.store.database import Database
from karma.store.ports import KeptSubscription, KeyPair
from karma.store.schema import KEYS, SUBSCRIPTIONS

NAME = "push"
KEY = select(KEYS.c.secret, KEYS.c.public).where(KEYS.c.name == NAME)
AT = delete(SUBSCRIPTIONS).where(SUBSCRIPTIONS.c.endpoint == bindparam("at"))
OF_PLAYER = (
    select(SUBSCRIPTIONS)
    .where(SUBSCRIPTIONS.c.player == bindparam("id"))
    .order_by(SUBSCRIPTIONS.c.made.desc(), SUBSCRIPTIONS.c.endpoint)
)


class SqlSubscriptions:
    """Browsers, by the address that their push service gave them."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def key(self, made: KeyPair | None = None) -> KeyPair | None:
        """The key by which push services know this server; if there is none, the given one."""

        def write(connection: Connection) -> None:
            if connection.execute(KEY).first() is None and made is not None:
                pair = {"secret": made.secret, "public": made.public}
                connection.execute(insert(KEYS), {"name": NAME, **pair})

        if made is not None:
            with suppress(Conflict):  # another worker was first
                await self._database.write(write)
        rows = await self._database.read(KEY)
        return KeyPair(rows[0].secret, rows[0].public) if rows else None

    async def keep(self, subscription: KeptSubscription, most: int) -> None:
        """Keeps a browser; of more than so many of one person, the newest."""
        row = {"p256dh": subscription.p256dh, "auth": subscription.auth}
        who = {"endpoint": subscription.endpoint, "player": subscription.player}

        def write(connection: Connection) -> None:
            connection.execute(AT, {"at": subscription.endpoint})
            connection.execute(insert(SUBSCRIPTIONS), {**who, **row, "made": self._clock.date()})
            kept = connection.execute(OF_PLAYER, {"id": subscription.player}).all()
            for old in kept[most:]:
                connection.execute(AT, {"at": old.endpoint})

        await self._database.write(write)

    async def of_player(self, player: str) -> list[KeptSubscription]:
        """A person's browsers, the newest first."""
        rows = await self._database.read(OF_PLAYER, id=player)
        return [KeptSubscription(row.endpoint, row.player, row.p256dh, row.auth) for row in rows]

    async def forget(self, endpoint: str, player: str) -> None:
        """Forgets a person's browser."""
        of_player = AT.where(SUBSCRIPTIONS.c.player == bindparam("id"))
        values = {"at": endpoint, "id": player}
        await self._database.write(lambda connection: connection.execute(of_player, values))
