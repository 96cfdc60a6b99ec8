"""Chance for bots: words, made from whole numbers, that start the small generators of kernels."""

from __future__ import annotations

from typing import Any

import numpy as np

_GOLDEN = 0x9E3779B97F4A7C15
_WORD = 0xFFFFFFFFFFFFFFFF


def words(seed: int, *numbers: Any) -> Any:
    """One word for each element of the numbers (arrays, or single ones), never zero.

    The words of different numbers have nothing in common, so that games and worlds can be dealt in
    any order and by any number of threads.
    """
    word = np.full(1, seed & _WORD, np.uint64)
    for number in numbers:
        word = _mixed(word) + np.asarray(number, np.int64).astype(np.uint64)
    return (_mixed(word) >> np.uint64(1) | np.uint64(1)).astype(np.int64)


def word(seed: int, *numbers: Any) -> Any:
    """The one word of single numbers, as `words` has it, many times quicker.

    >>> bool(word(7, 3, 1) == words(7, 3, 1))
    True
    """
    mixed = seed & _WORD
    for number in numbers:
        mixed = _mixed_one(mixed) + number & _WORD
    return np.array([_mixed_one(mixed) >> 1 | 1], np.int64)


def _mixed(word: Any) -> Any:
    """The finishing steps of splitmix64: every bit depends on every other."""
    word = word + np.uint64(_GOLDEN)
    word = (word ^ word >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
    word = (word ^ word >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
    return word ^ word >> np.uint64(31)


def _mixed_one(word: int) -> int:
    word = word + _GOLDEN & _WORD
    word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9 & _WORD
    word = (word ^ word >> 27) * 0x94D049BB133111EB & _WORD
    return word ^ word >> 31
