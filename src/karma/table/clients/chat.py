"""Chat: what people say at a table, which is told and not kept."""

from collections.abc import Callable

from karma.protocol import messages
from karma.protocol.codes import Phrase
from karma.refusals import Refusal
from karma.table import names
from karma.table.allowance import Allowance
from karma.table.clients.broadcast import Broadcast
from karma.table.clients.client import Client
from karma.table.clients.sight import show_you
from karma.table.log.state import TableState


class Talk:
    """Who spoke when: nobody may say too much."""

    def __init__(
        self, broadcast: Broadcast, most: int, heard: Callable[[messages.Said], None] | None
    ) -> None:
        self._broadcast = broadcast
        self._allowance = Allowance(most)
        self._heard = heard

    def say(self, state: TableState, client: Client, phrase: Phrase, now: int) -> None:
        """Passes a preset phrase on to those who want to hear it."""
        self._tell(state, client, now, phrase=phrase)

    def chat(self, state: TableState, client: Client, text: str, now: int) -> None:
        """Passes a line of text on to those who want to hear it."""
        if not state.settings.chat:
            raise Refusal("chat_off")
        line = names.line(text)
        if not line:
            raise Refusal("bad_message", reason="nothing visible in the text")
        self._tell(state, client, now, text=line)

    def _tell(
        self,
        state: TableState,
        client: Client,
        now: int,
        *,
        phrase: Phrase | None = None,
        text: str | None = None,
    ) -> None:
        if self._allowance.used_up(client.player, now):
            raise Refusal("muted")
        you = show_you(state, client, state.seat_of(client.player))
        said = messages.Said(seat=you.seat, name=you.name, at=now, phrase=phrase, text=text)
        self._broadcast.pass_on(state, said, now)
        if self._heard is not None:
            self._heard(said)
