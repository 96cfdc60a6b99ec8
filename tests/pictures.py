"""Draws the terminal's pictures of README and docs/terminal.md anew, for `make pictures`."""

import asyncio
import re
import sys
import tempfile
from pathlib import Path

from karma.tui.app import KarmaApp
from karma.tui.home import Home, Plan
from karma.tui.setup import SetupScreen
from keyboard import choose_three, one_move, play_out, table_of, until, your_turn

COLOURS = 1 << 24


def draw(app: KarmaApp, path: Path) -> None:
    """Writes down what is on the screen, in the reader's own font."""
    picture = app.export_screenshot()
    picture = re.sub(r"@font-face \{.*?\}", "", picture, flags=re.DOTALL)
    picture = picture.replace("Fira Code", "ui-monospace")
    picture = re.sub(r">\s+<", "><", picture)
    path.write_text(picture + "\n", encoding="utf-8")


def open_app(language: str = "en", plan: Plan | None = None) -> KarmaApp:
    home = Home(Path(tempfile.mkdtemp()))
    return KarmaApp(home, plan=plan, language=language, speed="off", colours=COLOURS)


async def draw_setup(path: Path) -> None:
    app = open_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: isinstance(app.screen, SetupScreen))
        await pilot.pause()
        draw(app, path)


async def draw_table(path: Path, language: str, plan: Plan, size: tuple[int, int]) -> None:
    app = open_app(language, plan)
    async with app.run_test(size=size) as pilot:
        await choose_three(app, pilot)
        for _ in range(12):
            await your_turn(app, pilot)
            if len(table_of(app).shown.pile) > 4 and len(table_of(app).hand.stacks) > 5:
                break
            await one_move(app, pilot)
        await your_turn(app, pilot)
        draw(app, path)


async def draw_end(path: Path) -> None:
    app = open_app(plan=Plan("mini", {}, "Ana", ["greedy", "greedy"], 5))
    async with app.run_test(size=(80, 24)) as pilot:
        await play_out(app, pilot)
        await pilot.pause()
        draw(app, path)


async def draw_all(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    await draw_setup(folder / "setup.svg")
    four = Plan("classic", {}, "Ana", ["greedy"] * 3, 7)
    await draw_table(folder / "table.svg", "en", four, (80, 24))
    twelve = Plan("classic", {"decks": 2}, "Аня", ["greedy"] * 11, 4)
    await draw_table(folder / "twelve.svg", "ru", twelve, (80, 24))
    await draw_end(folder / "end.svg")


if __name__ == "__main__":
    asyncio.run(draw_all(Path(sys.argv[1])))
