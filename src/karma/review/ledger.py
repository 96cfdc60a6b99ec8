"""The ledger of a game: for each seat what chance gave, what its play cost, and the rest.

    result - baseline = deal + own draws + others' draws + flips - own losses + the rest

The rest (others' play, what nobody could know, the judge's own inconsistency) is computed twice, as
what remains and as the sum of all other steps of the values, and is shown, never hidden.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from karma.moves import Move
from karma.record import Record
from karma.review.baseline import baseline
from karma.review.decisions import Decision, decide, different
from karma.review.luck import Card, shown
from karma.review.reasons import contrasts
from karma.review.values import dealt, is_over, judge_for, moved, seen_by, values
from karma.view import View

VERSION = 1
WORLDS = 100
DEAL, OWN_DRAWS, OTHERS_DRAWS, FLIPS = "deal", "own_draws", "others_draws", "flips"
LUCK = (DEAL, OWN_DRAWS, OTHERS_DRAWS, FLIPS)
Progress = Callable[[int, int], None]


@dataclass
class Ply:
    """One move of the game: the values of all seats before it, and what it cost, if judged."""

    ply: int
    seat: int
    move: Move
    values: tuple[float, ...]
    choice: bool
    decision: Decision | None = None


@dataclass
class Review:
    """A reviewed game."""

    record: Record
    judge: str
    seed: int
    worlds: int
    baseline: tuple[float, ...]
    deal: tuple[float, ...]
    plies: list[Ply] = field(default_factory=list)
    cards: list[Card] = field(default_factory=list)
    result: tuple[float, ...] | None = None
    steps: tuple[float, ...] = ()
    """What all steps of the values but luck come to, for each seat."""

    @property
    def players(self) -> int:
        return len(self.record.players)

    def view(self, ply: Ply) -> View:
        """What the maker of a move knew."""
        game = self.record.deal()
        for text in self.record.moves[: ply.ply]:
            game.push(text)
        return game.view(ply.seat)

    def luck(self, seat: int) -> dict[str, float]:
        """What chance gave a seat, by kind of chance."""
        found = dict.fromkeys(LUCK, 0.0)
        found[DEAL] = self.deal[seat]
        for card in self.cards:
            if card.what == "flip":
                found[FLIPS] += card.luck[seat]
            else:
                found[OWN_DRAWS if card.seat == seat else OTHERS_DRAWS] += card.luck[seat]
        return found

    def loss(self, seat: int) -> float:
        """What a seat's judged decisions cost it."""
        return sum(
            ply.decision.loss for ply in self.plies if ply.seat == seat and ply.decision is not None
        )

    def rest(self, seat: int) -> float:
        """What neither luck nor the seat's own decisions explain: what remains."""
        assert self.result is not None
        gained = self.result[seat] - self.baseline[seat]
        return gained - sum(self.luck(seat).values()) + self.loss(seat)

    def rest_by_steps(self, seat: int) -> float:
        """The same, as the sum of all other steps of the values."""
        return self.steps[seat] + self.loss(seat)


# ---- making one ---------------------------------------------------------------------------------


def review(
    record: Record,
    *,
    worlds: int = WORLDS,
    seed: int = 1,
    seats: Collection[int] | None = None,
    progress: Progress | None = None,
) -> Review:
    """Reviews a game: the ledger first, then the decisions of some seats (of all, by default)."""
    found = account(record, seed=seed)
    found.worlds = worlds
    judge_decisions(found, seats, progress)
    return found


