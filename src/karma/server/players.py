"""Players: names and tokens. A token opens its player's seats; the server keeps only its hash."""

import hashlib
import secrets
from collections import OrderedDict
from dataclasses import replace

from karma.protocol.state import Portrait
from karma.refusals import Refusal
from karma.store.ports import Person, PlayersPort
from karma.table import names

TOKEN_BYTES = 32
REMEMBERED = 10_000
_ALPHABET = "abcdefghijkmnpqrstuvwxyz23456789"


class Players:
    """All players of a server."""

    def __init__(
        self, store: PlayersPort, refused: frozenset[str], remembered: int = REMEMBERED
    ) -> None:
        self._store = store
        self._remembered = remembered
        self._refused = frozenset(map(names.skeleton, refused))
        self._known: OrderedDict[bytes, Person] = OrderedDict()

    async def create(self, name: str) -> tuple[Person, str]:
        """A new player, and the token that is shown this once."""
        player = Person(public_id(), self.fit(name), None)
        token = secrets.token_urlsafe(TOKEN_BYTES)
        await self._store.add(player, _hash(token))
        return player, token

    async def find(self, token: str) -> Person:
        """The player whom a token belongs to; refused if it opens nothing."""
        digest = _hash(token)
        known = self._known.get(digest)
        if known is not None:
            self._known.move_to_end(digest)
            return known
        player = await self._store.by_token(digest)
        if player is None:
            raise Refusal("unknown_token")
        self._known[digest] = player
        if len(self._known) > self._remembered:
            self._known.popitem(last=False)
        return player

    async def change(
        self, player: Person, name: str | None, email: str | None, portrait: Portrait | None
    ) -> Person:
        """Gives a player another name, portrait, or address for notices; empty for none."""
        changed = replace(
            player,
            name=player.name if name is None else self.fit(name),
            email=player.email if email is None else email or None,
            portrait=portrait or player.portrait,
        )
        await self._store.change(changed)
        self._forget(player)
        return changed

    async def forget(self, player: Person) -> None:
        """Deletes a player, whose tokens open nothing any more."""
        await self._store.forget(player.id)
        self._forget(player)

    def _forget(self, player: Person) -> None:
        for digest in [d for d, known in self._known.items() if known.id == player.id]:
            del self._known[digest]

    def fit(self, name: str) -> str:
        """A name as it will be shown; refused if nothing of it can be seen, or by the operator."""
        shown = names.name(name)
        if not shown:
            raise Refusal("bad_name")
        if any(word in names.skeleton(shown) for word in self._refused if word):
            raise Refusal("name_refused")
        return shown


def public_id(length: int = 10) -> str:
    """An id that says nothing and opens nothing."""
    return "".join(secrets.choice(_ALPHABET) for _ in range(length))


def _hash(token: str) -> bytes:
    return hashlib.sha256(token.encode()).digest()
