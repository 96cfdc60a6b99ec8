"""Facts: what a person can see after a move, by which two moves are told apart."""

from collections.abc import Sequence
from typing import Literal, Protocol, get_args

from karma.moves import Move
from karma.text import move_text
from karma.texts import Texts
from karma.view import View

FactCode = Literal[
    "next_picks_up",
    "i_pick_up",
    "i_am_out",
    "i_lose",
    "set_falls",
    "cards_held",
    "karma_held",
    "high_held",
    "table_left",
    "others_held",
    "others_left",
]
FACTS: tuple[FactCode, ...] = get_args(FactCode)
COUNTED = {fact for fact in FACTS if fact.endswith(("_held", "_left"))}
"""Facts that are numbers of cards (of others: their mean), not shares of worlds."""


class ComparedFact(Protocol):
    """A fact, and how often (or how much) it holds after the better move and after the other."""

    @property
    def fact(self) -> FactCode: ...
    @property
    def best(self) -> float: ...
    @property
    def made(self) -> float: ...


def fact_text(fact: ComparedFact, say: Texts) -> str:
    """A fact with both numbers."""
    counted = fact.fact in COUNTED
    best, made = (f"{n:.1f}" if counted else f"{100 * n:.0f}" for n in (fact.best, fact.made))
    return say(f"review_fact_{fact.fact}", best=best, made=made)


def facts_text(instead: Move, facts: Sequence[ComparedFact], view: View, say: Texts) -> str:
    """The facts that speak against a move."""
    told = "; ".join(fact_text(fact, say) for fact in facts)
    return say("advice_instead", move=move_text(instead, view, say), facts=told)
