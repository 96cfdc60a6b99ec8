"""A guard for bots of other people: what goes wrong is reported, and never ends a game."""

from __future__ import annotations

import logging

from karma.bots.bot import Bot
from karma.bots.policies import PolicyBot
from karma.moves import Move
from karma.view import View

_LOG = logging.getLogger("karma.bots")


class Trouble(Exception):
    """A bot that gave no move, or none that is legal; says why."""


def report(name: str, view: View, reason: str) -> Move:
    """Reports what a bot did wrong, and returns the move that is made instead: greedy's."""
    move = PolicyBot("greedy").choose(view)
    _LOG.warning("%s at ply %d: %s; plays %s instead", name, view.ply, reason, move)
    return move


def checked(answer: object, view: View) -> Move:
    """An answer as a legal move; Trouble if it is none."""
    try:
        move = answer if isinstance(answer, Move) else Move(answer)  # type: ignore[arg-type]
    except ValueError as error:
        raise Trouble(str(error)) from None
    if move not in view.legal:
        raise Trouble(f"{move} is not legal")
    return move


class Guarded:
    """A bot whose errors and illegal moves are reported, with a greedy move in their place."""

    def __init__(self, bot: Bot) -> None:
        self.bot = bot
        self.name = bot.name

    def choose(self, view: View) -> Move:
        """The bot's move, if it is one."""
        try:
            return checked(self.bot.choose(view), view)
        except Trouble as trouble:
            return report(self.name, view, str(trouble))
        except Exception as error:
            return report(self.name, view, f"it failed with {error!r}")
