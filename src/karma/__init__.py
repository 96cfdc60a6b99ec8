"""Karma, the card game: every edition, bots, and a table to sit at.

The public names are here; what they need is loaded when they are first used, so that a command
that needs none of it starts at once.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from karma.bots import Bot as Bot
    from karma.bots import BotError as BotError
    from karma.bots import make_bot as make_bot
    from karma.editions import ALTERNATIVE as ALTERNATIVE
    from karma.editions import CLASSIC as CLASSIC
    from karma.editions import EDITIONS as EDITIONS
    from karma.editions import MINI as MINI
    from karma.editions import ONLINE as ONLINE
    from karma.editions import Rules as Rules
    from karma.editions import RulesError as RulesError
    from karma.editions import edition as edition
    from karma.game import Game as Game
    from karma.game import Outcome as Outcome
    from karma.moves import InvalidMove as InvalidMove
    from karma.moves import Move as Move
    from karma.record import Record as Record
    from karma.record import RecordError as RecordError
    from karma.refusals import IllegalMove as IllegalMove
    from karma.refusals import Refusal as Refusal
    from karma.view import View as View

_HOMES = {
    "ALTERNATIVE": "editions",
    "Bot": "bots",
    "BotError": "bots",
    "CLASSIC": "editions",
    "EDITIONS": "editions",
    "Game": "game",
    "IllegalMove": "refusals",
    "InvalidMove": "moves",
    "MINI": "editions",
    "Move": "moves",
    "ONLINE": "editions",
    "Outcome": "game",
    "Record": "record",
    "RecordError": "record",
    "Refusal": "refusals",
    "Rules": "editions",
    "RulesError": "editions",
    "View": "view",
    "edition": "editions",
    "make_bot": "bots",
}

__all__ = sorted(_HOMES)


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
