"""Karma, the card game: every edition, bots, and a table to sit at.

>>> import karma
>>> game = karma.Game("mini", players=["Ana", "Bo"], seed=7)
>>> bot = karma.make_bot("greedy")
>>> while not game.over:
...     events = game.push(bot.choose(game.view(game.actor)))
>>> game.outcome
Outcome(loser=0, places=(1,))

The public names are here; what they need is loaded when they are first used, so that a command
that needs none of it starts at once.
"""

from importlib import import_module
from typing import TYPE_CHECKING

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
    from karma.events import BroughtUp as BroughtUp
    from karma.events import CameBack as CameBack
    from karma.events import Chose as Chose
    from karma.events import CompletedSet as CompletedSet
    from karma.events import Drew as Drew
    from karma.events import Ended as Ended
    from karma.events import Event as Event
    from karma.events import Gave as Gave
    from karma.events import LeftDraw as LeftDraw
    from karma.events import PickedUp as PickedUp
    from karma.events import Played as Played
    from karma.events import Removed as Removed
    from karma.events import Revealed as Revealed
    from karma.events import Stalled as Stalled
    from karma.events import TurnedOver as TurnedOver
    from karma.events import WentOut as WentOut
    from karma.game import Game as Game
    from karma.game import Outcome as Outcome
    from karma.moves import InvalidMove as InvalidMove
    from karma.moves import Move as Move
    from karma.record import Record as Record
    from karma.record import RecordError as RecordError
    from karma.record import read as read
    from karma.record import write as write
    from karma.refusals import IllegalMove as IllegalMove
    from karma.refusals import Refusal as Refusal
    from karma.simulation import simulate as simulate
    from karma.simulation.results import GameResult as GameResult
    from karma.simulation.results import Results as Results
    from karma.view import View as View

    __version__: str

_HOMES = {
    "ALTERNATIVE": "editions",
    "Bot": "bots",
    "BotError": "bots",
    "BroughtUp": "events",
    "CLASSIC": "editions",
    "CameBack": "events",
    "Chose": "events",
    "CompletedSet": "events",
    "Drew": "events",
    "EDITIONS": "editions",
    "Ended": "events",
    "Event": "events",
    "Game": "game",
    "IllegalMove": "refusals",
    "GameResult": "simulation.results",
    "Gave": "events",
    "InvalidMove": "moves",
    "LeftDraw": "events",
    "MINI": "editions",
    "Move": "moves",
    "ONLINE": "editions",
    "Outcome": "game",
    "PickedUp": "events",
    "Played": "events",
    "Record": "record",
    "RecordError": "record",
    "Refusal": "refusals",
    "Removed": "events",
    "Results": "simulation.results",
    "Revealed": "events",
    "Rules": "editions",
    "RulesError": "editions",
    "Stalled": "events",
    "TurnedOver": "events",
    "View": "view",
    "WentOut": "events",
    "edition": "editions",
    "make_bot": "bots",
    "read": "record",
    "simulate": "simulation",
    "write": "record",
}

__all__ = [
    "ALTERNATIVE",
    "CLASSIC",
    "EDITIONS",
    "MINI",
    "ONLINE",
    "Bot",
    "BotError",
    "BroughtUp",
    "CameBack",
    "Chose",
    "CompletedSet",
    "Drew",
    "Ended",
    "Event",
    "Game",
    "GameResult",
    "Gave",
    "IllegalMove",
    "InvalidMove",
    "LeftDraw",
    "Move",
    "Outcome",
    "PickedUp",
    "Played",
    "Record",
    "RecordError",
    "Refusal",
    "Removed",
    "Results",
    "Revealed",
    "Rules",
    "RulesError",
    "Stalled",
    "TurnedOver",
    "View",
    "WentOut",
    "edition",
    "make_bot",
    "read",
    "simulate",
    "write",
]


def __dir__() -> list[str]:
    return [*__all__, "__version__"]


if not TYPE_CHECKING:  # with it, a type checker would believe that every name exists

    def __getattr__(name: str) -> object:
        if name == "__version__":
            return import_module("importlib.metadata").version(__name__)
        if name not in _HOMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        value = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
        globals()[name] = value
        return value
