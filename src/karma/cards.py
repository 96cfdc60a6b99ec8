"""The twenty kinds of card: the numbers 1 to 16, and the karma cards Give, Five, Table, Bottoms."""

from collections.abc import Iterable
from functools import lru_cache

KINDS: tuple[str, ...] = (*map(str, range(1, 17)), "G", "F", "T", "B")
KARMA_CARDS: tuple[str, ...] = KINDS[16:]
NUMBER_OF: dict[str, int] = {kind: number for number, kind in enumerate(KINDS)}


def number_of(kind: str) -> int:
    """The number of a kind in the core.

    >>> number_of("16"), number_of("G")
    (15, 16)
    """
    try:
        return NUMBER_OF[kind]
    except (KeyError, TypeError):
        raise ValueError(f"there is no card {kind!r}; cards are 1 to 16, G, F, T and B") from None


def by_kind(cards: Iterable[str]) -> list[str]:
    """Cards sorted by kind: 1 to 16, G, F, T, B.

    >>> by_kind(["B", "10", "9", "G"])
    ['9', '10', 'G', 'B']
    """
    return sorted(cards, key=NUMBER_OF.__getitem__)


@lru_cache(1 << 14)  # from move to move most rows of a view stay as they are
def from_counts(counts: bytes) -> tuple[str, ...]:
    """The cards of a row of counts, a byte for each kind, sorted by kind.

    >>> from_counts(bytes([0, 2] + [0] * 17 + [1]))
    ('2', '2', 'B')
    """
    numbers = zip(KINDS, counts, strict=True)
    return tuple(kind for kind, number in numbers for _ in range(number))
