"""The first layer of a batch, forwards and backwards, for input that is mostly zero."""

from typing import Any

from karma.bots.encoding import BITS
from karma.core.kernel import entry, lowest_place

Array = Any


@entry
def add_all(words: Array, rows: Array, bias: Array, sums: Array) -> None:
    """Adds up the rows of the bits that are set, for each position."""
    for i in range(len(words)):
        for unit in range(len(bias)):
            sums[i, unit] = bias[unit]
        for w in range(words.shape[1]):
            rest = words[i, w]
            while rest:
                row = BITS * w + lowest_place(rest)
                for unit in range(len(bias)):
                    sums[i, unit] += rows[row, unit]
                rest &= rest - 1


@entry
def share_out(words: Array, slopes: Array, rows: Array) -> None:
    """The way back: adds each position's slopes to the rows that it used."""
    for i in range(len(words)):
        for w in range(words.shape[1]):
            rest = words[i, w]
            while rest:
                row = BITS * w + lowest_place(rest)
                for unit in range(slopes.shape[1]):
                    rows[row, unit] += slopes[i, unit]
                rest &= rest - 1
