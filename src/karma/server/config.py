"""Config: what an operator can set, each value with its usual one."""

import socket
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from urllib.parse import urlsplit


@dataclass(frozen=True)
class Config:
    """How a server is run."""

    host: str = "127.0.0.1"
    port: int = 8000
    data: Path = field(default_factory=lambda: Path("karma-data"))
    public_url: str | None = None
    """The address under which people reach the server; by itself it believes the Host header."""
    processes: int = 1
    """How many processes think for bots."""
    milliseconds: int = 1000
    """How long a bot that can use time may think about a move."""
    pace: float = 0.7
    """Seconds a bot waits before it moves."""
    retention: int = 0
    """Days after which closed tables and their logs are deleted; 0 keeps them."""
    refuse_names: frozenset[str] = frozenset()
    webhook: str | None = None
    """An address that is told when it is somebody's turn in a game that lasts days."""
    smtp: str | None = None
    """A mail server (smtp://host:port) for the same."""
    mail_from: str | None = None
    metrics_port: int | None = None
    """Where metrics are served, on the loopback address only; None for nowhere."""
    limits: bool = True
    """Whether requests are limited per address, player and socket."""
    people_per_address: int = 500
    """How many people may be behind one address; its limits are so many times one person's."""
    proxies: str | None = None
    """Addresses of proxies that are believed when they say whom a request comes from."""

    @property
    def address(self) -> str:
        """The address to give to friends."""
        host = _own_address() if self.listens_everywhere else self.host
        return (self.public_url or f"http://{host}:{self.port}").rstrip("/")

    @property
    def listens_everywhere(self) -> bool:
        """Whether other devices reach the server, by the address this machine has among them."""
        return self.host in ("0.0.0.0", "::")

    @property
    def secure(self) -> bool:
        return self.address.startswith("https:")

    @property
    def origin(self) -> str | None:
        """The only origin that browsers may come from, if the public address is set."""
        if self.public_url is None:
            return None
        parts = urlsplit(self.public_url)
        return f"{parts.scheme}://{parts.netloc}".lower()


@cache
def _own_address() -> str:
    """The address other devices in the house know this machine by; no packet is sent to find it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # an address reserved for documentation
        except OSError:
            return "127.0.0.1"
        return str(probe.getsockname()[0])
