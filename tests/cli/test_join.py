"""`karma join --plain`: two terminals at one server, real processes, one of them killed."""

import os
import re
import subprocess
import sys
import threading
import time
from contextlib import suppress

import pytest

from karma.moves import ALL
from serving import serving

EVERY_MOVE = [move.text for move in ALL if move.text[0] not in "PN"] + ["P"]
PATIENCE = 120


class Terminal:
    """A person in a process of their own, with a home that survives it."""

    def __init__(self, home, url, *options):
        self.process = subprocess.Popen(
            [sys.executable, "-m", "karma", "join", url, "--plain", *options],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            bufsize=1,
            env={**os.environ, "XDG_DATA_HOME": str(home), "PYTHONUNBUFFERED": "1"},
        )
        self.out = ""
        self._reading = threading.Thread(target=self._read, daemon=True)
        self._reading.start()

    def _read(self):
        for line in self.process.stdout:
            self.out += line

    def sees(self, pattern):
        """Waits until something is told."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            if found := re.search(pattern, self.out):
                return found
            time.sleep(0.05)
        raise AssertionError(f"never told: {pattern}\n{self.out[-3000:]}")

    def type(self, *lines):
        self.process.stdin.write("".join(line + "\n" for line in lines))
        self.process.stdin.flush()

    def play(self):
        """Types every move there is, again and again, in the background."""
        threading.Thread(target=self._play, daemon=True).start()

    def _play(self):
        try:
            while "The game is over" not in self.out:
                self.type(*EVERY_MOVE)
                time.sleep(0.02)
            self.process.stdin.close()
        except (OSError, ValueError):
            pass  # killed

    def ends_well(self):
        """Waits for the end of the process; tells whether it was as it should be."""
        code = self.process.wait(timeout=PATIENCE)
        self._reading.join()
        return code == 0 and "Traceback" not in self.out

    def end(self):
        self.process.kill()
        self.process.wait()
        self._reading.join()
        self.process.stdout.close()
        with suppress(OSError):
            self.process.stdin.close()


@pytest.fixture
def terminals(tmp_path):
    opened = []

    def open_terminal(home, url, *options):
        opened.append(Terminal(tmp_path / home, url, *options))
        return opened[-1]

    yield open_terminal
    for terminal in opened:
        terminal.end()


def test_two_terminals_at_one_server_one_of_them_killed(tmp_path, terminals):
    with serving(tmp_path / "data") as server:
        ana = terminals("ana", server.address, "--name", "Ana")
        link = ana.sees(r"http\S+/join/\S+")[0].rstrip(".")
        bo = terminals("bo", link, "--name", "Bo")
        ana.sees(r"Bo sits down\.")
        ana.type("")
        ana.play()
        bo.play()
        bo.sees(r"You play")
        bo.end()
        again = terminals("bo", link)
        again.sees(r"At the table: Ana, Bo\.")
        again.play()
        for terminal in (ana, again):
            terminal.sees(r"The game is over")
            assert terminal.ends_well()
            assert "Your seat stays yours" in terminal.out
