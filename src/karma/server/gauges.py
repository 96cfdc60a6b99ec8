"""Gauges: how much may still come, from one socket or from all of an address; they refill."""

import ipaddress
from collections.abc import Callable
from functools import lru_cache
from typing import Generic, Protocol, TypeVar
from weakref import WeakValueDictionary

SUBSCRIBER_BITS = 64
"""So many bits of an IPv6 address are its network's: the others are anybody's there to choose."""
BURST, PER_SECOND = 60, 20
"""Frames of one socket: so many at once, and so many a second."""
A_PERSON = 0.4
"""Frames a second for each of the people who may be behind one address, and requests too."""
REMEMBERED_ADDRESSES = 4096
MOST_SECONDS = 5.0
"""So long an address waits at most for what it has sent too much."""

Refill = TypeVar("Refill", bound="Refills")


def of_an_address(people: int) -> float:
    """Frames, or requests, a second that all who may be behind one address have together."""
    return max(2.0 * PER_SECOND, A_PERSON * people)


class Gauge:
    """How many frames may still come: a bucket that refills.

    The library that limits requests would take seven times as long for each of thousands a second.
    """

    def __init__(self, burst: float, per_second: float) -> None:
        self._burst, self._per_second = burst, per_second
        self._left, self._at = burst, 0.0

    def take(self, now: float) -> bool:
        """Takes one frame out; False if there was none."""
        self._refill(now)
        self._left = max(self._left - 1, -MOST_SECONDS * self._per_second)
        return self._left >= 0

    def seconds(self, now: float) -> float:
        """How long it takes until there is one again."""
        self._refill(now)
        return max(0.0, (1 - self._left) / self._per_second)

    def full(self, now: float) -> bool:
        """Whether all may come that ever may at once."""
        self._refill(now)
        return self._left == self._burst

    def _refill(self, now: float) -> None:
        self._left = min(self._burst, self._left + (now - self._at) * self._per_second)
        self._at = now


class Refills(Protocol):
    """What has been used up, and is as good as new after a while."""

    def full(self, now: float) -> bool: ...


class Common(Generic[Refill]):
    """What all connections of an address share: many of them, or one after the other, are no way
    around it."""

    def __init__(self, make: Callable[[], Refill]) -> None:
        self._make = make
        self._forget_at = 0.0
        self._in_use: WeakValueDictionary[str, Refill] = WeakValueDictionary()
        self._kept: list[Refill] = []
        """What is not full is kept, though the last connection may be gone."""

    def of(self, address: str, now: float) -> Refill:
        """What is an address's."""
        address = subscriber(address)
        found = self._in_use.get(address)
        if found is None:
            self._forget(now)
            found = self._in_use[address] = self._make()
            self._kept.append(found)
        return found

    def _forget(self, now: float) -> None:
        """Keeps no longer what is full again."""
        if now >= self._forget_at:
            self._kept = [each for each in self._in_use.values() if not each.full(now)]
            self._forget_at = now + MOST_SECONDS


@lru_cache(REMEMBERED_ADDRESSES)
def subscriber(address: str) -> str:
    """Whose an address is: IPv6 comes in networks, in which one person has all addresses.

    >>> subscriber("2001:db8:1:2:3:4:5:6"), subscriber("::ffff:192.0.2.1"), subscriber("192.0.2.1")
    ('2001:db8:1:2::', '192.0.2.1', '192.0.2.1')
    """
    try:
        known = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:  # a proxy may say anything
        return address
    if known.version == 4:
        return str(known)
    if known.ipv4_mapped is not None:
        return str(known.ipv4_mapped)
    network = ipaddress.ip_network((known, SUBSCRIBER_BITS), strict=False)
    return str(network.network_address)
