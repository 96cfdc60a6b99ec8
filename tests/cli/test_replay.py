"""`karma replay`: positions, views and checks for programs, steps for people."""

import json
from pathlib import Path

import pytest

from karma import MINI, Game, Record
from karma.cli.plain_replay import PlainReplay
from karma.text import view_text

GOLDEN = Path(__file__).parent.parent / "golden"
RECORDS = GOLDEN / "replayed.jsonl"


def parsed(text):
    return [json.loads(line) for line in text.splitlines()]


def altered(line, **changes):
    return json.dumps(json.loads(line) | changes)


@pytest.fixture
def lines():
    return RECORDS.read_text().splitlines()


def test_positions_are_those_of_the_referee(karma):
    answer = karma("replay", RECORDS, "--positions")
    assert answer.code == 0 and answer.err == ""
    assert parsed(answer.out) == parsed((GOLDEN / "replayed-positions.jsonl").read_text())


def test_views_are_those_of_the_referee(karma):
    answer = karma("replay", RECORDS, "--views")
    third = [view for view in parsed(answer.out) if view["game"] == 2]
    assert third == parsed((GOLDEN / "replayed-views.jsonl").read_text())


def test_positions_and_views_begin_with_the_game(karma):
    for option in ("--positions", "--views"):
        assert karma("replay", RECORDS, option).out.startswith('{"game":0,')


def test_records_can_come_through_a_pipe(karma, lines):
    answer = karma("replay", "-", "--check", stdin="\n".join(lines))
    assert (answer.code, answer.out) == (0, f"{len(lines)} records, 0 refused\n")


def test_refused_records_are_told_and_the_others_written(karma, tmp_path, lines):
    """Empty lines are not counted as games, but they are as lines."""
    first, second = lines[:2]
    moves = json.loads(second)["moves"]
    path = tmp_path / "some.jsonl"
    path.write_bytes(
        "\n".join([first, "", "nonsense", altered(second, moves=[*moves, "P"]), second]).encode()
        + b'\n{"karma": "\xff"}\n'
    )
    answer = karma("replay", path, "--positions")
    assert answer.code == 1
    assert {position["game"] for position in parsed(answer.out)} == {0, 3}
    complaints = answer.err.splitlines()
    assert len(complaints) == 3
    assert complaints[0].startswith("karma: line 3: not a line of JSON")
    assert complaints[1] == f"karma: line 4: ply {len(moves)}: a move after the end of the game"
    assert complaints[2] == "karma: line 6: not UTF-8"


def test_a_refused_game_writes_none_of_its_positions(karma, lines):
    broken = altered(lines[0], result={"loser": 0, "places": [1, 2]})
    answer = karma("replay", "-", "--views", stdin=broken)
    assert answer.code == 1
    assert answer.out == ""
    assert "the result is" in answer.err


def test_a_name_that_cannot_be_written_is_refused(karma, lines):
    broken = altered(lines[0], players=["\ud800", "Bo", "Cy"])
    answer = karma("replay", "-", "--views", stdin=broken)
    assert answer.code == 1 and answer.out == ""
    assert answer.err == "karma: line 1: 'players' has half a character, which no file can hold\n"


def test_a_name_that_a_terminal_would_obey_is_refused(karma, lines):
    for name in ("\x1b]0;mine\x07Ana", "\x9b2J", "a\rb"):
        answer = karma("replay", "-", stdin=altered(lines[0], players=[name, "Bo", "Cy"]))
        assert answer.code == 1 and answer.out == ""
        assert answer.err.endswith("has a control character, which a terminal would obey\n")


def test_check_counts(karma, lines):
    answer = karma("replay", "-", "--check", stdin=lines[0] + "\n[]\n")
    assert answer.code == 1
    assert answer.out == "2 records, 1 refused\n"
    assert answer.err == "karma: line 2: not a record: a record is a JSON object\n"


