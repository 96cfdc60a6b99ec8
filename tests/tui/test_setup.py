"""The set-up screen, by keyboard."""

import threading

from karma.tui.home import login_name
from karma.tui.play import PlayScreen
from karma.tui.preparation import Preparation
from karma.tui.setup import HouseRules, SetupScreen
from keyboard import table_of, until, your_turn

SIZE = (80, 24)


async def choose(app, pilot, name, *keys):
    """Opens a list of the set-up and chooses from it."""
    app.screen.query_one(f"#{name}").focus()
    await pilot.press("enter", *keys, "enter")
    await pilot.pause()


async def test_enter_deals_at_once(open_app):
    app = open_app()
    async with app.run_test(size=SIZE) as pilot:
        await until(pilot, lambda: isinstance(app.screen, SetupScreen))
        await pilot.press("enter")
        await your_turn(app, pilot)
        view = table_of(app).shown
        assert view.players == (login_name(), "greedy", "greedy 2", "greedy 3")
        assert view.rules.edition == "classic"


class LongPreparation(Preparation):
    """Ends when it is told to."""

    def __init__(self):
        super().__init__()
        self.told = threading.Event()
        self.run = self.told.wait
        self.stop = self.told.set


async def test_a_game_waits_for_what_is_compiled_beside_the_first_screen(open_app):
    preparation = LongPreparation()
    app = open_app(preparation=preparation)
    async with app.run_test(size=SIZE) as pilot:
        await until(pilot, lambda: isinstance(app.screen, SetupScreen))
        await pilot.press("enter")
        await until(pilot, lambda: "Preparing the rules" in str(list(app._notifications)))
        assert isinstance(app.screen, SetupScreen)
        preparation.told.set()
        await your_turn(app, pilot)


async def test_leaving_does_not_wait_for_what_is_compiled(open_app):
    preparation = LongPreparation()
    app = open_app(preparation=preparation)
    async with app.run_test(size=SIZE) as pilot:
        await until(pilot, preparation.is_alive)
        await pilot.press("escape")
    preparation.join()


async def test_edition_players_levels_name_and_language(open_app, home):
    app = open_app()
    async with app.run_test(size=SIZE) as pilot:
        await until(pilot, lambda: isinstance(app.screen, SetupScreen))
        await choose(app, pilot, "edition", "down", "down")
        assert app.screen.plan.edition == "mini"
        assert "40 cards" in str(app.screen.query_one(".about").render())
        await choose(app, pilot, "players", "up")
        await choose(app, pilot, "bot2", "home")
        await choose(app, pilot, "language", "end")
        assert app.say.language == "ru"
        app.screen.query_one("#name").focus()
        await pilot.press(*"Ana")
        await pilot.press("f2")
        await your_turn(app, pilot)
        assert table_of(app).shown.players == ("Ana", "greedy", "random")
        assert "Выберите" in table_of(app).prompt.left
    preferences = home.preferences()
    assert preferences.language == "ru"
    assert preferences.plan.edition == "mini"
    assert preferences.plan.bots == ["greedy", "random"]


async def test_sets_as_they_lie_are_one_key_away(open_app):
    app = open_app()
    async with app.run_test(size=SIZE) as pilot:
        await until(pilot, lambda: isinstance(app.screen, SetupScreen))
        for options in ({"set_counts": "top"}, {}, {"set_counts": "top"}):
            app.screen.query_one("#top").focus()
            await pilot.press("enter")
            await until(pilot, lambda wanted=options: app.screen.plan.options == wanted)
            await until(pilot, lambda: getattr(app.focused, "id", None) == "top")
        await pilot.press("f2")
        await your_turn(app, pilot)
        assert table_of(app).shown.rules.set_counts == "top"


async def test_house_rules(open_app):
    app = open_app()
    async with app.run_test(size=SIZE) as pilot:
        await until(pilot, lambda: isinstance(app.screen, SetupScreen))
        app.screen.query_one("#house").focus()
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, HouseRules))
        await choose(app, pilot, "decks", "down")
        app.screen.query_one("#ok").focus()
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, SetupScreen))
        assert app.screen.plan.options == {"decks": 2}
        await choose(app, pilot, "players", "end")
        await pilot.press("f2")
        await your_turn(app, pilot)
        assert isinstance(app.screen, PlayScreen)
        assert len(table_of(app).shown.players) == 12
        assert table_of(app).shown.rules.decks == 2
