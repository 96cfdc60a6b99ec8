"""SetupScreen: which game, and with whom."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar, cast

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Grid, Horizontal, VerticalScroll
from textual.screen import Screen
from textual.widgets import Button, Input, Label, Select, Static

from karma.bots import BOTS
from karma.editions import EDITIONS, LEAST_PLAYERS, Rules, RulesError
from karma.rulebook import value_text
from karma.texts import LANGUAGES, Texts
from karma.tui.canvas import Canvas
from karma.tui.cards import draw_card
from karma.tui.home import Plan, login_name
from karma.tui.house_rules import HouseRules
from karma.tui.widget import CanvasWidget

if TYPE_CHECKING:
    from karma.tui.app import KarmaApp


class Banner(CanvasWidget):
    """A few cards, and the name of the game."""

    def draw(self, canvas: Canvas) -> None:
        x = 0
        for kind in ("9", "G", "F", "T", "B"):
            draw_card(canvas, x, 0, kind, self.palette)
            x += 7
        canvas.put(x + 2, 1, "K A R M A", self.palette.label("10"))
        canvas.put(x + 2, 2, self.say("tui_motto"), self.palette.card(None))


class SetupScreen(Screen[None]):
    """What to play, and against whom."""

    DEFAULT_CSS = """
    SetupScreen { padding: 0 1; }
    SetupScreen Banner { height: 4; }
    SetupScreen VerticalScroll { height: 1fr; scrollbar-size-vertical: 1; }
    SetupScreen .row { height: 1; }
    SetupScreen .row Label, SetupScreen Grid Label { width: 14; color: $text-muted; }
    SetupScreen .about { height: auto; max-height: 3; margin: 0 0 0 14; color: $foreground; }
    SetupScreen Select { width: 22; }
    SetupScreen Input { width: 22; }
    SetupScreen Grid {
        grid-size: 4; grid-rows: 1; height: auto; grid-gutter: 0 1; margin: 0 0 1 14;
    }
    SetupScreen Grid Select { width: 100%; }
    SetupScreen #error { color: $error; height: 1; }
    SetupScreen #buttons { height: 1; }
    SetupScreen #buttons Button { margin: 0 2 0 0; min-width: 10; }
    SetupScreen #keys { color: $text-muted; height: 1; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f2", "press('deal')", show=False),
        Binding("f3", "press('go_on')", show=False),
        Binding("f1", "press('rules')", show=False),
        Binding("escape", "press('quit')", show=False),
    ]

    def __init__(self, plan: Plan) -> None:
        super().__init__()
        self.plan = replace(plan)
        self._focus_on = ""

    @property
    def karma(self) -> KarmaApp:
        return cast("KarmaApp", self.app)

    def compose(self) -> ComposeResult:
        say = self.karma.say
        rules = self._rules()
        yield Banner()
        with VerticalScroll():
            with Horizontal(classes="row"):
                yield Label(say("edition"))
                yield Select(
                    [(self.karma.edition_name(name), name) for name in EDITIONS],
                    value=self.plan.edition,
                    allow_blank=False,
                    compact=True,
                    id="edition",
                )
            about = say(f"edition_{self.plan.edition}_about")
            players = say("rules_players", least=LEAST_PLAYERS, most=rules.most_players)
            yield Static(f"{about} {players}", classes="about", markup=False)
            with Horizontal(classes="row"):
                yield Label(say("house_rules"))
                yield Button(self._changes(), id="house", compact=True)
            with Horizontal(classes="row"):
                yield Label("")
                mark = "●" if rules.set_counts == "top" else "○"
                yield Button(f"{mark} {say('preset_top')}", id="top", compact=True)
            with Horizontal(classes="row"):
                yield Label(say("your_name"))
                yield Input(
                    self.plan.name,
                    placeholder=login_name(),
                    max_length=24,
                    compact=True,
                    id="name",
                )
            with Horizontal(classes="row"):
                yield Label(say("language"))
                names = [(Texts(code)("language_name"), code) for code in LANGUAGES]
                yield Select(
                    names, value=say.language, allow_blank=False, compact=True, id="language"
                )
            with Horizontal(classes="row"):
                yield Label(say("tui_players"))
                numbers = [(str(n), n) for n in range(LEAST_PLAYERS, rules.most_players + 1)]
                yield Select(
                    numbers,
                    value=len(self.plan.bots) + 1,
                    allow_blank=False,
                    compact=True,
                    id="players",
                )
            with Horizontal(classes="row"):
                yield Label(say("tui_opponents"))
                yield Static(say("tui_opponents_about"), markup=False)
            with Grid():
                for seat, level in enumerate(self.plan.bots, start=1):
                    yield Select(
                        [(name, name) for name in _levels()],
                        value=level if level in _levels() else "greedy",
                        allow_blank=False,
                        compact=True,
                        id=f"bot{seat}",
                    )
        yield Static("", id="error", markup=False)
        with Horizontal(id="buttons"):
            if self.karma.can_go_on:
                yield Button(say("tui_go_on"), id="go_on", compact=True)
            yield Button(say("deal"), id="deal", compact=True)
            yield Button(say("tui_key_rules"), id="rules", compact=True)
            yield Button(say("tui_statistics"), id="statistics", compact=True)
            yield Button(say("tui_key_quit"), id="quit", compact=True)
        yield Static(say("tui_setup_keys"), id="keys", markup=False)

    def on_mount(self) -> None:
        self._focus()

    def _focus(self) -> None:
        wanted = self._focus_on or ("go_on" if self.karma.can_go_on else "deal")
        found = self.query(f"#{wanted}")
        if found:
            found.first().focus()

    def _rules(self) -> Rules:
        return self.plan.rules

    def _changes(self) -> str:
        """The house rules in a few words."""
        say = self.karma.say
        if not self.plan.options:
            return say("tui_no_house_rules")
        changes = [
            f"{say(f'option_{name}')}: {value_text(value, say)}"
            for name, value in self.plan.options.items()
        ]
        return "; ".join(changes)

    async def _again(self, focus_on: str) -> None:
        """Shows the plan anew, with the same thing in focus."""
        self._focus_on = focus_on
        most = self._rules().most_players
        self.plan.bots = self.plan.bots[: most - 1]
        await self.recompose()
        self._focus()

    # ---- changes --------------------------------------------------------------------------------

    @on(Select.Changed)
    async def change(self, event: Select.Changed) -> None:
        """Something was chosen."""
        value = cast(Any, event.value)
        match event.select.id or "":
            case "edition" if value != self.plan.edition:
                self.plan.edition, self.plan.options = value, {}
                await self._again("edition")
            case "language" if value != self.karma.say.language:
                self.karma.speak(value)
                await self._again("language")
            case "players" if value != len(self.plan.bots) + 1:
                last = self.plan.bots[-1] if self.plan.bots else "greedy"
                self.plan.bots = [*self.plan.bots, *[last] * 12][: value - 1]
                await self._again("players")
            case name if name.startswith("bot"):
                self.plan.bots[int(name[3:]) - 1] = value

    @on(Input.Changed)
    def rename(self, event: Input.Changed) -> None:
        """The name was typed."""
        self.plan.name = event.value.strip()

    @on(Button.Pressed)
    async def press(self, event: Button.Pressed) -> None:
        """A button was pressed."""
        await self.action_press(event.button.id or "")

    async def action_press(self, name: str) -> None:
        """Does what a button says."""
        match name:
            case "deal":
                await self._deal()
            case "go_on":
                await self.karma.go_on()
            case "house":
                self.app.push_screen(HouseRules(self.plan), self._changed)
            case "top":
                await self._count_by_eye()
            case "rules":
                self.karma.show_rules(self._rules())
            case "statistics":
                self.karma.show_statistics()
            case "quit":
                await self.karma.leave()

    async def _count_by_eye(self) -> None:
        """Switches the house rule that many tables play by."""
        options = {name: value for name, value in self.plan.options.items() if name != "set_counts"}
        if self._rules().set_counts != "top":
            options["set_counts"] = "top"
        self.plan.options = options
        await self._again("top")

    async def _changed(self, options: dict[str, Any] | None) -> None:
        if options is not None:
            self.plan.options = options
            await self._again("house")

    async def _deal(self) -> None:
        try:
            self._rules().check_players(len(self.plan.bots) + 1)
        except RulesError as error:
            self.query_one("#error", Static).update(str(error))
            return
        self.karma.ask_to_begin(self.plan)


def _levels() -> list[str]:
    """The bots that can be played against, the weakest first."""
    entries = [entry for entry in BOTS.values() if entry.level is not None]
    return [entry.name for entry in sorted(entries, key=lambda entry: entry.level or 0)]
