"""The live table: people and bots around one game, for every door to sit at."""

from karma.table.client import Client, Outbox
from karma.table.patience import Clock, Terms
from karma.table.refusal import Refusal
from karma.table.sitting import Sitting
from karma.table.table import Table
from karma.table.thinking import Inline, Thinker

__all__ = [
    "Client",
    "Clock",
    "Inline",
    "Outbox",
    "Refusal",
    "Sitting",
    "Table",
    "Terms",
    "Thinker",
]
