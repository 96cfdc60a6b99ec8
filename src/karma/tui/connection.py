"""Connection: one client's connection to a table.

A table in this program and one on a server far away speak the same messages, those of
`karma.protocol`, so the screens do not know the difference.
"""

from typing import Protocol

from karma.protocol.messages import FromClient, FromServer


class TableGone(Exception):
    """The table is gone, or the connection to it for good."""


class Connection(Protocol):
    """What a client needs of a table."""

    @property
    def away(self) -> int | None:
        """For how many seconds the connection has been down; None while it is live."""

    @property
    def left_out(self) -> bool:
        """Whether our seed is not in the present deal, and nobody has said to play on."""

    def play_on(self) -> None:
        """Plays these cards all the same."""

    async def send(self, message: FromClient) -> None:
        """Sends a message to the table."""

    async def receive(self) -> FromServer:
        """The next message from the table; raises TableGone at the end."""

    async def close(self) -> None:
        """Hangs up."""
