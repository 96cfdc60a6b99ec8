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
    monkeypatch.setattr(battery.strength, "main", lambda docs: None)
    (tmp_path / "strength").mkdir()
    stored = {mini: ArenaResults(tmp_path / "mini-2.jsonl")}
    stored[mini].add(matches[0].pairing, play_blocks(matches[0].pairing, range(10)))
    battery.tell(stored, tmp_path)
    told = json.loads((tmp_path / "strength" / "mini-2.json").read_text())
    assert [(row["baseline"], row["games"]) for row in told["rows"]] == [("beginner", 20)]
    assert battery.play(stored, workers=1)
    battery.tell({mini: ArenaResults(tmp_path / "mini-2.jsonl")}, tmp_path)
    told = json.loads((tmp_path / "strength" / "mini-2.json").read_text())
    assert [row["baseline"] for row in told["rows"]] == ["beginner", "random"]
