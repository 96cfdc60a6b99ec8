"""The live table: people and bots around one game, for every door to sit at."""

from karma.table.bots.port import Inline, Thinker
from karma.table.clients.client import Client, Outbox
from karma.table.deadlines import Terms
from karma.table.log.state import TableState
from karma.table.table import Table

__all__ = [
    "Client",
    "Inline",
    "Outbox",
    "Table",
    "TableState",
    "Terms",
    "Thinker",
]
