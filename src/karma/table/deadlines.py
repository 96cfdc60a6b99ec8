"""Patience: how long a table waits, for whom, and when it has waited long enough."""

from dataclasses import dataclass
from typing import Protocol

from karma.table.clients.presence import Presence
from karma.table.log.state import TableState


class Clock(Protocol):
    """The time, real or virtual."""

    def now(self) -> int:
        """Milliseconds since 1970."""

    async def sleep(self, seconds: float) -> None:
        """Waits."""


@dataclass(frozen=True)
class Terms:
    """How patient a table is, in seconds."""

    pace: float = 0.0
    """How long a bot waits before it moves, so that people can follow."""
    thinking: float = 10.0
    """How long a bot may think."""
    absent: float = 60.0
    """How long a table without a clock waits for somebody who is gone."""
    delay: float = 30.0
    """How late spectators see the game, where they do."""
    ask_seeds: bool = True
    """Whether people's programs are asked for seeds of the fair deal."""
    said: int = 8
    """How many things a player may say in ten seconds."""


def seeds_due(sitting: TableState) -> int | None:
    """When the fair deal goes on without the missing seeds; None if it does not wait."""
    return sitting.deal.deadline if sitting.phase == "deal" and sitting.deal is not None else None


def move_due(sitting: TableState, seat: int, company: Presence, terms: Terms) -> int | None:
    """When the table stops waiting for a person's decision; None if it does not."""
    chair = sitting.chairs[seat]
    if chair.player is None or chair.moved_by_bot or not company.awake(sitting):
        return None
    asked_at = company.asked_at(sitting)
    if sitting.move_seconds is not None:
        return asked_at + sitting.move_seconds * 1000
    if chair.player in company:
        return None
    return max(company.gone_at(chair.player), asked_at) + round(terms.absent * 1000)


def next_due(sitting: TableState, company: Presence, terms: Terms) -> int | None:
    """When the table has to do something though nobody asks; None if it has not."""
    if sitting.paused:
        return None
    moves = (move_due(sitting, seat, company, terms) for seat in sitting.asked())
    return min((at for at in (seeds_due(sitting), *moves) if at is not None), default=None)
