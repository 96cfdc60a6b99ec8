"""Bus: tells the other workers that a table has news, by Redis; it may lose everything.

A message is a table's id and the number of its newest entry, or 0 if people came, went or spoke.
What the news are is read from the database, by those who have the table in memory. No card comes
here.
"""

import asyncio
from collections.abc import Callable
from contextlib import aclosing, suppress
from typing import Any

import structlog

from karma.server.settings import WrongSetting, flag

CHANNEL = "karma"
SECONDS = 3.0
"""How long Redis may take to answer, and after how long it is asked again."""
MOST_WAITING = 10_000

log = structlog.get_logger()


class Bus:
    """A connection to Redis that comes back by itself."""

    def __init__(self, address: str, woken: Callable[[str, int], None]) -> None:
        try:
            from redis import asyncio as redis
        except ImportError:
            raise WrongSetting(
                f"{flag('redis')} needs an extra: pip install 'karma[redis]'"
            ) from None
        try:
            self._client: Any = redis.from_url(
                address,
                socket_timeout=SECONDS,
                socket_connect_timeout=SECONDS,
                health_check_interval=SECONDS,
            )
        except ValueError:
            raise WrongSetting(f"{flag('redis')} has to be like redis://host:6379/0") from None
        self._errors: Any = (redis.RedisError, OSError, TimeoutError)
        self._woken = woken
        self._waiting: dict[str, int] = {}
        self._news = asyncio.Event()
        self.alive = False
        """Whether what others tell is heard at the moment."""

    def tell(self, table: str, version: int) -> None:
        """Has the others look at a table, soon; does not wait for anybody."""
        if len(self._waiting) < MOST_WAITING:
            key = f"{table} {version}" if version == 0 else table
            self._waiting[key] = max(version, self._waiting.get(key, 0))
            self._news.set()

    async def run(self) -> None:
        """Tells and listens, for ever."""
        await asyncio.gather(self._for_ever(self._speak), self._for_ever(self._listen))

    async def _for_ever(self, part: Callable[[], Any]) -> None:
        while True:
            with suppress(*self._errors):
                await part()
            if self.alive:
                self.alive = False
                log.warning("Redis does not answer; tables are looked at once a second instead")
            await asyncio.sleep(1)

    async def _speak(self) -> None:
        while True:
            await self._news.wait()
            self._news.clear()
            waiting, self._waiting = self._waiting, {}
            lines = [f"{key.partition(' ')[0]} {version}" for key, version in waiting.items()]
            await self._client.publish(CHANNEL, "\n".join(lines))

    async def _listen(self) -> None:
        async with aclosing(self._client.pubsub()) as channel:
            await channel.subscribe(CHANNEL)
            while True:
                message = await channel.get_message(timeout=SECONDS)
                if message is None:
                    continue
                self.alive = True
                if message["type"] == "message":
                    for line in message["data"].decode().splitlines():
                        table, _, version = line.partition(" ")
                        self._woken(table, int(version))

    async def close(self) -> None:
        """Lets the connection go."""
        with suppress(*self._errors):
            await self._client.aclose()
