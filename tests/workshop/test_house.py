"""House rules drawn at random: the same tables each time, and only whole crowds are told of."""

import json
from pathlib import Path

import pytest

from karma.arena import ArenaResults
from karma.bots.strength import Crowd
from workshop import house, strength


def test_a_crowd_draws_the_same_tables_each_time_each_for_its_players() -> None:
    tables = house.Tables(Crowd(3, 6), 9)
    first, again = tables.pairings(), tables.pairings()
    assert first == again
    assert all(3 <= pairing.players <= 6 for pairing in first)
    assert {pairing.players for pairing in first} > {3, 6}


def test_printed_editions_are_left_out() -> None:
    tables = house.Tables(Crowd(3, 6), 50)
    drawn = [tables._pairing(number).rules for number in range(50)]
    assert any(map(house.is_printed, drawn))
    assert not any(house.is_printed(pairing.rules) for pairing in tables.pairings())


def test_tables_that_are_alike_count_once() -> None:
    """A mirrored block is evidence once, however often chance draws its table."""
    tables = house.Tables(Crowd(2, 2), 65)
    drawn = [tables._pairing(number) for number in range(65)]
    keys = [pairing.key for pairing in tables.pairings()]
    assert len(keys) == len(set(keys)) == 53
    assert sum(not house.is_printed(pairing.rules) for pairing in drawn) > 53


def test_only_crowds_that_were_played_whole_are_told_of(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(house, "CANDIDATE", "greedy")
    monkeypatch.setattr(house, "BASELINE", "random")
    two, more = house.Tables(Crowd(2, 2), 6), house.Tables(Crowd(3, 4), 4)
    monkeypatch.setattr(house, "HOUSE", (two, more))
    kept = ArenaResults(tmp_path / "house.jsonl")
    assert house.run(two.pairings(), 1, kept, workers=1)
    assert house.run(more.pairings()[:3], 1, kept, workers=1)
    house.tell(kept, tmp_path)
    told = json.loads((tmp_path / "strength" / "house" / "greedy-random.json").read_text())
    (row,) = told["rows"]
    tables = len(two.pairings())
    assert (row["tables"], row["games"]) == (tables, 2 * tables)
    assert row["gain"] - row["error"] > 0  # greedy is better than random, whatever the rules
    assert f"| 2 | {tables} | {2 * tables} | +" in strength.page(tmp_path)
    house.tell(ArenaResults(None), tmp_path)  # nothing was played anew
    assert json.loads((tmp_path / "strength" / "house" / "greedy-random.json").read_text()) == told
    monkeypatch.setattr(house, "describe", lambda bot: {"version": 9})
    house.tell(ArenaResults(None), tmp_path)  # what other versions played is not these ones'
    told = json.loads((tmp_path / "strength" / "house" / "greedy-random.json").read_text())
    assert told["rows"] == []
