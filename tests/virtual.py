"""Virtual time: an event loop whose clock jumps to the next thing to do."""

import asyncio
import selectors
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")
EPOCH = 1_700_000_000


class _Selector(selectors.SelectSelector):
    """Never waits: the time that the loop wanted to wait has passed already."""

    loop: "VirtualLoop"

    def select(self, timeout: float | None = None) -> Any:
        if timeout is None:
            raise RuntimeError("everybody waits for ever")
        self.loop.virtual += max(0.0, timeout)
        return []


class VirtualLoop(asyncio.SelectorEventLoop):
    """An event loop in virtual time."""

    def __init__(self) -> None:
        self.virtual = 0.0
        selector = _Selector()
        selector.loop = self
        super().__init__(selector)

    def time(self) -> float:
        return self.virtual


class VirtualClock:
    """A table's clock, by the running loop's time."""

    def now(self) -> int:
        return round((EPOCH + asyncio.get_running_loop().time()) * 1000)

    def date(self) -> int:
        return self.now()

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


def run(main: Coroutine[Any, Any, T]) -> T:
    """Runs a coroutine in virtual time, from zero."""
    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        return runner.run(main)
