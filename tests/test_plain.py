"""The core compiled and as plain Python agree on every byte of every game."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from plain import digests

HERE = Path(__file__).parent
EVERY = 12  # plain Python is slow: one record of so many


@pytest.mark.parametrize("name", ["editions", "house-rules", "corners"])
def test_compiled_and_plain_agree_byte_for_byte(name):
    path = HERE / "golden" / f"{name}.jsonl"
    plain = subprocess.run(
        [sys.executable, HERE / "plain.py", path, str(EVERY)],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    found = plain.stdout.split()
    assert found == list(digests(path, EVERY))
    assert len(found) >= 4
