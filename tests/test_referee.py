"""The core against the independent referee: every position, and views, of games of random rules.

`make referee` plays many thousands; from the command line: ``python tests/test_referee.py 20000``.
"""

import sys

import numpy as np
import pytest

from chance import random_move, random_table
from karma import View
from referee import Referee

GAMES = 200
BATCH = 20


def compare(seed, limit=400):
    """Plays one random game with both; returns how many positions were compared."""
    rng = np.random.default_rng(seed)
    game = random_table(rng)
    referee = Referee(
        game.rules.edition, game.rules.overrides, game.players, game.dealer, game.deck
    )
    pick_up = float(rng.choice([0, 0.05, 0.3]))
    while True:
        assert game.position() == referee.position(), f"game {seed}, ply {game.ply}"
        if rng.random() < 0.1 or game.over:
            for seat in (*range(len(game.players)), None):
                view = game.view(seat)
                assert view.json() == referee.view(seat), f"game {seed}, ply {game.ply}"
                assert View.parse(referee.view(seat)) == view, f"game {seed}, ply {game.ply}"
        if game.over or game.ply == limit:
            return game.ply + 1
        move = random_move(game, rng, pick_up)
        game.push(move)
        referee.make(str(move))


@pytest.mark.parametrize("first", range(0, GAMES, BATCH))
def test_the_core_agrees_with_the_referee(first):
    for seed in range(first, first + BATCH):
        compare(seed)


def main(games, first=1_000_000):
    """Compares many games, and says how far it has come."""
    positions = 0
    for number in range(games):
        positions += compare(first + number)
        if number % 500 == 499:
            print(f"{number + 1} games, {positions} positions: no difference", flush=True)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
