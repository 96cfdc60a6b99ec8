"""Program: a process of its own that is asked a line and answers with one, and can harm nobody.

It has a group of processes, which is ended as a whole, children included. It may print as much as
it likes, close what it likes and sleep as long as it likes: an answer is there in time, or Trouble.
"""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
import sys
import time
import weakref
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import IO

from karma.bots import orphans

LONGEST = 65536  # bytes of an answer
_ECHOED = 4096  # bytes of what it prints that are passed on
_REMEMBERED = 200  # bytes of what it printed last
_GLANCE = 0.1  # seconds between two looks at whether it still runs


class Trouble(Exception):
    """What a bot did in place of a legal move.

    `kind` is hang, crash or nonsense. After some kinds of trouble its process has to go (`lost`).
    """

    def __init__(self, kind: str, reason: str, *, lost: bool = True) -> None:
        super().__init__(reason)
        self.kind = kind
        self.lost = lost
        self.printed = ""  # what it last printed

    def __str__(self) -> str:
        last = self.printed.rpartition("\n")[2][-60:]
        return super().__str__() + (f" (it last printed {last!r})" if last else "")


class Program:
    """A program that runs, and is asked one line at a time."""

    def __init__(
        self,
        command: Sequence[str],
        environment: Mapping[str, str] | None = None,
        *,
        echo: bool = False,
    ) -> None:
        try:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env={**os.environ, **(environment or {})},
                bufsize=0,
                start_new_session=True,
            )
        except OSError as error:
            raise Trouble("crash", f"it does not start: {error.strerror}") from None
        orphans.watch(self._process.pid)
        self._answers = bytearray()
        self._printed = b""
        self._echo = _ECHOED if echo else 0
        for stream in _streams(self._process):
            os.set_blocking(stream.fileno(), False)
        self._finalizer = weakref.finalize(self, _end, self._process)

    @property
    def printed(self) -> str:
        """The end of what it printed."""
        return self._printed.decode(errors="replace").strip()

    def ask(self, line: bytes, seconds: float) -> bytes:
        """Its answer to a line; Trouble if there is none in time."""
        due = time.monotonic() + seconds
        stdin, stdout, stderr = _streams(self._process)
        rest = line + b"\n"
        with selectors.DefaultSelector() as selector:
            selector.register(stdin, selectors.EVENT_WRITE)
            selector.register(stdout, selectors.EVENT_READ)
            selector.register(stderr, selectors.EVENT_READ)
            self._take(stdout.fileno())
            if self._answers:
                raise Trouble("nonsense", f"it wrote {shown(self._answers)} without being asked")
            while b"\n" not in self._answers:
                if len(self._answers) > LONGEST:
                    raise Trouble("nonsense", f"its answer is longer than {LONGEST} bytes")
                left = due - time.monotonic()
                if left <= 0:
                    raise Trouble("hang", f"it gave no answer within {seconds:g} s")
                ready = selector.select(min(left, _GLANCE))
                for key, _ in ready:
                    if key.fileobj is stdin:
                        try:
                            rest = rest[os.write(stdin.fileno(), rest) :]
                        except OSError:
                            rest = b""
                        if not rest:
                            selector.unregister(stdin)
                    elif key.fileobj is stderr:
                        if not self._listen(stderr.fileno()):
                            selector.unregister(stderr)
                    elif not self._take(stdout.fileno()):
                        raise Trouble("crash", self._ended())
                if not ready and _exit_code(self._process.pid) is not None:
                    raise Trouble("crash", self._ended())
        answer, _, self._answers = self._answers.partition(b"\n")
        return bytes(answer)

    def interrupt(self) -> None:
        """Ends it while another thread waits for its answer, who then learns that it has ended."""
        _kill(self._process)

    def end(self) -> None:
        """Ends it and all that it started."""
        self._finalizer()

    def _take(self, number: int) -> bool:
        """Takes what there is of its answers; False if there will be no more."""
        data = _read(number)
        self._answers += data or b""
        return data != b""

    def _listen(self, number: int) -> bool:
        """Takes what it prints beside its answers, and passes the beginning of it on."""
        data = _read(number)
        if data and self._echo:
            sys.stderr.write(data[: self._echo].decode(errors="replace"))
            self._echo = max(0, self._echo - len(data))
            if not self._echo:
                sys.stderr.write("\n(what else the bot prints is not shown)\n")
        self._printed = (self._printed + (data or b""))[-_REMEMBERED:]
        return data != b""

    def _ended(self) -> str:
        """How it came to its end."""
        due = time.monotonic() + 1
        while (code := _exit_code(self._process.pid)) is None:
            if time.monotonic() > due:
                return "it closed its standard output"
            time.sleep(0.01)
        return f"it was ended by signal {-code}" if code < 0 else f"it ended with exit code {code}"


def _read(number: int) -> bytes | None:
    """What can be read now; None if nothing can, and no bytes at the end."""
    try:
        return os.read(number, LONGEST)
    except BlockingIOError:
        return None
    except OSError:
        return b""


def _exit_code(pid: int) -> int | None:
    """How a process ended, None if it has not; it is left to be waited for.

    So its number, which is that of its group, is nobody else's until the group is ended.
    """
    with suppress(ChildProcessError):
        found = os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        if found is None:
            return None
        return found.si_status if found.si_code == os.CLD_EXITED else -found.si_status
    return 0


def _streams(process: subprocess.Popen[bytes]) -> tuple[IO[bytes], IO[bytes], IO[bytes]]:
    assert process.stdin is not None and process.stdout is not None and process.stderr is not None
    return process.stdin, process.stdout, process.stderr


def _kill(process: subprocess.Popen[bytes]) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)


def _end(process: subprocess.Popen[bytes]) -> None:
    _kill(process)
    process.wait()
    orphans.forget(process.pid)
    for stream in _streams(process):
        with suppress(OSError):  # what was still to be written has no reader
            stream.close()


def shown(answer: bytes | bytearray) -> str:
    """The beginning of what was answered, for a message."""
    return repr(bytes(answer[:60]).decode(errors="replace").strip())
