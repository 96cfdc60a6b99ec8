"""Terminals that are not UTF-8: plain letters, and no traceback."""

import os
import subprocess
import sys

import pytest


@pytest.mark.parametrize(
    ("encoding", "language"), [("ascii", "ru"), ("latin-1", "en"), ("koi8-r", "ru")]
)
def test_a_terminal_that_is_not_utf8_gets_plain_letters(tmp_path, encoding, language):
    command = [sys.executable, "-m", "karma", "play", "--edition", "mini", "--lang", language]
    home = {**os.environ, "XDG_DATA_HOME": str(tmp_path), "PYTHONIOENCODING": encoding}
    answer = subprocess.run(
        command,
        input=b"?\nx\xff\nq\n",
        capture_output=True,
        env=home,
        timeout=250,
    )
    assert answer.returncode == 0, answer.stderr
    assert b"Traceback" not in answer.stderr
    answer.stdout.decode(encoding)
