"""Waits: how long requests took, from their arrival to their answer."""

from bisect import bisect_left
from itertools import accumulate

MOST = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0, float("inf"))


class Waits:
    """Counts by duration, in seconds; small enough to count every request."""

    def __init__(self) -> None:
        self._counts = [0] * len(MOST)
        self.total = 0.0

    def add(self, seconds: float) -> None:
        """One more request was answered."""
        self._counts[bisect_left(MOST, seconds)] += 1
        self.total += seconds

    def buckets(self) -> list[tuple[float, int]]:
        """How many took at most so long, for each bound."""
        return list(zip(MOST, accumulate(self._counts), strict=True))
