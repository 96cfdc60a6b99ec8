"""Hints, taking back, pages to read, and being asked first."""

from karma.moves import Move
from karma.tui.home import Plan
from karma.tui.pages import Page
from keyboard import choose_three, one_move, table_of, until, your_turn

SIZE = (80, 24)


async def test_a_hint_names_a_legal_move_and_why(open_app, mini):
    app = open_app(mini)
    async with app.run_test(size=SIZE) as pilot:
        await choose_three(app, pilot)
        await your_turn(app, pilot)
        table = table_of(app)
        await pilot.press("h")
        await until(pilot, lambda: table.note.left.startswith("Hint: "))
        assert table.hand.meant in table.shown.legal
        assert ": " in table.note.left.removeprefix("Hint: ")


async def test_taking_back_makes_it_practice(open_app, mini, home):
    app = open_app(mini)
    async with app.run_test(size=SIZE) as pilot:
        await choose_three(app, pilot)
        await your_turn(app, pilot)
        before = table_of(app).shown.json()
        await one_move(app, pilot)
        await your_turn(app, pilot)
        await pilot.press("u")
        await until(pilot, lambda: "Once more u" in table_of(app).note.left)
        assert not table_of(app).mirror.table.practice
        await pilot.press("u")
        await until(pilot, lambda: table_of(app).mirror.table.practice)
        await until(pilot, lambda: table_of(app).yours)
        assert table_of(app).shown.json() == before
        assert "practice" in table_of(app).top.left


async def test_pages(open_app, mini):
    app = open_app(mini)
    async with app.run_test(size=SIZE) as pilot:
        await your_turn(app, pilot)
        for key, wanted in (("r", "The aim"), ("question_mark", "best moves"), ("v", "Draw pile")):
            await pilot.press(key)
            await until(pilot, lambda: isinstance(app.screen, Page))
            assert wanted in app.screen.text
            await pilot.press("escape")
            assert table_of(app)


async def test_asking_before_picking_up(open_app, mini):
    app = open_app(Plan("classic", {}, "Ana", ["greedy"], 7))
    async with app.run_test(size=SIZE) as pilot:
        await choose_three(app, pilot)
        await pilot.press("c")
        for _ in range(20):
            await your_turn(app, pilot)
            if Move("P") in table_of(app).shown.legal:
                break
            await one_move(app, pilot)
        ply = table_of(app).shown.ply
        await pilot.press("p")
        await pilot.pause()
        assert table_of(app).shown.ply == ply
        assert "Sure?" in table_of(app).note.left
        await pilot.press("p")
        await until(pilot, lambda: table_of(app).shown.ply != ply)


async def test_the_mouse_plays_too(open_app, mini):
    app = open_app(mini)
    async with app.run_test(size=SIZE) as pilot:
        await your_turn(app, pilot)
        hand = table_of(app).hand
        for column in hand.columns(hand.size.width)[:3]:
            await pilot.click(hand, offset=(column + 1, 2))
        assert hand.left_to_choose == 0
        await pilot.click("#offers", offset=(3, 0))
        await until(pilot, lambda: table_of(app).shown.phase == "play")
        await your_turn(app, pilot)
        ply = table_of(app).shown.ply
        await pilot.click("#offers", offset=(3, 0))
        await until(pilot, lambda: table_of(app).shown.ply != ply)
