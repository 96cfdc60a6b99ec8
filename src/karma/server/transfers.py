"""Transfers: one-time codes by which another device takes over a seat."""

import secrets
from dataclasses import dataclass

from karma.clock import Clock
from karma.refusals import Refusal
from karma.table.requests.asker import new_code

SECONDS = 600
MOST = 10_000


@dataclass(frozen=True)
class Promise:
    """The seat that a code is for."""

    table: str
    seat: int
    owner: str
    expires: int


class Transfers:
    """The codes that are good at the moment; a new start of the server voids them."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._promises: dict[str, Promise] = {}

    def make(self, table: str, seat: int, owner: str) -> tuple[str, int]:
        """A new code for a seat, which voids an older one, and when it expires."""
        now = self._clock.now()
        self._promises = {
            code: promise
            for code, promise in self._promises.items()
            if promise.expires > now and (promise.table, promise.seat) != (table, seat)
        }
        if len(self._promises) >= MOST:
            raise Refusal("too_fast", seconds=SECONDS)
        code = new_code(secrets.token_bytes)
        promise = Promise(table, seat, owner, now + SECONDS * 1000)
        self._promises[code] = promise
        return code, promise.expires

    def take(self, code: str) -> Promise:
        """What a code is for, once."""
        plain = code.replace("-", "").upper()
        promise = self._promises.pop(f"{plain[:4]}-{plain[4:]}", None)
        if promise is None or promise.expires <= self._clock.now():
            raise Refusal("code_expired")
        return promise
