"""Bots of other people: programs, files and packages, and what happens when they go wrong."""

import logging
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import karma
from karma.bots import guard, registry
from karma.bots.foreign_bot import ClassLauncher
from karma.bots.play import play
from karma.bots.program import Program, Trouble

EXAMPLES = Path(__file__).parent.parent.parent / "examples"
WRONG = Path(__file__).parent / "wrong.py"
SHORT = 300  # milliseconds


@pytest.fixture(autouse=True)
def _forget() -> None:
    guard._told.clear()


def game() -> karma.Game:
    return karma.Game(karma.edition("mini", stall_limit=80), 2, seed=3)


def program(folder: Path, text: str) -> str:
    path = folder / "bot.py"
    path.write_text(text)
    return f"process:{sys.executable} {path}"


def against_greedy(bot: karma.Bot, limit: int = 3000) -> karma.Game:
    played = game()
    play(played, [bot, karma.make_bot("greedy")], limit)
    return played


def alive(group: int) -> bool:
    """Does any process of a group still run?"""
    listed = subprocess.run(["ps", "-eo", "pgid=,stat="], capture_output=True, text=True).stdout
    rows = [line.split() for line in listed.splitlines()]
    return any(int(row[0]) == group and not row[1].startswith("Z") for row in rows)


def ends(group: int) -> bool:
    """Does a group that was killed come to its end? Each process takes its own time for it."""
    due = time.monotonic() + 60
    while alive(group) and time.monotonic() < due:
        time.sleep(0.1)
    return not alive(group)


# ---- programs in any language -------------------------------------------------------------------


def test_the_example_program_plays_a_game(caplog: pytest.LogCaptureFixture) -> None:
    bot = karma.make_bot(f"process:{sys.executable} {EXAMPLES / 'process_bot.py'}")
    assert against_greedy(bot).over
    assert caplog.records == []


def test_the_example_program_runs_by_its_own_name() -> None:
    registry.check(f"process:{EXAMPLES / 'process_bot.py'}")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("raise SystemExit(3)", "it ended with exit code 3"),
        ("import os; os.kill(os.getpid(), 9)", "it was ended by signal 9"),
        ("import sys\nfor line in sys.stdin: print('hello', flush=True)", "it answered 'hello'"),
        ("import sys\nfor line in sys.stdin: print('[]', flush=True)", "it answered '[]'"),
        ("import sys\nfor line in sys.stdin: print('[' * 60000, flush=True)", "it answered '[[["),
        ("while True: print('x' * 1000, end='')", "its answer is longer than 65536 bytes"),
        (
            'import sys\nfor line in sys.stdin: print(\'{"move": "17"}\', flush=True)',
            "'17' is not a move",
        ),
        (
            "import sys\nfor line in sys.stdin: print('{\"move\": 5.5}', flush=True)",
            "5.5 is not a move",
        ),
        (
            'import sys\nfor line in sys.stdin: print(\'{"move": ">1"}\', flush=True)',
            ">1 is not legal",
        ),
    ],
)
def test_a_program_that_goes_wrong_is_reported_and_the_game_goes_on(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, text: str, reason: str
) -> None:
    view = game().view(0)
    bot = karma.make_bot(program(tmp_path, text))
    assert bot.choose(view) in view.legal
    assert reason in caplog.text
    assert [ply for ply, _ in bot.failures] == [0]  # type: ignore[attr-defined]
    bot.close()  # type: ignore[attr-defined]


