"""The numbers of a hint: what tells a move from the one that a quick player would make.

Both are played on in the same worlds, dealt from what the seat knows.
"""

from __future__ import annotations

from typing import NamedTuple

from karma.bots.chance import word
from karma.bots.registry import make_bot
from karma.core.kernel import PLAIN, compiled_mark
from karma.moves import Move
from karma.review.baseline import rollouts
from karma.review.decisions import trials
from karma.review.reasons import Contrast, contrasts
from karma.review.values import judge_for
from karma.view import View

QUICK = "greedy"
WORLDS = 100
SEED = 1
HINTING = 3


class Numbers(NamedTuple):
    """A quick player's move, and the facts that speak for the better one; none if nothing does."""

    instead: Move | None = None
    facts: tuple[Contrast, ...] = ()


def numbers(view: View, move: Move) -> Numbers:
    """At most two facts that tell a move from a quick player's."""
    other = make_bot(QUICK, seed=0).choose(view)
    if view.phase == "choose" or other == move or move.text[0] == other.text[0] == "?":
        return Numbers()
    players = len(view.players)
    judge = judge_for(view.rules, players, rollouts(players), SEED)
    rng = word(SEED, view.ply, HINTING)
    found = tuple(contrasts(trials(view, [move.number, other.number], judge, WORLDS, rng)))
    return Numbers(other, found) if found else Numbers()


def numbers_if_compiled(view: View, move: Move) -> Numbers:
    """The same, but nothing where it would have to be compiled: no hint waits for that."""
    if PLAIN or compiled_mark("review").exists():
        return numbers(view, move)
    return Numbers()
