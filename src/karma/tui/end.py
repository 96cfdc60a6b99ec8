"""EndScreen: who lost, who went out in which order, and the game in numbers."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, cast

from rich.cells import cell_len
from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Button, Label, Static

from karma.record import Record
from karma.text import turn_text
from karma.texts import Texts
from karma.tui.canvas import fit
from karma.tui.seats import your_name
from karma.tui.statistics import GameStatistics, PlayerStatistics
from karma.view import View

if TYPE_CHECKING:
    from karma.tui.app import KarmaApp
    from karma.tui.play import PlayScreen

WIDE = 78
COLUMNS = ("played", "karma", "sets", "picked_up", "cards_taken", "largest", "misfits")


class EndScreen(ModalScreen[None]):
    """The end of a game, and what to do next."""

    DEFAULT_CSS = """
    EndScreen { align: center middle; }
    EndScreen > Vertical {
        width: 100%; max-width: 78; height: auto; max-height: 100%;
        border: round $accent; padding: 0 1;
    }
    EndScreen VerticalScroll { height: auto; max-height: 16; }
    EndScreen .heading { text-style: bold; color: $accent; }
    EndScreen #buttons { height: 1; margin: 1 0 0 0; }
    EndScreen.narrow #buttons { layout: grid; grid-size: 3; grid-rows: 1; height: 2; margin: 0; }
    EndScreen Button { margin: 0 1 0 0; min-width: 8; }
    EndScreen #said { color: $text-muted; height: auto; }
    """
    AUTO_FOCUS = ""  # Enter may have been meant for the table
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "press('look')", show=False),
        Binding("m", "press('rematch')", show=False),
        Binding("n", "press('new')", show=False),
        Binding("s", "press('save')", show=False),
        Binding("r", "press('replay')", show=False),
        Binding("v", "press('review')", show=False),
        Binding("t", "press('statistics')", show=False),
        Binding("q", "press('quit')", show=False),
        Binding("left", "app.focus_previous", show=False),
        Binding("right", "app.focus_next", show=False),
    ]

    def __init__(self, view: View, table: PlayScreen) -> None:
        super().__init__()
        self._view = view
        self._table = table

    @property
    def karma(self) -> KarmaApp:
        return cast("KarmaApp", self.app)

    @property
    def record(self) -> Record | None:
        """The record of the game, where this program has it."""
        return self.karma.tables.finished

    def compose(self) -> ComposeResult:
        say, view = self.karma.say, self._view
        with Vertical():
            yield Label(turn_text(view, say), classes="heading", markup=False)
            with VerticalScroll() as scroll:
                scroll.can_focus = False
                yield Static(self._numbers(), markup=False)
                if score := self._score():
                    yield Static(score, markup=False)
            with Horizontal(id="buttons"):
                yield Button(say("tui_rematch"), id="rematch", compact=True)
                yield Button(say("tui_new_game"), id="new", compact=True)
                if self.record is not None:
                    yield Button(say("replay"), id="replay", compact=True)
                    yield Button(say("save"), id="save", compact=True)
                yield Button(say("tui_statistics"), id="statistics", compact=True)
                yield Button(say("tui_key_quit"), id="quit", compact=True)
            yield Static(say("tui_end_keys"), id="said", markup=False)

    def on_resize(self, event: events.Resize) -> None:
        self.set_class(event.size.width < WIDE, "narrow")

    def _numbers(self) -> str:
        record, view = self.record, self._view
        if record is not None:
            statistics = GameStatistics.of(record)
        else:
            statistics = self._table.statistics or GameStatistics(len(view.players))
        return game_table(view, statistics, self.karma.say, min(WIDE, self.app.size.width) - 4)

    def _score(self) -> str:
        table = self._table.mirror.table
        say = self.karma.say
        if table is None:
            return ""
        if table.practice:
            return "\n" + say("tui_practice_end")
        if not any(score.played > 1 for score in table.score):
            return ""
        lines = [say("tui_score")]
        for score in sorted(table.score, key=lambda score: score.lost):
            lost = say("tui_score_line", name=score.name, lost=score.lost, played=score.played)
            lines.append(f"  {lost}")
        return "\n" + "\n".join(lines)

    @on(Button.Pressed)
    async def press(self, event: Button.Pressed) -> None:
        """A button was pressed."""
        await self.action_press(event.button.id or "")

    async def action_press(self, name: str) -> None:
        """Does what a button says."""
        match name:
            case "rematch":
                self.dismiss()
                await self._table.rematch()
            case "look":
                self.dismiss()
            case "new":
                self.dismiss()
                await self.karma.set_up()
            case "replay" if self.record is not None:
                self.karma.show_replay(self.record, self._view.seat)
            case "review" if self.record is not None:
                self.karma.show_review(self.record, self._view.seat)
            case "save" if self.record is not None:
                self._save(self.record)
            case "statistics":
                self.karma.show_statistics()
            case "quit":
                await self.karma.leave()

    def _save(self, record: Record) -> None:
        path = free_path(Path.cwd())
        said = self.query_one("#said", Static)
        try:
            record.dump(path)
        except OSError as error:
            said.update(self.karma.say("tui_not_saved", why=str(error.strerror)))
        else:
            said.update(self.karma.say("tui_saved", path=path))


def free_path(folder: Path) -> Path:
    """A file name for a record that is not taken yet."""
    number = 1
    while (path := folder / f"karma-{number}.jsonl").exists():
        number += 1
    return path


def game_table(view: View, statistics: GameStatistics, say: Texts, room: int) -> str:
    """A line for each seat, in the order in which they went out, as wide as there is room."""
    order = [*view.places, *(seat for seat in range(len(view.players)) if seat not in view.places)]
    heads = ["", "", *(say(f"tui_story_{column}") for column in COLUMNS)]
    rows = []
    for number, seat in enumerate(order, start=1):
        place = f"{number}." if seat in view.places else "✗" if seat == view.loser else "–"
        name = view.players[seat]
        name = your_name(name, say) if seat == view.seat else name
        rows.append(
            [place, fit(name, 13), *(str(getattr(statistics.seats[seat], col)) for col in COLUMNS)]
        )
    widths = [max(cell_len(row[i]) for row in [heads, *rows]) for i in range(len(heads))]
    lines = []
    for row in [heads, *rows]:
        cells = [
            fit(cell, width) if i == 1 else " " * (width - cell_len(cell)) + cell
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        while cell_len("  ".join(cells)) > room:
            del cells[-1]
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)


def statistics_text(statistics: PlayerStatistics, say: Texts) -> str:
    """The statistics of your games in words."""
    if not statistics.played:
        return say("tui_statistics_none")
    lines = []
    for edition, played in sorted(statistics.played.items()):
        lost = statistics.lost[edition]
        share = round(100 * lost / played)
        name = say(f"edition_{edition}")
        games = say("tui_count_games", count=played)
        lines.append(say("tui_statistics_line", edition=name, games=games, lost=lost, share=share))
    lines += [
        "",
        say("tui_statistics_streak", games=say("tui_count_games", count=statistics.streak)),
    ]
    if statistics.practice:
        games = say("tui_count_games", count=statistics.practice)
        lines.append(say("tui_statistics_practice", games=games))
    return "\n".join(lines)
