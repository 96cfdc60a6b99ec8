"""The battery: it goes on where it stopped."""

import json
from pathlib import Path

import pytest

from karma.arena import ArenaResults, play_blocks
from workshop import battery, strength

MINI = battery.Setting("mini", 2)
MATCHES = [battery.Match(MINI, "greedy", bot, 20) for bot in ("beginner", "random")]


def scores(told: battery.Row) -> list[tuple[str, float]]:
    return [(row["baseline"], row["score"]) for row in told["rows"]]


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


def test_rows_that_stand_are_kept_and_played_anew_by_another_version(
    page: Path, tmp_path: Path
) -> None:
    assert battery.play({MINI: ArenaResults()}, tmp_path, workers=1)
    first = json.loads(page.read_text())
    nothing_new = ArenaResults()
    assert battery.play({MINI: nothing_new}, tmp_path, workers=1)
    assert not nothing_new.blocks and json.loads(page.read_text()) == first
    first["bots"]["beginner"]["version"] = 1
    page.write_text(json.dumps(first))
    told = battery.standing(MINI, tmp_path)
    assert [row["baseline"] for row in told["rows"]] == ["beginner@1", "random"]
    assert told["bots"]["beginner@1"]["version"] == 1
    again = ArenaResults()
    assert battery.play({MINI: again}, tmp_path, workers=1)
    assert [MATCHES[0].pairing.key] == list(again.blocks)
    assert scores(json.loads(page.read_text())) == scores(first)


def test_what_an_earlier_version_played_stands_beside_what_is_new(
    page: Path, tmp_path: Path
) -> None:
    assert battery.play({MINI: ArenaResults()}, tmp_path, workers=1)
    first = json.loads(page.read_text())
    first["bots"]["beginner"]["version"] = 1
    page.write_text(json.dumps(first))
    kept = ArenaResults()
    kept.add(MATCHES[1].pairing, play_blocks(MATCHES[1].pairing, range(10)))
    battery.tell(MINI, kept, tmp_path)
    told = json.loads(page.read_text())
    assert [row["baseline"] for row in told["rows"]] == ["beginner@1", "random"]


def test_what_stands_is_named_by_its_version_before_anything_is_played(
    page: Path, tmp_path: Path
) -> None:
    assert battery.play({MINI: ArenaResults()}, tmp_path, workers=1)
    first = json.loads(page.read_text())
    battery.name_versions(tmp_path)
    assert json.loads(page.read_text()) == first
    first["bots"]["beginner"]["version"] = 1
    page.write_text(json.dumps(first))
    battery.name_versions(tmp_path)
    told = json.loads(page.read_text())
    assert "beginner@1" in told["bots"] and "beginner" not in told["bots"]
    assert {row["baseline"] for row in told["rows"]} == {"beginner@1", "random"}


def test_the_ladder_says_what_earlier_versions_played(page: Path, tmp_path: Path) -> None:
    pairing, kept = battery.Match(MINI, "casual", "beginner", 4).pairing, ArenaResults()
    kept.add(pairing, play_blocks(pairing, range(2)))
    told = battery.account([pairing], kept)
    gain = f"{100 * told['rows'][0]['score'] - 50:+.1f} ± "
    page.write_text(json.dumps(told))
    assert f"| {gain}" in strength.page(tmp_path)
    told["rows"][0]["baseline"] = "beginner@1"
    page.write_text(json.dumps(told))
    assert f"| *{gain}" in strength.page(tmp_path)
