"""Reaper: ends what bots' programs leave behind when the program that started them is killed.

However this process ends, the pipe to its reaper is closed then; the reaper, a process of its own
that waits for nothing else, ends all groups of processes that it was told of.
"""

from __future__ import annotations

import atexit
import os
import signal
import subprocess
import sys
import threading
from contextlib import suppress

_LOCK = threading.Lock()
_reaper: tuple[int, subprocess.Popen[bytes]] | None = None  # with the process that it belongs to


def watch(group: int) -> None:
    """Has a group of processes ended when this process is, however that happens."""
    with _LOCK:
        _tell(_running(), f"+{group}")


def forget(group: int) -> None:
    """The group was ended."""
    with _LOCK:
        if _reaper is not None and _reaper[0] == os.getpid():
            _tell(_reaper[1], f"-{group}")


def _tell(reaper: subprocess.Popen[bytes], line: str) -> None:
    if reaper.stdin is not None and not reaper.stdin.closed:
        with suppress(OSError):
            reaper.stdin.write(line.encode() + b"\n")


def _running() -> subprocess.Popen[bytes]:
    global _reaper
    if _reaper is None or _reaper[0] != os.getpid() or _reaper[1].poll() is not None:
        command = [sys.executable, "-I", "-S", __file__]
        started = subprocess.Popen(
            command, stdin=subprocess.PIPE, bufsize=0, start_new_session=True
        )
        atexit.register(started.communicate)
        _reaper = os.getpid(), started
    return _reaper[1]


def main() -> None:
    """Reads which groups there are; at the end of its input, ends them."""
    groups: set[int] = set()
    for line in sys.stdin:
        (groups.add if line[0] == "+" else groups.discard)(int(line[1:]))
    for group in groups:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(group, signal.SIGKILL)


if __name__ == "__main__":
    main()
