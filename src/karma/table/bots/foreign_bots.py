"""Foreign bots: those of other people at a table, each in a process of its own, with a memory.

What one does wrong is `Trouble` for whoever asked, and the table makes a safe move.
"""

import asyncio
from concurrent.futures import ThreadPoolExecutor

from karma.bots.bot import BotError
from karma.bots.foreign_bot import MILLISECONDS, ForeignBot
from karma.bots.registry import open_bot
from karma.events import Event
from karma.game import Game
from karma.moves import Move
from karma.view import View

_SEATS = 12  # that may think at once


class SeatedBot:
    """A bot of another person for the length of a game, asked from the table's own thread."""

    def __init__(self, bot: ForeignBot, threads: ThreadPoolExecutor) -> None:
        self._bot = bot
        self._threads = threads

    async def ready(self) -> None:
        """Waits until it has been made: that time is not taken off its thinking."""
        await asyncio.get_running_loop().run_in_executor(self._threads, self._bot.open)

    async def choose(self, view: View, events: list[Event]) -> Move:
        """Its move, after it was told what happened in the game that it has not heard yet."""
        self._bot.hear(events[self._bot.heard :])
        loop = asyncio.get_running_loop()
        thought = loop.run_in_executor(self._threads, self._bot.choose, view)
        try:
            return await asyncio.shield(thought)
        except asyncio.CancelledError:
            self._bot.interrupt()
            await asyncio.wait([thought])  # at once: its process has ended
            thought.exception()
            raise

    def leave(self) -> None:
        """The game is over for it."""
        self._bot.close()


class ForeignBots:
    """Those of a table by seat; each serves one game, or what is left of it after an undo."""

    def __init__(self, seconds: float) -> None:
        self._milliseconds = min(MILLISECONDS, int(1000 * seconds))
        self._bots: dict[int, tuple[object, SeatedBot]] = {}
        self._threads: ThreadPoolExecutor | None = None

    def at(self, seat: int, game: object, level: str, seed: int) -> SeatedBot | None:
        """The one at a seat in this game; None if the level is a bot of ours."""
        known = self._bots.get(seat)
        if known is not None and known[0] == (game, level):
            return known[1]
        try:
            bot = open_bot(level, seed=seed, milliseconds=self._milliseconds)
        except BotError:  # a level that only the table's own thinker knows
            return None
        if bot is None:
            return None
        if known is not None:
            known[1].leave()
        self._threads = self._threads or ThreadPoolExecutor(
            _SEATS, thread_name_prefix="foreign-bot"
        )
        seated = SeatedBot(bot, self._threads)
        self._bots[seat] = (game, level), seated
        return seated

    def leave(self) -> None:
        """Lets all of them go."""
        for _, seated in self._bots.values():
            seated.leave()
        self._bots.clear()
        if self._threads is not None:
            self._threads.shutdown(wait=False)
            self._threads = None


def happened(game: Game) -> list[Event]:
    """All that everybody saw happen in a game so far."""
    again = Game(game.rules, game.players, deck=game.deck, dealer=game.dealer)
    return [event for move in game.moves for event in again.push(move)]
