"""Talk: what people say at a table, which is told and not kept, and to whom they listen."""

from typing import Annotated

from msgspec import Meta

from karma.protocol.codes import Phrase
from karma.protocol.state import Name, SeatNumber
from karma.refusals import Refusal
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
    """Stop, or start again, hearing what a seat says, or a spectator of this name."""

    seat: SeatNumber | None = None
    name: Name | None = None
    muted: bool

    def handle(self, asker: Asker) -> Entries:
        who: int | str
        if self.seat is not None:
            asker.chair_at(self.seat)
            who = self.seat
        elif self.name is not None and self.name in asker.state.spectators.values():
            who = self.name
        else:
            raise Refusal("no_such_seat")
        if self.muted:
            asker.connection.muted.add(who)
        else:
            asker.connection.muted.discard(who)
        return []
