"""Bans: addresses, networks and players that an operator does not let in."""

import ipaddress
from pathlib import Path

from karma.server.settings import WrongSetting

Network = ipaddress.IPv4Network | ipaddress.IPv6Network


class Bans:
    """A file with one of them a line; it is read again when it has changed."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._read_at: int | None = None
        self._networks: list[Network] = []
        self._players: frozenset[str] = frozenset()
        self.look()

    def look(self) -> None:
        """Reads the file if it is not the one that was read."""
        if self._path is None:
            return
        try:
            changed = self._path.stat().st_mtime_ns
            if changed == self._read_at:
                return
            lines = self._path.read_text(encoding="utf-8").splitlines()
        except (OSError, UnicodeDecodeError) as error:
            reason = error.strerror if isinstance(error, OSError) else "not UTF-8"
            raise WrongSetting(f"cannot read {self._path}: {reason}") from None
        words = [line.partition("#")[0].strip() for line in lines]
        networks = {word: _network(word) for word in words if word}
        self._networks = [each for each in networks.values() if each is not None]
        self._players = frozenset(word for word, each in networks.items() if each is None)
        self._read_at = changed

    def hold(self, address: str) -> bool:
        """Whether an address is banned."""
        if not self._networks:
            return False
        try:
            asked = ipaddress.ip_address(address)
        except ValueError:
            return False
        return any(asked in each for each in self._networks)

    def hold_player(self, player: str) -> bool:
        """Whether a player is banned, by the public id."""
        return player in self._players


def _network(word: str) -> Network | None:
    try:
        return ipaddress.ip_network(word, strict=False)
    except ValueError:
        return None
