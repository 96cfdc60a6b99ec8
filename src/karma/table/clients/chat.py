"""Chat: what people say at a table, which is told and not kept."""

from collections import deque
from collections.abc import Callable

from karma.protocol import messages
from karma.protocol.codes import Phrase
from karma.refusals import Refusal
from karma.table import names
from karma.table.clients.client import Client
from karma.table.clients.presence import Presence
from karma.table.clients.sight import show_you
from karma.table.log.state import TableState

WINDOW = 10_000


class Talk:
    """Who spoke when: nobody may say too much."""

    def __init__(
        self, presence: Presence, most: int, said: Callable[[messages.Said], None]
    ) -> None:
        self._heard = said
        self._presence = presence
        self._most = most
        self._said: dict[str, deque[int]] = {}

    def say(self, state: TableState, client: Client, phrase: Phrase, now: int) -> None:
        """Passes a preset phrase on to those who want to hear it."""
        self._needs_patience(client, now)
        self._tell(state, client, now, phrase=phrase)

    def chat(self, state: TableState, client: Client, text: str, now: int) -> None:
        """Passes a line of text on to those who want to hear it."""
        self._needs_patience(client, now)
        if not state.settings.chat:
            raise Refusal("chat_off")
        line = names.line(text)
        if not line:
            raise Refusal("bad_message", reason="nothing visible in the text")
        self._tell(state, client, now, text=line)

    def _needs_patience(self, client: Client, now: int) -> None:
        """Refuses who has said too much just now."""
        recent = self._said.setdefault(client.player, deque())
        while recent and recent[0] <= now - WINDOW:
            recent.popleft()
        if len(recent) >= self._most:
            raise Refusal("muted")

    def _tell(
        self,
        state: TableState,
        client: Client,
        now: int,
        *,
        phrase: Phrase | None = None,
        text: str | None = None,
    ) -> None:
        self._said[client.player].append(now)
        you = show_you(state, client.player, client.name)
        said = messages.Said(seat=you.seat, name=you.name, at=now, phrase=phrase, text=text)
        self.pass_on(said)
        self._heard(said)

    def pass_on(self, said: messages.Said) -> None:
        """Tells everybody here who wants to hear it."""
        for other in self._presence.greeted:
            if (said.name if said.seat is None else said.seat) not in other.muted:
                other.outbox.send(said)
