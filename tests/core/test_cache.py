"""Compiled code is kept under a digest of the sources, and nowhere else."""

import os
import subprocess
import sys
from pathlib import Path

import karma

PROGRAM = """
import numba, karma
from pathlib import Path
karma.Game(karma.MINI, 2, seed=1)
folder = Path(numba.config.CACHE_DIR)
print(folder)
print(folder.parent.is_dir())
"""


def test_without_a_home_code_is_kept_in_a_passing_folder(tmp_path):
    (tmp_path / "file").write_text("")
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path / "file" / "cache")}
    environment.pop("NUMBA_DISABLE_JIT", None)  # plain code is kept nowhere
    before = {*Path(karma.__file__).parent.rglob("*.nbi")}
    answer = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        capture_output=True,
        text=True,
        env=environment,
        timeout=280,
        check=True,
    )
    folder, was_there = answer.stdout.split()
    assert was_there == "True"
    assert not Path(folder).exists()
    assert {*Path(karma.__file__).parent.rglob("*.nbi")} == before
