"""The audit of many reviews: do the accounts add up, and has luck mean zero?"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator

from karma.review.ledger import DEAL, LUCK, Review

IDENTITY, ZERO_SUM = 1e-6, 1e-9
LEVEL = 0.05
FEWEST = 30
"""Of fewer games a mean says nothing."""


class Audit:
    """What many reviewed games come to."""

    def __init__(self) -> None:
        self.games = 0
        self.unfinished = 0
        self.worst_identity = 0.0
        self.worst_sum = 0.0
        self._luck: dict[str, list[float]] = defaultdict(list)
        self._baseline_error = 0.0

    def add(self, found: Review) -> None:
        """Counts a game; an unfinished one has luck, but no ledger."""
        self.games += 1
        for card in found.cards:
            self.worst_sum = max(self.worst_sum, abs(sum(card.luck)))
        self.worst_sum = max(self.worst_sum, abs(sum(found.deal)))
        if found.result is None:
            self.unfinished += 1
            return
        for seat in range(found.players):
            apart = abs(found.rest(seat) - found.rest_by_steps(seat))
            self.worst_identity = max(self.worst_identity, apart)
        if found.record.extra.get("practice"):
            return  # cards that somebody chose are no luck
        # One seat a game: the luck of the seats hangs together.
        first = (found.record.dealer + 1) % found.players
        self._baseline_error = max(self._baseline_error, found.baseline_error[first])
        for kind, given in found.luck(first).items():
            self._luck[kind].append(given)

    def chances(self) -> dict[str, tuple[float, float, float]]:
        """For each kind of luck its mean, its error, and how likely such a mean is by chance."""
        found = {}
        for kind in LUCK:
            values = self._luck[kind]
            if len(values) < 2:
                continue
            mean = sum(values) / len(values)
            variance = sum((value - mean) ** 2 for value in values) / (len(values) - 1)
            expected = self._baseline_error if kind == DEAL else 0.0
            error = math.hypot(math.sqrt(variance / len(values)), expected)
            p = math.erfc(abs(mean) / error / math.sqrt(2)) if error else 1.0
            found[kind] = mean, error, p
        return found

    @property
    def fair(self) -> bool:
        """No mean differs from zero, by Holm's correction for how many were looked at."""
        ps = [p for _, _, p in self.chances().values()]
        return not ps or self.games < FEWEST or min(ps) > LEVEL / len(ps)

    @property
    def sound(self) -> bool:
        """Does everything add up?"""
        return self.worst_identity <= IDENTITY and self.worst_sum <= ZERO_SUM and self.fair

    def lines(self) -> Iterator[str]:
        """What was found."""
        yield f"{self.games} games, {self.unfinished} unfinished"
        yield f"identity: {self.worst_identity:.1e} at most (allowed {IDENTITY:.0e})"
        yield f"luck of all seats: {self.worst_sum:.1e} at most (allowed {ZERO_SUM:.0e})"
        for kind, (mean, error, p) in self.chances().items():
            yield f"mean luck, {kind}: {mean:+.5f} ± {1.96 * error:.5f} (p = {p:.3f})"
        yield "all accounts add up, and luck is fair" if self.sound else "something does not add up"
