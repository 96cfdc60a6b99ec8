"""Questions: how servers and thinkers on other machines talk, by a Redis meant for nothing else.

A question holds a View, all that a seat knows: this Redis has to be private. It may lose anything,
for whoever asked falls back on bots of its own. Questions that nobody took in time vanish, and only
a thinker of the same version is asked.
"""

from importlib.metadata import version
from typing import Any

import msgspec

from karma.server.settings import WrongSetting, flag
from karma.view import View

PREFIX = f"karma:think:{version('karma')}"
WAITING = f"{PREFIX}:waiting"
"""The ids of the questions that nobody has taken yet."""
HAILS = f"{PREFIX}:hails"
"""Where thinkers say once a second that they are there."""
HAIL_SECONDS = 1.0
SECONDS = 3.0
"""How long Redis may take to answer, and a thinker may be silent."""


class RemoteQuestion(msgspec.Struct):
    """What would a bot of this level do?"""

    id: str
    asker: str
    level: str
    seed: int
    milliseconds: int
    view: dict[str, Any]

    def seen(self) -> View:
        """The view that is asked about."""
        return View.parse(self.view)


class Answer(msgspec.Struct):
    """A move, or none if the bot failed."""

    id: str
    move: str | None


class Hail(msgspec.Struct):
    """A thinker is there, with so many processes."""

    thinker: str
    processes: int


def key(id: str) -> str:
    """Where a question is kept until somebody takes it."""
    return f"{PREFIX}:question:{id}"


def answers_to(asker: str) -> str:
    """Where somebody's answers are told."""
    return f"{PREFIX}:answers:{asker}"


def client(address: str) -> tuple[Any, tuple[type[Exception], ...]]:
    """A client of the Redis at an address, and how it fails."""
    try:
        from redis import asyncio as redis
    except ImportError:
        raise WrongSetting(
            f"{flag('thinkers')} needs an extra: pip install 'karma[redis]'"
        ) from None
    try:
        made = redis.from_url(
            address,
            socket_timeout=SECONDS,
            socket_connect_timeout=SECONDS,
            health_check_interval=SECONDS,
        )
    except ValueError:
        raise WrongSetting(f"{flag('thinkers')} has to be like redis://host:6379/0") from None
    return made, (redis.RedisError, OSError, TimeoutError)
