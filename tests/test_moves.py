"""Moves: 98 of them, each with one text and one number."""

import copy
import pickle

import pytest

from karma import InvalidMove, Move
from karma.cards import KINDS
from karma.moves import ALL, from_words


def test_the_numbers_are_those_of_the_records_page():
    numbers = {}
    for k, kind in enumerate(KINDS):
        for m in (1, 2, 3):
            numbers[kind if m == 1 else f"{kind}x{m}"] = 3 * k + m - 1
        numbers[f"^{kind}"] = 78 + k
    numbers |= {f"?{place}": 60 + place for place in range(3)}
    numbers |= {f">{seat}": 64 + seat for seat in range(12)}
    numbers |= {"P": 63, "D": 76, "N": 77}
    assert len(numbers) == len(ALL) == 98
    assert {move.text: move.number for move in ALL} == numbers


@pytest.mark.parametrize(
    "text",
    [
        "",
        "7x1",
        "7x4",
        "17",
        "0",
        "07",
        "g",
        "p",
        "?3",
        "? 0",
        ">12",
        ">-1",
        "^17",
        "^7x2",
        " 7",
        "７",
    ],
)
def test_every_move_has_one_text(text):
    with pytest.raises(InvalidMove, match="is not a move; moves are"):
        Move(text)


@pytest.mark.parametrize("number", [-1, 98, 1000, 2.0, None])
def test_moves_are_numbered_0_to_97(number):
    with pytest.raises(InvalidMove, match="0 to 97"):
        Move(number)


def test_there_is_one_object_for_each_move():
    move = Move("12x2")
    assert move is Move(move.number)
    assert copy.deepcopy(move) is copy.copy(move) is pickle.loads(pickle.dumps(move)) is move


def test_moves_are_ordered_by_number():
    assert Move("1") < Move("1x2") < Move("2") < Move("?0") < Move("P") < Move("D") < Move("^1")
    assert sorted(map(Move, ["P", "10", "9"])) == [Move("9"), Move("10"), Move("P")]
    with pytest.raises(TypeError):
        Move("1") < "2"  # noqa: B015


def test_a_move_says_its_kind_and_count():
    assert (Move("12x2").kind, Move("12x2").count) == ("12", 2)
    assert (Move("^G").kind, Move("^G").count) == ("G", 0)
    assert (Move("P").kind, Move("P").count) == (None, 0)
    assert (str(Move("Bx3")), repr(Move("Bx3"))) == ("Bx3", "Move('Bx3')")


def test_moves_are_values_of_sets():
    assert len({Move("7"), Move(18), Move("7x2")}) == 2


def test_moves_of_words_of_bits():
    assert from_words(0, 0) == ()
    assert from_words(1 | 1 << 62, 1 | 1 << 34) == (Move(0), Move(62), Move(63), Move(97))
