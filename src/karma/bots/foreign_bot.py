"""Bots of other people: each is a process of its own that reads views and answers with moves.

A program in any language is one as it is, a class in Python is one in a `Host`. Either is told,
with each view, what happened since it last decided, and is started anew when it was lost.
"""

from __future__ import annotations

import json
import os
import shlex
import shutil
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, ClassVar, Protocol

import msgspec

from karma.bots.bot import BotError
from karma.bots.program import Program, Trouble, shown
from karma.events import Event
from karma.moves import Move
from karma.view import View

MILLISECONDS = 5000  # for a move, unless told otherwise
_GRACE = 0.1  # seconds that lines take to come and go
_START = 60.0  # seconds in which a bot in Python is made
_FIRST = 10.0  # seconds for a program's first answer, at least: it has to start
_LIVES = 3  # processes that a bot may lose in a game
_IDLE = 4  # hosts kept for the next bot of a kind


class Launcher(Protocol):
    """Where a bot's process comes from, and where it goes when the bot is not needed any more."""

    def open(self) -> Program:
        """A process in which the bot has been made."""

    def leave(self, program: Program) -> None:
        """The bot is not asked any more; its process was well until now."""

    def seconds(self, limit: float, first: bool) -> float:
        """How long an answer may take."""


class ProgramLauncher:
    """Starts a program in any language."""

    def __init__(self, command: str, seed: int, milliseconds: int, echo: bool) -> None:
        self._words = words_of(command)
        self._environment = {"KARMA_SEED": str(seed), "KARMA_MILLISECONDS": str(milliseconds)}
        self._echo = echo

    def open(self) -> Program:
        return Program(self._words, self._environment, echo=self._echo)

    def leave(self, program: Program) -> None:
        program.end()

    def seconds(self, limit: float, first: bool) -> float:
        return max(limit, _FIRST) if first else limit


class ClassLauncher:
    """Starts a host for a class in Python, of a module or of a file: ``karma_timid:TimidBot``.

    Starting Python takes a while, so a process that is not needed any more serves the next bot of
    the same class.
    """

    _idle: ClassVar[dict[str, list[Program]]] = {}

    def __init__(
        self, maker: str, usual: Mapping[str, Any], options: Mapping[str, int], echo: bool
    ) -> None:
        self._maker = maker
        self._usual = dict(usual)
        self._options = dict(options)
        self._echo = echo

    def open(self) -> Program:
        try:
            program = self._idle.get(self._maker, []).pop()
        except IndexError:
            command = [sys.executable, "-u", "-P", "-m", "karma.bots.host"]
            program = Program(command, echo=self._echo)
        module, _, maker = self._maker.rpartition(":")
        make = {
            "path": sys.path,
            "module": module,
            "maker": maker,
            "usual": self._usual,
            "options": self._options,
        }
        try:
            answer = _answer(program.ask(json.dumps({"make": make}).encode(), _START))
            if "failed" in answer:
                raise Trouble("crash", answer["failed"])
        except Trouble as trouble:
            trouble.printed = program.printed
            program.end()
            raise
        return program

    def leave(self, program: Program) -> None:
        idle = self._idle.setdefault(self._maker, [])
        if len(idle) < _IDLE:
            idle.append(program)
        else:
            program.end()

    def seconds(self, limit: float, first: bool) -> float:
        return limit


class ForeignBot:
    """A bot of another person. What it does in place of a legal move is Trouble."""

    def __init__(self, name: str, launcher: Launcher, milliseconds: int) -> None:
        self.name = name
        self._launcher = launcher
        self._limit = milliseconds / 1000
        self._program: Program | None = None
        self._lives = _LIVES
        self._fresh = True  # nothing was asked since its process started
        self._events: list[Event] = []
        self._told = 0

    @property
    def heard(self) -> int:
        """How many events it was given."""
        return len(self._events)

    def hear(self, events: Sequence[Event]) -> None:
        """Keeps what happened, to be told with the next view; after a restart, from the start."""
        self._events += events

    def open(self) -> None:
        """Has it made, if it is not; a bot that is lost again and again is not."""
        if self._lives == 0:
            reason = f"it was lost {_LIVES} times and is not asked any more"
            raise Trouble("crash", reason, lost=False)
        if self._program is None:
            try:
                self._program = self._launcher.open()
            except Trouble:
                self._lives -= 1
                raise
            self._fresh, self._told = True, 0

    def choose(self, view: View) -> Move:
        """The bot's move."""
        self.open()
        program = self._program
        assert program is not None
        events = msgspec.to_builtins(self._events[self._told :])
        line = json.dumps({**view.json(), "events": events}).encode()
        try:
            answer = program.ask(line, self._launcher.seconds(self._limit, self._fresh) + _GRACE)
            self._fresh = False
            self._told = len(self._events)
            return move_in(_answer(answer), view)
        except Trouble as trouble:
            if trouble.lost:
                trouble.printed = program.printed
                program.end()
                self._program = None
                self._lives -= 1
            raise

    def interrupt(self) -> None:
        """Ends its process while another thread waits for its move."""
        if self._program is not None:
            self._program.interrupt()

    def close(self) -> None:
        """Lets its process go."""
        if self._program is not None:
            self._launcher.leave(self._program)
            self._program = None


def move_in(answer: dict[str, Any], view: View) -> Move:
    """The move of an answer, if it is a legal one."""
    if "failed" in answer:
        raise Trouble("crash", str(answer["failed"]), lost=False)
    try:
        move = Move(answer["move"])
    except (ValueError, TypeError) as error:
        raise Trouble("nonsense", str(error)[:200], lost=False) from None
    if move not in view.legal:
        raise Trouble("nonsense", f"{move} is not legal", lost=False)
    return move


def words_of(command: str) -> list[str]:
    """The program and its arguments; BotError if there is no such program."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise BotError(f"cannot read the command {command!r}: {error}") from None
    if not words:
        raise BotError("a process bot needs a command, such as process:./mybot")
    if shutil.which(words[0]) is None:
        if not os.path.exists(words[0]):
            raise BotError(f"there is no program {words[0]!r}")
        raise BotError(
            f"{words[0]} cannot be run: chmod +x {words[0]} allows it, and a script's first line "
            f"names its interpreter; or name that first: process:python3 {words[0]}"
        )
    return words


def _answer(line: bytes) -> dict[str, Any]:
    with suppress(ValueError, RecursionError):
        data = json.loads(line)
        if isinstance(data, dict) and data.keys() & {"move", "made", "failed"}:
            return data
    raise Trouble("nonsense", f'it answered {shown(line)}, not {{"move": …}}')
