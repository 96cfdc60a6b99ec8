"""What is kept: the game that was left, preferences, statistics."""

import karma
from karma.tui.home import PREFERENCES, Home, Preferences
from karma.tui.setup import SetupScreen
from karma.tui.statistics import GameStatistics, PlayerStatistics
from keyboard import choose_three, one_move, play_out, table_of, until, your_turn

SIZE = (80, 24)


async def test_a_killed_terminal_loses_nothing(open_app, mini, home):
    app = open_app(mini)
    async with app.run_test(size=SIZE) as pilot:
        await choose_three(app, pilot)
        for _ in range(3):
            await your_turn(app, pilot)
            await one_move(app, pilot)
        await your_turn(app, pilot)
        before = table_of(app).shown.json()
        log = home.log.read_bytes()
    home.log.write_bytes(log + b'{"half a line')
    again = open_app(resume=True)
    async with again.run_test(size=SIZE) as pilot:
        await your_turn(again, pilot)
        assert table_of(again).shown.json() == before
        await one_move(again, pilot)


async def test_quitting_says_how_to_go_on(open_app, mini):
    app = open_app(mini)
    async with app.run_test(size=SIZE) as pilot:
        await your_turn(app, pilot)
        await pilot.press("ctrl+c")
        await pilot.pause()
    assert app.return_value == "The game is kept; karma play --resume goes on with it."


async def test_nothing_to_go_on_with(open_app):
    app = open_app(resume=True)
    async with app.run_test(size=SIZE) as pilot:
        await until(pilot, lambda: isinstance(app.screen, SetupScreen))


async def test_a_finished_game_is_not_gone_on_with(open_app, mini, home):
    app = open_app(mini)
    async with app.run_test(size=SIZE) as pilot:
        await play_out(app, pilot)
        await pilot.press("t")
        await pilot.pause()
        assert "Mini: 1 game" in app.screen.text
        await pilot.press("escape", "q")
        await pilot.pause()
    assert app.return_value == ""
    assert not home.has_log


def test_two_terminals_do_not_share_a_table(home):
    other = Home(home.folder)
    assert home.claim() and home.claim()
    assert not other.claim()
    home.release()
    assert other.claim()
    other.release()


def test_preferences_that_cannot_be_read_are_the_usual_ones(home):
    home.keep_preferences(Preferences(language="ru", speed="slow"))
    assert home.preferences().speed == "slow"
    for nonsense in ("", "[]", '{"plan": {"edition": "maxi"}}', '{"plan": 3}'):
        (home.folder / PREFERENCES).write_text(nonsense)
        assert home.preferences() == Preferences()


def record(seed, **extra):
    game = karma.Game(karma.edition("mini", stall_limit=30), 2, seed=seed)
    bot = karma.make_bot("greedy", seed=seed)
    while not game.over:
        game.push(bot.choose(game.view(game.actor)))
    return karma.Record.of(game, **extra)


def test_statistics_count_what_counts(home):
    games = [record(seed, seat=0) for seed in range(6)]
    for each in [*games, record(9, seat=0, practice=True)]:
        home.keep(each)
    statistics = PlayerStatistics.of(home.records())
    assert statistics.played["mini"] == sum(game.result["places"] != [] for game in games)
    assert statistics.lost["mini"] == sum(game.result["loser"] == 0 for game in games)
    assert statistics.practice == 1


def test_a_game_in_numbers_adds_up():
    game = record(4)
    position = game.replay().position()
    left = sum(map(len, position["hands"])) + len(position["pile"])
    numbers = GameStatistics.of(game)
    assert sum(seat.played for seat in numbers.seats) >= 40 - left - 18
