"""Characters: who the bots of a table are. Each is somebody, and everybody sees the same."""

import re
from collections.abc import Collection, Sequence

CHARACTERS = 12
"""How many there are: `character_0` to `character_11` in the catalogues; faces of these numbers."""
_FIRST = {"casual": 0, "careful": 3, "expert": 6, "master": 9}
"""Where a level begins to look, so that the same one often plays at the same level."""
_NUMBER = re.compile(r" \d+$")


def characters(bots: Sequence[str | None]) -> list[int | None]:
    """Which character each seat's bot is, no two alike; None for a person.

    >>> characters(["casual", None, "casual", "expert"])
    [0, None, 1, 6]
    """
    taken: set[int] = set()
    found: list[int | None] = []
    for level in bots:
        if level is None:
            found.append(None)
            continue
        number = _FIRST.get(level, len(level) % CHARACTERS)
        while number in taken and len(taken) < CHARACTERS:
            number = (number + 1) % CHARACTERS
        taken.add(number)
        found.append(number)
    return found


def level_of(name: str) -> str:
    """The level of a bot that plays under its own name.

    >>> level_of("casual 2")
    'casual'
    """
    return _NUMBER.sub("", name)


def characters_of(names: Sequence[str], people: Collection[int]) -> list[int | None]:
    """Which character sits where, of a list that has names and tells whose seats are people's.

    >>> characters_of(["master", "master 2"], people=[0])
    [None, 9]
    """
    return characters(
        [None if seat in people else level_of(name) for seat, name in enumerate(names)]
    )
