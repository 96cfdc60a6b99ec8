"""The example of a bot over the network: a whole game, its part in the fair deal, clear errors."""

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest

from karma import fair
from karma.record import Record
from serving import serving

BOT = Path(__file__).parent.parent.parent / "examples" / "remote_bot.py"


def remote(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(BOT), *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=200)


def test_it_plays_a_game_and_takes_part_in_the_fair_deal(tmp_path: Path) -> None:
    with serving(tmp_path) as served:
        result = remote(served.address, "--name", "far away")
        assert result.returncode == 0, result.stderr
        assert result.stdout.endswith("lost\n")
        ((_, line),) = asyncio.run(served.store.games.records())
    record = Record.loads(line)
    fair.check(record)
    part = record.extra["fair"]["seats"][record.players.index("far away")]
    assert part["commitment"] is not None and not part["missing"]


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("http://127.0.0.1:1",), "is not a Karma server that answers: "),
        (("nonsense",), "is not a Karma server that answers: "),
    ],
)
def test_it_fails_in_one_line(arguments: tuple[str, ...], reason: str) -> None:
    result = remote(*arguments)
    assert result.returncode == 1
    assert reason in result.stderr and result.stderr.count("\n") == 1


def test_an_invite_that_leads_nowhere_is_one_line(tmp_path: Path) -> None:
    with serving(tmp_path) as served:
        result = remote(served.address, "--join", "AAAA-AAAA")
    assert result.returncode == 1
    assert "wrong_invite" in result.stderr and result.stderr.count("\n") == 1
