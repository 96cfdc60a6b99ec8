"""ReplayScreen: a game to step through, from any seat's eyes; or bots playing, to be watched."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import dataclass
from typing import ClassVar

from rich.style import Style
from textual import events, on, work
from textual.binding import Binding, BindingType

from karma.text import event_text, turn_text
from karma.tui.connection import Connection, TableGone
from karma.tui.keys import Key
from karma.tui.local_tables import LocalTables
from karma.tui.news import event_lines
from karma.tui.playback import Playback
from karma.tui.seats import Seats, Sitter
from karma.tui.table import TableScreen

STILL = 0.05  # seconds between looks at a game that stands still
LEAP = 10


@dataclass(frozen=True)
class Watched:
    """A table in this program at which bots play."""

    connection: Connection
    tables: LocalTables
    bots: list[str]


class ReplayScreen(TableScreen):
    """The table from any seat's eyes, at any move."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("right", "step(1)", show=False, priority=True),
        Binding("left", "step(-1)", show=False, priority=True),
        Binding("down,pagedown", f"step({LEAP})", show=False, priority=True),
        Binding("up,pageup", f"step(-{LEAP})", show=False, priority=True),
        Binding("home", "jump(0)", show=False, priority=True),
        Binding("end", "jump(1000000)", show=False, priority=True),
        Binding("space", "run", show=False, priority=True),
        Binding("enter", "jump_typed", show=False, priority=True),
        Binding("e", "eyes", show=False),
        Binding("o", "open", show=False),
        Binding("f", "fork", show=False),
        Binding("w", "review", show=False),
        Binding("escape", "leave", show=False),
    ]

    def __init__(
        self, playback: Playback, seat: int | None = None, watched: Watched | None = None
    ) -> None:
        super().__init__()
        self.playback = playback
        self.seat = seat
        self.watched = watched
        """The table at which this game is being played; None for a recorded game."""
        self.running = watched is not None
        self.opened = False
        self._typed = ""

    def on_mount(self) -> None:
        self.show()
        self.run_on()
        if self.watched is not None:
            self.follow(self.watched)

    @work
    async def follow(self, watched: Watched) -> None:
        """Takes the moves that are made at the table."""
        with suppress(TableGone):
            while True:
                await watched.connection.receive()
                record = watched.tables.record
                self.playback.extend(record.moves if record is not None else ())
                self.show()

    @work
    async def run_on(self) -> None:
        """Goes on by itself while it is running, through the moves there are."""
        while True:
            await asyncio.sleep(self.karma.pace if self.running and self.karma.pace else STILL)
            if not self.running or self.karma.screen is not self:
                continue
            if not self.playback.at_end:
                self.action_step(1, by_hand=False)
            elif self.watched is None or self.playback.game.over:
                self.running = False
                self.show()

    # ---- showing --------------------------------------------------------------------------------

    def show(self) -> None:
        """Shows the game at this move."""
        view = self.playback.view(self.seat)
        self.pile.show(view)
        hands = self.playback.hands() if self.opened else None
        self.seats.show(view, sitters=self._sitters(), hands=hands, known=self.memory_aid)
        self.hand.show(view, active=False)
        self._show_log()
        title = f"Karma · {self.karma.edition_name(view.rules.edition)} · {self._whose()}"
        place = self.say("tui_move_of", ply=self.playback.ply, moves=self.playback.length)
        self.top.show(title, Style(color=self.palette.accent, bold=True), place)
        self.prompt.show(
            f"{'▶' if self.running else '‖'} {turn_text(view, self.say)}",
            Style(color=self.palette.text, bold=True),
        )
        self.offers.show([])
        self.keys.show(self._short_keys())

    def _show_log(self) -> None:
        view = self.playback.view(self.seat)
        lines: list[str] = []
        for happened in self.playback.happened[max(0, self.playback.ply - 200) : self.playback.ply]:
            lines += event_lines(happened, view, self.say)
        fresh = len(event_lines(self.playback.latest, view, self.say))
        self.log_lines.replace(lines, fresh)
        words = [
            event_text(event, view.players, self.seat, self.say) for event in self.playback.latest
        ]
        self.tell(" ".join(words[:3]))

    def _sitters(self) -> list[Sitter]:
        if self.watched is None:
            return []
        names = self.playback.game.players
        return [
            Sitter("" if bot == name else self.say("tui_bot", level=bot))
            for bot, name in zip(self.watched.bots, names, strict=True)
        ]

    def _whose(self) -> str:
        if self.seat is None:
            return self.say("tui_eyes_audience")
        return self.say("tui_eyes", name=self.playback.game.players[self.seat])

    def _short_keys(self) -> list[Key]:
        say = self.say
        return [
            ("space", say("tui_key_pause" if self.running else "tui_key_run"), "run"),
            ("←→", say("tui_key_step"), "step(1)"),
            ("↑↓", say("tui_key_leap"), f"step({LEAP})"),
            ("e", say("tui_key_eyes"), "eyes"),
            ("o", say("tui_key_open"), "open"),
            ("f", say("tui_key_fork"), "fork"),
            *([("w", say("tui_key_review"), "review")] if self._ended else []),
            ("q", say("tui_key_quit"), "leave"),
            ("?", say("tui_key_help"), "help"),
        ]

    def all_keys(self) -> list[Key]:
        say = self.say
        return [
            ("space", say("tui_long_run"), "run"),
            ("← →", say("tui_long_step"), "step(1)"),
            ("↑ ↓", say("tui_long_leap"), f"step({LEAP})"),
            ("Home End", say("tui_long_ends"), "jump(0)"),
            ("123 ⏎", say("tui_long_jump"), "jump_typed"),
            ("e", say("tui_long_eyes"), "eyes"),
            ("o", say("tui_long_open"), "open"),
            ("f", say("tui_long_fork"), "fork"),
            ("w", say("tui_long_review"), "review"),
            *super().all_keys(),
        ]

    # ---- winding --------------------------------------------------------------------------------

    def action_step(self, by: int, *, by_hand: bool = True) -> None:
        """Goes some moves on or back; by hand, the game then stands still."""
        if by_hand:
            self.running = False
        self.playback.wind(self.playback.ply + by)
        self.show()
        if by == 1:
            self.karma.fly(self.playback.latest, self)

    def action_jump(self, ply: int) -> None:
        """Goes to a move."""
        self.running = False
        self.playback.wind(ply)
        self.show()

    def action_jump_typed(self) -> None:
        """Goes to the move whose number was typed."""
        if self._typed:
            self.action_jump(int(self._typed))
        self._typed = ""

    def on_key(self, event: events.Key) -> None:
        """Digits are the number of a move, until Enter."""
        character = event.character or ""
        if character.isdigit() and character.isascii():
            event.stop()
            self._typed = (self._typed + character)[-6:]
            self.tell(self.say("tui_jump", ply=self._typed))

    def action_run(self) -> None:
        """Runs, or stands still."""
        over = self.watched is None or self.playback.game.over
        if not self.running and self.playback.at_end and over:
            self.playback.wind(0)
        self.running = not self.running
        self.show()

    def action_eyes(self) -> None:
        """The next seat's eyes; after the last, the audience's."""
        number = len(self.playback.game.players)
        if self.seat is None:
            self.seat = 0
        else:
            self.seat = self.seat + 1 if self.seat + 1 < number else None
        self.show()

    @on(Seats.Picked)
    def look_from(self, picked: Seats.Picked) -> None:
        """A seat was clicked: its eyes."""
        self.seat = None if self.seat == picked.seat else picked.seat
        self.show()

    def action_open(self) -> None:
        """Shows all hands, or hides them."""
        self.opened = not self.opened
        self.show()

    async def action_fork(self) -> None:
        """Plays on from here, against bots."""
        actor = self.playback.game.actor
        if actor is None:
            self.tell(self.say("error_game_over"), bad=True)
            return
        self.running = False
        seat = actor if self.seat is None else self.seat
        await self.karma.fork(self.playback.record(), self.playback.ply, seat)

    @property
    def _ended(self) -> bool:
        """Is nothing of it still to be played?"""
        return self.watched is None

    def action_review(self) -> None:
        """Goes through the game: what was luck, what was skill; never while it is played."""
        if not self._ended:
            self.tell(self.say("error_not_over"), bad=True)
            return
        self.running = False
        self.karma.show_review(self.playback.record(), self.seat)

    async def action_leave(self) -> None:
        """Back to where one came from, or out."""
        if len(self.karma.screen_stack) > 2:
            self.karma.pop_screen()
        else:
            await self.karma.leave()
