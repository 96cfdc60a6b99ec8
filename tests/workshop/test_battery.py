"""The battery: it goes on where it stopped."""

import json
from pathlib import Path

import pytest

from karma.arena import ArenaResults, play_blocks
from workshop import battery

MINI = battery.Setting("mini", 2)
MATCHES = [battery.Match(MINI, "greedy", bot, 20) for bot in ("beginner", "random")]


@pytest.fixture
def page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """What is told of a battery of two matches at one table."""
    monkeypatch.setattr(battery, "BATTERY", MATCHES)
    (tmp_path / "strength").mkdir()
    return tmp_path / "strength" / "mini-2.json"


def test_the_battery_goes_on_and_tells_only_what_is_finished(page: Path, tmp_path: Path) -> None:
    kept = ArenaResults(tmp_path / "mini-2.jsonl")
    kept.add(MATCHES[0].pairing, play_blocks(MATCHES[0].pairing, range(10)))
    kept.add(MATCHES[1].pairing, play_blocks(MATCHES[1].pairing, range(3)))
    battery.tell(MINI, kept, tmp_path)
    told = json.loads(page.read_text())
    assert [(row["baseline"], row["games"]) for row in told["rows"]] == [("beginner", 20)]
    assert battery.play({MINI: kept}, tmp_path, workers=1)
    told = json.loads(page.read_text())
    assert [row["baseline"] for row in told["rows"]] == ["beginner", "random"]


def test_rows_that_stand_are_kept_until_a_bot_is_another_version(
    page: Path, tmp_path: Path
) -> None:
    assert battery.play({MINI: ArenaResults()}, tmp_path, workers=1)
    first = json.loads(page.read_text())
    nothing_new = ArenaResults()
    assert battery.play({MINI: nothing_new}, tmp_path, workers=1)
    assert not nothing_new.blocks and json.loads(page.read_text()) == first
    first["bots"]["random"]["version"] = 0
    page.write_text(json.dumps(first))
    again = ArenaResults()
    assert battery.play({MINI: again}, tmp_path, workers=1)
    assert [MATCHES[1].pairing.key] == list(again.blocks)
    assert [row["baseline"] for row in json.loads(page.read_text())["rows"]] == [
        "beginner",
        "random",
    ]
