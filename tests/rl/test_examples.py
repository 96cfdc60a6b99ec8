"""The examples run, and what they write down plays."""

import subprocess
import sys
from importlib.util import module_from_spec, spec_from_file_location

import karma
from test_docs import ROOT


def test_a_round_of_learning_makes_a_bot(tmp_path, monkeypatch):
    command = [sys.executable, str(ROOT / "examples/ppo.py"), "--rounds", "1", "--out"]
    subprocess.run([*command, str(tmp_path / "learned")], check=True, capture_output=True)
    assert (tmp_path / "learned.png").stat().st_size > 1000
    monkeypatch.setenv("LEARNED", str(tmp_path / "learned.npz"))
    spec = spec_from_file_location("learned", ROOT / "examples/learned.py")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    bots = [module.Learned(), karma.make_bot("greedy")]
    game = karma.Game(karma.MINI.for_table(2), players=2, seed=3)
    while not game.over:
        game.push(bots[game.actor].choose(game.view(game.actor)))
    assert game.outcome is not None
