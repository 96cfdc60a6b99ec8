"""Portions: a review made little by little, for those who do other things too.

Whoever makes it asks for the next job, has it done anywhere (a job is a function and its values,
and both can be sent to another process), and brings the answer back. A job takes about as long as
it is told to. However it is cut into portions, the review is the same.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

import numpy as np

from karma.editions import Rules
from karma.record import Record
from karma.review.baseline import Baseline, deals, kept, mean, value_deals
from karma.review.ledger import Judgement, Ply, Review
from karma.review.reviewer import WORLDS, begin, close, judge_plies, value_plies

T = TypeVar("T")
Job = tuple[Callable[..., Any], tuple[Any, ...]]
SECONDS = 0.1
SEED = 1


class Portions:
    """A review in the making."""

    def __init__(
        self, record: Record, expected: Baseline | None = None, worlds: int = WORLDS
    ) -> None:
        self.record = record
        self.expected = expected
        """What the seats may expect; found out first where it is not known yet."""
        self.worlds = worlds
        self.review: Review | None = None
        self._deals: list[Any] = []
        self._to_judge: list[Ply] = []

    @property
    def total(self) -> int:
        """How much there is to do, in plies: each is valued and then judged."""
        return 2 * len(self.record.moves)

    @property
    def done(self) -> int:
        """How much of it is done."""
        if self.review is None:
            return 0
        if not self.has_ledger:
            return len(self.review.plies)
        return self.total - len(self._to_judge)

    @property
    def has_ledger(self) -> bool:
        """Are all positions and cards valued?"""
        return self.review is not None and len(self.review.plies) == len(self.record.moves)

    @property
    def whole(self) -> bool:
        """Is there nothing left to do?"""
        return self.has_ledger and not self._to_judge

    def next(self) -> Job:
        """What is to be done next."""
        if self.expected is None:
            return expect_some, (self.record.rules, len(self.record.players), len(self._deals))
        if self.review is None:
            return begin, (self.record, self.expected)
        if not self.has_ledger:
            return value_some, (self.record, len(self.review.plies))
        numbers = [ply.ply for ply in self._to_judge]
        return judge_some, (self.record, numbers, self.worlds)

    def take(self, answer: Any) -> None:
        """Takes what came of the job."""
        if self.expected is None:
            self._take_deals(answer)
        elif self.review is None:
            self.review = answer
        elif not self.has_ledger:
            self.review.plies += answer
            if self.has_ledger:
                close(self.review)
                self.review.worlds = self.worlds
                self._to_judge = [ply for ply in self.review.plies if ply.choice]
        else:
            for ply, decision in zip(self._to_judge, answer, strict=False):
                ply.decision = decision
            self._to_judge = self._to_judge[len(answer) :]

    def _take_deals(self, answer: Any) -> None:
        if isinstance(answer, Baseline):
            self.expected = answer
            return
        self._deals += answer
        if len(self._deals) >= deals(len(self.record.players)):
            self.expected = mean(np.array(self._deals))


# ---- the jobs -----------------------------------------------------------------------------------


def expect_some(rules: Rules, players: int, first: int) -> Any:
    """The baseline, if it is kept; else the values of some deals, from one on."""
    found = kept(rules, players)
    if found is not None:
        return found
    each = (value_deals(rules, players, range(i, i + 1))[0] for i in range(first, deals(players)))
    return list(_for_a_while(each))


def value_some(record: Record, first: int) -> list[Ply]:
    """Some plies of a game, from one on."""
    return list(_for_a_while(value_plies(record, SEED, first)))


def judge_some(record: Record, plies: list[int], worlds: int) -> list[Judgement]:
    """What the moves of the first of some plies cost."""
    return list(_for_a_while(judge_plies(record, plies, worlds, SEED, try_again=True)))


def _for_a_while(found: Iterator[T]) -> Iterator[T]:
    """What comes until the time is over, but at least one."""
    end = time.monotonic() + SECONDS
    for each in found:
        yield each
        if time.monotonic() >= end:
            return
