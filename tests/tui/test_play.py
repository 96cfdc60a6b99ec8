"""Whole games at the terminal table, by keyboard alone."""

import pytest

from karma.tui.end import EndScreen
from karma.tui.home import Plan
from keyboard import choose_three, one_move, play_out, table_of, until, your_turn

SIZE = (80, 24)


@pytest.mark.parametrize(
    ("edition", "bots", "language"),
    [
        ("classic", 2, "en"),
        ("alternative", 2, "ru"),
        ("mini", 1, "ru"),
        ("online", 2, "en"),
    ],
)
async def test_a_whole_game(open_app, edition, bots, language):
    app = open_app(
        Plan(edition, {"stall_limit": 20}, "Ana", ["greedy"] * bots, 3), language=language
    )
    async with app.run_test(size=SIZE) as pilot:
        await play_out(app, pilot)
        assert isinstance(app.screen, EndScreen)
        (record,) = app.home.records()
        assert record.replay().over
        assert record.rules.edition == edition
        assert record.extra["seat"] == 0


async def test_an_unplayable_card_says_why(open_app):
    app = open_app(Plan("classic", {}, "Ana", ["greedy"], 5))
    async with app.run_test(size=SIZE) as pilot:
        await choose_three(app, pilot)
        for _ in range(30):
            await your_turn(app, pilot)
            table = table_of(app)
            low = [
                stack.kind
                for stack in table.hand.stacks
                if not stack.table and not table.hand.playable(stack)
            ]
            if low:
                await pilot.press(*low[0].lower())
                assert table.hand.pointed.kind == low[0]
                assert table.note.left.startswith(f"{low[0]}: Too")
                ply = table.shown.ply
                await pilot.press("enter")
                await pilot.pause()
                assert table.shown.ply == ply
                return
            await one_move(app, pilot)
        raise AssertionError("every card could always be played")


async def test_a_rematch_moves_the_deal_on(open_app, mini):
    app = open_app(mini)
    async with app.run_test(size=SIZE) as pilot:
        await play_out(app, pilot)
        await pilot.press("m")
        await until(pilot, lambda: getattr(app.screen, "shown", None) is not None)
        await until(pilot, lambda: table_of(app).shown.phase == "choose")
        assert table_of(app).mirror.table.game == 2
        assert table_of(app).shown.dealer == 0
