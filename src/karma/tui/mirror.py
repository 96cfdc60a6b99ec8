"""Mirror: a client's copy of the table, kept by the messages it is told."""

from __future__ import annotations

import time

import msgspec

from karma.protocol.messages import Update, Welcome
from karma.protocol.state import Happening, Seat, TableInfo, You
from karma.table.requests.talk import Mute
from karma.view import View


class Mirror:
    """A client's copy of the table, kept by the messages it is told."""

    def __init__(self) -> None:
        self.version = 0
        self.you: You | None = None
        self.table: TableInfo | None = None
        self.seats: list[Seat] = []
        self.view: View | None = None
        self.muted: set[int | str] = set()
        """The seats, and the watchers by name, that are not listened to."""
        self.ahead = 0
        """By how many milliseconds the table's clock is ahead of ours."""

    def take(self, message: Welcome | Update) -> list[Happening]:
        """Takes a message in, and returns what happened by it."""
        self.version = message.version
        self.ahead = message.now - time.time_ns() // 1_000_000
        self.you = message.you or self.you
        self.table = message.table or self.table
        self.seats = message.seats if message.seats is not None else self.seats
        if message.view is not None:
            self.view = View.parse(msgspec.to_builtins(message.view))
        if self.table is not None and self.table.phase in ("lobby", "deal"):
            self.view = None
        return message.missed if isinstance(message, Welcome) else message.happened

    @property
    def memory_aid(self) -> bool:
        """Does the table let everybody be shown what hands are known to hold?"""
        return self.table is None or self.table.settings.memory_aid

    def mute(self, wish: Mute) -> None:
        """Keeps who is not listened to any more, or is again."""
        who = wish.seat if wish.seat is not None else wish.name
        assert who is not None
        if wish.muted:
            self.muted.add(who)
        else:
            self.muted.discard(who)

    def seconds_left(self, seat: Seat) -> int | None:
        """How long a seat may still think; None if there is no clock."""
        if seat.deadline is None:
            return None
        now = time.time_ns() // 1_000_000 + self.ahead
        return max(0, (seat.deadline - now) // 1000)
