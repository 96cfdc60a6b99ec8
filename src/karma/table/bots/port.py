"""Port: where a table's bots get their moves from, outside the table's own task.

A bot is given a View and nothing else. Whatever it does (hang, crash, answer nonsense), the table
goes on with a safe move: the one that greedy would make from that View.
"""

from collections.abc import Callable, Collection
from contextlib import AbstractAsyncContextManager, nullcontext
from typing import Any, Protocol

from karma.moves import Move
from karma.view import View


class Thinker(Protocol):
    """Bots by level."""

    @property
    def levels(self) -> tuple[str, ...]:
        """The levels there are, the weakest first."""

    @property
    def preparing(self) -> Collection[str]:
        """The levels whose bots cannot think yet."""

    async def prepared(self, level: str) -> None:
        """Waits until bots of this level can think."""

    def turn(self, level: str) -> AbstractAsyncContextManager[None]:
        """Waits until a bot can think: that time is not taken off its own. Then it is its turn."""

    async def choose(self, level: str, view: View, seed: int) -> Move:
        """The move that a bot of this level makes from this view."""

    async def work(self, job: Callable[..., Any], *values: Any) -> Any:
        """Has something else worked out where bots think: a short job of ours."""


def safe_move(view: View) -> Move:
    """The move made for a seat whose time ran out or whose bot failed."""
    from karma.bots import make_bot

    return make_bot(SAFE, seed=0).choose(view)


SAFE = "greedy"


def ladder() -> tuple[str, ...]:
    """The levels of all bots there are, the weakest first; and those that an operator named."""
    from karma.bots import BOTS
    from karma.bots.registry import REGISTERED

    steps = {entry.name: entry.level for entry in BOTS.values() if entry.level is not None}
    return (*sorted(steps, key=lambda name: steps[name]), *REGISTERED)


def best(levels: tuple[str, ...]) -> str:
    """The strongest of our own bots among these levels."""
    from karma.bots import BOTS

    return ([level for level in levels if level in BOTS] or levels)[-1]


def searches(level: str) -> bool:
    """Does a bot of this level look ahead, for which it needs time? Those of others may."""
    from karma.bots import BOTS

    return level not in BOTS or "milliseconds" in BOTS[level].options


class Inline:
    """Bots that think in the table's own thread: for tests, and for games of quick bots."""

    def __init__(self, levels: tuple[str, ...] | None = None) -> None:
        self._levels = ladder() if levels is None else levels

    @property
    def levels(self) -> tuple[str, ...]:
        return self._levels

    @property
    def preparing(self) -> Collection[str]:
        """They always can."""
        return ()

    async def prepared(self, level: str) -> None:
        """They are."""

    def turn(self, level: str) -> AbstractAsyncContextManager[None]:
        """Always is."""
        return nullcontext()

    async def choose(self, level: str, view: View, seed: int) -> Move:
        """The move of a bot made for this one question."""
        from karma.bots import make_bot

        return make_bot(level, seed=seed).choose(view)

    async def work(self, job: Callable[..., Any], *values: Any) -> Any:
        """Does the job here and now."""
        return job(*values)
