"""Allowance: how often a player has asked for something lately; nobody may too often."""

from collections import deque

WINDOW = 10_000


class Allowance:
    """So many things a player may ask for in ten seconds; None for any number."""

    def __init__(self, most: int | None) -> None:
        self._most = most
        self._asked: dict[str, deque[int]] = {}

    def used_up(self, player: str, now: int) -> bool:
        """Whether a player has asked for too much just now; counts one more if not."""
        if self._most is None:
            return False
        recent = self._asked.setdefault(player, deque())
        while recent and recent[0] <= now - WINDOW:
            recent.popleft()
        if len(recent) >= self._most:
            return True
        recent.append(now)
        return False
