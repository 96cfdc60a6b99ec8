"""LiveTableScreen: a table at which a game is played: what is told, shown at a pace."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from rich.style import Style
from textual import work

from karma.events import Event
from karma.moves import Move
from karma.protocol import messages
from karma.protocol.messages import FromServer, Update, Welcome
from karma.protocol.state import Happening, Seat
from karma.tui.connection import Connection, TableGone
from karma.tui.keys import short_keys
from karma.tui.mirror import Mirror
from karma.tui.news import events_of, lines, lines_of_this_game
from karma.tui.offers import Offer, offers
from karma.tui.seats import Sitter
from karma.tui.statistics import GameStatistics
from karma.tui.table import TableScreen
from karma.view import View

BEHIND = 24
"""So many messages waiting to be shown, and they are shown without a pause."""


class LiveTableScreen(TableScreen):
    """The table as a client is told of it, one thing after another."""

    def __init__(self, connection: Connection) -> None:
        super().__init__()
        self.connection = connection
        self.mirror = Mirror()
        self.statistics: GameStatistics | None = None
        self.marked: int | None = None
        """The player to whom the pile would be given."""
        self._waiting: asyncio.Queue[Welcome | Update] = asyncio.Queue()
        self._hurry = asyncio.Event()
        self._sent: str | None = None
        self._wished: str | None = None
        self._warned: Move | None = None
        self._warned_of_undo = False
        self._game = 0
        self._held = 0
        """The game that we were left out of and held for, once: news do not ask again, keys do."""
        self._was_away = False

    # ---- listening ------------------------------------------------------------------------------

    def on_mount(self) -> None:
        self.listen()
        self.show_all()
        self.set_interval(1, self._tick)

    def _tick(self) -> None:
        """Shows how time and the line go."""
        clocks = any(seat.deadline is not None for seat in self.mirror.seats)
        if clocks or self.connection.away is not None or self._was_away:
            self._was_away = self.connection.away is not None
            self.show([])

    @work
    async def listen(self) -> None:
        """Takes messages as they come."""
        try:
            while True:
                self._take(await self.connection.receive())
        except TableGone as closed:
            self.prompt.show(self.karma.error_text(str(closed), {}), Style(color=self.palette.bad))

    @work
    async def show_all(self) -> None:
        """Shows what was told, one thing after another, at the pace that was chosen."""
        while True:
            message = await self._waiting.get()
            happened = self.mirror.take(message)
            if isinstance(message, Welcome):
                self._come(happened, complete=message.complete)
                await self._pause([], None)
                continue
            told, before = events_of(happened), self.shown
            self._count(happened)
            self.show(told)
            self.log_lines.add(lines(happened, self.mirror, self.say))
            await self._pause(told, before)

    def _come(self, missed: Sequence[Happening], *, complete: bool) -> None:
        """Shows the table to somebody who comes, or comes back: also what happened meanwhile."""
        first = not self.log_lines.lines
        self._count(missed)
        self.show([])
        if not first:
            self.log_lines.add(lines(missed, self.mirror, self.say))
            return
        told = lines_of_this_game(missed, self.mirror, self.say)
        number = self.mirror.table.game if self.mirror.table is not None else 0
        whole = complete or any(step.game < number for step in missed)
        self.log_lines.add(told if whole else [self.say("news_earlier"), *told])

    def _take(self, message: FromServer) -> None:
        match message:
            case Welcome() | Update():
                self._waiting.put_nowait(message)
            case messages.Refused(id=id, code=code, parameters=parameters) if id == self._wished:
                self.tell(self.karma.error_text(code, parameters), bad=True)
            case messages.Refused(id=id, code=code, parameters=parameters) if id == self._sent:
                self._sent = None
                self.tell(self.karma.error_text(code, parameters), bad=True)
                self.show([])
            case messages.Said(name=name, phrase=phrase, text=text):
                words = text or self.say(f"phrase_{phrase}")
                self.log_lines.add([f"{name}: {words}"])
            case messages.Advice():
                self.advised(message)
            case messages.Error(code=code, parameters=parameters):
                self.tell(self.karma.error_text(code, parameters), bad=True)

    async def _pause(self, told: Sequence[Event], before: View | None) -> None:
        """Lets the others' moves be seen; any key hurries on."""
        view = self.shown
        seats = {getattr(event, "seat", None) for event in told}
        by_others = bool(told) and view is not None and view.seat not in seats
        if by_others and self._waiting.qsize() < BEHIND:
            self._hurry.clear()
            try:
                async with asyncio.timeout(self.karma.pace):
                    await self._hurry.wait()
            except TimeoutError:
                pass
        if view is None or not self._waiting.empty():
            return
        if self.connection.left_out and self._game != self._held:
            self._held = self._game
            self.hold()
        if self.yours and not (before is not None and before.actor == view.seat):
            self.karma.ring()
        if view.phase == "over":
            self.ended()

    def _count(self, happened: Sequence[Happening]) -> None:
        """Counts what happened in the present game."""
        view, table = self.mirror.view, self.mirror.table
        if view is None or table is None:
            return
        if self.statistics is None or table.game != self._game:
            self.statistics = GameStatistics(len(view.players))
            self._game = table.game
            self._warned_of_undo = False
            self.tell("")
        self.statistics.count(events_of([step for step in happened if step.game == table.game]))

    # ---- showing --------------------------------------------------------------------------------

    @property
    def caught_up(self) -> bool:
        """Is everything shown that was told, and everything answered that was sent?"""
        settled = self._waiting.empty() and self._sent is None
        return settled and self.connection.away is None and not self.connection.left_out

    @property
    def yours(self) -> bool:
        """Do you decide, here and now?"""
        return self.shown is not None and bool(self.shown.legal) and self.caught_up

    @property
    def memory_aid(self) -> bool:
        """Is what hands are known to hold shown? Not where the host wants it to be remembered."""
        return self.mirror.memory_aid and self.karma.memory_aid

    def show(self, told: Sequence[Event]) -> None:
        """Shows the mirror's view."""
        view = self.mirror.view
        self._show_top()
        if view is None:
            self._show_lobby()
            return
        if told or (self.shown is not None and self.shown.ply != view.ply):
            self._sent = None
            self._warned = None
        if self.mirror.table is not None and view.phase == "choose":
            self._sent = None
        sitters = [self._sitter(seat) for seat in self.mirror.seats]
        self.pile.show(view)
        self.marked = self._first_marked(view) if self.yours else None
        self.seats.show(view, sitters=sitters, marked=self.marked, known=self.memory_aid)
        self.hand.show(view, active=self.yours)
        self._show_offers()
        self.keys.show(short_keys(self.mirror, self.say, far=self.karma.far))
        if told:
            self.tell("")
        self.karma.fly(told, self)

    def _show_top(self) -> None:
        table, view = self.mirror.table, self.mirror.view
        title = "Karma"
        if table is not None:
            title += f" · {self.karma.edition_name(table.settings.edition)}"
            if self.shown is not None and self.shown.rules.house_rules:
                title += f" · {self.say('house_rules').lower()}"
            if table.game > 1:
                title += f" · {self.say('tui_game_number', number=table.game)}"
            if table.practice:
                title += f" · {self.say('tui_practice')}"
        right = ""
        away = self.connection.away
        if away is not None:
            right = self.say("tui_away", seconds=away)
        elif view is not None and view.quiet_left is not None:
            right = self.say("quiet_left", count=view.quiet_left)
        self.top.show(title, Style(color=self.palette.accent, bold=True), right)

    def _show_lobby(self) -> None:
        """Who is there, while nothing is dealt."""
        table, you = self.mirror.table, self.mirror.you
        if table is None or you is None:
            self.prompt.show(self.say("connecting"), Style(color=self.palette.text))
            return
        names = ", ".join(seat.name for seat in self.mirror.seats)
        if table.phase == "deal":
            text = self.say("notice_shuffling")
        else:
            text = self.say("tui_lobby_host" if you.host else "tui_lobby", names=names)
        self.prompt.show(text, self.palette.turn)
        self.keys.show(short_keys(self.mirror, self.say, far=self.karma.far))
        if you.invite is not None:
            self.tell(self.say("tui_invite", link=self.karma.link(you.invite)))

    def _sitter(self, seat: Seat) -> Sitter:
        left = self.mirror.seconds_left(seat)
        if seat.preparing:
            return Sitter(self.say("tui_preparing"), away=True)
        if seat.bot is not None:
            return Sitter(self.say("tui_bot", level=seat.bot) if seat.bot != seat.name else "")
        if seat.covered is not None:
            return Sitter(self.say("tui_covered"), away=True)
        if not seat.connected:
            return Sitter(self.say("not_connected"), away=True)
        return Sitter("" if left is None else self.say("seconds", count=left))

    def _show_offers(self) -> None:
        view = self.shown
        assert view is not None
        self.show_prompt(view, yours=self.yours)
        if not self.yours:
            end = [Offer(self.say("tui_to_end"), action="end")] if view.phase == "over" else []
            self.offers.show(end)
            return
        if view.phase == "choose":
            left = self.hand.left_to_choose
            text = self.say("tui_choose", count=left) if left else self.say("tui_chosen")
            self.prompt.show(f"▶ {text}", self.palette.turn)
        self.offers.show(offers(view, self.hand, self.marked, self.say))

    def _first_marked(self, view: View) -> int | None:
        """The player to whom the pile is offered first: who holds the fewest cards."""
        if view.phase != "give":
            return None
        seats = [int(move.text[1:]) for move in view.legal]
        return min(seats, key=lambda seat: (view.hand_sizes[seat], seat), default=None)

    def hurry(self) -> None:
        """Shows what is waiting without a pause."""
        self._hurry.set()

    def advised(self, advice: messages.Advice) -> None:
        """A hint that was asked for has come."""

    def hold(self) -> None:
        """Our seed was left out of the deal: nothing is played before its person says so."""

    def ended(self) -> None:
        """The game is over, and its last move has been seen."""