def account(record: Record, *, seed: int = 1) -> Review:
    """Values every position and every card of a game; no decision is judged yet."""
    record.replay()
    rules, players = record.rules, record.players
    state = dealt(rules, len(players), record.deck, record.dealer)
    rollouts = rollouts_for(record)
    judge = judge_for(rules, len(players), rollouts, seed)
    # The baseline is by the distance from the dealer, who is the last.
    expected, _ = baseline(rules, len(players), rollouts)
    expected = np.roll(expected, record.dealer + 1)
    before = values(judge, state, rules, players)
    found = Review(
        record=record,
        judge=judge.name,
        seed=seed,
        worlds=0,
        baseline=tuple(expected.tolist()),
        deal=tuple((before - expected).tolist()),
    )
    steps = np.zeros(len(players))
    for text in record.moves:
        move, seat = Move(text), int(state["actor"][0])
        choice = len(different(seen_by(state, seat, rules, players))) > 1
        found.plies.append(Ply(len(found.plies), seat, move, tuple(before.tolist()), choice))
        reached = before
        for card in shown(judge, state, move.number, rules, players):
            found.cards.append(card)
            came = np.array(card.values[card.kind])
            steps += came - reached - np.array(card.luck)
            reached = came
        state = moved(state, move.number, rules)
        before = values(judge, state, rules, players)
        steps += before - reached
    if is_over(state):
        found.result = tuple(before.tolist())
        found.steps = tuple(steps.tolist())
    return found


def judge_decisions(
    found: Review, seats: Collection[int] | None = None, progress: Progress | None = None
) -> None:
    """Judges the decisions of some seats (of all, by default), in as many worlds as it says."""
    record = found.record
    game = record.deal()
    judge = judge_for(game.rules, found.players, rollouts_for(record), found.seed)
    for done, ply in enumerate(found.plies):
        judged = seats is None or ply.seat in seats
        if ply.choice and judged:
            ply.decision = decide(game.view(ply.seat), ply.move, judge, found.worlds, found.seed)
        game.push(ply.move)
        if progress is not None:
            progress(done + 1, len(found.plies))


# ---- how much effort ----------------------------------------------------------------------------

ROLLOUTS = (4, 32)
_EVALUATIONS = 60_000


def rollouts_for(record: Record) -> int:
    """How many rollouts a value takes: fewer in long games of many, so that all end in seconds."""
    asked = max(1, len(record.moves)) * (len(record.players) + 6)
    least, most = ROLLOUTS
    return max(least, min(most, _EVALUATIONS // asked))


# ---- as JSON ------------------------------------------------------------------------------------


def to_json(found: Review, game: int, b: float, *, detail: bool = False) -> dict[str, Any]:
    """A review as one object, the same for the same game, judge, worlds and seed."""
    data: dict[str, Any] = {"review": VERSION, "judge": found.judge}
    data["seats"] = [_seat(found, seat, b) for seat in range(found.players)]
    data |= {"game": game, "seed": found.seed, "worlds": found.worlds, "b": b}
    data["plies"] = [_ply(ply) for ply in found.plies]
    if detail:
        data["chance"] = [_deal(found), *map(_shown, found.cards)]
    return data


def _seat(found: Review, seat: int, b: float) -> dict[str, Any]:
    if found.result is None:
        return {"seat": seat, "result": None}
    given = found.luck(seat)
    return {
        "seat": seat,
        "result": found.result[seat],
        "baseline": found.baseline[seat],
        "luck": given,
        "losses": -found.loss(seat),
        "rest": found.rest(seat),
        "adjusted": found.result[seat] - b * sum(given.values()),
    }


def _ply(ply: Ply) -> dict[str, Any]:
    decision = ply.decision
    return {
        "ply": ply.ply,
        "seat": ply.seat,
        "move": str(ply.move),
        "best": None if decision is None else str(decision.best),
        "values": list(ply.values),
        "loss": None if decision is None else decision.loss,
        "error": None if decision is None else decision.error,
        "reasons": [each.json() for each in contrasts(decision.trials)] if decision else [],
    }


def _deal(found: Review) -> dict[str, Any]:
    nothing = dict.fromkeys(("seat", "kind", "unseen", "values"))
    return {"ply": 0, "what": "deal", **nothing, "luck": list(found.deal)}


def _shown(card: Card) -> dict[str, Any]:
    return {
        "ply": card.ply,
        "what": card.what,
        "seat": card.seat,
        "kind": card.kind,
        "unseen": card.unseen,
        "values": {kind: list(values) for kind, values in card.values.items()},
        "luck": list(card.luck),
    }
