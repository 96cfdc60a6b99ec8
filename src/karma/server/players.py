"""Players: names and tokens. A token opens its player's seats; the server keeps only its hash."""

import hashlib
import hmac
import secrets
import sqlite3
import time
from collections import OrderedDict
from dataclasses import dataclass

from karma.store.sqlite import SqliteStore
from karma.table import Refusal, names

TOKEN_BYTES = 32
REMEMBERED = 10_000
_ALPHABET = "abcdefghijkmnpqrstuvwxyz23456789"


@dataclass(frozen=True)
class Player:
    """A person, or a program, with a name. The id is public and opens nothing."""

    player: str
    name: str
    email: str | None


class Players:
    """All players of a server."""

    def __init__(self, store: SqliteStore, refused: frozenset[str]) -> None:
        self._store = store
        self._refused = frozenset(name.casefold() for name in refused)
        self._known: OrderedDict[bytes, Player] = OrderedDict()

    async def create(self, name: str) -> tuple[Player, str]:
        """A new player, and the token that is shown this once."""
        player = Player(public_id(), self.fit(name), None)
        token = secrets.token_urlsafe(TOKEN_BYTES)
        row = (player.player, player.name, round(time.time() * 1000))

        def write(database: sqlite3.Connection) -> None:
            database.execute("INSERT INTO players (player, name, made) VALUES (?, ?, ?)", row)
            database.execute(
                "INSERT INTO tokens (hash, player) VALUES (?, ?)", (_hash(token), player.player)
            )

        await self._store.write(write)
        return player, token

    async def find(self, token: str) -> Player:
        """The player whom a token belongs to; refused if it opens nothing."""
        digest = _hash(token)
        known = self._known.get(digest)
        if known is not None:
            self._known.move_to_end(digest)
            return known
        rows = await self._store.query(
            "SELECT tokens.hash, players.player, players.name, players.email"
            " FROM tokens JOIN players USING (player) WHERE tokens.hash = ?",
            (digest,),
        )
        if not rows or not hmac.compare_digest(rows[0][0], digest):
            raise Refusal("unknown_token")
        player = Player(*rows[0][1:])
        self._known[digest] = player
        if len(self._known) > REMEMBERED:
            self._known.popitem(last=False)
        return player

    async def change(self, player: Player, name: str | None, email: str | None) -> Player:
        """Gives a player another name, or another address for notices."""
        changed = Player(
            player.player,
            player.name if name is None else self.fit(name),
            player.email if email is None else _address(email),
        )
        await self._store.write(
            lambda database: database.execute(
                "UPDATE players SET name = ?, email = ? WHERE player = ?",
                (changed.name, changed.email, changed.player),
            )
        )
        self._forget(player)
        return changed

    async def revoke(self, player: Player) -> None:
        """Makes all tokens of a player open nothing."""
        await self._store.write(
            lambda database: database.execute(
                "DELETE FROM tokens WHERE player = ?", (player.player,)
            )
        )
        self._forget(player)

    def _forget(self, player: Player) -> None:
        for digest in [d for d, known in self._known.items() if known.player == player.player]:
            del self._known[digest]

    def fit(self, name: str) -> str:
        """A name as it will be shown; refused if nothing of it can be seen, or by the operator."""
        shown = names.name(name)
        if not shown:
            raise Refusal("bad_name")
        if any(word in shown.casefold() for word in self._refused):
            raise Refusal("name_refused")
        return shown


def public_id(length: int = 10) -> str:
    """An id that says nothing and opens nothing."""
    return "".join(secrets.choice(_ALPHABET) for _ in range(length))


def _hash(token: str) -> bytes:
    return hashlib.sha256(token.encode()).digest()


def _address(email: str) -> str | None:
    if not email:
        return None
    name, _, host = email.partition("@")
    if (
        not name
        or "." not in host
        or not email.isascii()
        or not email.isprintable()
        or " " in email
    ):
        raise Refusal("bad_message", reason="not an e-mail address")
    return email
