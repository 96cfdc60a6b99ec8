"""The arena: blocks, files that are gone on with, and what the numbers say."""

import json
import multiprocessing
import signal
import subprocess
import sys
import time
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import karma
from karma.arena import ArenaResults, Pairing, play_blocks, run
from karma.arena.results import ResultsError
from karma.arena.runner import decided
from karma.arena.statistics import ELO, Sequential, estimate, fit, row

RULES = karma.edition("mini", stall_limit=80)


def pairing(candidate: str = "greedy", baseline: str = "random", players: int = 2) -> Pairing:
    return Pairing(candidate, baseline, RULES, players, seed=3)


# ---- blocks -------------------------------------------------------------------------------------


def test_a_block_is_the_same_however_it_is_asked_for() -> None:
    together = play_blocks(pairing(), range(20))
    alone = [play_blocks(pairing(), [number])[0] for number in range(20)]
    assert [b.score for b in together] == [b.score for b in alone]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_bot_against_itself_scores_its_share_of_every_block(players: int) -> None:
    # Greedy leaves nothing to chance, so each rotation is the same game: somebody loses it.
    for block in play_blocks(pairing("greedy", "greedy", players), range(50)):
        if not block.stalled:
            assert block.score == pytest.approx(1 - 1 / players)


def test_games_move_by_move_and_compiled_give_the_same_blocks() -> None:
    compiled = play_blocks(pairing("greedy", "greedy", 3), range(5))
    by_moves = play_blocks(pairing("greedy@1", "greedy", 3), range(5))
    assert [b.score for b in compiled] == [b.score for b in by_moves]


def test_a_stalled_game_counts_its_share() -> None:
    rules = karma.edition("mini", stall_limit=10)
    blocks = play_blocks(Pairing("random", "random", rules, 2, seed=1), range(60))
    stalled = [b for b in blocks if b.stalled == 2]
    assert stalled
    assert {b.score for b in stalled} == {0.5}


# ---- the results file ---------------------------------------------------------------------------


