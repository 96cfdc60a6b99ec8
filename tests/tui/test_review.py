"""A game is reviewed in the terminal: by one key after it, and on a replay."""

import pytest

import karma
from karma.review.rehearsal import rehearse
from karma.tui.replay import ReplayScreen
from karma.tui.review import ReviewPage
from keyboard import until

pytestmark = pytest.mark.timeout(3600)  # the first of them compiles

SIZE = (100, 40)


@pytest.fixture(scope="module")
def record():
    rehearse()  # what has to be compiled first would take minutes
    game = karma.Game(karma.MINI.for_table(2), ["Ana", "Bo"], seed=3)
    bot = karma.make_bot("random", seed=1)
    while not game.over:
        game.push(bot.choose(game.view(game.actor)))
    return karma.Record.of(game)


async def test_a_replay_is_reviewed_and_the_answers_wait(open_app, record):
    app = open_app(record=record)
    async with app.run_test(size=SIZE) as pilot:
        await until(pilot, lambda: isinstance(app.screen, ReplayScreen))
        await pilot.press("e", "w")
        await until(pilot, lambda: isinstance(app.screen, ReviewPage))
        page = app.screen
        await until(pilot, lambda: page.found is not None, tries=60_000)
        text = str(page.query_one("#text").render())
        assert ("You lost" in text or "You did not lose" in text) and "1. Move" in text
        assert "etter" not in text  # the answer is not given away
        await pilot.press("a")
        assert "etter" in str(page.query_one("#text").render())
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(app.screen, ReplayScreen))


async def test_a_mistake_is_tried_again_from_its_position(open_app, record):
    app = open_app(record=record)
    async with app.run_test(size=SIZE) as pilot:
        await until(pilot, lambda: isinstance(app.screen, ReplayScreen))
        await pilot.press("e", "w")
        await until(pilot, lambda: isinstance(app.screen, ReviewPage))
        page = app.screen
        await until(pilot, lambda: page.found is not None, tries=60_000)
        assert any(ply.seat == 0 for ply in page.found.mistakes)
        await pilot.press("1")
        await until(pilot, lambda: not isinstance(app.screen, ReviewPage | ReplayScreen))
