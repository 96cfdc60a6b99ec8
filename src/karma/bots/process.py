"""Bots that are programs of their own: a view goes in as a line of JSON, a move comes out.

The program is started when it is first asked. For each view, as the records page writes it, it
answers ``{"move": "7x2"}`` on a line of its own. Its seed and its time limit are KARMA_SEED and
KARMA_MILLISECONDS in its environment. If it crashes, is late or answers nonsense, that is reported,
a greedy move is made, and the program is started anew.
"""

from __future__ import annotations

import json
import os
import queue
import shlex
import shutil
import subprocess
import threading
import time
import weakref
from contextlib import suppress

from karma.bots.bot import BotError
from karma.bots.guard import Trouble, checked, report
from karma.moves import Move
from karma.view import View

_LONGEST = 65536  # bytes of an answer
_MILLISECONDS = 5000


class ProcessBot:
    """A bot that is another program."""

    clock = staticmethod(time.perf_counter)  # it thinks in another process

    def __init__(self, command: str, *, seed: int = 0, milliseconds: int = 0) -> None:
        self.name = f"process:{command}"
        self.seconds = (milliseconds or _MILLISECONDS) / 1000
        self._command = words_of(command)
        self._environment = {
            **os.environ,
            "KARMA_SEED": str(seed),
            "KARMA_MILLISECONDS": str(int(1000 * self.seconds)),
        }
        self._process: subprocess.Popen[bytes] | None = None
        self._answers: queue.Queue[bytes] = queue.Queue()

    def choose(self, view: View) -> Move:
        """The program's move, or a safe one."""
        try:
            return checked(self._ask(view), view)
        except Trouble as trouble:
            self.close()
            return report(self.name, view, str(trouble))

    def close(self) -> None:
        """Ends the program."""
        if self._process is not None:
            _end(self._process)
            self._process = None

    def _ask(self, view: View) -> object:
        if self._process is None:
            self._start()
        assert self._process is not None and self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(view.json()).encode() + b"\n")
            self._process.stdin.flush()
            answer = self._answers.get(timeout=self.seconds)
        except OSError:
            answer = b""
        except queue.Empty:
            raise Trouble(f"it gave no answer within {self.seconds:g} s") from None
        if not answer:
            raise Trouble(f"it ended with exit code {self._process.wait()}")
        return _move_in(answer)

    def _start(self) -> None:
        try:
            self._process = subprocess.Popen(
                self._command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                env=self._environment,
            )
        except OSError as error:
            raise Trouble(f"it does not start: {error.strerror}") from None
        self._answers = queue.Queue()
        reader = threading.Thread(
            target=_read, args=(self._process, self._answers), daemon=True, name=self.name
        )
        reader.start()
        weakref.finalize(self, _end, self._process)


def words_of(command: str) -> list[str]:
    """The program and its arguments; BotError if there is no such program."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise BotError(f"cannot read the command {command!r}: {error}") from None
    if not words:
        raise BotError("a process bot needs a command, such as process:./mybot")
    if shutil.which(words[0]) is None:
        raise BotError(f"there is no program {words[0]!r} that can be run")
    return words


def _read(process: subprocess.Popen[bytes], answers: queue.Queue[bytes]) -> None:
    """Passes the program's lines on; an empty one says that it has ended."""
    assert process.stdout is not None
    while line := process.stdout.readline(_LONGEST):
        answers.put(line)
    answers.put(b"")


def _move_in(answer: bytes) -> object:
    try:
        data = json.loads(answer)
        return data["move"]
    except (ValueError, TypeError, KeyError):
        text = answer[:60].decode(errors="replace").strip()
        raise Trouble(f'it answered {text!r}, not {{"move": …}}') from None


def _end(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    process.wait()
    for stream in (process.stdin, process.stdout):
        if stream is not None:
            with suppress(OSError):  # what was still to be written has no reader
                stream.close()
