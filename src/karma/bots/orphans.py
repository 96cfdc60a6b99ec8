"""Orphans: ends what bots' programs leave behind when the program that started them is killed.

Processes of ours look themselves whether their owner is still there. Those of others are watched:
however this process ends, the pipe to its watcher is closed then; the watcher, a process of its own
that waits for nothing else, ends all groups of processes that it was told of.
"""

from __future__ import annotations

import atexit
import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress

_LOCK = threading.Lock()
_watcher: tuple[int, subprocess.Popen[bytes]] | None = None  # with the process that it belongs to


def end_with(owner: int) -> None:
    """Ends this process when its owner was killed and could not do so itself."""
    threading.Thread(target=_wait_for_end, args=[owner], daemon=True).start()


def _wait_for_end(owner: int) -> None:
    while True:
        time.sleep(1)
        try:
            os.kill(owner, 0)
        except ProcessLookupError:
            os._exit(0)


def watch(group: int) -> None:
    """Has a group of processes ended when this process is, however that happens."""
    with _LOCK:
        _tell(_running(), f"+{group}")


def forget(group: int) -> None:
    """The group was ended."""
    with _LOCK:
        if _watcher is not None and _watcher[0] == os.getpid():
            _tell(_watcher[1], f"-{group}")


def _tell(watcher: subprocess.Popen[bytes], line: str) -> None:
    if watcher.stdin is not None and not watcher.stdin.closed:
        with suppress(OSError):
            watcher.stdin.write(line.encode() + b"\n")


def _running() -> subprocess.Popen[bytes]:
    global _watcher
    if _watcher is None or _watcher[0] != os.getpid() or _watcher[1].poll() is not None:
        command = [sys.executable, "-I", "-S", __file__]
        started = subprocess.Popen(
            command, stdin=subprocess.PIPE, bufsize=0, start_new_session=True
        )
        atexit.register(started.communicate)
        _watcher = os.getpid(), started
    return _watcher[1]


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
