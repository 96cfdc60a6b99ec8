"""Broadcast: what a table says to its company when something changed, and to who comes anew.

Spectators may be told everything late; what waits for them is kept here.
"""

from collections import deque

import msgspec

from karma.protocol import messages
from karma.protocol.codes import PROTOCOL
from karma.protocol.state import Happening, Seat, TableInfo
from karma.table.clients.client import Client
from karma.table.clients.presence import Presence
from karma.table.clients.sight import Shown, show_seats, show_table, show_view, show_views, show_you
from karma.table.log.state import TableState


class Broadcast:
    """What a table's company has been told."""

    def __init__(self, company: Presence, delay: float) -> None:
        self._company = company
        self._delay = round(delay * 1000)
        self._table: TableInfo | None = None
        self._seats: list[Seat] = []
        self._late: deque[tuple[int, messages.Update]] = deque()
        self._late_shown: messages.Update | None = None

    def table(self, sitting: TableState) -> TableInfo:
        """The table but for the cards, as everybody may see it; the same object while it is so."""
        watching = 0
        if sitting.spectators:
            watching = sum(player in sitting.spectators for player in self._company.present)
        table = show_table(sitting, watching)
        if self._table is None or table != self._table:
            self._table = table
        return self._table

    def seats(self, sitting: TableState) -> list[Seat]:
        """The seats, as everybody may see them; the same object while they are so."""
        seats = show_seats(sitting, self._company.present, self._company.asked_at(sitting))
        if seats != self._seats:
            self._seats = seats
        return self._seats

    def version_for(self, sitting: TableState, client: Client) -> int:
        """The version that a client should have by now."""
        if not _is_late(sitting, client):
            return sitting.version
        return self._late_shown.version if self._late_shown is not None else 0

    # ---- news -----------------------------------------------------------------------------------

    def tell(self, sitting: TableState, happened: list[Happening], now: int) -> None:
        """Tells every client what happened, and its own view of what is so now."""
        table, seats = self.table(sitting), self.seats(sitting)
        views = self._changed_views(sitting) if happened else {}
        for client in self._company:
            seat = sitting.seat_of(client.player)
            if seat is None and client.player not in sitting.spectators:
                kicked = client.player in sitting.banned
                self._company.send_away(client, "kicked" if kicked else "seat_moved")
                continue
            if not client.greeted or _is_late(sitting, client):
                continue
            view, run = views.get(seat, (None, None))
            you = show_you(sitting, client.player, client.name)
            client.outbox.send(
                messages.Update(
                    version=sitting.version,
                    now=now,
                    happened=happened,
                    you=you if you != client.you else None,
                    table=table if table is not client.table else None,
                    seats=seats if seats is not client.seats else None,
                    view=view,
                    run=run,
                )
            )
            client.you, client.table, client.seats = you, table, seats
        self._keep_for_later(sitting, happened, table, seats, now)
        if sitting.phase == "closed":
            self._company.close("closed")

    def _changed_views(self, sitting: TableState) -> Shown:
        """The views that have changed; while all choose, that is the view of who chose."""
        changed: set[int | None] = set()
        for client in self._company:
            seat = sitting.seat_of(client.player)
            view = sitting.view(seat) if sitting.choosing is not None else None
            if view is None or view is not client.view:
                changed.add(seat)
            client.view = view
        return show_views(sitting, changed)

    # ---- late spectators ------------------------------------------------------------------------

    def _keep_for_later(
        self,
        sitting: TableState,
        happened: list[Happening],
        table: TableInfo,
        seats: list[Seat],
        now: int,
    ) -> None:
        if sitting.settings.spectators != "delayed":
            self._late.clear()
            self._late_shown = None
            return
        view, run = show_view(sitting, None) or (None, None)
        update = messages.Update(
            version=sitting.version,
            now=now,
            happened=happened,
            table=table,
            seats=seats,
            view=view,
            run=run,
        )
        self._late.append((now + self._delay, update))

    @property
    def late_due(self) -> int | None:
        """When late spectators are to be told something; None if nothing waits."""
        return self._late[0][0] if self._late else None

    def tell_late(self, sitting: TableState, now: int) -> None:
        """Tells late spectators what is old enough by now."""
        while self._late and self._late[0][0] <= now:
            _, self._late_shown = self._late.popleft()
            update = msgspec.structs.replace(self._late_shown, now=now)
            for client in self._company.greeted:
                if _is_late(sitting, client):
                    client.outbox.send(update)

    # ---- whoever comes anew ---------------------------------------------------------------------

    def welcome(self, sitting: TableState, client: Client, since: int | None, now: int) -> None:
        """Tells a client everything it may know, and what it missed since some version."""
        client.greeted = True
        client.you = show_you(sitting, client.player, client.name)
        client.table, client.seats = self.table(sitting), self.seats(sitting)
        version = sitting.version
        view, run = show_view(sitting, client.you.seat) or (None, None)
        if _is_late(sitting, client):
            late = self._late_shown
            version = late.version if late is not None else 0
            view, run = (late.view, late.run) if late is not None else (None, None)
            if late is not None and late.table is not None and late.seats is not None:
                client.table, client.seats = late.table, late.seats
        missed, complete = _missed(sitting, since, version)
        client.outbox.send(
            messages.Welcome(
                protocol=PROTOCOL,
                version=version,
                now=now,
                you=client.you,
                table=client.table,
                seats=client.seats,
                view=view,
                run=run,
                missed=missed,
                complete=complete,
            )
        )


def _is_late(sitting: TableState, client: Client) -> bool:
    return sitting.settings.spectators == "delayed" and sitting.seat_of(client.player) is None


def _missed(sitting: TableState, since: int | None, until: int) -> tuple[list[Happening], bool]:
    """What happened after one version and until another, as far as it is remembered."""
    after = since if since is not None and since <= until else 0
    missed = [step for step in sitting.steps if after < step.version <= until]
    return missed, len(missed) == until - after
