"""The command line, called inside the test's own process: starting one for each call takes long."""

import io
import sys
from dataclasses import dataclass

import pytest

from karma.cli import main


@dataclass(frozen=True)
class Answer:
    """What a command printed, and its exit code."""

    code: int
    out: str
    err: str


class Lines(io.TextIOWrapper):
    """Standard input as a pipe gives it."""

    def __init__(self, text: str | bytes) -> None:
        content = text if isinstance(text, bytes) else text.encode()
        super().__init__(io.BytesIO(content), encoding="utf-8")


@pytest.fixture
def karma(monkeypatch, capsys, tmp_path):
    """Calls the command: ``karma("replay", path, stdin="…")``."""

    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))  # the user's own games stay as they are

    def call(*arguments: object, stdin: str | bytes = "") -> Answer:
        monkeypatch.setattr(sys, "argv", ["karma", *map(str, arguments)])
        monkeypatch.setattr(sys, "stdin", Lines(stdin))
        monkeypatch.setattr(sys.modules["karma.cli.play"], "PATIENCE", 1000)
        with pytest.raises(SystemExit) as exit:
            main()
        printed = capsys.readouterr()
        return Answer(exit.value.code or 0, printed.out, printed.err)

    return call
