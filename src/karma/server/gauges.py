"""Gauges: how much may still come, from one socket or from all of an address; they refill."""

import ipaddress
from weakref import WeakValueDictionary

SUBSCRIBER_BITS = 64
"""So many bits of an IPv6 address are its network's: the others are anybody's there to choose."""
BURST, PER_SECOND = 60, 20
"""Frames of one socket: so many at once, and so many a second."""
A_PERSON = 0.4
"""Frames a second for each of the people who may be behind one address."""
MOST_SECONDS = 5.0
"""So long an address waits at most for what it has sent too much."""


class Gauge:
    """How many frames may still come: a bucket that refills.

    The library that limits requests would take seven times as long for each of thousands a second.
    """

    def __init__(self, burst: float, per_second: float, now: float) -> None:
        self._burst, self._per_second = burst, per_second
        self._left, self._at = burst, now

    def take(self, now: float) -> bool:
        """Takes one frame out; False if there was none."""
        self._refill(now)
        self._left = max(self._left - 1, -MOST_SECONDS * self._per_second)
        return self._left >= 0

    def seconds(self, now: float) -> float:
        """How long it takes until there is one again."""
        self._refill(now)
        return max(0.0, (1 - self._left) / self._per_second)

    def _refill(self, now: float) -> None:
        self._left = min(self._burst, self._left + (now - self._at) * self._per_second)
        self._at = now


class Crowds:
    """A gauge for each address, as long as it has a socket: many sockets are no way around it."""

    def __init__(self, people_per_address: int) -> None:
        self._per_second = max(2.0 * PER_SECOND, A_PERSON * people_per_address)
        self._gauges: WeakValueDictionary[str, Gauge] = WeakValueDictionary()

    def of(self, address: str, now: float) -> Gauge:
        """The gauge that all sockets of an address share."""
        address = subscriber(address)
        gauge = self._gauges.get(address)
        if gauge is None:
            gauge = Gauge(max(2.0 * BURST, self._per_second), self._per_second, now)
            self._gauges[address] = gauge
        return gauge


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
