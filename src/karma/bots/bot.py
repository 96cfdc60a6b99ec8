"""The Bot protocol: what a program that decides must be able to do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol, runtime_checkable

if TYPE_CHECKING:
    from karma.events import Event
    from karma.moves import Move
    from karma.view import View


class BotError(ValueError):
    """A bot that does not exist, or cannot be made as asked."""


def check_turn(view: View) -> None:
    """Refuses a view whose seat has nothing to decide."""
    if view.record["plays"][0] or view.record["others"][0]:
        return
    if view.actor is None:
        raise BotError("the game is over: there is nothing to decide")
    who = "the audience does" if view.seat is None else f"seat {view.seat} does"
    raise BotError(f"{who} not decide now; give the bot the view of seat {view.actor}")


@runtime_checkable
class Bot(Protocol):
    """A program that decides. It is given its View, and nothing else.

    Its chance comes from its seed and the view's ply, so that asking twice gives the same move.
    """

    name: str

    def choose(self, view: View) -> Move:
        """One of the view's legal moves."""


@runtime_checkable
class Listener(Protocol):
    """A bot that asks for the public events too, for a memory of its own."""

    def hear(self, events: Sequence[Event]) -> None:
        """Takes note of what everybody saw happen after a move."""
