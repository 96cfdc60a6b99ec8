"""Moves: 98 values, each with one text and one number, the same in every edition."""

from __future__ import annotations

from functools import total_ordering
from typing import Any

from karma.cards import KINDS


def _texts() -> list[str]:
    plays = [kind + times for kind in KINDS for times in ("", "x2", "x3")]
    places = [f"?{place}" for place in range(3)]
    gives = [f">{seat}" for seat in range(12)]
    return [*plays, *places, "P", *gives, "D", "N", *(f"^{kind}" for kind in KINDS)]


TEXTS: tuple[str, ...] = tuple(_texts())
_PLAYS = 63


class InvalidMove(ValueError):
    """A text or a number that is no move at all."""


@total_ordering
class Move:
    """A decision of a player, made from its text or its number.

    >>> Move("12x2"), Move("12x2").number, Move(63)
    (Move('12x2'), 34, Move('P'))
    >>> str(Move(">2"))
    '>2'

    There is one object for each move, so that moves compare by identity and are quick to make.
    """

    __slots__ = ("number", "text")
    number: int
    text: str

    def __new__(cls, move: str | int) -> Move:
        if isinstance(move, str):
            try:
                return BY_TEXT[move]
            except KeyError:
                raise InvalidMove(
                    f"{move!r} is not a move; moves are cards (7, 12x2, F), ?0 to ?2, P, "
                    ">0 to >11, D, N, and ^7 while choosing"
                ) from None
        if isinstance(move, int) and 0 <= move < len(ALL):
            return ALL[move]
        raise InvalidMove(f"{move!r} is not a move; moves are numbered 0 to 97")

    @property
    def kind(self) -> str | None:
        """The kind of card that is played or put face up, if the move names one."""
        if self.number < 60:
            return KINDS[self.number // 3]
        return KINDS[self.number - 78] if self.number >= 78 else None

    @property
    def count(self) -> int:
        """How many identical cards are played: 0 for other moves."""
        return self.number % 3 + 1 if self.number < 60 else 0

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"Move({self.text!r})"

    def __lt__(self, other: object) -> bool:
        return self.number < other.number if isinstance(other, Move) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.text)

    def __eq__(self, other: object) -> bool:
        return self is other

    def __reduce__(self) -> tuple[Any, ...]:
        return Move, (self.text,)


def _make(number: int, text: str) -> Move:
    move = object.__new__(Move)
    move.number = number
    move.text = text
    return move


ALL: tuple[Move, ...] = tuple(_make(number, text) for number, text in enumerate(TEXTS))
BY_TEXT: dict[str, Move] = dict(zip(TEXTS, ALL, strict=True))


def from_words(plays: int, others: int) -> tuple[Move, ...]:
    """The moves of two words of bits, in the order of their numbers."""
    moves = []
    word = int(plays) | int(others) << _PLAYS  # with the compiler off they are 64 bits wide
    while word:
        lowest = word & -word
        moves.append(ALL[lowest.bit_length() - 1])
        word ^= lowest
    return tuple(moves)
