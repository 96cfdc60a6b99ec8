"""The golden games: what was legal, how they ended, every position and every view."""

import gzip
import json
from pathlib import Path

import pytest

from karma import Record, View
from karma.record import numbered

HERE = Path(__file__).parent


def lines(name):
    return (HERE / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("name", ["editions", "house-rules", "corners"])
def test_legal_moves_and_final_positions_agree(name):
    for number, record in numbered(lines(name)):
        counts = []
        game = record.replay(lambda game, move, counts=counts: counts.append(len(game.legal)))
        assert counts == record.extra["legal_counts"], f"game {number}"
        position = game.position()
        final = {key: position[key] for key in record.extra["final"]}
        assert final == record.extra["final"], f"game {number}"


def test_every_position_of_the_replayed_games_agrees():
    positions = []
    for number, record in numbered(lines("replayed")):

        def note(game, move, number=number):
            positions.append({"game": number, **game.position(), "move": move and str(move)})

        note(record.replay(note), None)
    assert positions == [json.loads(line) for line in lines("replayed-positions")]


def house_views():
    with gzip.open(HERE / "replayed-house-views.jsonl.gz", "rt", encoding="utf-8") as file:
        return file.read().splitlines()


@pytest.mark.parametrize(
    ("records", "games", "golden"),
    [
        ("replayed", [2], lambda: lines("replayed-views")),
        ("replayed-house", [0, 1, 2], house_views),
    ],
)
def test_every_view_of_the_replayed_games_agrees_and_is_parsed_whole(records, games, golden):
    views = []
    for number in games:

        def note(game, move, number=number):
            for seat in (*range(len(game.players)), None):
                view = game.view(seat)
                assert View.parse(json.loads(json.dumps(view.json()))) == view
                views.append({"game": number, **view.json()})

        note(Record.loads(lines(records)[number]).replay(note), None)
    assert views == [json.loads(line) for line in golden()]


def test_views_are_written_with_exactly_the_keys_of_the_records_page():
    record = Record.loads(lines("replayed")[0])
    expected = [key for key in json.loads(lines("replayed-views")[0]) if key != "game"]
    assert list(record.deal().view(0).json()) == expected
