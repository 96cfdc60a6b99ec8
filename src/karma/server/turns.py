"""Turns: behind a proxy, requests and handshakes of one address begin so many a second.

A proxy's connections are everybody's: whom a request comes from is known only here. Without a proxy
an address's connections wait before they are read (connections.py).
"""

import asyncio

from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocket

from karma.refusals import Refusal
from karma.server.access import Access
from karma.server.connections import RETRY_SECONDS, most_of_an_address
from karma.server.gauges import Common, of_an_address
from karma.server.queues import Queue


class Turns:
    """Lets each address's requests wait in its queue; one that has got too long takes no more."""

    def __init__(self, app: ASGIApp, *, access: Access) -> None:
        self._app = app
        self._access = access
        people = access.settings.people_per_address
        self._most = most_of_an_address(people)
        self._queues = Common(lambda: Queue(of_an_address(people)))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        loop = asyncio.get_running_loop()
        queue = self._queues.of(str((scope["client"] or "?")[0]), loop.time())
        turn = _Turn(loop)
        if len(queue) >= self._most:
            await self._refuse(Refusal("too_fast", seconds=RETRY_SECONDS), scope, receive, send)
        elif queue.lets_pass(turn):
            await self._app(scope, receive, send)
        else:
            try:
                await turn.comes
            except asyncio.CancelledError:  # the server ends
                queue.leave(turn)
                await self._refuse(Refusal("stopping"), scope, receive, send)
            else:
                await self._app(scope, receive, send)

    async def _refuse(self, refusal: Refusal, scope: Scope, receive: Receive, send: Send) -> None:
        answer = self._access.problem(refusal)
        if scope["type"] == "websocket":
            await WebSocket(scope, receive, send).send_denial_response(answer)
        else:
            await answer(scope, receive, send)


class _Turn:
    """A request that waits."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.comes: asyncio.Future[None] = loop.create_future()

    def go_on(self) -> None:
        if not self.comes.done():
            self.comes.set_result(None)
