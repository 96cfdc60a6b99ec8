"""Processes: which others one has started, and what they cost, as the kernel counts it."""

import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

TICKS = os.sysconf("SC_CLK_TCK")
PAGE = os.sysconf("SC_PAGE_SIZE")


def children(parent: int) -> list[int]:
    """The processes that one has started and that still run."""
    found = []
    for each in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            if int(each.read_text().rpartition(")")[2].split()[1]) == parent:
                found.append(int(each.parent.name))
    return found


def workers(supervisor: int) -> list[int]:
    """The workers of a supervisor; its other helpers listen to nobody."""
    found = []
    for each in children(supervisor):
        with suppress(OSError):
            if b"spawn_main" in Path(f"/proc/{each}/cmdline").read_bytes():
                found.append(each)
    return found


def cpu(processes: Iterable[int]) -> float:
    """Seconds of the processor that those of them have had that still run."""
    ticks = 0
    for each in processes:
        with suppress(OSError):  # a database's helpers come and go
            words = Path(f"/proc/{each}/stat").read_text().rpartition(")")[2].split()
            ticks += int(words[11]) + int(words[12])
    return ticks / TICKS


def memory(processes: Iterable[int]) -> int:
    """Bytes that they hold."""
    return sum(int(Path(f"/proc/{each}/statm").read_text().split()[1]) for each in processes) * PAGE


def busy() -> float:
    """The CPU seconds that everybody on this machine has used."""
    times = [int(each) for each in Path("/proc/stat").read_text().split()[1:9]]
    return (sum(times) - times[3] - times[4]) / TICKS  # all but idle and waiting for the disk
