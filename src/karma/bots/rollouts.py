"""Rollouts: a game played quickly to its end, and what the end is worth to a seat.

Values are whole numbers, so that sums do not depend on the order in which threads add them.
"""

from __future__ import annotations

from typing import Any

from karma.bots.policies import greedy
from karma.bots.steady import first_steady
from karma.core import apply, legal
from karma.core.kernel import below, kernel
from karma.core.layout import NOBODY, OVER, Record
from karma.editions import QUIET_TURNS

Array = Any
WON = 1000  # what not losing is worth
LONGEST = 600  # moves of a rollout, after which it counts as a game without a loser
STYLES = ("greedy", "steady", "mixed")
GREEDY, STEADY, MIXED = range(3)


@kernel
def rollout(style: int, rules: Record, state: Record, rng: Array) -> None:
    """Plays a game on, each seat by a quick policy; in mixed style, each seat by either."""
    last = state.ply + LONGEST
    steadies = 0
    if style == STEADY:
        steadies = -1
    elif style == MIXED:
        steadies = below(rng, 1 << 12)
    while state.phase != OVER and state.ply < last:
        plays, others = legal(rules, state)
        if steadies >> state.actor & 1:
            move = first_steady(rules, state, plays, others)
        else:
            move = greedy(state, plays, others)
        apply(rules, state, move, None)


@kernel
def hurry(rules: Record, state: Record, haste: int) -> int:
    """What a move costs in a rollout: a point, and more the longer nothing has happened."""
    limit = rules.stall_limit if rules.stall_limit > 0 else QUIET_TURNS * state.seats
    return 1 + haste * min(state.quiet, limit) // limit  # type: ignore[no-any-return]


@kernel
def value(state: Record, seat: int, since: int, cost: int) -> int:
    """What the end of a rollout is worth to a seat, at most WON; `since` is the ply it began.

    Every move costs a point, or more in a hurry: of two ways to win the quicker one is better, so
    that games end.
    """
    if state.loser == seat:
        return 0
    share = WON // state.seats if state.loser == NOBODY else 0
    return max(0, WON - share - cost * (state.ply - since))  # type: ignore[no-any-return]
