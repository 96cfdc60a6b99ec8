"""Digests of games: to see that the core, compiled and plain, agrees byte for byte.

Run as a program, it prints the digests of the records of a file, one a line. With
``NUMBA_DISABLE_JIT=1`` in the environment that is what plain Python finds.
"""

import hashlib
import sys
from pathlib import Path

import numpy as np

from karma.core import imagine
from karma.core.kernel import random_words
from karma.packing import new_states
from karma.record import numbered


def digests(path, every):
    """For each so-manieth record: a digest of every state, event, view and of worlds that fit."""
    for number, record in numbered(Path(path).read_text(encoding="utf-8").splitlines()):
        if number % every == 0:
            yield digest(record)


def digest(record):
    total = hashlib.sha256()
    rng = np.random.default_rng(7)

    def note(game):
        total.update(game._state.tobytes())
        total.update(repr(game.legal).encode())
        if game.ply % 20 == 0:
            for seat in (*range(len(game.players)), None):
                view = game.view(seat).record
                states = new_states(game.rules, 2)
                imagine(game.rules.packed, view, states, random_words(rng))
                total.update(view.tobytes() + states.tobytes())

    game = record.deal()
    note(game)
    for move in record.moves:
        total.update(repr(game.push(move)).encode())
        note(game)
    return total.hexdigest()


if __name__ == "__main__":
    for line in digests(sys.argv[1], int(sys.argv[2])):
        print(line)
