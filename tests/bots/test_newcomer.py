"""Newcomers: a first bot without packaging, a package, and a bot that does everything wrong.

Everything is done by the commands that the page on bots shows, from an empty folder.
"""

import contextlib
import fcntl
import json
import os
import re
import struct
import subprocess
import sys
import termios
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
WRONG = Path(__file__).parent / "wrong.py"


def karma(
    folder: Path, *arguments: str, stdin: str = "", **environment: str
) -> subprocess.CompletedProcess[str]:
    home = {"HOME": str(folder), "XDG_DATA_HOME": str(folder / "data")}
    cache = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")  # of compiled code
    return subprocess.run(
        [sys.executable, "-m", "karma", *arguments],
        cwd=folder,
        env=os.environ | home | {"XDG_CACHE_HOME": cache} | environment,
        input=stdin,
        capture_output=True,
        text=True,
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """An empty folder, but for the bot that the page shows."""
    page = (ROOT / "docs" / "bots.md").read_text(encoding="utf-8")
    shown = re.search(r"```python\n(class MyBot:.*?)```", page, re.DOTALL)
    assert shown is not None
    (tmp_path / "bot.py").write_text(shown[1])
    return tmp_path


def test_the_first_bot_of_the_page_plays_in_the_arena(folder: Path) -> None:
    asked = ("arena", "./bot.py:MyBot", "greedy", "--edition", "mini", "--games", "4")
    kept = ("--results", "results.jsonl")
    told = json.loads(karma(folder, *asked, *kept, "--json").stdout)
    (row,) = told["rows"]
    assert row["games"] == 4
    assert row["failures"]["candidate"] == {"number": 0, "first": None}
    assert set(told["bots"]["./bot.py:MyBot"]) == {"source"}
    # What another version of it played does not count for it.
    file = folder / "bot.py"
    file.write_text(file.read_text().replace("[0]", "[-1]"))
    karma(folder, *asked, *kept, "--json")
    lines = [json.loads(line) for line in (folder / "results.jsonl").read_text().splitlines()]
    assert len(lines) == 4
    assert len({line["bots"]["./bot.py:MyBot"]["source"] for line in lines}) == 2


def test_the_first_bot_of_the_page_plays_elsewhere_too(folder: Path) -> None:
    table = ("--edition", "mini", "--players", "2", "--bots", "./bot.py:MyBot,greedy")
    told = json.loads(karma(folder, "simulate", *table, "--games", "2", "--json").stdout)
    assert [row["bot"] for row in told["rows"]] == ["./bot.py:MyBot", "greedy"]
    assert [row["failures"]["number"] for row in told["rows"]] == [0, 0]


@pytest.mark.parametrize("command", ["arena", "simulate"])
def test_a_name_that_would_be_a_picture_stays_a_name(folder: Path, command: str) -> None:
    """The terminal's library draws :shark: as a fish."""
    (folder / "shark.py").write_text(
        "class Shark:\n    def __init__(self, bold=0): pass\n"
        "    def choose(self, view): return view.legal[0]\n"
    )
    bots = ("./shark.py:Shark:bold=1", "greedy")
    named = bots if command == "arena" else ("--bots", ",".join(bots))
    table = ("--edition", "mini", "--players", "2", "--games", "2")
    assert "py:Shark:" in karma(folder, command, *named, *table, COLUMNS="200").stdout


@pytest.mark.parametrize("bot", ["./bot.py:MyBot", f"{WRONG}:Failing:how=0"])
def test_bots_of_a_file_are_watched_and_played_against(folder: Path, bot: str) -> None:
    table = ("--plain", "--edition", "mini", "--players", "2", "--seed", "3", "--bots", bot)
    watched = karma(folder, "watch", *table)
    assert watched.returncode == 0, watched.stderr
    assert "Traceback" not in watched.stderr and len(watched.stdout.splitlines()) > 30
    played = karma(folder, "play", *table, stdin="1\n2\n3\nq\n")
    assert played.returncode == 0, played.stderr
    assert "Traceback" not in played.stderr


def test_a_new_package_has_a_test_that_passes(folder: Path) -> None:
    written = karma(folder, "bots", "new", "night-owl").stdout.splitlines()
    assert "karma-night-owl/karma_night_owl.py" in written
    package = folder / "karma-night-owl"
    tested = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-c", "/dev/null", "."],
        cwd=package,
        env=os.environ | {"PYTHONPATH": str(package)},
        capture_output=True,
        text=True,
    )
    assert tested.returncode == 0, tested.stdout
    again = karma(folder, "bots", "new", "night-owl")
    assert again.returncode == 2 and again.stderr == "karma: karma-night-owl is there already\n"
    hidden = karma(folder, "bots", "new", "greedy")
    assert "there is a bot greedy already" in hidden.stderr


def test_the_arena_survives_a_bot_that_does_everything_wrong_and_says_so(folder: Path) -> None:
    table = ("--edition", "mini", "--games", "2", "--milliseconds", "200", "--workers", "1")
    result = karma(folder, "arena", f"{WRONG}:Everything", "greedy", *table, COLUMNS="80")
    assert result.returncode == 0, result.stderr
    assert "Traceback" not in result.stderr
    told = result.stdout.replace("\n", "")
    assert re.search(r"Everything failed \d+× against greedy, first in game 0 at ply \d+: ", told)
    assert len(result.stderr) < 20_000


def test_a_simulation_survives_it_too(folder: Path) -> None:
    bots = f"{WRONG}:Everything,greedy"
    table = ("--edition", "mini", "--games", "1", "--bots", bots, "--threads", "1")
    told = json.loads(karma(folder, "simulate", *table, "--json").stdout)
    failed, fine = (row["failures"] for row in told["rows"])
    assert failed["number"] > 0 and failed["first"]["game"] == 0
    assert fine["number"] == 0


@pytest.mark.parametrize("command", [("arena",), ("simulate", "--bots"), ("watch", "--bots")])
def test_every_command_says_in_one_line_that_a_bot_cannot_be_made(
    folder: Path, command: tuple[str, ...]
) -> None:
    more = ("greedy",) if command == ("arena",) else ()
    result = karma(folder, *command, "./bot.py:MyBot:depth=3", *more)
    assert result.returncode == 2
    reason = "bot.py:MyBot cannot be made: TypeError: MyBot() takes no arguments"
    assert result.stderr == f"karma: {reason}\n"


def test_the_arena_keeps_its_intervals_on_a_terminal_of_eighty_columns(tmp_path: Path) -> None:
    arguments = ("arena", "greedy", "beginner@1", "random", "--edition", "mini", "--games", "40")
    ours, its = os.openpty()
    fcntl.ioctl(its, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    environment = {k: v for k, v in os.environ.items() if k not in ("COLUMNS", "LINES")}
    process = subprocess.Popen(
        [sys.executable, "-m", "karma", *arguments],
        stdin=subprocess.DEVNULL,
        stdout=its,
        stderr=subprocess.DEVNULL,
        env=environment | {"TERM": "xterm", "NO_COLOR": "1"},
    )
    os.close(its)
    shown = b""
    with contextlib.suppress(OSError):  # how a terminal says that there is no more
        while more := os.read(ours, 4096):
            shown += more
    os.close(ours)
    assert process.wait() == 0
    text = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", shown.decode())
    assert len(re.findall(r"│ +\d+\.\d–\d+\.\d │", text)) == 3
    assert "…" not in text
    assert max(map(len, text.splitlines())) <= 80
