"""Broadcast: what a table says to its clients when something changed, and to who comes anew.

Spectators may be told everything late, from the first game on; what waits for them is kept here.
"""

from collections import deque
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

import msgspec

from karma.protocol import messages
from karma.protocol.bodies import Look
from karma.protocol.codes import PROTOCOL
from karma.protocol.state import Counts, Happening, Seat, TableInfo, ViewData
from karma.table.clients.client import Client
from karma.table.clients.presence import Presence
from karma.table.clients.sight import (
    Shown,
    show_counts,
    show_seats,
    show_table,
    show_view,
    show_views,
    show_you,
)
from karma.table.deadlines import Terms
from karma.table.log.state import TableState

Acks = Mapping[Client, messages.Ack]
"""The answers to those who asked for what happened."""


class Broadcast:
    """What the clients of a table have been told."""

    def __init__(
        self, presence: Presence, terms: Terms, preparing: Callable[[], Collection[str]]
    ) -> None:
        self._presence = presence
        self._terms = terms
        self._preparing = preparing
        self._delay = round(terms.delay * 1000)
        self._table: TableInfo | None = None
        self._seats: list[Seat] = []
        self._late: deque[tuple[int, Snapshot | messages.Said]] = deque()
        self._late_shown: Snapshot | None = None

    def begin(self, state: TableState) -> None:
        """A table was replayed: late spectators see it when what happened last is late enough."""
        if state.steps and self._late_shown is None and not self._late:
            self._keep_for_later(state, [], state.steps[-1].at)

    def table(self, state: TableState) -> TableInfo:
        """The table but for the cards, as everybody may see it; the same object while it is so."""
        here = self._presence.present
        watching = [name for player, name in state.spectators.items() if player in here]
        table = show_table(state, watching)
        if self._table is None or table != self._table:
            self._table = table
        return self._table

    def seats(self, state: TableState) -> list[Seat]:
        """The seats, as everybody may see them; the same object while they are so."""
        seats = show_seats(state, self._presence, self._terms, self._preparing())
        if seats != self._seats:
            self._seats = seats
        return self._seats

    def look(self, state: TableState, player: str | None) -> Look:
        """The table as one sees it before joining; a running game as late as its spectators."""
        seat = state.seat_of(player) if player is not None else None
        table, seats = self.table(state), self.seats(state)
        if seat is None and _hides_the_present(state) and not state.between_games:
            shown = self._shown_late(state)
            offered = {each.seat: each.offered for each in seats}  # or nobody could come in time
            table = shown.table
            seats = [
                msgspec.structs.replace(each, offered=offered.get(each.seat, False))
                for each in shown.seats
            ]
        return Look(table=table, seats=seats, you=seat)

    def version_for(self, state: TableState, client: Client) -> int:
        """The version that a client should have by now."""
        if not _is_late(state, client):
            return state.version
        return self._shown_late(state).version

    def as_late(
        self, state: TableState, client: Client, answer: messages.FromServer
    ) -> messages.FromServer:
        """An answer as its client may have it: late spectators learn nothing of the present."""
        if not _is_late(state, client):
            return answer
        late = self._shown_late(state)
        if isinstance(answer, messages.Ack):
            return msgspec.structs.replace(answer, version=self.version_for(state, client))
        if isinstance(answer, messages.Refused):
            ply = late.view.ply if late.view is not None else 0
            return msgspec.structs.replace(answer, game=late.table.game, ply=ply)
        return answer

    # ---- news -----------------------------------------------------------------------------------

    def tell(
        self,
        state: TableState,
        happened: list[Happening],
        now: int,
        acks: Acks | None = None,
    ) -> None:
        """Tells every client what happened, and its own view of what is so now.

        The answer to who asked for it goes with that, or before, where a client is not told.
        """
        acks = acks or {}
        for client, ack in acks.items():
            if not self._is_told(state, client):
                client.outbox.send(ack)
        table, seats = self.table(state), self.seats(state)
        views = self._changed_views(state) if happened else {}
        counts = _counts_for(state, views)
        late = _hides_the_present(state)
        for client in self._presence:
            seat = state.seat_of(client.player)
            if seat is None and client.player not in state.spectators:
                kicked = client.player in state.banned
                self._presence.send_away(client, "kicked" if kicked else "seat_moved")
                continue
            if not client.greeted or (late and seat is None):
                continue
            you = show_you(state, client, seat)
            news = messages.Update(
                version=state.version,
                now=now,
                happened=happened,
                you=you if you != client.you else None,
                table=table if table is not client.table else None,
                seats=seats if seats is not client.seats else None,
                view=views.get(seat),
                counts=counts.get(seat),
            )
            if client in acks:
                client.outbox.send(acks[client], news)
            elif happened or news.you or news.table or news.seats:
                client.outbox.send(news)
            client.you, client.table, client.seats = you, table, seats
        self._keep_for_later(state, happened, now)
        if state.phase == "closed":
            self._presence.close("closed")

    def _is_told(self, state: TableState, client: Client) -> bool:
        """Is this client one of those who are told at once what happens?"""
        seated = state.seat_of(client.player) is not None
        watches = client.player in state.spectators and not _hides_the_present(state)
        return (seated or watches) and any(client is each for each in self._presence.greeted)

    def pass_on(self, state: TableState, said: messages.Said, now: int) -> None:
        """Tells everybody who wants to hear it what was said, late spectators late.

        What spectators say, other spectators hear at once: it is of what they have seen.
        """
        late = said.seat is not None and _hides_the_present(state)
        for client in self._presence.greeted:
            if not (late and _is_late(state, client)):
                _let_hear(client, said)
        if late:
            self._late.append((now + self._delay, said))

    def _changed_views(self, state: TableState) -> Shown:
        """The views that have changed; while all choose, that is the view of who chose."""
        changed: set[int | None] = set()
        for client in self._presence:
            seat = state.seat_of(client.player)
            view = state.view(seat) if state.choosing is not None else None
            if view is None or view is not client.view:
                changed.add(seat)
            client.view = view
        return show_views(state, changed)

    # ---- late spectators ------------------------------------------------------------------------

    def _keep_for_later(self, state: TableState, happened: list[Happening], now: int) -> None:
        if state.settings.spectators != "delayed":
            self._late.clear()
            self._late_shown = None
            return
        shown = Snapshot(
            version=state.version,
            happened=happened,
            table=self.table(state),
            seats=self.seats(state),
            view=show_view(state, None),
            counts=show_counts(state, None),
        )
        if _hides_the_present(state):
            self._late.append((now + self._delay, shown))
        else:
            self._late_shown = shown

    def _shown_late(self, state: TableState) -> "Snapshot":
        """What late spectators have been shown; an empty table before anything is late enough."""
        if self._late_shown is not None:
            return self._late_shown
        empty = TableState(state.id, settings=state.settings)
        table = show_table(empty, [])
        return Snapshot(version=0, happened=[], table=table, seats=[], view=None, counts=None)

    @property
    def late_due(self) -> int | None:
        """When late spectators are to be told something; None if nothing waits."""
        return self._late[0][0] if self._late else None

    def tell_late(self, state: TableState, now: int) -> None:
        """Tells late spectators what is old enough by now."""
        while self._late and self._late[0][0] <= now:
            _, news = self._late.popleft()
            late = [client for client in self._presence.greeted if _is_late(state, client)]
            if isinstance(news, messages.Said):
                for client in late:
                    _let_hear(client, news)
                continue
            self._late_shown = news
            for client in late:
                client.outbox.send(news.update(now))

    # ---- whoever comes anew ---------------------------------------------------------------------

    def welcome(self, state: TableState, client: Client, since: int | None, now: int) -> None:
        """Tells a client everything it may know, and what it missed since some version."""
        client.greeted = True
        client.you = show_you(state, client, state.seat_of(client.player))
        client.table, client.seats = self.table(state), self.seats(state)
        version = state.version
        view = show_view(state, client.you.seat)
        counts = show_counts(state, client.you.seat)
        if _is_late(state, client):
            late = self._shown_late(state)
            version, view, counts = late.version, late.view, late.counts
            client.table, client.seats = late.table, late.seats
        missed, complete = _missed(state, since, version)
        client.outbox.send(
            messages.Welcome(
                protocol=PROTOCOL,
                version=version,
                now=now,
                you=client.you,
                table=client.table,
                seats=client.seats,
                view=view,
                counts=counts,
                missed=missed,
                complete=complete,
            )
        )


