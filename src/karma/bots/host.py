"""Host: the process in which a bot written in Python lives: ``python -m karma.bots.host``.

It reads and answers lines as any program that is a bot does. Two kinds of lines are its own: one
that says which bot to make, and an answer that says what the bot did wrong. What the bot prints is
not taken for an answer, and it may raise, exit or fork as it likes.
"""

from __future__ import annotations

import inspect
import json
import os
import sys
import traceback
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

import msgspec

from karma.events import AnyEvent
from karma.moves import Move
from karma.view import View

_LONGEST = 300  # letters of a reason


class Host:
    """Makes bots from one module, one after another, and asks the newest."""

    def __init__(self) -> None:
        self._bot: Any = None
        self._modules: dict[str, ModuleType] = {}

    def answer(self, line: bytes) -> dict[str, Any]:
        """The answer to a line; what the bot does wrong is one, too."""
        question = json.loads(line)
        try:
            if "make" in question:
                return self._make(**question["make"])
            return self._choose(question)
        except BaseException as error:  # a bot may raise what it likes, SystemExit included
            return {"failed": reason_of(error)}

    def _make(
        self, path: list[str], module: str, maker: str, usual: dict[str, Any], options: Any
    ) -> dict[str, Any]:
        if module not in self._modules:
            sys.path[:] = path
            self._modules[module] = load(module)
        made = getattr(self._modules[module], maker, None)
        if made is None:
            classes = bots_in(self._modules[module])
            has = f"; it has {', '.join(classes)}" if classes else ""
            return {"failed": f"{module} has no {maker}{has}"}
        self._bot = construct(made, usual, options)
        if not callable(getattr(self._bot, "choose", None)):
            return {"failed": f"{maker} has no method choose(view)"}
        return {"made": maker}

    def _choose(self, question: dict[str, Any]) -> dict[str, Any]:
        events = question.pop("events")
        if events and hasattr(self._bot, "hear"):
            self._bot.hear(msgspec.convert(events, list[AnyEvent]))
        move = self._bot.choose(View.parse(question))
        return {"move": str(move) if isinstance(move, Move) else move}


def load(module: str) -> ModuleType:
    """A module by its name, or by the path of its file, whose folder it may import from."""
    if not module.endswith(".py"):
        return import_module(module)
    file = Path(module)
    sys.path.insert(0, str(file.parent))
    spec = spec_from_file_location(file.stem, file)
    if spec is None or spec.loader is None:
        raise ImportError(f"{module} is not Python")
    loaded = module_from_spec(spec)
    sys.modules[file.stem] = loaded
    spec.loader.exec_module(loaded)
    return loaded


def bots_in(module: ModuleType) -> list[str]:
    """The names of the classes that could be meant."""
    return [
        name
        for name, value in vars(module).items()
        if inspect.isclass(value)
        and hasattr(value, "choose")
        and value.__module__ == module.__name__
    ]


def construct(maker: Any, usual: dict[str, Any], options: dict[str, int]) -> Any:
    """Makes a bot with the options and, of the usual arguments, with those that it takes."""
    takes = inspect.signature(maker).parameters.values()
    names = {parameter.name for parameter in takes}
    if any(parameter.kind is parameter.VAR_KEYWORD for parameter in takes):
        names.update(usual)
    return maker(**{name: value for name, value in usual.items() if name in names}, **options)


def reason_of(error: BaseException) -> str:
    """What was raised, and in which line of the bot."""
    try:
        text = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    except BaseException:  # even that may raise
        text = type(error).__name__
    frames = [f for f in traceback.extract_tb(error.__traceback__) if f.filename != __file__]
    where = f" ({Path(frames[-1].filename).name}, line {frames[-1].lineno})" if frames else ""
    return text[:_LONGEST] + where


def main() -> None:
    """Answers line by line; input and output of the bot itself lead elsewhere."""
    questions, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb", buffering=0)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    here = os.getpid()
    host = Host()
    for line in questions:
        answer = host.answer(line)
        if os.getpid() != here:
            os._exit(0)  # a child that the bot forked, and that has no business here
        try:
            text = json.dumps(answer)
        except BaseException:
            text = json.dumps({"failed": f"it answered a {type(answer.get('move')).__name__}"})
        answers.write(text.encode() + b"\n")


if __name__ == "__main__":
    main()
