"""TableScreen: the table on the screen, for a game that is played or one that is shown."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, cast

from rich.style import Style
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.screen import Screen

from karma.text import turn_text, view_text
from karma.texts import Texts
from karma.tui.hand import ROWS, Hand
from karma.tui.keys import Key
from karma.tui.palette import Palette
from karma.tui.panels import Bar, KeyBar, Log, OfferBar
from karma.tui.pile import Pile
from karma.tui.seats import Seats
from karma.view import View

if TYPE_CHECKING:
    from karma.tui.app import KarmaApp


class TableScreen(Screen[None]):
    """All seats, the pile, the log, your cards, and what can be done."""

    DEFAULT_CSS = f"""
    TableScreen {{ layout: vertical; layers: base flight; }}
    TableScreen #top, TableScreen #prompt, TableScreen #offers,
    TableScreen #note, TableScreen #keys {{ height: 1; }}
    TableScreen #middle {{ height: 1fr; }}
    TableScreen #seats {{ width: 1fr; height: 100%; }}
    TableScreen #side {{ width: 39; height: 100%; }}
    TableScreen #pile {{ height: 8; }}
    TableScreen #log {{ height: 1fr; }}
    TableScreen #hand {{ height: {ROWS}; }}
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("question_mark,f1", "help", show=False),
        Binding("r", "rules", show=False),
        Binding("v", "state", show=False),
        Binding("l", "log", show=False),
        Binding("s", "speed", show=False),
        Binding("q,ctrl+c,ctrl+q", "leave", show=False),
    ]

    def __init__(self) -> None:
        super().__init__()
        self.top = Bar("top")
        self.seats = Seats()
        self.pile = Pile()
        self.log_lines = Log()
        self.prompt = Bar("prompt")
        self.hand = Hand()
        self.offers = OfferBar()
        self.note = Bar("note")
        self.keys = KeyBar()

    @property
    def memory_aid(self) -> bool:
        """Is what hands are known to hold shown?"""
        return self.karma.memory_aid

    def compose(self) -> ComposeResult:
        yield self.top
        with Horizontal(id="middle"):
            yield self.seats
            with Vertical(id="side"):
                yield self.pile
                yield self.log_lines
        yield self.prompt
        yield self.hand
        yield self.offers
        yield self.note
        yield self.keys

    @property
    def karma(self) -> KarmaApp:
        return cast("KarmaApp", self.app)

    @property
    def say(self) -> Texts:
        return self.karma.say

    @property
    def palette(self) -> Palette:
        return self.karma.palette

    @property
    def shown(self) -> View | None:
        """The view on the screen."""
        return self.pile.view

    def on_resize(self, event: events.Resize) -> None:
        width = event.size.width
        self.query_one("#side").styles.width = max(39, min(70, width * 2 // 5))
        self.pile.styles.height = 8 if event.size.height >= 24 else 7

    # ---- words ----------------------------------------------------------------------------------

    def tell(self, text: str, *, bad: bool = False) -> None:
        """Says something in the line under the cards."""
        self.note.show(text, Style(color=self.palette.bad if bad else self.palette.text))

    def show_prompt(self, view: View, *, yours: bool) -> None:
        """Whose turn it is, unmistakably if it is yours."""
        text = turn_text(view, self.say)
        if yours:
            self.prompt.show(f"▶ {text}", self.palette.turn)
        else:
            self.prompt.show(f"  {text}", Style(color=self.palette.text))

    # ---- pages ----------------------------------------------------------------------------------

    def action_rules(self) -> None:
        """The rules of exactly this game."""
        if self.shown is not None:
            self.karma.show_rules(self.shown.rules)

    def action_state(self) -> None:
        """Everything on the table in words."""
        if self.shown is not None:
            self.karma.show_page(
                self.say("tui_state"), view_text(self.shown, self.say, known=self.memory_aid)
            )

    def action_log(self) -> None:
        """The whole log."""
        text = "\n".join(self.log_lines.lines) or self.say("nothing_yet")
        self.karma.show_page(self.say("log"), text, at_end=True)

    def action_help(self) -> None:
        """All keys."""
        self.karma.show_page(self.say("keys"), self.help_text())

    def help_text(self) -> str:
        """What every key does here."""
        return "\n".join(f"{key:>12}  {text}" for key, text, _ in self.all_keys())

    def all_keys(self) -> list[Key]:
        """The keys that this screen knows: name, meaning, action."""
        return [
            ("v", self.say("tui_key_state"), "state"),
            ("l", self.say("tui_key_log"), "log"),
            ("s", self.say("tui_key_speed"), "speed"),
            ("r", self.say("tui_key_rules"), "rules"),
            ("q", self.say("tui_key_quit"), "leave"),
            ("?", self.say("tui_key_help"), "help"),
        ]

    def action_speed(self) -> None:
        """The next speed, around."""
        speed = self.karma.next_speed()
        self.tell(self.say("tui_speed", speed=self.say(f"speed_{speed}")))

    async def action_leave(self) -> None:
        """Leaves the table."""
        await self.karma.leave()
