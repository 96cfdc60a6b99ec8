"""Many moves in one call, and functions that are too long to be put into each other."""

import pytest

from karma import MINI, Game, IllegalMove
from karma.core.kernel import routine


def test_many_moves_are_made_as_one_by_one():
    one_by_one = Game(MINI, 2, seed=1)
    for _ in range(25):
        one_by_one.push(one_by_one.legal[0])
    at_once = Game(MINI, 2, seed=1)
    at_once.push_all(one_by_one.moves)
    assert at_once == one_by_one
    assert at_once.position() == one_by_one.position()


def test_they_stop_before_the_first_that_is_not_legal():
    game = Game(MINI, 2, seed=1)
    first, second = game.copy().legal[:2]
    with pytest.raises(IllegalMove):
        game.push_all([first, second, "P"])
    assert game.moves == [first, second]


def test_a_routine_does_what_its_function_does():
    def double(number):
        return 2 * number

    made = routine(double)
    assert getattr(made, "py_func", made)(4) == 8
