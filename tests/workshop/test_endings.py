"""Games between masters: counted table by table, and what was told before stays."""

import json
from pathlib import Path

import pytest

from karma.arena import ArenaResults
from karma.arena.runner import run
from karma.bots.choice import Crowd
from karma.editions import EDITIONS
from workshop import endings, strength
from workshop.house import HOUSE, Tables


def test_every_printed_edition_and_all_house_rules_of_two_are_played() -> None:
    places = endings.places()
    assert set(places) == {*EDITIONS, "house rules"}
    (two,) = (tables for tables in HOUSE if tables.crowd == Crowd(2, 2))
    assert [table.rules for table in places["house rules"]] == [
        table.rules for table in two.pairings()
    ]
    assert {table.players for tables in places.values() for table in tables} == {2}


def test_games_that_go_round_are_counted_and_older_rows_stay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(endings, "BOT", "random")
    monkeypatch.setattr(endings, "BLOCKS", 30)
    monkeypatch.setattr(endings, "HOUSE", (Tables(Crowd(2, 2), 4),))
    places = endings.places()
    kept = ArenaResults(tmp_path / "endings.jsonl")
    assert run(places["online"], 30, kept, workers=1)
    blocks = kept.of(places["online"][0])
    stalled = sum(block.stalled + block.unfinished for block in blocks)
    assert 0 < stalled < 60
    endings.tell(kept, tmp_path)
    assert run(places["house rules"], 1, kept, workers=1)
    endings.tell(ArenaResults(tmp_path / "endings.jsonl"), tmp_path)
    told = json.loads((tmp_path / "strength" / "endings" / "random.json").read_text())
    assert told["rows"]["online"] == {"tables": 1, "games": 60, "stalled": stalled}
    assert told["rows"]["house rules"]["games"] == 2 * len(places["house rules"])
    assert "classic" not in told["rows"]
    assert f"| online | 1 | 60 | {stalled} (" in strength.page(tmp_path)
