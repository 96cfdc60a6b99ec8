"""What needs PyTorch, and so is no part of the ordinary tests: `make train-test` runs it."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
import torch

from karma.bots.choice import FOLDER
from karma.bots.network import new_work
from karma.bots.weights import load as load_weights
from karma.bots.weights import save
from karma.train.calibration import forward
from karma.train.config import ConfigError, load
from karma.train.generator import make_chunk
from karma.train.learner import Learner
from karma.train.run import TrainingRun

MINI = Path(__file__).parent / "mini-2"
pytestmark = pytest.mark.timeout(1500)  # compiling too
SMALL = """
name = "small"
tables = [{ edition = "mini", players = 2 }, { edition = "mini", players = 3 }]
chunk = 8192
warm_start = 16384
test_every = 5
guard_blocks = 50
test_blocks = 250
calibrate_on = 20000
"""


def small_run(tmp_path):
    (tmp_path / "config.toml").write_text(SMALL)
    return tmp_path


def test_torch_and_the_playing_code_say_the_same(tmp_path):
    from karma.bots.network import add_rows, head, second_layer
    from karma.core.kernel import entry

    learner = Learner(load(small_run(tmp_path) / "config.toml"))
    learner.averages = [p.detach().clone() for p in learner.layers.parameters()]
    weights = learner.weights()
    chunk = make_chunk(learner.config, 0, weights, weights, 0.1, warm=True)
    with torch.no_grad():
        said = learner.layers(torch.from_numpy(chunk.words[:100])).numpy()

    @entry
    def ask(weights, work, words):
        add_rows(weights, words, work.sums)
        second_layer(weights, work.sums, work.layer)
        return head(weights, work.layer, 0), head(weights, work.layer, 1)

    work = new_work(weights)
    for i in range(100):
        np.testing.assert_allclose(ask(weights, work, chunk.words[i]), said[i, :2], atol=1e-4)


def league_run(tmp_path, member):
    folder = tmp_path / f"with-{member}"
    folder.mkdir()
    league = f'seed = 2\nleague = {{ members = ["{member}"] }}\n'
    (folder / "config.toml").write_text(SMALL + league)
    return TrainingRun(folder, print)


def test_members_of_the_league_are_met_in_turn_with_older_networks(tmp_path):
    (tmp_path / "rival").mkdir()
    rival = TrainingRun(small_run(tmp_path / "rival"), print)
    rival.save()
    run = league_run(tmp_path, "rival")
    save(run.folder / "older-0.npz", run.learner.weights())
    for number, whose in enumerate((rival, run, rival, run)):
        met = run._older(number)
        for old, new in zip(met, whose.learner.weights(), strict=True):
            np.testing.assert_allclose(old, new, atol=1e-3)


def test_a_member_that_sees_something_else_is_refused(tmp_path):
    with pytest.raises(ConfigError, match="'mini-2' does not see the same"):
        league_run(tmp_path, "mini-2")


def test_learning_lowers_the_loss_and_goes_on_after_a_stop(tmp_path):
    folder = small_run(tmp_path)
    run = TrainingRun(folder, print)
    run.go(0.4)
    lines = [json.loads(line) for line in (folder / "log.jsonl").read_text().splitlines()]
    assert lines[-1]["samples"] > 16384 and lines[-1]["loss"] < 0.69
    pace = lines[-1]["pace"]
    assert pace["decisions"] > pace["games"] > 0
    assert 0 < pace["playing"] <= 1 and 0 < pace["learning"] <= 1
    again = TrainingRun(folder, print)
    assert again.samples == run.samples
    for old, new in zip(run.learner.weights(), again.learner.weights(), strict=True):
        np.testing.assert_allclose(old, new, rtol=1e-3, atol=1e-6)
    first, second = (r.learner.state() for r in (run, again))
    assert first.keys() == second.keys() and "sizes0" in first
    for name, array in first.items():
        np.testing.assert_array_equal(array, second[name])


def test_a_smaller_network_is_the_front_of_a_larger_one(tmp_path):
    """A network for two in a learner for three says the same of tables for two."""
    learner = Learner(load(small_run(tmp_path) / "config.toml"))
    smaller = load_weights(FOLDER / "mini-2.npz")
    learner.begin_as(smaller)
    chunk = make_chunk(load(MINI / "config.toml"), 0, smaller, smaller, 0.1, warm=False)
    words = np.zeros((100, learner.config.words), np.int64)
    words[:, : chunk.words.shape[1]] = chunk.words[:100]
    with torch.no_grad():
        said = learner.layers(torch.from_numpy(words)).numpy()
    np.testing.assert_allclose(said[:, :2], forward(smaller, chunk.words[:100]), atol=1e-4)


def test_games_may_be_played_elsewhere_several_chunks_at_once(tmp_path):
    run = TrainingRun(small_run(tmp_path), print)
    run.go(0.2, ThreadPoolExecutor(2), 4)
    assert run.chunks > 0 and run.samples >= run.chunks * (run.config.chunk // 2)


def test_a_kill_costs_no_more_than_a_minute(tmp_path):
    """Ten minutes on mini for two, killed in the middle: it goes on, and beats greedy."""
    command = [sys.executable, "-m", "karma", "train"]
    folder = tmp_path / "run"
    first = subprocess.Popen([*command, str(MINI), "--anew", str(folder), "--minutes", "10"])
    time.sleep(300)
    os.kill(first.pid, signal.SIGKILL)
    first.wait()
    with np.load(folder / "checkpoint.npz") as arrays:
        samples = int(arrays["counts"][1])
    assert samples > 0
    subprocess.run([*command, str(folder), "--minutes", "5"], check=True)
    lines = [json.loads(line) for line in (folder / "log.jsonl").read_text().splitlines()]
    share, error = lines[-1]["guards"]["mini 2 greedy"]
    assert lines[-1]["samples"] > samples and share - error > 0.5
    shutil.rmtree(folder)
