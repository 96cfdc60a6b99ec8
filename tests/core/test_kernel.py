"""Words of bits, and chance, compiled and plain."""

import numpy as np
import pytest

from karma.core.kernel import (
    below,
    count,
    direct,
    entry,
    index,
    lowest_place,
    nth,
    random_words,
)

WORDS = [1, 2, 3, 0b101100, 1 << 59, (1 << 60) - 1, 1 | 1 << 62, 0x5A5A5A5A5A5A5A5]


@entry
def bits_of(word, places):
    number = count(word)
    for n in range(number):
        places[n] = nth(word, n)
    return number, lowest_place(word)


@entry
def rolls(rng, n, out):
    for i in range(len(out)):
        out[i] = below(rng, n)


@pytest.mark.parametrize("word", WORDS)
def test_bits_are_counted_and_found(word):
    expected = [place for place in range(63) if word >> place & 1]
    places = np.zeros(64, np.int64)
    number, lowest = bits_of(np.int64(word), places)
    assert number == len(expected)
    assert lowest == expected[0]
    assert places[:number].tolist() == expected


@pytest.mark.parametrize("n", [1, 2, 6, 60])
def test_chance_is_even_enough(n):
    out = np.zeros(200 * n, np.int64)
    rolls(random_words(np.random.default_rng(1)), n, out)
    assert set(out.tolist()) == set(range(n))
    assert np.bincount(out).max() < 2 * 200


def test_chance_is_xorshift_compiled_and_plain():
    """The numbers of a seed are those of the well-known generator, on whole numbers of any size."""
    word, expected = 88172645463325252, []
    for _ in range(100):
        word ^= word << 13 & 2**64 - 1
        word ^= word >> 7
        word ^= word << 17 & 2**64 - 1
        expected.append((word >> 32) * 1000 >> 32)
    out = np.zeros(100, np.int64)
    rolls(np.array([88172645463325252], np.int64), 1000, out)
    assert out.tolist() == expected


@entry
def number_at(numbers, place):
    return numbers[index(place)]


def test_an_entry_for_known_types_does_what_the_entry_does():
    numbers = np.arange(10, 20)
    assert [number_at(numbers, place) for place in range(10)] == numbers.tolist()
    called = direct(number_at, numbers, 0)
    assert [called(numbers, place) for place in range(10)] == numbers.tolist()
