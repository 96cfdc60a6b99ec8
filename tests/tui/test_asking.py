"""Nothing is done unasked: no rematch, no game put away; and what is shown to whom."""

import msgspec
import pytest

from karma.texts import LANGUAGES, Texts
from karma.tui.app import KarmaApp
from karma.tui.end import EndScreen
from karma.tui.home import Home, Plan
from karma.tui.keys import short_keys
from karma.tui.local_tables import LocalTables
from karma.tui.mirror import Mirror
from karma.tui.pages import Choices
from karma.tui.setup import SetupScreen
from keyboard import choose_three, one_move, play_out, table_of, until, your_turn

SIZE = (80, 24)


async def test_enter_at_the_end_deals_no_rematch(open_app, mini, home):
    app = open_app(mini)
    async with app.run_test(size=SIZE) as pilot:
        await play_out(app, pilot)
        for _ in range(3):
            await pilot.press("enter")
            await pilot.press("space")
            await pilot.pause()
        assert isinstance(app.screen, EndScreen)
        assert app.tables.unfinished is False
        await pilot.press("m")
        await your_turn(app, pilot)
        assert table_of(app).mirror.table.game == 2


async def test_a_game_that_was_left_is_offered_first(open_app, mini, home):
    app = open_app(mini)
    async with app.run_test(size=SIZE) as pilot:
        await choose_three(app, pilot)
        await your_turn(app, pilot)
        before = table_of(app).shown.json()
    again = open_app()
    async with again.run_test(size=SIZE) as pilot:
        await until(pilot, lambda: isinstance(again.screen, SetupScreen))
        await pilot.press("enter")
        await your_turn(again, pilot)
        assert table_of(again).shown.json() == before
    third = open_app(mini)
    async with third.run_test(size=SIZE) as pilot:
        await until(pilot, lambda: isinstance(third.screen, Choices))
        await pilot.press("enter")
        await your_turn(third, pilot)
        assert table_of(third).shown.json() == before
    assert list(home.records()) == []


async def test_the_log_after_a_break_is_the_log_before_it(open_app, home):
    app = open_app(Plan("classic", {}, "Ana", ["greedy", "greedy", "greedy"], 3))
    async with app.run_test(size=SIZE) as pilot:
        for _ in range(40):
            await your_turn(app, pilot)
            if isinstance(app.screen, EndScreen):
                break
            if table_of(app).shown.phase == "choose":
                await choose_three(app, pilot)
            else:
                await one_move(app, pilot)
        await your_turn(app, pilot)
        table = app.screen if not isinstance(app.screen, EndScreen) else app.screen_stack[-2]
        before = list(table.log_lines.lines)
        left = not isinstance(app.screen, EndScreen)
    if left:
        again = open_app(resume=True)
        async with again.run_test(size=SIZE) as pilot:
            await your_turn(again, pilot)
            assert table_of(again).log_lines.lines == before


async def test_the_foot_offers_what_the_table_allows(home):
    say, mirror = Texts("en"), Mirror()
    connection = await LocalTables(home).begin(Plan("mini", {}, "Ana", ["greedy"], 7))
    mirror.take(await connection.receive())
    assert {"h", "u"} <= {key for key, _, _ in short_keys(mirror, say, far=False)}
    mirror.table = msgspec.structs.replace(mirror.table, hints=False)
    assert not {"h", "u"} & {key for key, _, _ in short_keys(mirror, say, far=True)}
    mirror.view, mirror.table = None, msgspec.structs.replace(mirror.table, phase="lobby")
    assert "⏎" in {key for key, _, _ in short_keys(mirror, say, far=True)}
    mirror.you = msgspec.structs.replace(mirror.you, host=False)
    assert "⏎" not in {key for key, _, _ in short_keys(mirror, say, far=True)}
    await connection.close()
    home.release()


def words(app):
    """All that stands on the screen."""
    lines = app.screen._compositor.render_strips()
    return ["".join(segment.text for segment in line) for line in lines]


@pytest.mark.parametrize("language", LANGUAGES)
async def test_the_end_is_whole_on_a_small_screen(open_app, mini, language):
    app = open_app(mini, language=language)
    async with app.run_test(size=(60, 20)) as pilot:
        await play_out(app, pilot)
        await until(pilot, lambda: any("╰" in line and "╯" in line for line in words(app)))
        shown = "\n".join(words(app))
        for button in app.screen.query("Button"):
            assert str(button.label) in shown
        inside = [line for line in words(app) if line.startswith("│")]
        assert inside and all(line.rstrip().endswith("│") for line in inside)


async def test_without_a_home_one_plays_and_nothing_is_kept(tmp_path, mini):
    (tmp_path / "file").write_text("")
    home = Home(tmp_path / "file" / "home")
    app = KarmaApp(home, plan=mini, speed="off", language="en", colours=256)
    async with app.run_test(size=SIZE, notifications=True) as pilot:
        await your_turn(app, pilot)
        told = [note.message for note in app._notifications]
        assert told == [f"Nothing can be written in {home.folder}: nothing is kept."]
        await play_out(app, pilot)
        await pilot.press("q")
    assert app.return_value == ""


async def test_the_note_of_the_last_game_goes_with_it(open_app, mini):
    app = open_app(mini)
    async with app.run_test(size=SIZE) as pilot:
        await play_out(app, pilot)
        await pilot.press("m")
        await your_turn(app, pilot)
        assert table_of(app).note.left == ""
