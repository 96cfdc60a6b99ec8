"""Pages: something to read over the table, left with Escape."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar, cast

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Input, Label, OptionList, Static

if TYPE_CHECKING:
    from karma.tui.app import KarmaApp

LONGEST_LINE = 200


class Page(ModalScreen[None]):
    """A page of text that can be scrolled."""

    DEFAULT_CSS = """
    Page { align: center middle; }
    Page > Vertical {
        width: 90%; max-width: 100; height: auto; max-height: 90%;
        border: round $accent; padding: 0 1;
    }
    Page VerticalScroll { height: auto; max-height: 100%; }
    Page .heading { text-style: bold; color: $accent; }
    Page .foot { color: $text-muted; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,enter,space,question_mark,f1", "dismiss", show=False, priority=True),
        Binding("down,j", "scroll(1)", show=False),
        Binding("up,k", "scroll(-1)", show=False),
        Binding("pagedown", "scroll(10)", show=False),
        Binding("pageup", "scroll(-10)", show=False),
    ]

    FOOT = "tui_page_foot"
    """The key of the text that names the page's keys."""

    def __init__(self, title: str, text: str, *, markdown: bool = False, at_end: bool = False):
        super().__init__()
        self._title = title
        self.text = text
        self._markdown = markdown
        self._at_end = at_end

    @property
    def karma(self) -> KarmaApp:
        return cast("KarmaApp", self.app)

    def compose(self) -> ComposeResult:
        with Vertical():
            if self._title:
                yield Label(self._title, classes="heading", markup=False)
            with VerticalScroll() as scroll:
                scroll.can_focus = True
                if self._markdown:
                    from textual.widgets import Markdown

                    yield Markdown(self.text)
                else:
                    yield Static(self.text, id="text", markup=False)
            yield Label(self.karma.say(self.FOOT), classes="foot", markup=False)

    def on_mount(self) -> None:
        if self._at_end:
            self.query_one(VerticalScroll).scroll_end(animate=False)

    def action_scroll(self, by: int) -> None:
        """Scrolls the text."""
        self.query_one(VerticalScroll).scroll_relative(y=by, animate=False)

    def on_click(self, event: events.Click) -> None:
        self.dismiss()


class Choices(ModalScreen[int | None]):
    """Lines of which one can be chosen; the answer is its number."""

    DEFAULT_CSS = """
    Choices { align: center middle; }
    Choices OptionList { width: 40; height: auto; max-height: 90%; border: round $accent; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q", "dismiss", show=False)]

    def __init__(self, lines: Sequence[str], title: str = "") -> None:
        super().__init__()
        self.lines = lines
        self._title = title

    def compose(self) -> ComposeResult:
        choices = OptionList(*self.lines, markup=False)
        choices.border_title = self._title
        yield choices

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """A line was chosen."""
        self.dismiss(event.option_index)


class Writing(ModalScreen[str | None]):
    """A line to write."""

    DEFAULT_CSS = """
    Writing { align: center bottom; }
    Writing Input { width: 90%; max-width: 100; border: round $accent; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss", show=False)]

    def compose(self) -> ComposeResult:
        say = cast("KarmaApp", self.app).say
        yield Input(placeholder=say("tui_menu_write"), max_length=LONGEST_LINE)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """The line is written."""
        self.dismiss(event.value.strip() or None)
