"""The ledger of a game: for each seat what chance gave, what its play cost, and the rest.

    result - baseline = deal + own draws + others' draws + flips - own losses + the rest

The rest (others' play, what nobody could know, the judge's own inconsistency) is computed twice, as
what remains and as the sum of all other steps of the values, and is shown, never hidden.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from karma.moves import Move
from karma.record import Record
from karma.review.luck import Card
from karma.review.reasons import Contrast
from karma.review.reply import Reply
from karma.view import View

VERSION = 1
DEAL, OWN_DRAWS, OTHERS_DRAWS, FLIPS = "deal", "own_draws", "others_draws", "flips"
LUCK = (DEAL, OWN_DRAWS, OTHERS_DRAWS, FLIPS)
MISTAKE, BLUNDER = 0.05, 0.15
Z = 1.96
Values = tuple[float, ...]


@dataclass(frozen=True)
class Judgement:
    """What a move cost, beside the one that the judge would have made, and why."""

    best: Move
    loss: float
    error: float
    reasons: tuple[Contrast, ...] = ()
    reply: Reply | None = None
    """What others answer to it, if it was a mistake."""
    losses: tuple[tuple[Move, float], ...] = ()
    """What each move would have cost in the same worlds: for those who try a mistake again."""

    @property
    def sure_loss(self) -> float:
        """What it cost for sure: the lower end of its interval."""
        return self.loss - Z * self.error


@dataclass
class Ply:
    """One move of the game: the values of all seats around it, and what chance showed in it."""

    ply: int
    seat: int
    move: Move
    choice: bool
    """Was there more than one move that differs?"""
    values: Values
    after: Values
    cards: list[Card]
    decision: Judgement | None = None

    @property
    def steps(self) -> Any:
        """What all changes of the values but luck come to, for each seat."""
        total, reached = np.zeros(len(self.values)), np.array(self.values)
        for card in self.cards:
            came = np.array(card.values[card.kind])
            total += came - reached - np.array(card.luck)
            reached = came
        return total + np.array(self.after) - reached

    @property
    def mistake(self) -> bool:
        return self.decision is not None and self.decision.sure_loss >= MISTAKE


@dataclass
class Review:
    """A reviewed game."""

    record: Record
    judge: str
    seed: int
    worlds: int
    baseline: Values
    baseline_error: Values
    deal: Values
    plies: list[Ply] = field(default_factory=list)
    result: Values | None = None

    @property
    def players(self) -> int:
        return len(self.record.players)

    @property
    def names(self) -> tuple[str, ...]:
        """The players' names; players of the same name are numbered, as bots at a table are."""
        names: list[str] = []
        for name in self.record.players:
            told, number = name, 1
            while told in names:
                number += 1
                told = f"{name} {number}"
            names.append(told)
        return tuple(names)

    @property
    def cards(self) -> Iterator[Card]:
        """Every card that chance showed."""
        return (card for ply in self.plies for card in ply.cards)

    @property
    def mistakes(self) -> list[Ply]:
        """The decisions that cost something for sure."""
        return [ply for ply in self.plies if ply.mistake]

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
        return float(sum(ply.steps[seat] for ply in self.plies)) + self.loss(seat)


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
    reply = decision.reply if decision is not None else None
    return {
        "ply": ply.ply,
        "seat": ply.seat,
        "move": str(ply.move),
        "best": None if decision is None else str(decision.best),
        "values": list(ply.values),
        "loss": None if decision is None else decision.loss,
        "error": None if decision is None else decision.error,
        "reasons": [each.json() for each in decision.reasons] if decision is not None else [],
        "reply": None if reply is None else reply.json(),
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
