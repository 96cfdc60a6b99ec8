"""Simulations: the same for the same seed, honest about what happened, stopped without loss."""

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import karma
from karma.record import read
from karma.simulate import COMEBACKS, GIVES, LOSER, PICK_UPS, PLIES, SETS, Lineup, simulate, summary


@pytest.mark.parametrize("bots", [("greedy", "random"), ("beginner", "casual", "greedy")])
def test_the_result_does_not_depend_on_the_number_of_threads(bots: tuple[str, ...]) -> None:
    lineup = Lineup(karma.MINI, bots, seed=4)
    one, two = (simulate(lineup, 4500, threads=threads) for threads in (1, 3))
    assert np.array_equal(one, two)


def test_another_seed_gives_other_games() -> None:
    one, two = (simulate(Lineup(karma.MINI, ("greedy",) * 2, seed=seed), 100) for seed in (1, 2))
    assert not np.array_equal(one, two)


def test_results_agree_with_the_records() -> None:
    written: list[karma.Record] = []
    lineup = Lineup(karma.edition("mini", stall_limit=40), ("casual", "random", "greedy"), seed=2)
    results = simulate(lineup, 250, records=written.extend)
    for result, record in zip(results, written, strict=True):
        seen = dict.fromkeys(("completed_set", "picked_up", "gave", "came_back"), 0)
        game = karma.Game(record.rules, record.players, deck=record.deck)
        for move in record.moves:
            for event in game.push(move):
                tag = event.__struct_config__.tag
                if tag in seen:
                    seen[tag] += 1
        counted = [result[column] for column in (SETS, PICK_UPS, GIVES, COMEBACKS)]
        assert counted == list(seen.values())
        assert result[PLIES] == game.ply
        assert game.outcome is not None
        assert result[LOSER] == (-1 if game.outcome.loser is None else game.outcome.loser)


def test_bots_that_play_move_by_move_get_the_same_decks() -> None:
    quick: list[karma.Record] = []
    slow: list[karma.Record] = []
    simulate(Lineup(karma.MINI, ("greedy", "greedy"), seed=2), 3, records=quick.extend)
    lineup = Lineup(karma.MINI, ("greedy@1", "greedy"), seed=2)
    simulate(lineup, 3, records=slow.extend)
    assert [r.deck for r in quick] == [r.deck for r in slow]
    assert [r.moves for r in quick] == [r.moves for r in slow]


def test_a_game_that_reaches_the_limit_is_nobodys_loss() -> None:
    lineup = Lineup(karma.MINI, ("random", "random"), seed=1, limit=20)
    told = summary(lineup, simulate(lineup, 50))
    assert told["unfinished"] == 1.0
    assert [row["losses"] for row in told["rows"]] == [0, 0]


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
        for _, record in read(lines):
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
