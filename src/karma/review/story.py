"""The story of a reviewed game in words: each seat's ledger, and the decisions that cost most."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from karma.review.ledger import Ply, Review
from karma.review.reasons import Contrast, contrasts
from karma.text import move_text
from karma.texts import Texts

MISTAKE, BLUNDER = 0.05, 0.15
COSTLIEST = 5
_COUNTED = ("cards_held", "karma_held")
_BARS = "▁▂▃▄▅▆▇█"
LONGEST_LINE = 60


def sure_loss(ply: Ply) -> float:
    """What a decision cost for sure: the lower end of its interval."""
    if ply.decision is None:
        return 0.0
    return ply.decision.loss - 1.96 * ply.decision.error


def costliest(found: Review, seats: Sequence[int]) -> list[Ply]:
    """The decisions that were mistakes for sure, the costliest first."""
    plies = [ply for ply in found.plies if ply.seat in seats and sure_loss(ply) >= MISTAKE]
    plies.sort(key=lambda ply: -sure_loss(ply))
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


def ledger_text(found: Review, seat: int, say: Texts) -> str:
    """One seat's ledger as a sentence."""
    assert found.result is not None
    given, kept = sum(found.luck(seat).values()), found.result[seat]
    key = "review_lost" if kept == 0 else "review_kept" if kept == 1 else "review_stalled"
    return say(
        key,
        name=found.record.players[seat],
        luck=points(given),
        play=points(-found.loss(seat)),
        rest=points(found.rest(seat)),
    )


def decision_text(found: Review, ply: Ply, say: Texts) -> str:
    """A decision, what would have been better, by how much, and why."""
    assert ply.decision is not None
    view = found.view(ply)
    key = "review_blunder" if sure_loss(ply) >= BLUNDER else "review_mistake"
    told = say(
        key,
        ply=ply.ply,
        name=found.record.players[ply.seat],
        made=move_text(ply.move, view, say),
        best=move_text(ply.decision.best, view, say),
        loss=round(100 * ply.decision.loss),
        error=round(196 * ply.decision.error),
    )
    why = "; ".join(contrast_text(each, say) for each in contrasts(ply.decision.trials))
    return f"{told}: {why}." if why else f"{told}."


def contrast_text(contrast: Contrast, say: Texts) -> str:
    """A fact that tells two moves apart."""
    if contrast.fact in _COUNTED:
        best, made = f"{contrast.best:.1f}", f"{contrast.made:.1f}"
    else:
        best, made = f"{100 * contrast.best:.0f}", f"{100 * contrast.made:.0f}"
    return say(f"review_fact_{contrast.fact}", best=best, made=made)


def chance_line(found: Review, seat: int) -> str:
    """A seat's chance not to lose over the game, as a row of bars."""
    values = [ply.values[seat] for ply in found.plies]
    if found.result is not None:
        values.append(found.result[seat])
    step = max(1, -(-len(values) // LONGEST_LINE))
    return "".join(_BARS[min(7, int(8 * value))] for value in values[::step])
