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
from limits.storage import MemoryStorage
from limits.strategies import FixedWindowRateLimiter

from karma.refusals import Refusal
from karma.server.settings import WrongSetting, flag

LIMITS: dict[str, float] = {
    "request": 12,
    "player": 1.2,
    "table": 0.3,
    "join": 2,
    "code": 0.6,  # codes have 40 bits: at any such rate, guessing them is hopeless
    "socket": 6,
    "replay": 0.5,  # each takes as much as a hundred other requests
    "review": 0.5,
    "subscription": 0.6,
}
"""What one address may ask for in a minute, for each of the people who may be behind it.

A school behind one address must get in, and come back all at once when the server starts anew.
"""
LEAST = 10
SECONDS = 0.5
"""How long Redis may take to count."""
AGAIN_SECONDS = 5.0
"""How long a Redis that did not is left alone."""

log = structlog.get_logger()


class Limits:
    """How often each address has asked, for what."""

    def __init__(self, people_per_address: int, redis: str | None = None) -> None:
        self._items: dict[str, RateLimitItem] = {
            name: RateLimitItemPerMinute(max(LEAST, round(limit * people_per_address)))
            for name, limit in LIMITS.items()
        }
        self._alone = FixedWindowRateLimiter(MemoryStorage())
        self._together = None if redis is None else SharedLimiter(_storage(redis))
        self._away_until = 0.0

    async def count(self, what: str, address: str) -> None:
        """Counts what an address asks for; refuses it if that is too much."""
        item = self._items[what]
        if not self._alone.hit(item, what, address) or not await self._hit(item, what, address):
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
