"""Deadlines: how long a table waits, for whom, and when it has waited long enough."""

from dataclasses import dataclass

from karma.table.clients.presence import Presence
from karma.table.log.state import REMEMBERED_STEPS, TableState

WAITED_FOR = 20_000
"""Milliseconds for which all wait for somebody gone; then others than the host may ask, too."""


@dataclass(frozen=True)
class Terms:
    """How patient a table is, in seconds."""

    pace: float | None = 0.0
    """When a bot's move is seen, so that people can follow; None as soon as it is known: at a table
    on one's own machine, where who wants to know more of the bots could look into their memory."""
    thinking: float = 10.0
    """How long a bot may think."""
    starved: float = 1.0
    """How many times as long a bot of ours may take, where other programs keep it from thinking."""
    absent: float = 60.0
    """How long a table without a clock waits for somebody who is gone."""
    delay: float = 30.0
    """How late spectators see the game, where they do."""
    ask_seeds: bool = True
    """Whether people's programs are asked for seeds of the fair deal."""
    remembered: int = REMEMBERED_STEPS
    """How many steps of its history a table can tell to those who come back."""
    said: int = 8
    """How many things a player may say in ten seconds."""
    changes: int | None = None
    """How many things a player may change at the table in ten seconds, moves aside."""


def seeds_due(state: TableState) -> int | None:
    """When the fair deal goes on without the missing seeds; None if it does not wait."""
    return state.deal.deadline if state.phase == "deal" and state.deal is not None else None


def move_due(state: TableState, seat: int, presence: Presence, terms: Terms) -> int | None:
    """When the table stops waiting for a person's decision; None if it does not."""
    chair = state.chairs[seat]
    seconds = state.move_seconds
    if chair.player is None or chair.moved_by_bot:
        return None
    if seconds is None and chair.player in presence:  # as nearly always
        return None
    if not presence.awake(state):
        return None
    asked_at = presence.asked_at(state)
    if seconds is not None:
        return asked_at + seconds * 1000
    return max(presence.gone_at(chair.player), asked_at) + round(terms.absent * 1000)


def coverable_at(state: TableState, away_since: int) -> int | None:
    """When others than the host may ask a bot to cover for somebody gone; None for never."""
    return None if state.settings.clock == "days" else away_since + WAITED_FOR


def next_due(state: TableState, presence: Presence, terms: Terms) -> int | None:
    """When the table has to do something though nobody asks; None if it has not."""
    if state.paused:
        return None
    moves = (move_due(state, seat, presence, terms) for seat in state.asked())
    return min((at for at in (seeds_due(state), *moves) if at is not None), default=None)
