"""A network of its own for a server: packets are lost by nftables, and a bucket makes it narrow.

Needs root, `ip`, `tc` and `nft` (make services). The kernel's netem is not needed: what it would
delay, a relay does (relay.py).
"""

import contextlib
import os
import shutil
import subprocess
from collections.abc import Iterator

import numpy as np


def run(*command: str, check: bool = True) -> None:
    done = subprocess.run(command, capture_output=True, text=True)
    if check and done.returncode:
        raise RuntimeError(f"{' '.join(command)}: {done.stderr.strip()}")


def can_be_had() -> bool:
    """Whether this machine lets us have networks of our own."""
    return os.getuid() == 0 and all(shutil.which(each) for each in ("ip", "tc", "nft"))


class Network:
    """A namespace with one line to this machine; `inside` runs a command in it."""

    def __init__(self) -> None:
        number = int(np.random.default_rng().integers(1 << 20))  # beside other runs
        self.name = f"karma{number}"
        net = f"10.{200 + number % 50}.{number // 50 % 250}"
        self._here, self.address = f"{net}.1", f"{net}.2"
        self._line, self._far = f"kh{number}", f"kn{number}"

    @property
    def inside(self) -> list[str]:
        return ["ip", "netns", "exec", self.name]

    def make(self) -> None:
        run("ip", "netns", "add", self.name)
        run("ip", "link", "add", self._line, "type", "veth", "peer", "name", self._far)
        run("ip", "link", "set", self._far, "netns", self.name)
        run("ip", "addr", "add", f"{self._here}/24", "dev", self._line)
        run("ip", "link", "set", self._line, "up")
        run("ip", "-n", self.name, "addr", "add", f"{self.address}/24", "dev", self._far)
        for device in (self._far, "lo"):
            run("ip", "-n", self.name, "link", "set", device, "up")
        self._nft("add table inet karma")
        for way in ("input", "output"):
            self._nft(f"add chain inet karma {way} {{ type filter hook {way} priority 0 ; }}")

    def _nft(self, rule: str) -> None:
        run(*self.inside, "nft", rule)

    def lose(self, percent: int) -> None:
        """Loses so many packets of a hundred, both ways; all of them with 100."""
        which = f"numgen random mod 100 < {percent} " if percent < 100 else ""
        for way, side in (("input", "iifname"), ("output", "oifname")):
            self._nft(f"add rule inet karma {way} {side} {self._far} {which}drop")

    def narrow(self, kilobits: int) -> None:
        """Lets so much through in a second, and holds the rest back for up to two."""
        run(
            *("tc", "-n", self.name, "qdisc", "replace", "dev", self._far, "root"),
            *("tbf", "rate", f"{kilobits}kbit", "burst", "8kb", "latency", "2s"),
        )

    def heal(self) -> None:
        for way in ("input", "output"):
            self._nft(f"flush chain inet karma {way}")
        run("tc", "-n", self.name, "qdisc", "del", "dev", self._far, "root", check=False)

    def end(self) -> None:
        run("ip", "link", "del", self._line, check=False)
        run("ip", "netns", "del", self.name, check=False)


@contextlib.contextmanager
def network() -> Iterator[Network]:
    """A network that is gone afterwards."""
    made = Network()
    try:
        made.make()
        yield made
    finally:
        made.end()
