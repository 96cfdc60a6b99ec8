"""Preparation: what a game needs is loaded, and compiled if need be, while somebody chooses it."""

import asyncio
import subprocess
import sys
from contextlib import suppress
from importlib import import_module
from threading import Thread
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from karma.tui.home import Plan

PREPARED = "play"  # the mark of machine code that was compiled for a game to begin


class Preparation(Thread):
    """Loads what a game needs; what no process has compiled yet, another process compiles."""

    def __init__(self) -> None:
        super().__init__()
        self._compiler: subprocess.Popen[bytes] | None = None
        self._unwanted = False

    def begin(self) -> None:
        """Begins, unless it has begun."""
        if self.ident is None:
            self.start()

    def run(self) -> None:
        """Loads and compiles."""
        import_module("karma.tui.local_tables")
        import_module("karma.tui.play")
        from karma.core.kernel import PLAIN, compiled_mark

        if PLAIN or compiled_mark(PREPARED).exists():
            return
        nothing = subprocess.DEVNULL
        script = f"from {__name__} import compile_game; compile_game()"
        command = [sys.executable, "-c", script]
        self._compiler = subprocess.Popen(command, stdin=nothing, stdout=nothing, stderr=nothing)
        if self._unwanted:
            self._compiler.kill()
        self._compiler.wait()

    async def ended(self, seconds: float | None = None) -> bool:
        """Waits for its end, or for so many seconds; has it ended?"""
        self.begin()
        await asyncio.to_thread(self.join, seconds)
        return not self.is_alive()

    def stop(self) -> None:
        """Compiles no more."""
        self._unwanted = True
        if self._compiler is not None:
            self._compiler.kill()


def compile_game() -> None:
    """Warms up, and leaves a mark that it came to its end."""
    from karma.core.kernel import compiled_mark

    warm_up(None)
    compiled_mark(PREPARED).touch()


def warm_up(plan: "Plan | None") -> None:
    """Has each kind of bot decide in another deal: whatever has to be compiled then is."""
    from karma.bots import make_bot
    from karma.editions import CLASSIC
    from karma.game import Game

    rules = CLASSIC if plan is None else plan.rules
    game = Game(rules, players=2, seed=0)
    assert game.actor is not None
    view = game.view(game.actor)
    game.push(game.legal[0])
    for kind in {"greedy"} if plan is None else set(plan.bots):
        with suppress(Exception):  # a bot that fails says so when it is asked in the game
            make_bot(kind).choose(view)
