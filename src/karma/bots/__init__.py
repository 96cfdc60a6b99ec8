"""Bots: programs that decide, given a View and nothing else.

`make_bot` makes any of them from a text; `karma.bots.registry` lists them; `karma.bots.policies`
has the quick ones, which simulations and searches use too.
"""

from karma.bots.bot import Bot, BotError, Listener
from karma.bots.registry import BOTS, Registration, make_bot

__all__ = ["BOTS", "Bot", "BotError", "Listener", "Registration", "make_bot"]
