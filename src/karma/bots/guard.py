"""The guard of a game that has to go on: a foreign bot's failures are noted, and greedy moves."""

from __future__ import annotations

import logging
import time
from collections import Counter
from collections.abc import Sequence

from karma.bots.bot import BotError
from karma.bots.foreign_bot import ForeignBot
from karma.bots.policies import PolicyBot
from karma.bots.program import Trouble
from karma.events import Event
from karma.moves import Move
from karma.view import View

_LOG = logging.getLogger("karma.bots")
_TOLD = 3  # failures of a bot that are told in full; all are counted
_told: Counter[str] = Counter()


class Guarded:
    """A bot whose failures are counted, with a greedy move in the place of each."""

    clock = staticmethod(time.perf_counter)  # it thinks in another process

    def __init__(self, bot: ForeignBot) -> None:
        self.name = bot.name
        self.failures: list[tuple[int, str]] = []  # at which ply, and why
        self._bot = bot

    def hear(self, events: Sequence[Event]) -> None:
        """Passes on what happened."""
        self._bot.hear(events)

    def choose(self, view: View) -> Move:
        """The bot's move, if it is one."""
        try:
            return self._bot.choose(view)
        except Trouble as trouble:
            return self._instead(view, str(trouble))

    def open(self) -> None:
        """Has the bot made at once; BotError if that cannot be done."""
        try:
            self._bot.open()
        except Trouble as trouble:
            raise BotError(f"{self.name} cannot be made: {trouble}") from None

    def close(self) -> None:
        """Lets the bot go."""
        self._bot.close()

    def _instead(self, view: View, reason: str) -> Move:
        move = PolicyBot("greedy").choose(view)
        self.failures.append((view.ply, reason))
        _told[self.name] += 1
        if _told[self.name] <= _TOLD:
            _LOG.warning("%s at ply %d: %s; plays %s instead", self.name, view.ply, reason, move)
        elif _told[self.name] == _TOLD + 1:
            _LOG.warning("%s fails again; from now on that is only counted", self.name)
        return move