def test_a_program_that_hangs_is_late_and_started_anew(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "asked"
    text = (
        "import json, pathlib, sys, time\n"
        f"asked = pathlib.Path({str(path)!r})\n"
        "for line in sys.stdin:\n"
        "    view = json.loads(line)\n"
        "    if view['ply'] == 2 and not asked.exists():\n"
        "        asked.touch()\n"
        "        time.sleep(1000)\n"
        "    print(json.dumps({'move': view['legal'][-1]}), flush=True)\n"
    )
    bot = karma.make_bot(program(tmp_path, text), milliseconds=SHORT)
    against_greedy(bot, limit=8)
    assert "no answer within 0.4 s" in caplog.text
    assert [ply for ply, _ in bot.failures] == [2]  # type: ignore[attr-defined]
    bot.close()  # type: ignore[attr-defined]


def test_the_children_of_a_program_end_with_it() -> None:
    child = "import subprocess; subprocess.Popen(['sleep', '1000'])"
    script = f"{child}\nimport sys\nfor line in sys.stdin: print('here', flush=True)"
    started = Program([sys.executable, "-c", script])
    assert started.ask(b"", 60) == b"here"
    group = started._process.pid
    assert alive(group)
    started.end()
    assert ends(group)


def test_what_a_killed_arena_leaves_behind_is_ended() -> None:
    script = (
        "from karma.bots.program import Program\n"
        "import os, signal\n"
        "started = Program(['sh', '-c', 'sleep 1000 & sleep 1000'])\n"
        "print(started._process.pid, flush=True)\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    killed = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    group = int(killed.stdout)
    assert ends(group)


def test_a_program_is_not_believed_twice(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    text = (
        "import json, sys\n"
        "for line in sys.stdin:\n"
        "    answer = json.dumps({'move': json.loads(line)['legal'][0]})\n"
        "    print(answer + chr(10) + answer, flush=True)\n"
    )
    bot = karma.make_bot(program(tmp_path, text))
    against_greedy(bot, limit=8)
    assert "without being asked" in caplog.text
    bot.close()  # type: ignore[attr-defined]


def test_a_program_that_does_not_read_is_late_like_any_other() -> None:
    started = Program(["sleep", "1000"])
    with pytest.raises(Trouble, match=r"no answer within 0\.2 s"):
        started.ask(b"x" * 1_000_000, 0.2)
    started.end()


def test_a_program_that_cannot_be_run_is_refused_at_once(tmp_path: Path) -> None:
    with pytest.raises(karma.BotError, match=r"there is no program '\./nobot'"):
        karma.make_bot("process:./nobot")
    with pytest.raises(karma.BotError, match="needs a command"):
        registry.check("process:")
    path = tmp_path / "bot.py"
    path.write_text("print()")
    with pytest.raises(karma.BotError, match=r"chmod \+x .* allows it, .* process:python3 "):
        registry.check(f"process:{path}")
    path.chmod(0o755)
    with pytest.raises(karma.BotError, match="it does not start: Exec format error"):
        registry.check(f"process:{path}")


# ---- classes in a file --------------------------------------------------------------------------


def test_a_class_in_a_file_is_a_bot_at_once(caplog: pytest.LogCaptureFixture) -> None:
    assert against_greedy(karma.make_bot(f"{WRONG}:First")).over
    assert caplog.records == []


@pytest.mark.parametrize(
    ("how", "reason"),
    [
        (0, r"ZeroDivisionError: oh \(wrong.py, line \d+\)"),
        (1, "SystemExit: 3"),
        (2, "it ended with exit code 4"),
        (3, r"it gave no answer within 0\.4 s"),
        (4, r"it gave no answer within 0\.4 s"),
        (5, "'17' is not a move"),
        (6, "it answered a object"),
        (7, "it answered a Liar"),
        (8, "Silent"),
        (9, "RuntimeError: I will not listen"),
        (10, "it was ended by signal 9"),
    ],
)
def test_whatever_a_bot_does_the_game_goes_on_and_says_where_it_failed(
    how: int, reason: str, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    bot = karma.make_bot(f"{WRONG}:Failing:how={how}", milliseconds=SHORT)
    against_greedy(bot, limit=7)
    assert re.search(reason, caplog.text)
    plies = [ply for ply, _ in bot.failures]  # type: ignore[attr-defined]
    assert plies[0] == (1 if how == 9 else 0)
    bot.close()  # type: ignore[attr-defined]
    assert capfd.readouterr().out == ""


def test_a_bot_that_is_lost_again_and_again_is_not_asked_any_more() -> None:
    bot = karma.make_bot(f"{WRONG}:Failing:how=2")
    against_greedy(bot)
    reasons = [reason for _, reason in bot.failures]  # type: ignore[attr-defined]
    assert sum("exit code 4" in reason for reason in reasons) == 3
    assert "is not asked any more" in reasons[3]


def test_a_bot_that_forks_answers_once_and_leaves_nobody_behind() -> None:
    bot = karma.make_bot(f"{WRONG}:Forking")
    against_greedy(bot, limit=20)
    assert bot.failures == []  # type: ignore[attr-defined]
    started = bot._bot._program  # type: ignore[attr-defined]
    group = started._process.pid
    started.end()
    assert ends(group)


def test_a_bot_hears_all_events_and_after_a_restart_all_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    notes = tmp_path / "notes"
    monkeypatch.setenv("KARMA_TEST_NOTES", str(notes))
    monkeypatch.setattr(ClassLauncher, "_idle", {})  # those were started with other notes
    bot = karma.make_bot(f"{WRONG}:Listening")
    played = against_greedy(bot, limit=24)
    bot.close()  # type: ignore[attr-defined]
    ((ply, _),) = bot.failures  # type: ignore[attr-defined]
    again = game()
    happened = [type(e).__name__ for move in played.moves[:24] for e in again.push(move)]
    lines = notes.read_text().splitlines()
    crash = lines.index(f"asked {ply}") + 1
    before, after = (
        [name for line in part if line.startswith("heard ") for name in line.split()[1:]]
        for part in (lines[:crash], lines[crash:])
    )
    assert before == happened[: len(before)] and len(before) > 10
    assert after == happened[: len(after)] and len(after) > len(before)


@pytest.mark.parametrize(
    ("spec", "reason"),
    [
        (f"{WRONG}:Nobody", "has no Nobody; it has First, "),
        (f"{WRONG}:First:depth=3", "First cannot be made: TypeError: First() takes no arguments"),
        (f"{WRONG}:Failing:depth=3", "unexpected keyword argument 'depth'"),
        (f"{WRONG}:Failing:how=much", "how of .* cannot be 'much'; it is a whole number"),
        (f"{WRONG}:Failing:how=1:x=2", "a whole number, and a comma stands between options"),
        (f"{WRONG}:Unmakable", "Unmakable cannot be made: SystemExit: 5"),
        (f"{WRONG}:Mute", r"Mute has no method choose\(view\)"),
        (f"{WRONG}", "names no class of that file; .*wrong.py:MyBot would"),
        ("./nowhere.py:MyBot", "there is no file nowhere.py"),
    ],
)
def test_a_class_that_cannot_be_made_is_one_line_before_any_game(spec: str, reason: str) -> None:
    for make in (registry.check, karma.make_bot):
        with pytest.raises(karma.BotError, match=reason.replace("()", r"\(\)")):
            make(spec)


def test_a_file_may_import_its_neighbours_and_a_change_in_either_is_seen(tmp_path: Path) -> None:
    (tmp_path / "helper.py").write_text("def pick(moves):\n    return moves[0]\n")
    (tmp_path / "unused.py").write_text("")
    bot = tmp_path / "bot.py"
    bot.write_text(
        "class MyBot:\n"
        "    def choose(self, view):\n"
        "        from helper import pick\n"
        "        return pick(view.legal)\n"
    )
    made = karma.make_bot(f"{bot}:MyBot")
    assert against_greedy(made, limit=6).ply == 6
    assert made.failures == []  # type: ignore[attr-defined]
    made.close()  # type: ignore[attr-defined]
    seen = [registry.describe(f"{bot}:MyBot")]
    for name in ("unused.py", "helper.py", "bot.py"):
        with (tmp_path / name).open("a") as file:
            file.write("# changed\n")
        seen.append(registry.describe(f"{bot}:MyBot"))
    assert seen[0] == seen[1] and len({one["source"] for one in seen[1:]}) == 3


# ---- packages -----------------------------------------------------------------------------------


@pytest.fixture
def timid(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The example package, as if it were installed; and one that takes a name of ours."""
    info = tmp_path / "karma_timid-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: karma-timid\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(
        "[karma.bots]\ntimid = karma_timid:TimidBot\ngreedy = karma_timid:TimidBot\n"
    )
    (tmp_path / "karma_timid.py").write_text((EXAMPLES / "timid" / "karma_timid.py").read_text())
    monkeypatch.syspath_prepend(str(tmp_path))
    registry.installed.cache_clear()
    yield tmp_path
    registry.installed.cache_clear()


def test_the_example_package_is_found_and_plays(
    timid: Path, caplog: pytest.LogCaptureFixture
) -> None:
    assert against_greedy(karma.make_bot("timid:small=1", seed=1)).over
    assert caplog.records == []
    assert registry.find("timid").summary == "from karma-timid"
    with pytest.raises(karma.BotError, match="timid cannot be made: TypeError"):
        karma.make_bot("timid:large=1")


def test_versions_of_a_package_are_told_apart(timid: Path) -> None:
    first = registry.describe("timid:small=1")
    assert first["version"] == "1.0" and first["small"] == 1
    with (timid / "karma_timid.py").open("a") as file:
        file.write("# changed\n")
    assert registry.describe("timid:small=1")["source"] != first["source"]


def test_a_package_that_takes_a_name_of_ours_is_told_so(timid: Path) -> None:
    (line,) = registry.hidden()
    assert line.startswith(
        "karma-timid has a bot greedy, which the built-in one of that name hides"
    )
    assert not registry.find("greedy").foreign


# ---- names that an operator gives ---------------------------------------------------------------


@pytest.fixture
def registered() -> Iterator[None]:
    yield
    registry.REGISTERED.clear()


@pytest.mark.usefixtures("registered")
def test_an_operator_gives_a_bot_a_name() -> None:
    registry.register("first", f"{WRONG}:First")
    assert against_greedy(karma.make_bot("first"), limit=6).ply == 6
    assert karma.make_bot("first").name == "first"
    for name, spec, reason in (
        ("greedy", f"{WRONG}:First", "there is a bot greedy already"),
        ("My Bot", f"{WRONG}:First", "is no name for a bot"),
        ("second", "greedy", "has a name already"),
        ("second", f"{WRONG}:Mute", "has no method choose"),
    ):
        with pytest.raises(karma.BotError, match=reason):
            registry.register(name, spec)


def test_reports_stop_and_counting_goes_on(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING)
    bot = karma.make_bot(f"{WRONG}:Failing:how=0")
    against_greedy(bot)
    assert len(caplog.records) == 4 and "only counted" in caplog.text
    assert len(bot.failures) > 10  # type: ignore[attr-defined]
