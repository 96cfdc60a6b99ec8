"""Random rules and random games, for the tests that look at many."""

import numpy as np

from karma import EDITIONS, Game
from karma.editions import OPTIONS

PLY_LIMIT = 1500


def values_of(option):
    """The values that an option can take; of the many stall limits, a few."""
    if option.name == "stall_limit":
        return [0, 10, 11, 40]
    return list(option.values)


def random_rules(rng):
    """An edition with each option changed in one game of four."""
    rules = EDITIONS[str(rng.choice(list(EDITIONS)))]
    changes = {}
    for option in OPTIONS.values():
        if rng.random() < 0.25:
            values = values_of(option)
            changes[option.name] = values[int(rng.integers(len(values)))]
    return rules.replace(**changes)


def random_table(rng, **options):
    """A game of random rules, but for some options, of random players, dealt at random."""
    rules = random_rules(rng).replace(**options)
    players = int(rng.integers(2, rules.most_players + 1))
    return Game(rules, players, seed=int(rng.integers(2**32)), dealer=int(rng.integers(players)))


def random_move(game, rng, pick_up=0.1):
    """A legal move; picking up without need with the given probability only."""
    moves = game.legal
    if len(moves) > 1 and moves[-1].text == "P" and rng.random() >= pick_up:
        moves = moves[:-1]
    return moves[int(rng.integers(len(moves)))]


def random_game(seed, limit=PLY_LIMIT):
    """A game of random rules played at random, to its end or the limit."""
    rng = np.random.default_rng(seed)
    game = random_table(rng)
    while not game.over and game.ply < limit:
        game.push(random_move(game, rng))
    return game
