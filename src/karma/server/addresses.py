"""Addresses: an e-mail address is a player's when a code that was sent there has come back."""

import hmac
import secrets
from collections import Counter
from dataclasses import dataclass

from karma.clock import Clock
from karma.refusals import Refusal
from karma.table.requests.asker import new_code

CODE_SECONDS = 3600
MOST_TRIES = 5
CODES_A_DAY = 5
"""So many codes are sent for one player, and to one address, in a day."""
CODES_A_DAY_IN_ALL = 500
DAY_MILLISECONDS = 86_400_000
_FORBIDDEN = set('()<>[]:;,\\"')


@dataclass
class _Promised:
    email: str
    code: str
    expires: int
    tries: int = 0


class Addresses:
    """The codes that are on their way; a new start of the server voids them."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._promised: dict[str, _Promised] = {}
        self._sent: Counter[str] = Counter()
        self._day = 0

    def promise(self, player: str, email: str) -> str:
        """A code to send to an address; it voids an older one."""
        fit_address(email)
        today = self._clock.now() // DAY_MILLISECONDS
        if today != self._day:
            self._day = today
            self._sent.clear()
            self._promised.clear()
        keys = (f"player {player}", f"to {email.casefold()}")
        if self._sent.total() >= 2 * CODES_A_DAY_IN_ALL or any(
            self._sent[key] >= CODES_A_DAY for key in keys
        ):
            raise Refusal("too_fast", seconds=DAY_MILLISECONDS // 1000)
        self._sent.update(keys)
        code = new_code(secrets.token_bytes)
        expires = self._clock.now() + CODE_SECONDS * 1000
        self._promised[player] = _Promised(email, code, expires)
        return code

    def confirm(self, player: str, code: str) -> str:
        """The address that a player's code was sent to, once."""
        promised = self._promised.get(player)
        if promised is None or promised.expires <= self._clock.now():
            raise Refusal("code_expired")
        promised.tries += 1
        if promised.tries >= MOST_TRIES:
            del self._promised[player]
        given = code.replace("-", "").upper().encode()
        if not hmac.compare_digest(given, promised.code.replace("-", "").encode()):
            raise Refusal("code_expired")
        self._promised.pop(player, None)
        return promised.email


def fit_address(email: str) -> None:
    """Refuses what is not one plain address."""
    name, at, host = email.rpartition("@")
    plain = email.isascii() and email.isprintable() and " " not in email
    if not (name and at and "." in host.strip(".") and plain) or _FORBIDDEN & set(email):
        raise Refusal("bad_message", reason="not an e-mail address")
    if "@" in name or host.startswith((".", "-")) or host.endswith("."):
        raise Refusal("bad_message", reason="not an e-mail address")
