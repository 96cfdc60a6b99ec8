"""Simulations: the same for the same seed, honest about what happened, stopped without loss."""

import csv
import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import karma
from karma.record import numbered
from karma.simulation import simulate


@pytest.mark.parametrize("bots", [("greedy", "random"), ("beginner", "casual", "greedy")])
def test_the_result_does_not_depend_on_the_number_of_threads(bots: tuple[str, ...]) -> None:
    one, two = (simulate("mini", bots, 4500, seed=4, threads=threads) for threads in (1, 3))
    assert np.array_equal(one.array, two.array)


def test_another_seed_gives_other_games() -> None:
    one, two = (simulate("mini", ("greedy",) * 2, 100, seed=seed) for seed in (1, 2))
    assert not np.array_equal(one.array, two.array)


def test_results_agree_with_the_records() -> None:
    written: list[karma.Record] = []
    told: list[karma.GameResult] = []
    rules = karma.edition("mini", stall_limit=40)
    bots = ("casual", "random", "greedy")
    results = simulate(rules, bots, 250, seed=2, each=told.extend, records=written.extend)
    assert told == list(results)
    for result, record in zip(results, written, strict=True):
        seen = dict.fromkeys(("completed_set", "picked_up", "gave", "came_back"), 0)
        game = karma.Game(record.rules, record.players, deck=record.deck)
        for move in record.moves:
            for event in game.push(move):
                tag = event.__struct_config__.tag
                if tag in seen:
                    seen[tag] += 1
        counted = [result.sets, result.pick_ups, result.gives, result.comebacks]
        assert counted == list(seen.values())
        assert result.moves == game.ply
        assert game.outcome is not None
        assert result.loser == game.outcome.loser
        assert result.ended == ("stalled" if game.outcome.loser is None else "lost")


def test_bots_that_play_move_by_move_get_the_same_decks() -> None:
    quick: list[karma.Record] = []
    slow: list[karma.Record] = []
    simulate(karma.MINI, ("greedy", "greedy"), 3, seed=2, records=quick.extend)
    simulate(karma.MINI, ("greedy@1", "greedy"), 3, seed=2, records=slow.extend)
    assert [r.deck for r in quick] == [r.deck for r in slow]
    assert [r.moves for r in quick] == [r.moves for r in slow]


def test_a_game_that_reaches_the_limit_is_nobodys_loss() -> None:
    results = simulate(karma.MINI, ("random", "random"), 50, seed=1, limit=20)
    told = results.summary()
    assert told["unfinished"] == 1.0
    assert [row["losses"] for row in told["rows"]] == [0, 0]
    assert {(row.loser, row.ended) for row in results} == {(None, "unfinished")}


def test_a_lineup_that_cannot_play_is_refused_before_the_first_game() -> None:
    with pytest.raises(TypeError, match="they can be \\['greedy', 'greedy'\\], a bot by seat"):
        simulate("mini", "greedy")
    with pytest.raises(ValueError, match="there is no bot 'gready'"):
        simulate("mini", ["greedy", "gready"])
    with pytest.raises(ValueError, match="2 to 4 can play"):
        simulate("mini", ["greedy"] * 5)


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "karma", "simulate", *arguments]


def test_the_command_prints_json_and_writes_records(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    arguments = ("--edition", "mini", "--players", "3", "--games", "20", "--bots", "random,greedy")
    result = subprocess.run(
        command(*arguments, "--records", str(path), "--json"), capture_output=True, text=True
    )
    told = json.loads(result.stdout)
    assert [row["bot"] for row in told["rows"]] == ["random", "greedy", "random"]
    assert told["games"] == 20
    with open(path, encoding="utf-8") as lines:
        for _, record in numbered(lines):
            record.replay()


def test_ctrl_c_keeps_what_it_has(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    arguments = ("--games", "100000000", "--json", "--bots", "random", "--edition", "mini")
    process = subprocess.Popen(command(*arguments, "--records", str(path)), stdout=subprocess.PIPE)
    while process.poll() is None and not (path.exists() and path.stat().st_size):
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=60)
    assert 0 < json.loads(out)["games"] < 100000000


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("--bots", "gready"), "there is no bot 'gready'"),
        (("--players", "9"), "cannot seat 9 players"),
        (("--bots", "random,random,random"), "3 bots for 2 players"),
    ],
)
def test_the_command_says_what_is_wrong(arguments: tuple[str, ...], reason: str) -> None:
    result = subprocess.run(command(*arguments), capture_output=True, text=True)
    assert result.returncode == 2
    assert reason in result.stderr
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize("form", ["csv", "jsonl"])
def test_each_game_is_a_row(form: str) -> None:
    arguments = ("--edition", "mini", "--games", "30", "--seed", "5", "--each", form)
    result = subprocess.run(command(*arguments), capture_output=True, text=True, check=True)
    lines = result.stdout.splitlines()
    expected = simulate("mini", ["greedy", "greedy"], 30, seed=5)
    if form == "csv":
        rows = list(csv.DictReader(lines))
        assert [int(row["moves"]) for row in rows] == [row.moves for row in expected]
        assert rows[0].keys() == set(karma.GameResult._fields)
    else:
        assert [json.loads(line) for line in lines] == [row._asdict() for row in expected]


def test_rows_come_as_games_are_done() -> None:
    arguments = ("--edition", "mini", "--games", "1000000000", "--each", "jsonl")
    with subprocess.Popen(command(*arguments), stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert json.loads(process.stdout.readline())["game"] == 0
        process.kill()


def test_rows_and_one_object_exclude_each_other() -> None:
    result = subprocess.run(command("--each", "csv", "--json"), capture_output=True, text=True)
    assert result.returncode == 2
    assert "give one of them" in result.stderr
