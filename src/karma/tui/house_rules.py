"""HouseRules: every option of the rules, to change some."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, ClassVar, cast

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.screen import ModalScreen
from textual.widgets import Button, Label, Select, Static

from karma.editions import EDITIONS, LEAST_PLAYERS, OPTIONS
from karma.rulebook import value_text
from karma.tui.home import Plan

if TYPE_CHECKING:
    from karma.tui.app import KarmaApp

STALL_LIMITS = (0, 20, 50, 100, 200, 500)


class HouseRules(ModalScreen[dict[str, Any] | None]):
    """Every option of the rules, to change some."""

    DEFAULT_CSS = """
    HouseRules { align: center middle; }
    HouseRules > Vertical {
        width: 76; height: auto; max-height: 100%; border: round $accent; padding: 0 1;
    }
    HouseRules Horizontal { height: 1; }
    HouseRules Label { width: 44; }
    HouseRules Select { width: 28; }
    HouseRules #error { color: $error; height: auto; }
    HouseRules Button { margin: 0 2 0 0; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss", show=False)]

    def __init__(self, plan: Plan) -> None:
        super().__init__()
        self._edition = EDITIONS[plan.edition]
        self._options = dict(plan.options)

    def compose(self) -> ComposeResult:
        say = cast("KarmaApp", self.app).say
        with Vertical():
            for name in OPTIONS:
                value = self._options.get(name, getattr(self._edition, name))
                choices = [(value_text(each, say), each) for each in _values(name)]
                if name == "stall_limit":
                    choices.insert(0, (say("value_usual"), -1))
                    value = self._options.get(name, -1)
                with Horizontal():
                    yield Label(say(f"option_{name}"), markup=False)
                    yield Select(choices, value=value, allow_blank=False, compact=True, id=name)
            yield Static(say("option_stall_limit_about"), markup=False)
            yield Static("", id="error", markup=False)
            with Horizontal():
                yield Button(say("tui_ok"), id="ok", compact=True)
                yield Button(say("as_printed"), id="printed", compact=True)

    @on(Select.Changed)
    def change(self, event: Select.Changed) -> None:
        """An option was chosen."""
        name, value = event.select.id or "", cast(Any, event.value)
        usual = -1 if name == "stall_limit" else getattr(self._edition, name)
        if value == usual:
            self._options.pop(name, None)
        else:
            self._options[name] = value

    @on(Button.Pressed, "#ok")
    def accept(self) -> None:
        """The rules are as they should be."""
        rules = self._edition.replace(**self._options)
        if rules.most_players < LEAST_PLAYERS:
            say = cast("KarmaApp", self.app).say
            self.query_one("#error", Static).update(say("tui_too_few_cards"))
        else:
            self.dismiss(self._options)

    @on(Button.Pressed, "#printed")
    def as_printed(self) -> None:
        """No house rules."""
        self.dismiss({})


def _values(name: str) -> Iterable[Any]:
    if name == "stall_limit":
        return STALL_LIMITS
    return OPTIONS[name].values
