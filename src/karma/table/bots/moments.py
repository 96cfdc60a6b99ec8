"""Moments: when a bot's move is seen, which tells nothing of what was thought.

A forced move is found sooner than a hard one, and whether a move was forced depends on cards that
nobody else may know. So moves are seen at fixed moments after the decision began. A thought that
misses its moment is seen at a later one, and the seat keeps to that for the rest of the game: what
lateness could tell is told once or twice, and then no more.
"""

from karma.table.bots.port import searches

QUICK, SEARCH = 0.01, 0.25
"""Seconds after which the move of a bot that looks things up, or looks ahead, is seen at least."""
MOST = 4
"""How many times as long a seat may take for the rest of a game."""


class Moments:
    """How long after being asked each seat's bot moves."""

    def __init__(self, pace: float | None) -> None:
        self._usual = self._pace = pace
        self._waits: dict[tuple[int, int, str], float] = {}

    def change_pace(self, factor: float) -> None:
        """Has bots wait so many times as long as usual."""
        pace = None if self._usual is None else self._usual * factor
        if pace != self._pace:
            self._pace = pace
            self._waits.clear()

    def wait(self, game: int, seat: int, level: str, taken: float, *, failed: bool) -> float:
        """Seconds from the question to the move, of which thinking has taken some."""
        if self._pace is None:
            return taken
        first = max(self._pace, SEARCH if searches(level) else QUICK)
        wait = self._waits.get((game, seat, level), first)
        while wait < min(taken, first * MOST):
            wait *= 2
        if not failed:
            self._waits = {key: kept for key, kept in self._waits.items() if key[0] == game}
            self._waits[game, seat, level] = wait
        return wait * max(1, -int(-taken // wait))
