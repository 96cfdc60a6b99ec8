"""Records: read, written, replayed, and refused with the line, the ply and the reason."""

import json
from pathlib import Path

import pytest

from karma import MINI, Game, Record, RecordError
from karma.record import numbered

RECORDS = Path(__file__).parent / "records"
GOOD = (RECORDS / "good.jsonl").read_text(encoding="utf-8").splitlines()
BAD = sorted((RECORDS / "bad").glob("*.jsonl"))


@pytest.mark.parametrize("line", GOOD)
def test_good_records_are_read_replayed_and_written_as_they_were(line):
    record = Record.loads(line)
    game = record.replay()
    assert record.dumps() == line
    assert list(record.moves) == list(map(str, game.moves))
    assert (game.players, game.dealer, game.deck) == (record.players, record.dealer, record.deck)


def test_the_good_records_hold_every_kind_of_end():
    ends = [Record.loads(line).replay().outcome for line in GOOD]
    assert any(end is None for end in ends)  # unfinished
    assert any(end and end.loser is None for end in ends)  # stalled
    assert any(end and end.loser is not None for end in ends)


@pytest.mark.parametrize("path", BAD, ids=lambda path: path.stem)
def test_bad_records_are_refused_with_the_reason(path):
    reason = path.with_suffix(".txt").read_text(encoding="utf-8").rstrip("\n")
    with (
        path.open(encoding="utf-8") as lines,
        pytest.raises(RecordError) as refused,
    ):
        for _, record in numbered(lines):
            record.replay()
    assert str(refused.value) == reason
    assert refused.value.line == 1


def test_every_bad_record_has_its_reason_and_the_other_way_round():
    assert {path.stem for path in BAD} == {path.stem for path in (RECORDS / "bad").glob("*.txt")}


def test_a_broken_line_does_not_stop_the_rest_when_asked_so():
    lines = [GOOD[0], "", "{", GOOD[1], "[]"]
    refused = []
    games = [(number, record.line) for number, record in numbered(lines, refused=refused.append)]
    assert games == [(0, 1), (2, 4)]  # empty lines are not counted as games
    assert [error.line for error in refused] == [3, 5]


def test_without_being_asked_so_a_broken_line_stops_with_its_number():
    reading = numbered([GOOD[0], "", "{"])
    next(reading)
    with pytest.raises(RecordError, match="line 3: not a line of JSON"):
        next(reading)


def test_a_record_that_breaks_a_rule_says_its_line_and_ply():
    data = json.loads(GOOD[0])
    data["moves"][4] = "7"
    ((_, record),) = numbered(["", json.dumps(data)])
    with pytest.raises(RecordError) as refused:
        record.replay()
    assert (refused.value.line, refused.value.ply) == (2, 4)
    assert str(refused.value).startswith("line 2: ply 4: 7 is not legal")


def test_the_dealer_is_the_last_seat_if_absent():
    data = json.loads(GOOD[1])
    assert data["dealer"] == len(data["players"]) - 1
    del data["dealer"]
    assert Record.loads(json.dumps(data)).replay().dealer == len(data["players"]) - 1


def test_options_may_be_left_out():
    data = json.loads(GOOD[1])
    del data["rules"]
    assert Record.loads(json.dumps(data)).replay().over


def test_readers_keep_what_they_do_not_know():
    record = Record.loads(GOOD[0])
    assert record.extra["event"] == "tea time"
    assert json.loads(record.dumps())["event"] == "tea time"


def test_a_record_has_the_keys_of_the_records_page_in_their_order():
    keys = list(json.loads(Record.of(Game(MINI, 2, deck=MINI.full_deck)).dumps()))
    assert keys == ["karma", "edition", "rules", "players", "dealer", "deck", "moves", "result"]


def test_house_rules_name_their_edition_and_the_options_overridden():
    rules = MINI.replace(set_size=3, karma_stays=False, drawing="manual")
    data = json.loads(Record.of(Game(rules, 2, seed=1)).dumps())
    assert data["edition"] == "mini"
    assert data["rules"] == {"drawing": "manual", "set_size": 3, "karma_stays": False}


def test_a_value_that_only_equals_the_right_one_is_refused_after_it_too():
    data = json.loads(Record.of(Game(MINI.replace(karma_sets=False), seed=7)).dumps())
    assert not Record.loads(json.dumps(data)).rules.karma_sets
    for odd in (0, 0.0, [False]):
        with pytest.raises(RecordError, match="karma_sets cannot be"):
            Record.loads(json.dumps(data | {"rules": {"karma_sets": odd}}))


def test_dump_adds_a_line_in_utf_8(tmp_path):
    path = tmp_path / "games.jsonl"
    for name in ("Ana", "Бо"):
        Record.of(Game(MINI, [name, "Cy"], seed=1)).dump(path)
    lines = path.read_bytes().decode("utf-8").splitlines()
    assert [json.loads(line)["players"][0] for line in lines] == ["Ana", "Бо"]
    assert "Бо" in lines[1]


def test_what_happens_before_each_move_can_be_looked_at():
    record = Record.loads(GOOD[0])
    seen = []
    record.replay(lambda game, move: seen.append((game.ply, str(move))))
    assert seen == list(enumerate(record.moves))
