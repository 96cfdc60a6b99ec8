"""Rehearsal: every level's first decisions, in a process of its own, before a table waits for one.

Machine code that is not on the disk yet has to be compiled, which takes longer than a bot may
think: its process would be cut off, and the work lost each time. So each level is tried once when
the bots' processes start, the quick ones first, and a level waits for its own trial alone.
"""

import asyncio
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable
from concurrent.futures import Future

SCRIPT = "from karma.table.bots.rehearsal import rehearse; rehearse()"


class Rehearsal:
    """Which levels can be asked to decide, and when the others can."""

    def __init__(self, levels: Iterable[str], script: str = SCRIPT) -> None:
        self._trials: dict[str, Future[None]] = {level: Future() for level in levels}
        self._process = subprocess.Popen(
            [sys.executable, "-c", script, *self._trials],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            text=True,
        )
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        assert self._process.stdout is not None
        with self._process.stdout as lines:
            for level in map(str.strip, lines):
                self._trials[level].set_result(None)
        self._process.wait()
        for trial in self._trials.values():  # a level that could not be tried says so at a table
            if not trial.done():
                trial.set_result(None)

    @property
    def missing(self) -> list[str]:
        """The levels that are still to be tried."""
        return [level for level, trial in self._trials.items() if not trial.done()]

    async def over(self, level: str) -> None:
        """Waits until a level has been tried; one that is not of ours needs no trial."""
        trial = self._trials.get(level)
        if trial is not None and not trial.done():
            await asyncio.wait([asyncio.wrap_future(trial)])

    def close(self) -> None:
        """Ends it, finished or not."""
        self._process.kill()


def rehearse(told: Callable[[str], object] = lambda level: print(level, flush=True)) -> None:
    """Has the levels that the command line names decide, each in small and in large games."""
    import os

    from karma.bots import make_bot
    from karma.editions import CLASSIC, MINI
    from karma.game import Game

    os.nice(5)
    games = [
        Game(rules.replace(face_up=face_up), players, seed=0)
        for rules, players in ((MINI, 2), (CLASSIC.replace(decks=2), 7))
        for face_up in ("chosen", "dealt")
    ]
    for level in sys.argv[1:]:
        bot = make_bot(level, milliseconds=1)
        for game in games:
            assert game.actor is not None
            bot.choose(game.view(game.actor))
        told(level)
