"""Push services: where a browser may want its messages sent, and where the server does not go."""

import asyncio
import ipaddress
import socket
from dataclasses import dataclass
from urllib.parse import urlsplit

from karma.refusals import Refusal
from karma.server.settings import WrongSetting, flag

HTTPS = 443
_TRANSLATED = ipaddress.ip_network("64:ff9b::/96")
"""IPv6 that leads to any address of IPv4, private ones too."""


@dataclass(frozen=True)
class Destination:
    """Where a message goes: an address that was looked at, under the name it was asked for by."""

    url: str
    host: str
    origin: str


class PushServices:
    """The push services that the operator allows.

    A browser names its own, so a stranger can name anything: nothing but what the operator listed,
    or public addresses by https, is ever connected to.
    """

    def __init__(self, allowed: str) -> None:
        self._public = allowed == "public"
        listed = [] if allowed in ("public", "none") else allowed.split(",")
        self._listed = frozenset(_listed(each.strip()) for each in listed)

    @property
    def any(self) -> bool:
        """Whether there is any."""
        return self._public or bool(self._listed)

    def check(self, endpoint: str) -> str:
        """The origin of an endpoint; refused where no push service can be, or none may."""
        origin = _origin(endpoint)
        if origin is None or not (origin in self._listed or self._is_public_name(origin)):
            raise Refusal("bad_message", reason="not the address of a push service")
        return origin

    async def find(self, endpoint: str) -> Destination:
        """Where to send a message; the name is looked up once, and only what was found is used."""
        origin = self.check(endpoint)
        parts = urlsplit(endpoint)
        host = parts.hostname or ""
        if origin in self._listed:
            return Destination(endpoint, parts.netloc, origin)
        loop = asyncio.get_running_loop()
        found = await loop.getaddrinfo(host, HTTPS, type=socket.SOCK_STREAM)
        addresses = [str(each[4][0]) for each in found]
        if not addresses or not all(map(is_public, addresses)):
            raise Refusal("bad_message", reason="not a public address")
        address = f"[{addresses[0]}]" if ":" in addresses[0] else addresses[0]
        return Destination(parts._replace(netloc=address).geturl(), host, origin)

    def _is_public_name(self, origin: str) -> bool:
        """Whether an origin may be a public one: https, the usual port, and a name."""
        parts = urlsplit(origin)
        within, _, last = (parts.hostname or "").rstrip(".").rpartition(".")
        numeric = last.isdigit() or last.startswith("0x")  # 0x7f.1 is an address of IPv4
        named = within != "" and not numeric
        return self._public and parts.scheme == "https" and parts.port is None and named


def _origin(endpoint: str) -> str | None:
    """The origin of an address, if it is one that can be connected to."""
    if not endpoint.isascii() or not endpoint.isprintable() or set(endpoint) & set(" \\@#"):
        return None
    try:
        parts = urlsplit(endpoint)
        port = parts.port
    except ValueError:
        return None
    if parts.scheme not in ("http", "https") or not parts.hostname or "[" in parts.netloc:
        return None
    usual = port is None or (parts.scheme, port) == ("https", HTTPS)
    return f"{parts.scheme}://{parts.hostname}" + ("" if usual else f":{port}")


def _listed(address: str) -> str:
    origin = _origin(address)
    if origin is None or origin != address.rstrip("/").lower():
        raise WrongSetting(
            f"{flag('push')} {address!r} is not public, none, or an address such as"
            " https://push.example.org"
        )
    return origin


def is_public(address: str) -> bool:
    """Whether an address is one of the internet, and not of this machine or its neighbours."""
    known = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(known, ipaddress.IPv6Address):
        if known.ipv4_mapped is not None:
            return is_public(str(known.ipv4_mapped))
        if known in _TRANSLATED or known.sixtofour is not None or known.teredo is not None:
            return False
    return known.is_global and not known.is_multicast
