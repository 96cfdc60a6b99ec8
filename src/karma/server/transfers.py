"""Transfers: one-time codes by which another device takes over a seat."""

import hashlib
import secrets

from karma.clock import Clock
from karma.refusals import Refusal
from karma.store.ports import CodesPort, SeatCode
from karma.table.requests.asker import new_code

SECONDS = 600
MOST = 10_000


class Transfers:
    """The codes that are good at the moment."""

    def __init__(self, clock: Clock, codes: CodesPort) -> None:
        self._clock = clock
        self._codes = codes

    async def make(self, table: str, seat: int, owner: str) -> tuple[str, int]:
        """A new code for a seat, which voids an older one, and when it expires."""
        now = self._clock.now()
        code = new_code(secrets.token_bytes)
        promised = SeatCode(table, seat, owner, now + SECONDS * 1000)
        if not await self._codes.keep(_hash(code), promised, now, MOST):
            raise Refusal("too_fast", seconds=SECONDS)
        return code, promised.expires

    async def take(self, code: str) -> SeatCode:
        """What a code is for, once."""
        promised = await self._codes.take(_hash(code))
        if promised is None or promised.expires <= self._clock.now():
            raise Refusal("code_expired")
        return promised


def _hash(code: str) -> bytes:
    return hashlib.sha256(code.replace("-", "").upper().encode()).digest()