@dataclass(frozen=True)
class Snapshot:
    """A table as its spectators see it at some version, and what happened by that."""

    version: int
    happened: list[Happening]
    table: TableInfo
    seats: list[Seat]
    view: ViewData | None
    counts: Counts | None

    def update(self, now: int) -> messages.Update:
        """The message that shows it."""
        return messages.Update(
            version=self.version,
            now=now,
            happened=self.happened,
            table=self.table,
            seats=self.seats,
            view=self.view,
            counts=self.counts,
        )


def _counts_for(state: TableState, views: Shown) -> dict[int | None, Counts | None]:
    """What the rules count for the views that are told."""
    if state.choosing is not None:
        return {seat: show_counts(state, seat) for seat in views}
    return dict.fromkeys(views, show_counts(state, None) if views else None)


def _hides_the_present(state: TableState) -> bool:
    """Do spectators see this table late? Before its first game there is nothing to hide."""
    return state.settings.spectators == "delayed" and state.number > 0


def _is_late(state: TableState, client: Client) -> bool:
    return _hides_the_present(state) and state.seat_of(client.player) is None


def _let_hear(client: Client, said: messages.Said) -> None:
    """Passes words on, unless their speaker is not wanted to be heard."""
    if (said.name if said.seat is None else said.seat) not in client.muted:
        client.outbox.send(said)


def _missed(state: TableState, since: int | None, until: int) -> tuple[list[Happening], bool]:
    """What happened after one version and until another, as far as it is remembered."""
    after = since if since is not None and since <= until else 0
    missed = [step for step in state.steps if after < step.version <= until]
    return missed, len(missed) == until - after
