"""Talk: what people say at a table, which is told and not kept, and to whom they listen."""

from typing import Annotated

from msgspec import Meta

from karma.protocol.codes import Phrase
from karma.protocol.state import SeatNumber
from karma.table.requests.asker import Asker, Entries
from karma.table.requests.request import Request


class Say(Request, tag="say", frozen=True, kw_only=True):
    """A preset phrase."""

    phrase: Phrase

    def handle(self, asker: Asker) -> Entries:
        asker.talk.say(asker.state, asker.connection, self.phrase, asker.now)
        return []


class Chat(Request, tag="chat", frozen=True, kw_only=True):
    """A line of free text, if `settings.chat`."""

    text: Annotated[str, Meta(min_length=1, max_length=500)]

    def handle(self, asker: Asker) -> Entries:
        asker.talk.chat(asker.state, asker.connection, self.text, asker.now)
        return []


class Mute(Request, tag="mute", frozen=True, kw_only=True):
    """Stop, or start again, hearing what a seat says."""

    seat: SeatNumber
    muted: bool

    def handle(self, asker: Asker) -> Entries:
        asker.chair_at(self.seat)
        deaf_to = asker.connection.muted
        if self.muted:
            deaf_to.add(self.seat)
        else:
            deaf_to.discard(self.seat)
        return []
