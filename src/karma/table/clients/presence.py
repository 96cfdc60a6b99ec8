"""Presence: who is connected to a table, since when the others are gone, and when it woke."""

from collections.abc import Iterator, Set

from karma.protocol.codes import ErrorCode
from karma.table.clients.client import Client
from karma.table.log.state import TableState

MOMENT = 250
"""Milliseconds: who comes or goes within them is told of together."""


class Presence:
    """The connected clients of a table, one a player."""

    def __init__(self) -> None:
        self._clients: dict[str, Client] = {}
        self.elsewhere: Set[str] = frozenset()
        """The players who are connected through other processes."""
        self._gone_at: dict[str, int] = {}
        self._muted: dict[str, set[int | str]] = {}
        self._woke_at = 0
        self.news_due: int | None = None
        """When people are to be told who has come or gone."""

    def __len__(self) -> int:
        return len(self._clients)

    def __iter__(self) -> Iterator[Client]:
        return iter(list(self._clients.values()))

    def __contains__(self, player: object) -> bool:
        return player in self._clients or player in self.elsewhere

    @property
    def here(self) -> Set[str]:
        """The players who are connected through this process."""
        return self._clients.keys()

    @property
    def present(self) -> Set[str]:
        """The players who are connected."""
        return self._clients.keys() | self.elsewhere if self.elsewhere else self._clients.keys()

    @property
    def greeted(self) -> Iterator[Client]:
        """The clients that have said hello."""
        return (client for client in self if client.greeted)

    def wake(self, now: int) -> None:
        """The table begins to wait for people from here on."""
        self._woke_at = now

    def add(self, client: Client, now: int) -> None:
        """Takes a connection in; an older one of the same player is replaced."""
        older = self._clients.get(client.player)
        if older is not None and older is not client:
            older.outbox.close("replaced")
        client.muted = self._muted.setdefault(client.player, set())  # over lost connections
        self._clients[client.player] = client
        self._gone_at.pop(client.player, None)
        self._changed(now)

    def lose(self, client: Client, now: int) -> None:
        """Forgets a connection, unless another one has replaced it."""
        if self._clients.get(client.player) is not client:
            return
        del self._clients[client.player]
        self._gone_at[client.player] = now
        self._changed(now)

    def hear(self, elsewhere: Set[str], now: int) -> None:
        """Takes in who is connected through other processes by now."""
        before, self.elsewhere = set(self.present), frozenset(elsewhere)
        for player in before - self.present:
            self._gone_at[player] = now
        for player in self.present - before:
            self._gone_at.pop(player, None)
        if before != self.present:
            self._changed(now)

    def _changed(self, now: int) -> None:
        """Has people told, once for all who come or go within a moment."""
        if self.news_due is None:
            self.news_due = now + MOMENT

    def told(self) -> None:
        """Everybody knows who is here."""
        self.news_due = None

    def end(self, player: str, code: ErrorCode) -> None:
        """Ends a player's connection, if there is one; it is lost like any other."""
        client = self._clients.get(player)
        if client is not None:
            client.outbox.close(code)

    def send_away(self, client: Client, code: ErrorCode) -> None:
        """Ends a connection whose player has no part at the table any more."""
        del self._clients[client.player]
        client.outbox.close(code)

    def close(self, code: ErrorCode) -> None:
        """Ends every connection."""
        for client in self:
            client.outbox.close(code)

    def awake(self, state: TableState) -> bool:
        """Is anybody there to play with, or does the game go on without?"""
        if state.settings.clock == "days":
            return True
        here = self.present
        if any(chair.player in here for chair in state.chairs):
            return True
        return bool(here) and not state.people

    def asked_at(self, state: TableState) -> int:
        """When the present decision began; nobody's time ran while the table slept."""
        if state.settings.clock == "days":
            return state.asked_at
        return max(state.asked_at, self._woke_at)

    def away_since(self, player: str) -> int:
        """Since when the table has missed a player."""
        return max(self.gone_at(player), self._woke_at)

    def gone_at(self, player: str) -> int:
        """When a player went; 0 if they have not been here since the table woke."""
        return self._gone_at.get(player, 0)
