"""Talk: what people say at a table, which is told and not kept."""

from collections import deque

from karma.protocol import messages
from karma.table import names
from karma.table.clients.client import Client
from karma.table.clients.presence import Presence
from karma.table.clients.sight import show_you
from karma.table.log.state import TableState
from karma.table.refusal import Refusal

WINDOW = 10_000


class Talk:
    """Who spoke when: nobody may say too much."""

    def __init__(self, presence: Presence, most: int) -> None:
        self._presence = presence
        self._most = most
        self._said: dict[str, deque[int]] = {}

    def speak(
        self, state: TableState, client: Client, message: messages.Say | messages.Chat, now: int
    ) -> None:
        """Passes a phrase or a line of text on to those who want to hear it."""
        recent = self._said.setdefault(client.player, deque())
        while recent and recent[0] <= now - WINDOW:
            recent.popleft()
        if len(recent) >= self._most:
            raise Refusal("muted")
        phrase, text = None, None
        if isinstance(message, messages.Say):
            phrase = message.phrase
        elif not state.settings.chat:
            raise Refusal("chat_off")
        else:
            text = names.line(message.text)
            if not text:
                raise Refusal("bad_message", reason="nothing visible in the text")
        recent.append(now)
        you = show_you(state, client.player, client.name)
        said = messages.Said(seat=you.seat, name=you.name, at=now, phrase=phrase, text=text)
        for other in self._presence.greeted:
            if said.seat not in other.muted:
                other.outbox.send(said)


def mute(state: TableState, client: Client, message: messages.Mute) -> None:
    """Closes a client's ears to a seat, or opens them again."""
    if message.seat >= len(state.chairs):
        raise Refusal("no_such_seat")
    if message.muted:
        client.muted.add(message.seat)
    else:
        client.muted.discard(message.seat)
