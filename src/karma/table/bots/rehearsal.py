"""Rehearsal: every level's first decisions, in a process of its own, before a table waits for one.

Machine code that is not on the disk yet has to be compiled, which takes longer than a bot may
think: its process would be cut off, and the work lost each time. So each level is tried once when
the bots' processes start, the quick ones first, and a level waits for its own trial alone. Of
several processes that find nothing compiled one does it, and the others wait for that. Once all
levels have been tried there is a mark beside the machine code, and nothing is done any more.
"""

import asyncio
import fcntl
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable
from concurrent.futures import Future
from pathlib import Path

from karma.bots.orphans import end_with
from karma.core.kernel import PLAIN, compiled_mark

SCRIPT = "from karma.table.bots.rehearsal import rehearse; rehearse()"


class Rehearsal:
    """Which levels can be asked to decide, and when the others can."""

    def __init__(self, levels: Iterable[str], script: str = SCRIPT) -> None:
        self._trials: dict[str, Future[None]] = {level: Future() for level in levels}
        self.missing = tuple(self._trials)
        """The levels that are still to be tried; every table asks at every change."""
        mark = None if PLAIN else _mark(self._trials)
        self._process: subprocess.Popen[str] | None = None
        if mark is None or (script is SCRIPT and mark.exists()):
            self._end_trials()
            return
        self._process = subprocess.Popen(
            [sys.executable, "-c", script, *self._trials],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            text=True,
        )
        threading.Thread(target=self._listen, args=[self._process], daemon=True).start()

    def _listen(self, process: "subprocess.Popen[str]") -> None:
        assert process.stdout is not None
        with process.stdout as lines:
            for level in map(str.strip, lines):
                self._end_trial(level)
        process.wait()
        self._end_trials()  # a level that could not be tried says so at a table

    def _end_trials(self) -> None:
        for level in self.missing:
            self._end_trial(level)

    def _end_trial(self, level: str) -> None:
        self.missing = tuple(each for each in self.missing if each != level)
        self._trials[level].set_result(None)

    async def over(self, level: str) -> None:
        """Waits until a level has been tried; one that is not of ours needs no trial."""
        trial = self._trials.get(level)
        if trial is not None and not trial.done():
            await asyncio.wait([asyncio.wrap_future(trial)])

    def close(self) -> None:
        """Ends it, finished or not."""
        if self._process is not None:
            self._process.kill()


def _tell(level: str) -> None:
    try:
        print(level, flush=True)
    except BrokenPipeError:  # the owner was killed
        os._exit(0)


def rehearse(told: Callable[[str], object] = _tell) -> None:
    """Has the levels that the command line names decide, each in small and in large games."""
    from karma.bots import make_bot
    from karma.editions import CLASSIC, MINI
    from karma.game import Game

    levels = sys.argv[1:]
    os.nice(5)
    end_with(os.getppid())
    mark = _mark(levels)
    with mark.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        games = [
            Game(rules.replace(face_up=face_up), players, seed=0)
            for rules, players in ((MINI, 2), (CLASSIC.replace(decks=2), 7))
            for face_up in ("chosen", "dealt")
        ]
        for level in levels:
            bot = make_bot(level, milliseconds=1)
            for game in games:
                assert game.actor is not None
                bot.choose(game.view(game.actor))
            told(level)
        mark.touch()


def _mark(levels: Iterable[str]) -> Path:
    return compiled_mark("-".join(levels))
