"""The reply that punishes: what others answer to a move, as its maker had to expect.

The move is made in worlds that fit its maker's view, and the judge answers for the next player. The
answer that comes most often is told, with how often it comes.
"""

from __future__ import annotations

from collections import Counter
from typing import Any, NamedTuple

from karma.bots.chance import word
from karma.bots.net import opinions
from karma.bots.registry import make_bot
from karma.core import imagine
from karma.moves import Move
from karma.packing import new_states
from karma.review.values import Judge, NetJudge, is_over, moved, seen_by
from karma.view import View

WORLDS = 40
OFTEN = 0.3
"""An answer that comes less often is not told."""
REPLYING = 2
SOON = 4
"""So many more moves of one's own, in sets, may come before the answer."""


class Reply(NamedTuple):
    """A seat's answer, and in which share of worlds it comes."""

    seat: int
    move: Move
    share: float

    def json(self) -> dict[str, Any]:
        """The answer as it is written down."""
        return {"seat": self.seat, "move": str(self.move), "share": round(self.share, 4)}


def reply(view: View, made: Move, judge: Judge, seed: int) -> Reply | None:
    """The commonest answer to a move, by what its maker knew; None if there is none that is."""
    found: Counter[tuple[int, Move]] = Counter()
    for world in range(WORLDS):
        state = new_states(view.rules)
        imagine(view.packed_rules, view.record, state, word(seed, view.ply, REPLYING, world))
        state = moved(state, made.number, view.rules)
        for _ in range(SOON):
            if is_over(state):
                break
            actor = int(state["actor"][0])
            answer = _favourite(seen_by(state, actor, view.rules, view.players), judge)
            if actor != view.seat:
                found[actor, answer] += 1
                break
            state = moved(state, answer.number, view.rules)
    if not found:
        return None
    (seat, move), times = max(found.items(), key=lambda item: (item[1], -item[0][1].number))
    share = times / WORLDS
    return Reply(seat, move, share) if share >= OFTEN else None


def _favourite(view: View, judge: Judge) -> Move:
    """The move that the judge likes best."""
    if isinstance(judge, NetJudge):
        thought = opinions(view, judge.weights)
        return max(thought, key=lambda move: (thought[move].worth, -move.number))
    return make_bot("steady", seed=0).choose(view)
