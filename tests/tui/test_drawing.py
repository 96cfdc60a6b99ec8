"""What is drawn: cards told apart without colour, at every size of the terminal."""

from itertools import combinations

import pytest

import karma
from karma.cards import KINDS
from karma.tui.canvas import Canvas, fit
from karma.tui.cards import CHIP, HEIGHT, WIDTH, chip, draw_card
from karma.tui.home import Plan
from karma.tui.palette import ANSI, TRUE
from karma.tui.pile import PLACES, RING_HEIGHT, RING_WIDTH, Pile
from keyboard import choose_three, table_of, your_turn


def drawn(kind, *, covered=False):
    canvas = Canvas(WIDTH, HEIGHT)
    draw_card(canvas, 0, 0, kind, TRUE, covered=covered)
    return canvas.text().plain


def outline(kind):
    """A card without its label and its number."""
    return drawn(kind).replace(kind, " " * len(kind))


def test_every_card_has_a_drawing_of_its_own_without_colour():
    for one, other in combinations(KINDS, 2):
        assert drawn(one) != drawn(other)
        assert outline(one) != outline(other)
        assert chip(one) != chip(other)


def test_a_number_fills_as_much_of_the_ring_as_it_is_worth():
    for value in range(1, 17):
        assert sum(character in "┏━┓┃┛┗" for character in drawn(str(value))) == value


def test_chips_are_three_cells():
    assert {len(chip(kind)) for kind in (*KINDS, None)} == {CHIP}


def test_wide_letters_take_two_cells():
    assert fit("日本語", 4) == "日… "
    canvas = Canvas(6, 1)
    assert canvas.put(0, 0, "日x") == 3
    assert canvas.text().plain == "日x   "


class ColouredPile(Pile):
    """A pile that needs no application to be drawn."""

    palette = TRUE


def lit(view):
    """The numbers that stand on the ring around a view's pile; the others are dots."""
    canvas = Canvas(RING_WIDTH, RING_HEIGHT)
    ColouredPile()._draw_ring(canvas, 0, view)
    return sorted(int(word) for word in canvas.text().plain.split() if word.isdigit())


def test_the_ring_lights_the_numbers_that_may_be_played():
    game = karma.Game(karma.edition("classic", face_up="dealt"), 2, seed=4)
    assert len(set(PLACES)) == 16
    assert lit(game.view(0)) == list(range(1, 17))
    while game.view(None).must_play is None:
        game.push(game.legal[0])
    must = game.view(None).must_play
    low, high = must.get("at_least", 1), must.get("at_most", 16)
    assert lit(game.view(0)) == list(range(low, high + 1))


@pytest.mark.parametrize("palette", [TRUE, ANSI])
def test_every_card_has_a_colour(palette):
    assert all(palette.colour(kind) for kind in KINDS)


def words(app):
    """All that stands on the screen."""
    lines = app.screen._compositor.render_strips()
    return "\n".join("".join(segment.text for segment in line) for line in lines)


async def test_twelve_players_at_every_size(open_app):
    plan = Plan("classic", {"decks": 2}, "Ana", ["greedy"] * 11, 4)
    app = open_app(plan, colours=16, language="ru")
    async with app.run_test(size=(80, 24)) as pilot:
        await choose_three(app, pilot)
        await your_turn(app, pilot)
        for size in ((80, 24), (200, 50), (100, 30), (60, 20), (80, 24)):
            await pilot.resize_terminal(*size)
            await pilot.pause()
            shown = words(app)
            if size >= (80, 24):
                assert all(name in shown for name in table_of(app).shown.players)
                assert "Ваш ход" in shown
            assert table_of(app).yours
        assert "K" in shown
