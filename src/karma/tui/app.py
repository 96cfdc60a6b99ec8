"""KarmaApp: the application, its screens, and what they share: language, palette, speed, home.

What a game needs is imported when there is one, so that the first screen is there at once.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar

from rich.console import Console
from textual import work
from textual.app import App
from textual.binding import Binding, BindingType
from textual.theme import Theme

from karma.rulebook import rulebook
from karma.texts import LANGUAGES, Texts
from karma.tui import palette
from karma.tui.home import SPEEDS, Home, Plan, Preferences, login_name
from karma.tui.pages import Choices, Page
from karma.tui.setup import SetupScreen

if TYPE_CHECKING:
    from karma.editions import Rules
    from karma.events import Event
    from karma.record import Record
    from karma.tui.connection import Connection
    from karma.tui.local_tables import LocalTables
    from karma.tui.play import PlayScreen
    from karma.tui.preparation import Preparation
    from karma.tui.server import Address
    from karma.tui.table import TableScreen
    from karma.view import View

PATIENCE = 1.0  # seconds, after which a word is said on what takes so long
PACES = {"off": 0.0, "fast": 0.35, "normal": 0.9, "slow": 1.8}

WARM = Theme(
    name="karma",
    primary="#f2c879",
    secondary="#8fb8de",
    accent="#f2c879",
    foreground="#e8e3d9",
    background="#1f1c18",
    surface="#2a2621",
    panel="#332e28",
    success="#8fd694",
    warning="#f2c879",
    error="#ff9d8a",
    dark=True,
)


class KarmaApp(App[str]):
    """The terminal table. What it returns is a last word for the terminal it leaves.

    It begins with the set-up; or with a game by `plan`, with the one that was left (`resume`), with
    a `record` to step through, with bots that play by the plan `watch`, or at a server's table.
    """

    ENABLE_COMMAND_PALETTE = False
    TITLE = "Karma"
    CSS = """
    Button:focus { background: $accent; color: $background; text-style: bold; }
    Select:focus > SelectCurrent { background: $accent 40%; text-style: bold; }
    Input:focus { background: $accent 40%; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+c", "quit", show=False, priority=True)]

    def __init__(
        self,
        home: Home | None = None,
        *,
        plan: Plan | None = None,
        resume: bool = False,
        language: str | None = None,
        speed: str | None = None,
        record: Record | None = None,
        seat: int | None = None,
        watch: Plan | None = None,
        tables: LocalTables | None = None,
        address: Address | None = None,
        name: str | None = None,
        spectate: bool = False,
        colours: int | None = None,
        preparation: Preparation | None = None,
    ) -> None:
        few = (colours or _colours()) <= 16
        super().__init__(ansi_color=few)
        self.palette = palette.ANSI if few else palette.TRUE
        self.home = home or Home()
        self.preferences: Preferences = self.home.preferences()
        if tables is not None:
            self.tables = tables
        self.say = Texts(language or self.preferences.language or _language())
        self._speed = speed
        self._plan = plan
        self._resume = resume
        self._record = record
        self._seat = seat
        self._watch = watch
        self._address = address
        self._player = name
        self._spectate = spectate
        self._preparation = preparation
        self._connection: Connection | None = None
        if not few:
            self.register_theme(WARM)
            self.theme = "karma"

    async def on_mount(self) -> None:
        if not self.home.writable:
            self.notify(self.say("home_not_writable", folder=self.home.folder), severity="warning")
        if self._resume:
            if await self.go_on():
                return
            self.notify(self.say("tui_nothing_to_resume"))
        if self._address is not None:
            await self.join(self._address)
        elif self._record is not None:
            self.show_replay(self._record, self._seat)
        elif self._watch is not None:
            await self.watch_bots(self._watch)
        elif self._plan is not None:
            self.ask_to_begin(self._plan)
        else:
            self.push_screen(SetupScreen(self.preferences.plan))
            if self._preparation is not None:
                self.call_after_refresh(self._preparation.begin)

    # ---- tables ---------------------------------------------------------------------------------

    @cached_property
    def tables(self) -> LocalTables:
        """The tables of this machine."""
        from karma.tui.local_tables import LocalTables

        return LocalTables(self.home)

    @work
    async def ask_to_begin(self, plan: Plan) -> None:
        """A new game; if one was left, that is offered first."""
        await self._prepared()
        if self.can_go_on and await self.tables.left_players():
            ways = [self.say("tui_go_on"), self.say("tui_put_away")]
            chosen = await self.push_screen_wait(Choices(ways, self.say("tui_kept_game")))
            if chosen == 0:
                await self.go_on()
            if chosen != 1:
                if len(self.screen_stack) == 1:
                    self.push_screen(SetupScreen(plan))
                return
        await self.begin(plan)

    async def watch_bots(self, plan: Plan) -> None:
        """Bots that play, to be watched."""
        from karma.tui.playback import Playback
        from karma.tui.replay import ReplayScreen, Watched

        connection = await self.tables.watch(plan)
        record = self.tables.record
        assert record is not None
        self._connection = connection
        watched = Watched(connection, self.tables, plan.bots)
        self.push_screen(ReplayScreen(Playback(record), self._seat, watched))

    async def begin(self, plan: Plan) -> None:
        """A new game against bots."""
        plan = replace(plan, name=self._player or plan.name or login_name())
        self.preferences.plan = replace(plan, seed=None)
        self.keep_preferences()
        if self.home.writable and not self.home.claim():
            self.notify(self.say("tui_other_terminal"), severity="warning")
        await self._sit(await self.tables.begin(plan))

    async def go_on(self) -> bool:
        """The game that was left, if there is one."""
        await self._prepared()
        connection = await self.tables.resume()
        if connection is None:
            if self.home.claim():
                self.home.forget()
            return False
        await self._sit(connection)
        return True

    async def _prepared(self) -> None:
        """Waits for what was begun beside the first screen, and says so if that takes long."""
        if self._preparation is not None and not await self._preparation.ended(PATIENCE):
            self.notify(self.say("play_preparing"))
            await self._preparation.ended()

    async def fork(self, record: Record, ply: int, seat: int) -> None:
        """A practice game from a position of a record."""
        name = self.home.player_name
        bot = self.preferences.plan.bots[0] if self.preferences.plan.bots else "greedy"
        await self._sit(await self.tables.fork(record, ply, seat, name, bot))

    async def join(self, address: Address) -> None:
        """Sits down at a table on a server; the token is kept, so that the seat is too."""
        from karma.tui.server import ServerConnection, ServerError, reach

        try:
            reached = await asyncio.to_thread(
                reach, address, self.home, self._player, spectate=self._spectate
            )
        except ServerError as error:
            self.exit(message=self.error_text(error.code, error.parameters), return_code=1)
            return
        await self._sit(ServerConnection(*reached))

    async def _sit(self, connection: Connection) -> None:
        if self._connection is not None:
            await self._connection.close()
        from karma.tui.play import PlayScreen

        self._connection = connection
        self.push_screen(PlayScreen(connection))

    @property
    def far(self) -> bool:
        """Is the table on a server, with other people at it?"""
        return self._address is not None

    def link(self, invite: str) -> str:
        """What friends are given to come to this table."""
        return f"{self._address.server if self._address is not None else ''}/join/{invite}"

    @property
    def can_go_on(self) -> bool:
        """Is there a game that was left?"""
        return self._connection is None and self.home.has_log and self.home.claim()

    async def set_up(self) -> None:
        """Back to the set-up, to begin another game."""
        if self._connection is not None:
            await self._connection.close()
            self._connection = None
        while len(self.screen_stack) > 1:
            self.pop_screen()
        self.push_screen(SetupScreen(self.preferences.plan))

    async def leave(self) -> None:
        """Leaves the table; what was played is kept."""
        word = ""
        if self._connection is not None:
            await self._connection.close()
            if self._watch is not None:
                pass
            elif self._address is not None:
                word = self.say("tui_goodbye_remote")
            elif self.tables.kept:
                word = self.say("tui_goodbye")
            elif not self.tables.unfinished and self.home.claim():
                self.home.forget()
        self.exit(word)

    def on_unmount(self) -> None:
        self.home.release()
        if self._preparation is not None:
            self._preparation.stop()

    async def action_quit(self) -> None:
        """Ctrl-C leaves, as the quit key does."""
        await self.leave()

    # ---- what screens share ---------------------------------------------------------------------

    @property
    def pace(self) -> float:
        """Seconds for which another's move is shown."""
        return PACES[self._speed or self.preferences.speed]

    @property
    def confirm(self) -> bool:
        return self.preferences.confirm

    @property
    def memory_aid(self) -> bool:
        return self.preferences.memory_aid

    def next_speed(self) -> str:
        """Changes the speed, and tells the new one."""
        now = self._speed or self.preferences.speed
        self.preferences.speed = SPEEDS[(SPEEDS.index(now) + 1) % len(SPEEDS)]
        self._speed = None
        self.keep_preferences()
        return self.preferences.speed

    def toggle_confirm(self) -> bool:
        """Asks before what cannot be taken back, or not; tells which."""
        self.preferences.confirm = not self.preferences.confirm
        self.keep_preferences()
        return self.preferences.confirm

    def speak(self, language: str) -> None:
        """Changes the language."""
        self.say = Texts(language)
        self.preferences.language = language
        self.keep_preferences()

    def keep_preferences(self) -> None:
        """Writes the preferences down; a full disk does not stop the game."""
        try:
            self.home.keep_preferences(self.preferences)
        except OSError as error:
            self.notify(str(error), severity="error")

    def ring(self) -> None:
        """It is your turn."""
        if self.preferences.bell and self.pace:
            self.bell()

    def edition_name(self, edition: str) -> str:
        """An edition's name in the player's language."""
        return self.say(f"edition_{edition}")

    def error_text(self, code: str, parameters: Mapping[str, object]) -> str:
        """A refusal in the player's language."""
        from karma.tui.news import told_error

        return told_error(code, parameters, self.say)

    # ---- pages ----------------------------------------------------------------------------------

    def show_page(self, title: str, text: str, *, at_end: bool = False) -> None:
        """Something to read."""
        self.push_screen(Page(title, text, at_end=at_end))

    def show_rules(self, rules: Rules) -> None:
        """The rules of exactly this game."""
        self.push_screen(Page("", rulebook(rules, self.say.language).markdown(), markdown=True))

    def show_statistics(self) -> None:
        """Your games so far, in numbers."""
        from karma.tui.end import statistics_text
        from karma.tui.statistics import PlayerStatistics

        text = statistics_text(PlayerStatistics.of(self.home.records()), self.say)
        self.show_page(self.say("tui_statistics"), text)

    def show_replay(self, record: Record, seat: int | None) -> None:
        """A game to step through."""
        from karma.tui.playback import Playback
        from karma.tui.replay import ReplayScreen

        self.push_screen(ReplayScreen(Playback(record), seat))

    def show_review(self, record: Record, seat: int | None) -> None:
        """Opens the review of a game."""
        from karma.tui.review import ReviewPage

        self.push_screen(ReviewPage(self.say("review"), record, seat))

    def show_end(self, view: View, table: PlayScreen) -> None:
        """The end of a game."""
        from karma.tui.end import EndScreen

        self.push_screen(EndScreen(view, table))

    def fly(self, told: Sequence[Event], table: TableScreen) -> None:
        """Lets cards fly, if there is time for that."""
        from karma.tui.animation import take_off

        if self.pace and self.screen is table:
            take_off(told, table, self.pace, self.palette)


def _language() -> str:
    """The language of the terminal, if it is one of ours."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if os.environ.get(name):
            language = os.environ[name].split("_")[0].split(".")[0].lower()
            return language if language in LANGUAGES else "en"
    return "en"


def _colours() -> int:
    """How many colours the terminal has."""
    systems = {None: 2, "standard": 16, "windows": 16, "256": 256, "truecolor": 1 << 24}
    return systems[Console().color_system]
