"""The examples run, and what they write down plays: in a library, and at tables."""

import os
import signal
import subprocess
import sys

import pytest

import karma
from karma.bots import make_bot
from policies import write_untrained
from test_docs import ROOT

EXAMPLES = ROOT / "examples"
BOT = f"{EXAMPLES / 'learned.py'}:Learned"


def run(*command, **options):
    return subprocess.run(
        command, check=True, capture_output=True, text=True, timeout=1500, **options
    )


@pytest.fixture
def learned(tmp_path, monkeypatch):
    """The weights of a policy that knows nothing yet."""
    write_untrained(tmp_path / "learned.npz")
    monkeypatch.setenv("LEARNED", str(tmp_path / "learned.npz"))
    return tmp_path / "learned.npz"


@pytest.mark.timeout(1800)
@pytest.mark.parametrize(
    ("example", "little"), [("ppo", ("--rounds", "1")), ("maskable_ppo", ("--decisions", "32768"))]
)
def test_a_round_of_learning_makes_a_policy_that_plays(tmp_path, monkeypatch, example, little):
    path = tmp_path / "policy"
    run(sys.executable, str(EXAMPLES / f"{example}.py"), *little, "--out", str(path))
    if example == "ppo":
        assert (tmp_path / "policy.png").stat().st_size > 1000
    monkeypatch.setenv("LEARNED", str(path.with_suffix(".npz")))
    told = run(sys.executable, str(EXAMPLES / "measure.py"), "--decks", "2").stdout
    assert "% of 4 games not lost against greedy" in told


@pytest.mark.timeout(1800)
def test_what_was_learned_until_it_is_interrupted_is_kept(tmp_path):
    script = str(EXAMPLES / "ppo.py")
    command = [sys.executable, script, "--rounds", "100000", "--out", str(tmp_path / "policy")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as learning:
        assert learning.stdout.readline().startswith("round 1, ")
        learning.send_signal(signal.SIGINT)
        assert learning.wait() == 0
    assert {path.name for path in tmp_path.iterdir()} == {"policy.npz", "policy.png"}


@pytest.mark.timeout(1800)
def test_the_policy_plays_at_a_table_in_the_terminal(learned, tmp_path):
    """It plays to the end, as a bot of one's own does: from a file, in a process."""
    record = tmp_path / "games.jsonl"
    home = {**os.environ, "XDG_DATA_HOME": str(tmp_path)}
    seats = f"{BOT},greedy"
    options = ("-e", "mini", "--bots", seats, "--seed", "3", "--speed", "off")
    run(sys.executable, "-m", "karma", "watch", "--plain", *options, "--record", record, env=home)
    (game,) = karma.read(record)
    assert game.replay().over


def test_the_policy_names_legal_moves(learned):
    bots = [make_bot(BOT), make_bot("greedy")]
    game = karma.Game(karma.MINI.for_table(2), players=2, seed=3)
    while not game.over:
        game.push(bots[game.actor].choose(game.view(game.actor)))
    assert game.outcome is not None
