"""The story of a reviewed game in words: each seat's ledger, and the decisions that cost most."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from karma.review.facts import fact_text
from karma.review.ledger import BLUNDER, Ply, Review
from karma.review.reply import Reply
from karma.text import move_text
from karma.texts import Texts
from karma.view import View

COSTLIEST = 5
_BARS = "▁▂▃▄▅▆▇█"
LONGEST_LINE = 60


def costliest(found: Review, seats: Sequence[int]) -> list[Ply]:
    """The decisions that were mistakes for sure, the costliest first."""
    plies = [ply for ply in found.mistakes if ply.seat in seats]
    plies.sort(key=lambda ply: -ply.decision.sure_loss if ply.decision is not None else 0.0)
    return plies[:COSTLIEST]


def points(share: float) -> str:
    """A share as points of a hundred, with its sign."""
    rounded = round(100 * share)
    return f"{rounded:+d}".replace("-", "−") if rounded else "0"


def story(found: Review, seats: Sequence[int], say: Texts) -> Iterator[str]:
    """What a person wants to know of a game, line by line."""
    if found.result is None:
        yield say("review_unfinished")
    else:
        for seat in seats:
            yield ledger_text(found, seat, say)
    plies = costliest(found, seats)
    yield say("review_costliest") if plies else say("review_no_mistakes")
    for ply in plies:
        yield decision_text(found, ply, say)


def told_seats(found: Review, own: int | None) -> Sequence[int]:
    """Whose game is told: the reader's own, or everybody's."""
    return range(found.players) if own is None else (own,)


def page(found: Review, own: int | None, say: Texts, *, answers: bool) -> Iterator[str]:
    """A page for the reader in a seat: mistakes to think about, and the answers if wanted."""
    seats = told_seats(found, own)
    width = max(map(len, found.names))
    for seat in seats:
        yield f"{found.names[seat]:{width}} {chance_line(found, seat)}"
    yield ""
    if found.result is None:
        yield say("review_unfinished")
    else:
        for seat in seats:
            yield ledger_text(found, seat, say, own=seat == own)
    yield ""
    plies = costliest(found, seats)
    yield say("review_costliest") if plies else say("review_no_mistakes")
    for number, ply in enumerate(plies, 1):
        told = decision_text(found, ply, say) if answers else question_text(found, ply, say)
        yield f"{number}. {told}"


def question_text(found: Review, ply: Ply, say: Texts) -> str:
    """A mistake without what would have been better."""
    decision = ply.decision
    assert decision is not None
    return say(
        "review_cost",
        ply=ply.ply,
        move=move_text(ply.move, found.view(ply), say),
        loss=round(100 * decision.loss),
        error=round(196 * decision.error),
    )


def ledger_text(found: Review, seat: int, say: Texts, *, own: bool = False) -> str:
    """One seat's ledger as a sentence."""
    assert found.result is not None
    given, kept = sum(found.luck(seat).values()), found.result[seat]
    key = "review_lost" if kept == 0 else "review_kept" if kept == 1 else "review_stalled"
    return say(
        key,
        who="you" if own else "other",
        name=found.names[seat],
        luck=points(given),
        play=points(-found.loss(seat)),
        rest=points(found.rest(seat)),
    )


def decision_text(found: Review, ply: Ply, say: Texts) -> str:
    """A decision, what would have been better, by how much, and why."""
    decision = ply.decision
    assert decision is not None
    view = found.view(ply)
    key = "review_blunder" if decision.sure_loss >= BLUNDER else "review_mistake"
    told = say(
        key,
        ply=ply.ply,
        name=found.names[ply.seat],
        made=move_text(ply.move, view, say),
        best=move_text(decision.best, view, say),
        loss=round(100 * decision.loss),
        error=round(196 * decision.error),
    )
    why = "; ".join(fact_text(each, say) for each in decision.reasons)
    told = f"{told}: {why}." if why else f"{told}."
    return f"{told} {reply_text(found, decision.reply, view, say)}" if decision.reply else told


def reply_text(found: Review, reply: Reply, view: View, say: Texts) -> str:
    """What others answer to a move."""
    return say(
        "review_reply",
        name=found.names[reply.seat],
        move=move_text(reply.move, view, say),
        share=round(100 * reply.share),
    )


def chance_line(found: Review, seat: int) -> str:
    """A seat's chance not to lose over the game, as a row of bars."""
    values = [ply.values[seat] for ply in found.plies]
    if found.result is not None:
        values.append(found.result[seat])
    step = max(1, -(-len(values) // LONGEST_LINE))
    shown = values[::-step][::-1]  # counted from the end, which is always to be seen
    return "".join(_BARS[min(7, int(8 * value))] for value in shown)