def test_a_run_goes_on_from_its_file(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    run([pairing()], 300, ArenaResults(path))
    before = path.read_text()
    again = ArenaResults(path)
    assert again.missing(pairing(), 300) == []
    run([pairing()], 400, again)
    assert path.read_text().startswith(before)
    once = ArenaResults()
    run([pairing()], 400, once)
    assert [b.score for b in again.of(pairing())] == [b.score for b in once.of(pairing())]


def test_a_line_cut_short_by_a_crash_is_played_again(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    run([pairing()], 20, ArenaResults(path))
    text = path.read_text()
    path.write_text(text[:-30])
    assert len(ArenaResults(path).missing(pairing(), 20)) == 1


def test_a_file_of_something_else_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    path.write_text('{"cake": 1}\n{"cake": 2}\n')
    with pytest.raises(ResultsError, match="line 1, is not a block of an arena"):
        ArenaResults(path)


def test_blocks_of_another_seed_or_game_do_not_count(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    run([pairing()], 10, ArenaResults(path))
    other = Pairing("greedy", "random", RULES, 2, seed=4)
    assert len(ArenaResults(path).missing(other, 10)) == 10


def test_blocks_of_another_version_do_not_count(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    run([pairing()], 10, ArenaResults(path))
    path.write_text(path.read_text().replace('"version": 1', '"version": 0'))
    assert len(ArenaResults(path).missing(pairing(), 10)) == 10
    run([pairing()], 10, ArenaResults(path))
    assert ArenaResults(path).missing(pairing(), 10) == []


# ---- statistics ---------------------------------------------------------------------------------


def test_the_interval_covers_the_truth() -> None:
    generator = np.random.default_rng(5)
    covered = 0
    for _ in range(400):
        scores = generator.binomial(2, 0.6, size=200) / 2
        _, low, high = estimate(scores.tolist(), 2)
        covered += low <= 0.6 <= high
    assert 0.92 <= covered / 400 <= 0.98


def test_a_perfect_score_has_an_interval_too() -> None:
    score, low, high = estimate([1.0] * 50, 2)
    assert (score, high) == (1.0, 1.0)
    assert 0.9 < low < 1.0


@pytest.mark.parametrize(("truth", "verdict"), [(0.45, "lower"), (0.60, "upper")])
def test_the_sequential_test_finds_the_right_claim(truth: float, verdict: str) -> None:
    test = Sequential(0.50, 0.55)
    generator = np.random.default_rng(2)
    right = 0
    for _ in range(60):
        scores = (generator.binomial(2, truth, size=3000) / 2).tolist()
        found = next(v for n in range(8, 3000, 8) if (v := test.verdict(scores[:n])))
        right += found == verdict
    assert right >= 57


def test_the_sequential_test_errs_no_more_than_it_says() -> None:
    test = Sequential(0.50, 0.55)
    generator = np.random.default_rng(3)
    wrong = 0
    for _ in range(300):
        scores = (generator.binomial(2, 0.50, size=4000) / 2).tolist()
        wrong += next(v for n in range(8, 4000, 8) if (v := test.verdict(scores[:n]))) == "upper"
    assert wrong / 300 <= 0.09


def test_the_ratio_is_that_of_two_normal_claims() -> None:
    scores = [0.0, 0.5, 0.5, 1.0] * 50
    spread = np.var([*scores, 0.0, 1.0], ddof=1)
    test = Sequential(0.5, 0.6)
    straight = sum(((s - 0.5) ** 2 - (s - 0.6) ** 2) / (2 * spread) for s in scores)
    assert test.ratio(scores) == pytest.approx(straight)


@pytest.mark.parametrize("text", ["0.5", "0.6,0.5", "a,b", "0.5,1.2"])
def test_a_senseless_sequential_test_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"0\.50,0\.52"):
        Sequential.parse(text)


@pytest.mark.parametrize("players", [2, 4])
def test_the_fit_finds_the_strengths_that_made_the_scores(players: int) -> None:
    truth = {"a": 0.0, "b": 0.5, "c": 1.3}
    rows = []
    for one in truth:
        for other in truth:
            if one != other:
                odds = (players - 1) * np.exp(truth[one] - truth[other])
                rows.append(
                    {
                        "candidate": one,
                        "baseline": other,
                        "players": players,
                        "games": 10**6,
                        "score": odds / (1 + odds),
                    }
                )
    found = fit(rows, "a")
    for bot, strength in zip(found.bots, found.strengths, strict=True):
        assert strength == pytest.approx(1000 + ELO * truth[bot], abs=0.1)
    assert found.residual < 1e-4


def test_a_row_has_what_the_records_page_names() -> None:
    told = row(pairing(), play_blocks(pairing(), range(10)))
    assert list(told) == [
        "candidate",
        "baseline",
        "edition",
        "rules",
        "players",
        "games",
        "score",
        "low",
        "high",
        "stalled",
        "unfinished",
        "milliseconds",
        "seed",
        "failures",
    ]
    assert told["games"] == 20


# ---- the command --------------------------------------------------------------------------------


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "karma", "arena", *arguments]


def test_the_command_tells_rows_and_draws_a_report(tmp_path: Path) -> None:
    result = subprocess.run(
        command(
            *("greedy", "beginner", "random", "--edition", "mini", "--games", "60", "--json"),
            *("--report", str(tmp_path / "report")),
        ),
        capture_output=True,
        text=True,
    )
    told = json.loads(result.stdout)
    assert len(told["rows"]) == 3
    assert told["rows"][0]["rules"] == {"stall_limit": 80}
    assert told["bots"]["greedy"] == {"version": 1}
    page = (tmp_path / "report" / "report.html").read_text()
    assert "data:image/png;base64," in page
    assert "http" not in page
    assert (tmp_path / "report" / "cross-table.png").read_bytes().startswith(b"\x89PNG")


def test_the_command_stops_when_the_sequential_test_is_decided() -> None:
    arguments = ("greedy", "random", "--edition", "mini", "--games", "20000", "--json")
    result = subprocess.run(
        command(*arguments, "--sprt", "0.5,0.6"), capture_output=True, text=True
    )
    told = json.loads(result.stdout)
    assert told["sprt"][0]["verdict"] == "upper"
    assert told["rows"][0]["games"] < 20000


def test_ctrl_c_keeps_what_it_has(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    arguments = ("greedy@1", "random", "--edition", "mini", "--games", "1000000", "--json")
    process = subprocess.Popen(command(*arguments, "--results", str(path)), stdout=subprocess.PIPE)
    while process.poll() is None and not path.exists():
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=120)
    assert 0 < json.loads(out)["rows"][0]["games"] < 1000000


class Counting(ThreadPoolExecutor):
    """Knows how many jobs were under way at once, at most."""

    def __init__(self, workers: int) -> None:
        super().__init__(workers)
        self.under_way = self.most = 0

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        self.under_way += 1
        self.most = max(self.most, self.under_way)
        future = super().submit(fn, *args, **kwargs)
        future.add_done_callback(self._ended)
        return future

    def _ended(self, future: Future[Any]) -> None:
        self.under_way -= 1


def test_pairings_of_one_block_are_played_side_by_side() -> None:
    pairings = [replace(pairing("greedy@1"), seed=seed) for seed in range(8)]
    kept, told = ArenaResults(), []
    with Counting(3) as pool:
        assert run(
            pairings, 1, kept, workers=3, executor=pool, progress=lambda *all: told.append(all)
        )
    assert pool.most > 1
    assert all(len(kept.of(each)) == 1 for each in pairings)
    assert {(each, 1) for each in pairings} <= set(told)
    alone = ArenaResults()
    run(pairings, 1, alone, workers=1)
    assert [kept.of(each)[0].score for each in pairings] == [
        alone.of(each)[0].score for each in pairings
    ]


def test_each_pairing_has_a_sequential_test_of_its_own() -> None:
    pairings = [replace(pairing("greedy"), seed=1), replace(pairing("greedy"), seed=2)]
    kept = ArenaResults()
    assert run(pairings, 5000, kept, sequential=Sequential.parse("0.5,0.6"), workers=2)
    for each in pairings:
        blocks = kept.of(each)
        assert decided(blocks, Sequential.parse("0.5,0.6"))
        assert len(blocks) < 5000


def test_nothing_of_a_pool_is_left_for_the_end_of_the_program() -> None:
    assert run([pairing("greedy@1")], 2, ArenaResults(), workers=1)
    assert not multiprocessing.active_children()


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("greedy", "gready"), "there is no bot 'gready'"),
        (("greedy", "random", "--players", "9"), "cannot seat 9 players"),
        (("greedy", "random", "--sprt", "1"), "'1' is not two scores"),
    ],
)
def test_the_command_says_what_is_wrong(arguments: tuple[str, ...], reason: str) -> None:
    result = subprocess.run(command(*arguments), capture_output=True, text=True)
    assert result.returncode == 2
    assert reason in result.stderr
    assert result.stderr.count("\n") == 1


def test_what_a_killed_arena_has_started_ends_with_it() -> None:
    script = (
        "import os, signal\n"
        "from karma.arena.runner import new_pool\n"
        "if __name__ == '__main__':\n"
        "    pool = new_pool(False, 2)\n"
        "    print(pool.submit(os.getpid).result(), flush=True)\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    killed = subprocess.run([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    worker = int(killed.stdout)
    due = time.monotonic() + 60
    while runs(worker) and time.monotonic() < due:
        time.sleep(0.1)
    assert not runs(worker)


def runs(process: int) -> bool:
    """Does a process run? One that has ended, and that nobody asked how, does not."""
    listed = ["ps", "-o", "stat=", "-p", str(process)]
    state = subprocess.run(listed, capture_output=True, text=True).stdout.strip()
    return bool(state) and not state.startswith("Z")
