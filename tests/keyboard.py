"""Somebody who plays at the terminal table by keyboard, for the tests."""

from karma.tui.app import KarmaApp
from karma.tui.end import EndScreen
from karma.tui.play import PlayScreen

MANY = 3000


async def until(pilot, condition, tries=6000):
    """Waits until something is so."""
    for _ in range(tries):
        if condition():
            return
        await pilot.pause(0.01)
    raise AssertionError(f"still not so: {condition}")


def table_of(app: KarmaApp) -> PlayScreen:
    """The table that is on the screen."""
    assert isinstance(app.screen, PlayScreen)
    return app.screen


async def your_turn(app, pilot):
    """Waits until you decide, or the game has ended."""
    await until(pilot, lambda: isinstance(app.screen, EndScreen) or ready(app))


def ready(app):
    return isinstance(app.screen, PlayScreen) and app.screen.yours


async def choose_three(app, pilot):
    """Lays the first three cards face up."""
    await your_turn(app, pilot)
    while table_of(app).hand.left_to_choose:
        left = table_of(app).hand.left_to_choose
        await pilot.press("enter")
        if table_of(app).hand.left_to_choose == left:
            await pilot.press("right")
        else:
            await pilot.press("right")
    await pilot.press("enter")
    await until(pilot, lambda: table_of(app).shown.phase != "choose")


async def one_move(app, pilot):
    """Makes the move that the screen suggests: the card pointed at, or else picks up."""
    table = table_of(app)
    ply = table.shown.ply
    if table.shown.phase == "play" and not table.hand.playable(table.hand.pointed):
        await pilot.press("p")
    else:
        await pilot.press("enter")
    await until(pilot, lambda: isinstance(app.screen, EndScreen) or table_of(app).shown.ply != ply)


async def play_out(app, pilot, most=MANY):
    """Plays to the end of the game; tells how many decisions that were."""
    for decisions in range(most):
        await your_turn(app, pilot)
        if isinstance(app.screen, EndScreen):
            return decisions
        if table_of(app).shown.phase == "choose":
            await choose_three(app, pilot)
        else:
            await one_move(app, pilot)
    raise AssertionError("the game does not end")
