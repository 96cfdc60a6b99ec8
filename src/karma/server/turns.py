"""Turns: so many requests of one address are worked on at a time; its others wait, nobody else's.

Hundreds of connections that all ask at once would otherwise be answered before whoever comes next,
refused or not.
"""

import asyncio
from weakref import WeakValueDictionary

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from karma.server.gauges import subscriber

LEAST_AT_ONCE = 16
PEOPLE_A_TURN = 16
"""One request at a time for so many of the people who may be behind one address."""


def most_at_once(people_per_address: int) -> int:
    """How many requests of one address are worked on at a time."""
    return max(LEAST_AT_ONCE, people_per_address // PEOPLE_A_TURN)


class Turns:
    """Lets each address have so many requests worked on; an answer that is on its way is none."""

    def __init__(self, app: ASGIApp, *, most: int) -> None:
        self._app = app
        self._most = most
        self._addresses: WeakValueDictionary[str, asyncio.Semaphore] = WeakValueDictionary()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        turns = self._of(str((scope["client"] or "?")[0]))
        await turns.acquire()
        taken = True

        def give_back() -> None:
            nonlocal taken
            if taken:
                taken = False
                turns.release()

        async def answer(message: Message) -> None:
            give_back()  # who reads slowly keeps nobody waiting
            await send(message)

        try:
            await self._app(scope, receive, answer)
        finally:
            give_back()

    def _of(self, address: str) -> asyncio.Semaphore:
        whose = subscriber(address)
        turns = self._addresses.get(whose)
        if turns is None:
            turns = self._addresses[whose] = asyncio.Semaphore(self._most)
        return turns
