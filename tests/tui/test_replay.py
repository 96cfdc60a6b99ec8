"""Stepping through a game, and watching bots."""

import pytest

import karma
from karma.tui.home import Plan
from karma.tui.replay import ReplayScreen
from keyboard import table_of, until, your_turn

SIZE = (80, 24)


@pytest.fixture(scope="module")
def record():
    game = karma.Game(karma.edition("mini", stall_limit=30), ["Ana", "Bo", "Cy"], seed=11)
    bot = karma.make_bot("greedy", seed=1)
    while not game.over:
        game.push(bot.choose(game.view(game.actor)))
    return karma.Record.of(game)


async def test_step_jump_eyes_and_hands(open_app, record):
    app = open_app(record=record)
    async with app.run_test(size=SIZE) as pilot:
        await until(pilot, lambda: isinstance(app.screen, ReplayScreen))
        screen = app.screen
        await pilot.press("right", "right")
        assert screen.playback.ply == 2
        await pilot.press("end")
        assert screen.playback.at_end and screen.shown.phase == "over"
        await pilot.press("1", "2", "enter")
        assert screen.playback.ply == 12
        await pilot.press("left")
        assert screen.shown.ply == 11
        assert screen.shown.hand is None
        await pilot.press("e")
        assert screen.shown.seat == 0 and screen.shown.hand is not None
        await pilot.press("e", "e", "e")
        assert screen.shown.seat is None
        await pilot.press("o")
        assert screen.seats.hands == screen.playback.hands()
        await pilot.press("home")
        assert screen.playback.ply == 0


async def test_it_runs_by_itself_and_stops_at_the_end(open_app, record):
    app = open_app(record=record)
    async with app.run_test(size=SIZE) as pilot:
        await until(pilot, lambda: isinstance(app.screen, ReplayScreen))
        await pilot.press("end", "up", "space")
        await until(pilot, lambda: app.screen.playback.at_end and not app.screen.running)


async def test_play_on_from_here(open_app, record):
    app = open_app(record=record)
    async with app.run_test(size=SIZE) as pilot:
        await until(pilot, lambda: isinstance(app.screen, ReplayScreen))
        await pilot.press("2", "0", "enter", "e", "e")
        hand = app.screen.shown.hand
        await pilot.press("f")
        await your_turn(app, pilot)
        view = table_of(app).shown
        assert view.seat == 1
        assert table_of(app).mirror.table.practice
        assert (view.ply == 20 and view.hand == hand) or view.ply > 20


async def test_watch_bots_to_the_end(open_app):
    plan = Plan("mini", {"stall_limit": 20}, "Ana", ["greedy", "random", "greedy"], 5)
    app = open_app(watch=plan, seat=1)
    async with app.run_test(size=(200, 50)) as pilot:
        await until(pilot, lambda: isinstance(app.screen, ReplayScreen))
        await until(pilot, lambda: app.screen.playback.ply > 5, tries=2000)
        await pilot.press("space")
        await pilot.pause(0.1)
        stands = app.screen.playback.ply
        await pilot.pause(0.2)
        assert app.screen.playback.ply == stands
        await pilot.press("left", "left")
        assert app.screen.playback.ply == stands - 2
        await pilot.press("space")
        await until(pilot, lambda: app.screen.playback.game.over, tries=6000)
        assert app.screen.playback.game.players == ("greedy", "random", "greedy 2")
