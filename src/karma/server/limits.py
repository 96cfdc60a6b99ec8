"""Limits: what one address may ask for in a minute, counted together with the other workers.

Redis counts for all of them. It may be away, or lose everything: then each worker counts for
itself, as it does where there is no Redis.
"""

import time

import structlog
from limits import RateLimitItem, RateLimitItemPerMinute
from limits.aio.storage import RedisStorage
from limits.aio.strategies import FixedWindowRateLimiter as SharedLimiter
from limits.errors import ConfigurationError, StorageError

from karma.refusals import Refusal
from karma.server.settings import WrongSetting, flag

LIMITS: dict[str, float] = {
    "request": 12,
    "player": 1.2,
    "table": 0.3,
    "join": 2,
    "code": 0.6,  # codes have 40 bits: at any such rate, guessing them is hopeless
    "transfer": 0.6,
    "socket": 6,
    "replay": 0.5,  # each takes as much as a hundred other requests
    "review": 0.5,
    "subscription": 0.6,
}
"""What one address may ask for in a minute, for each of the people who may be behind it.

A school behind one address must get in, and come back all at once when the server starts anew.
"""
LEAST = 10
MINUTE = 60.0
SECONDS = 0.5
"""How long Redis may take to count."""
AGAIN_SECONDS = 5.0
"""How long a Redis that did not is left alone."""

log = structlog.get_logger()


class Minutes:
    """How often each has asked in the minute that began with the first time.

    The library counts in memory too, but starts a thread every ten milliseconds to forget: a flood
    of requests had the loop wait for threads for a quarter of its time.
    """

    def __init__(self) -> None:
        self._counts: dict[tuple[str, str], tuple[float, int]] = {}
        self._forget_at = 0.0

    def hit(self, key: tuple[str, str], most: int, now: float) -> bool:
        """Counts once more; False if it is too often."""
        if now >= self._forget_at:
            self._counts = {key: kept for key, kept in self._counts.items() if kept[0] > now}
            self._forget_at = now + MINUTE
        until, count = self._counts.get(key, (0.0, 0))
        if now >= until:
            until, count = now + MINUTE, 0
        self._counts[key] = until, count + 1
        return count < most


class Limits:
    """How often each address has asked, for what."""

    def __init__(self, people_per_address: int, redis: str | None = None) -> None:
        self._items: dict[str, RateLimitItem] = {
            name: RateLimitItemPerMinute(max(LEAST, round(limit * people_per_address)))
            for name, limit in LIMITS.items()
        }
        self._alone = Minutes()
        self._together = None if redis is None else SharedLimiter(_storage(redis))
        self._away_until = 0.0

    async def count(self, what: str, address: str) -> None:
        """Counts what an address asks for; refuses it if that is too much."""
        item = self._items[what]
        alone = self._alone.hit((what, address), item.amount, time.monotonic())
        if not alone or not await self._hit(item, what, address):
            raise Refusal("too_fast", seconds=item.get_expiry())

    async def _hit(self, item: RateLimitItem, what: str, address: str) -> bool:
        """Whether it is not too much at all workers together, as far as Redis can tell."""
        if self._together is None or time.monotonic() < self._away_until:
            return True
        try:
            return await self._together.hit(item, what, address)
        except (StorageError, OSError):
            self._away_until = time.monotonic() + AGAIN_SECONDS
            log.warning("Redis does not count; each worker limits for itself meanwhile")
            return True


def _storage(redis: str) -> RedisStorage:
    address = redis.replace("unix://", "redis+unix://", 1) if redis.startswith("unix:") else redis
    try:
        return RedisStorage(
            f"async+{address}",
            wrap_exceptions=True,
            implementation="redispy",
            key_prefix="karma",
            socket_timeout=SECONDS,
            socket_connect_timeout=SECONDS,
        )
    except ConfigurationError:
        raise WrongSetting(f"{flag('redis')} needs an extra: pip install 'karma[redis]'") from None
    except ValueError:
        raise WrongSetting(f"{flag('redis')} has to be like redis://host:6379/0") from None
