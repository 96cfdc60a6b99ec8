"""Request: what a client asks of a table, with how it is handled beside it.

To define one, in `game`, `seats`, `host` or `talk`, is to register it: the decoder, the schema, the
browser's types and the table of the protocol page are made from what there is.
"""

from typing import TYPE_CHECKING, Annotated, ClassVar

from msgspec import Meta

from karma.protocol.messages import FromClient

if TYPE_CHECKING:
    from karma.table.requests.asker import Asker, Entries

RequestId = Annotated[str, Meta(min_length=1, max_length=64, pattern=r"^[A-Za-z0-9_.-]+$(?!\n)")]


class Request(FromClient, frozen=True, kw_only=True):
    """What anybody at the table may ask: answered by one `ack` or `refused` with its id."""

    who: ClassVar[str] = "all"
    plays: ClassVar[bool] = False
    """It is a part of playing, and the rules are limit enough; what else is changed is counted."""
    begins: ClassVar[bool] = False
    """It may begin a game: whoever is there is to take part in the deal, at other processes too."""
    id: RequestId

    def entries(self, asker: "Asker") -> "Entries":
        """The entries that would do what is asked; a Refusal says why it cannot be done."""
        self.check(asker)
        new = self.handle(asker)
        if new and not self.plays:
            asker.needs_allowance()
        return new

    def check(self, asker: "Asker") -> None:
        """Refuses those who may not ask this."""

    def handle(self, asker: "Asker") -> "Entries":
        """The entries that would do it, once who asks may. Nothing that is kept changes here."""
        raise NotImplementedError


class SeatRequest(Request, frozen=True, kw_only=True):
    """What those with a seat may ask."""

    who: ClassVar[str] = "seats"

    def check(self, asker: "Asker") -> None:
        asker.needs_seat()


class HostRequest(Request, frozen=True, kw_only=True):
    """What the host may ask."""

    who: ClassVar[str] = "host"

    def check(self, asker: "Asker") -> None:
        asker.needs_host()
