"""The battery: it goes on where it stopped."""

import json
from pathlib import Path

import pytest

from karma.arena import ArenaResults, play_blocks
from workshop import battery


def test_the_battery_goes_on_and_tells_only_what_is_finished(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mini = battery.Setting("mini", 2)
    matches = [battery.Match(mini, "greedy", bot, 20) for bot in ("beginner", "random")]
    monkeypatch.setattr(battery, "BATTERY", matches)
    (tmp_path / "strength").mkdir()
    page = tmp_path / "strength" / "mini-2.json"
    kept = ArenaResults(tmp_path / "mini-2.jsonl")
    kept.add(matches[0].pairing, play_blocks(matches[0].pairing, range(10)))
    kept.add(matches[1].pairing, play_blocks(matches[1].pairing, range(3)))
    battery.tell(mini, kept, tmp_path)
    told = json.loads(page.read_text())
    assert [(row["baseline"], row["games"]) for row in told["rows"]] == [("beginner", 20)]
    assert battery.play({mini: kept}, tmp_path, workers=1)
    told = json.loads(page.read_text())
    assert [row["baseline"] for row in told["rows"]] == ["beginner", "random"]


def test_rows_that_stand_are_kept_until_a_bot_is_another_version(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mini = battery.Setting("mini", 2)
    matches = [battery.Match(mini, "greedy", bot, 20) for bot in ("beginner", "random")]
    monkeypatch.setattr(battery, "BATTERY", matches)
    (tmp_path / "strength").mkdir()
    page = tmp_path / "strength" / "mini-2.json"
    assert battery.play({mini: ArenaResults()}, tmp_path, workers=1)
    first = json.loads(page.read_text())
    nothing_new = ArenaResults()
    assert battery.play({mini: nothing_new}, tmp_path, workers=1)
    assert not nothing_new.blocks and json.loads(page.read_text()) == first
    first["bots"]["random"]["version"] = 0
    page.write_text(json.dumps(first))
    again = ArenaResults()
    assert battery.play({mini: again}, tmp_path, workers=1)
    assert [matches[1].pairing.key] == list(again.blocks)
    assert [row["baseline"] for row in json.loads(page.read_text())["rows"]] == [
        "beginner",
        "random",
    ]
