"""Bots of other people: programs and entry points, and what happens when they go wrong."""

import logging
import sys
from pathlib import Path

import pytest

import karma
from karma.bots import registry
from karma.bots.guard import Guarded
from karma.bots.process import ProcessBot
from karma.view import View

EXAMPLES = Path(__file__).parent.parent.parent / "examples"


def program(folder: Path, text: str) -> str:
    path = folder / "bot.py"
    path.write_text(text)
    return f"process:{sys.executable} {path}"


def finish(bot: karma.Bot) -> karma.Game:
    game = karma.Game(karma.edition("mini", stall_limit=80), 2, seed=3)
    greedy = karma.make_bot("greedy")
    while game.actor is not None:
        game.push((bot if game.actor == 0 else greedy).choose(game.view(game.actor)))
    return game


def test_the_example_program_plays_a_game(caplog: pytest.LogCaptureFixture) -> None:
    bot = karma.make_bot(f"process:{sys.executable} {EXAMPLES / 'process_bot.py'}")
    assert finish(bot).over
    assert caplog.records == []


def test_the_example_program_runs_by_its_own_name() -> None:
    registry.check(f"process:{EXAMPLES / 'process_bot.py'}")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("raise SystemExit(3)", "it ended with exit code 3"),
        ("import sys\nfor line in sys.stdin: print('hello', flush=True)", "it answered 'hello'"),
        ("import sys\nfor line in sys.stdin: print('[]', flush=True)", "it answered '[]'"),
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
    game = karma.Game(karma.MINI, 2, seed=3)
    view = game.view(0)
    assert karma.make_bot(program(tmp_path, text)).choose(view) in view.legal
    assert reason in caplog.text


def test_a_program_that_hangs_is_late_and_started_anew(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "asked"
    text = (
        "import json, pathlib, sys, time\n"
        f"asked = pathlib.Path({str(path)!r})\n"
        "for line in sys.stdin:\n"
        "    if not asked.exists():\n"
        "        asked.touch()\n"
        "        time.sleep(1000)\n"
        "    print(json.dumps({'move': json.loads(line)['legal'][-1]}), flush=True)\n"
    )
    bot = ProcessBot(program(tmp_path, text).removeprefix("process:"), milliseconds=1500)
    view = karma.Game(karma.MINI, 2, seed=3).view(0)
    assert bot.choose(view) in view.legal
    assert "no answer within 1.5 s" in caplog.text
    bot.seconds = 60.0
    assert str(bot.choose(view)) == view.json()["legal"][-1]
    bot.close()


def test_a_program_that_does_not_exist_is_refused_at_once() -> None:
    with pytest.raises(karma.BotError, match=r"there is no program '\./nobot'"):
        karma.make_bot("process:./nobot")
    with pytest.raises(karma.BotError, match="needs a command"):
        registry.check("process:")


@pytest.fixture
def timid(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The example package, as if it were installed."""
    info = tmp_path / "karma_timid-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: karma-timid\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[karma.bots]\ntimid = karma_timid:TimidBot\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.syspath_prepend(str(EXAMPLES / "timid"))
    registry.installed.cache_clear()
    yield
    registry.installed.cache_clear()


@pytest.mark.usefixtures("timid")
def test_the_example_package_is_found_and_plays(caplog: pytest.LogCaptureFixture) -> None:
    assert finish(karma.make_bot("timid:small=1", seed=1)).over
    assert caplog.records == []
    assert registry.find("timid").summary == "from karma-timid"


@pytest.mark.usefixtures("timid")
def test_a_package_that_does_not_know_an_option_says_so() -> None:
    with pytest.raises(karma.BotError, match="timid cannot be made: TypeError"):
        karma.make_bot("timid:large=1")


class Wrong:
    name = "wrong"

    def __init__(self, answer: object) -> None:
        self.answer = answer

    def choose(self, view: View) -> karma.Move:
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer  # type: ignore[return-value]


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (ZeroDivisionError("oh"), "it failed with ZeroDivisionError('oh')"),
        (karma.Move("P"), "P is not legal"),
        (None, "None is not a move"),
    ],
)
def test_a_guarded_bot_that_goes_wrong_makes_a_greedy_move(
    caplog: pytest.LogCaptureFixture, answer: object, reason: str
) -> None:
    caplog.set_level(logging.WARNING)
    view = karma.Game(karma.MINI, 2, seed=3).view(0)
    assert Guarded(Wrong(answer)).choose(view) == karma.make_bot("greedy").choose(view)
    assert reason in caplog.text
