"""Games between masters: counted table by table, and what was told before stays."""

import json
from pathlib import Path

import pytest

from karma.arena import ArenaResults
from karma.arena.runner import run
from karma.bots.strength import Crowd
from karma.editions import EDITIONS
from workshop import endings, strength
from workshop.house import HOUSE, Tables


def test_every_printed_table_and_all_house_rules_are_played() -> None:
    places = endings.places()
    printed = {
        f"{name} {players}"
        for name, rules in EDITIONS.items()
        for players in range(2, rules.most_players + 1)
    }
    assert set(places) == printed | {f"house rules {crowd}" for crowd in ("2", "3-6", "7-12")}
    two, *_ = HOUSE
    assert two.crowd == Crowd(2, 2)
    assert [table.rules for table in places["house rules 2"]] == [
        table.rules for table in two.pairings()
    ]


def test_how_many_games_is_fixed() -> None:
    places = endings.places()
    games = {
        name: endings.blocks_for(tables) * sum(table.players for table in tables)
        for name, tables in places.items()
    }
    assert games["classic 2"] == 100
    assert [games[f"classic {players}"] for players in (3, 4, 5, 6)] == [51, 52, 50, 54]
    assert games["house rules 3-6"] == sum(table.players for table in places["house rules 3-6"])


def test_games_that_go_round_are_counted_and_older_rows_stay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(endings, "BOT", "random")
    monkeypatch.setattr(endings, "GAMES", (60, 60))
    monkeypatch.setattr(endings, "HOUSE", (Tables(Crowd(2, 2), 4),))
    places = endings.places()
    kept = ArenaResults(tmp_path / "endings.jsonl")
    assert run(places["online 2"], 30, kept, workers=1)
    blocks = kept.of(places["online 2"][0])
    stalled = sum(block.stalled + block.unfinished for block in blocks)
    assert 0 < stalled < 60
    endings.tell(kept, tmp_path)
    assert run(places["house rules 2"], 1, kept, workers=1)
    endings.tell(ArenaResults(tmp_path / "endings.jsonl"), tmp_path)
    told = json.loads((tmp_path / "strength" / "endings" / "random.json").read_text())
    assert told["rows"]["online 2"] == {"tables": 1, "games": 60, "stalled": stalled}
    assert told["rows"]["house rules 2"]["games"] == 2 * len(places["house rules 2"])
    assert "classic 2" not in told["rows"]
    assert f"| online 2 | 1 | 60 | {stalled} (" in strength.page(tmp_path)
    monkeypatch.setattr(endings, "describe", lambda bot: {"version": 9})
    endings.tell(ArenaResults(None), tmp_path)  # what another version played is not this one's
    told = json.loads((tmp_path / "strength" / "endings" / "random.json").read_text())
    assert told == {"seed": endings.SEED, "bots": {"random": {"version": 9}}, "rows": {}}
