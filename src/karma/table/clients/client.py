"""Client: one connection of one player to a table, and the outbox that its messages go into."""

from dataclasses import dataclass, field
from typing import Protocol

from karma.protocol.codes import ErrorCode
from karma.protocol.messages import FromServer
from karma.protocol.state import Seat, TableInfo, You
from karma.view import View


class Outbox(Protocol):
    """Where a table puts a client's messages: never waits, never raises, keeps their order."""

    def send(self, *messages: FromServer) -> None:
        """Takes messages on their way; what is given together can go together."""

    def close(self, code: ErrorCode) -> None:
        """Ends the connection, with the reason for it."""


@dataclass(eq=False)
class Client:
    """A connection, and what it has been shown last."""

    player: str
    name: str
    outbox: Outbox
    greeted: bool = False
    """Has said hello, and is told everything since."""
    muted: set[int | str] = field(default_factory=set)
    """The seats, and the spectators by name, that it does not want to hear."""
    you: You | None = None
    table: TableInfo | None = None
    seats: list[Seat] | None = None
    view: View | None = None
    """The view, while all choose."""