def test_an_empty_file_has_no_games(karma):
    assert karma("replay", "-", "--positions", stdin="\n\n") == karma("replay", "-", "--views")
    answer = karma("replay", "-")
    assert answer.code == 1
    assert answer.err == "karma: there is no game 0 in -; it has 0, counted from 0\n"


def test_a_whole_game_is_told_in_a_pipe(karma, lines):
    record = Record.loads(lines[0])
    answer = karma("replay", RECORDS)
    assert answer.code == 0
    told = answer.out.splitlines()
    assert told[0].startswith("Game 0: classic.")
    for ply, move in enumerate(record.moves):
        assert f"{ply}. {'^' if move.startswith('^') else move}" in told
    assert f"The game is over: {record.players[record.result['loser']]} has lost." in told


def test_a_seat_sees_its_own_hand_and_choice_only(karma, lines):
    record = Record.loads(lines[0])
    answer = karma("replay", RECORDS, "--seat", 1)
    own = [f"{ply}. {move}" for ply, move in enumerate(record.moves) if ply in (6, 7, 8)]
    told = answer.out.splitlines()
    assert set(own) <= set(told)
    assert sum(line.startswith("Your hand") for line in told) == 2  # at the deal and the end
    assert [line for line in told if line[:4] in ("0. ^", "3. ^")] == ["0. ^", "3. ^"]


@pytest.mark.parametrize(
    ("arguments", "code", "complaint"),
    [
        (["--seat", "9"], 2, "karma: there is no seat 9; seats are 0 to 2\n"),
        (["--game", "99"], 1, "karma: there is no game 99 in "),
        (["--positions", "--views"], 2, "karma: only one of --positions, --views and --check"),
        (["--seat", "red"], 2, "karma: Invalid value for '--seat'"),
    ],
)
def test_wrong_usage_is_one_line(karma, arguments, code, complaint):
    answer = karma("replay", RECORDS, *arguments)
    assert answer.code == code
    assert answer.err.startswith(complaint)
    assert answer.err.count("\n") == 1


def test_a_missing_file_is_one_line(karma, tmp_path):
    answer = karma("replay", tmp_path / "none.jsonl", "--check")
    assert answer.code == 1
    assert answer.err.endswith("none.jsonl cannot be read: No such file or directory\n")


def walk(record, *entries, seat=0):
    """What is written when these are typed."""
    written = []
    typed = iter(entries)

    def read(prompt):
        try:
            return next(typed)
        except StopIteration:
            raise EOFError from None

    stepping = PlainReplay(record, 0, seat, "en", read=read, write=written.append)
    stepping.walk()
    return stepping, written


def test_steps_go_on_back_and_to_a_ply(lines):
    record = Record.loads(lines[0])
    stepping, _ = walk(record, "", "", "")
    assert stepping.game.ply == 3
    stepping, _ = walk(record, "", "", "", "b", "B")
    assert stepping.game.ply == 1
    stepping, written = walk(record, "40", "30")
    assert stepping.game.ply == 30
    assert written[-1] == view_text(stepping.game.view(0))
    stepping, _ = walk(record, str(len(record.moves)), "", "q", "5")
    assert stepping.game.over


def test_nonsense_while_stepping_is_one_line(lines):
    record = Record.loads(lines[0])
    for entry in ("x", "-1", "9999", "b", "²"):
        stepping, written = walk(record, entry)
        assert stepping.game.ply == 0
        assert written[-1] == (
            f"Not understood: {entry}. Enter, b, s, q, or a ply from 0 to {len(record.moves)}."
        )


def test_an_unfinished_game_can_be_replayed(karma):
    game = Game(MINI, players=["Ana", "Bo"], seed=3)
    game.push(game.legal[0])
    line = Record.of(game).dumps()
    assert karma("replay", "-", "--check", stdin=line).code == 0
    assert len(parsed(karma("replay", "-", "--positions", stdin=line).out)) == 2
