"""Finds the weights of the rules of thumb: they play, see what would have been better, and improve.

``python -m workshop.tuning pairs row.txt`` learns a row for two players and sets of two cards,
``… threes row.txt`` one for sets of three, ``… more row.txt`` one for larger tables. In each round
the present row plays games. Now and then every legal move is tried in some worlds, each played on
by the present row (or, at some seats, by greedy): how much better a move does than the others is
what its features should add up to. The row that explains this best (least squares, near the moves
that matter) is where the present one moves to, by steps: it is a careful kind of policy iteration.
The row that did best against greedy is kept.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

import numpy as np

from karma.bots.chance import words
from karma.bots.policies import greedy, uniform
from karma.bots.rollouts import LONGEST, WON, value
from karma.bots.rules_of_thumb import LENGTH, PATIENT, best_by, greedy_weights
from karma.core import VIEW, apply, deal, determinize, fill_deck, legal, observe, prepare
from karma.core.kernel import below, count, entry, kernel, nth
from karma.core.layout import MOVES, NOBODY, OVER, PICK_UP, POOL, Record
from karma.editions import ALTERNATIVE, CLASSIC, MINI, ONLINE, Rules
from karma.packing import new_states

Array = Any
Tables = tuple[tuple[Rules, int, int], ...]  # rules, players, how much they count
TABLES: dict[str, Tables] = {
    "pairs": ((MINI, 2, 1), (ONLINE, 2, 1)),
    "threes": ((CLASSIC, 2, 3), (MINI, 2, 2), (ONLINE, 2, 1)),
    "classic": ((CLASSIC, 3, 1), (CLASSIC, 4, 1), (CLASSIC, 5, 1), (CLASSIC, 6, 1)),
    "more": (
        (CLASSIC, 3, 1),
        (CLASSIC, 4, 1),
        (CLASSIC, 6, 1),
        (ALTERNATIVE, 4, 1),
        (MINI, 3, 1),
        (MINI, 4, 1),
        (ONLINE, 3, 1),
    ),
}
GREEDY = np.zeros(0)  # no row at all
_GAME, _ROOM, _WORLD, _TRIAL = range(4)
_WORLDS = 4  # in which the moves of a decision are tried
_TRIED = 35  # percent of the decisions that are tried
_STRAY = 5  # percent of the moves made at random, so that odd positions are seen too
_NEAR = 0.05  # how much worse a move may look and still matter
_CALM = 20.0  # keeps weights that are hardly ever used near zero


@kernel
def shuffle_and_deal(rules: Record, state: Record, seats: int, rng: Array) -> None:
    fill_deck(rules, state)
    for i in range(state.deck_size - 1, 0, -1):
        j = below(rng, i + 1)
        state.deck[i], state.deck[j] = state.deck[j], state.deck[i]
    deal(rules, state, seats, seats - 1)


@kernel
def follow(weights: Array, rules: Record, state: Record, greedies: int) -> None:
    """Makes one move: by a row of weights, or greedily at some seats."""
    plays, others = legal(rules, state)
    if greedies >> state.actor & 1:
        move = greedy(state, plays, others)
    else:
        move = best_by(weights, rules, state, plays, others, None)
    apply(rules, state, move, None)


@entry
def study(
    rules: Array,
    states: Array,
    views: Array,
    seats: int,
    weights: Array,
    games: int,
    rng: Array,
    squares: Array,
    products: Array,
) -> int:
    """Plays games and adds what was learned to the sums of least squares; returns the decisions."""
    pool = np.zeros(POOL, np.int64)
    unit = np.zeros(LENGTH)
    worths = np.zeros(MOVES)
    matters = np.zeros(MOVES)
    features = np.zeros((MOVES, LENGTH))
    gains = np.zeros(MOVES)
    moves = np.zeros(MOVES, np.int64)
    state = states[_GAME]
    trial = states[_TRIAL]
    decisions = 0
    for _ in range(games):
        shuffle_and_deal(rules[0], state, seats, rng)
        greedies = below(rng, 1 << seats) & below(rng, 1 << seats)
        while state.phase != OVER and state.ply < LONGEST:
            plays, others = legal(rules[0], state)
            number = count(plays) + count(others)
            calm = state.quiet <= PATIENT * seats  # beyond, worths are not sums of weights alone
            if number > 1 and calm and below(rng, 100) < _TRIED:
                decisions += 1
                seat = state.actor
                worths[:] = 0.0
                best_by(weights, rules[0], state, plays, others, worths)
                top = -1e9
                for i in range(number):
                    in_plays = i < count(plays)
                    moves[i] = (
                        nth(plays, i) if in_plays else PICK_UP + nth(others, i - count(plays))
                    )
                    gains[i] = 0.0
                    top = max(top, worths[moves[i]])
                whole = 0.0
                for i in range(number):
                    matters[i] = np.exp((worths[moves[i]] - top) / _NEAR) + 0.05
                    whole += matters[i]
                # What each move is worth, in worlds that fit what the mover knows.
                observe(rules[0], state, seat, views[0])
                length = prepare(rules[0], views[0], states[_ROOM], pool)
                model = below(rng, 1 << seats) & below(rng, 1 << seats) & ~(1 << seat)
                for _ in range(_WORLDS):
                    states[_WORLD] = states[_ROOM]
                    determinize(views[0], states[_WORLD], pool, length, rng)
                    for i in range(number):
                        states[_TRIAL] = states[_WORLD]
                        apply(rules[0], trial, moves[i], None)
                        last = trial.ply + LONGEST
                        while trial.phase != OVER and trial.ply < last:
                            follow(weights, rules[0], trial, model)
                        gains[i] += value(trial, seat, state.ply, 1) / (WON * _WORLDS)
                # What each move looks like, one weight at a time, beside the others.
                for j in range(LENGTH):
                    unit[j] = 1.0
                    worths[:] = 0.0
                    best_by(unit, rules[0], state, plays, others, worths)
                    unit[j] = 0.0
                    mean = 0.0
                    for i in range(number):
                        features[i, j] = worths[moves[i]]
                        mean += matters[i] * worths[moves[i]] / whole
                    for i in range(number):
                        features[i, j] -= mean
                mean = 0.0
                for i in range(number):
                    mean += matters[i] * gains[i] / whole
                for i in range(number):
                    for j in range(LENGTH):
                        if features[i, j] != 0.0:
                            weighed = matters[i] * features[i, j]
                            products[j] += weighed * (gains[i] - mean)
                            for k in range(LENGTH):
                                squares[j, k] += weighed * features[i, k]
            if below(rng, 100) < _STRAY:
                apply(rules[0], state, uniform(plays, others, rng), None)
            else:
                follow(weights, rules[0], state, greedies)
    return decisions


@entry
def score_of(
    rules: Array, states: Array, seats: int, mine: Array, theirs: Array, decks: Array
) -> float:
    """The share not lost by a row of weights in mirrored blocks; an empty row is greedy."""
    state = states[0]
    score = 0.0
    for block in range(len(decks)):
        for seat in range(seats):
            shuffle_and_deal(rules[0], state, seats, decks[block : block + 1].copy())
            while state.phase != OVER and state.ply < LONGEST:
                if state.actor == seat or len(theirs) == 0:
                    follow(mine, rules[0], state, ~(1 << seat))
                else:
                    follow(theirs, rules[0], state, 0)
            if state.loser == NOBODY:
                score += 1 - 1 / seats
            elif state.loser != seat:
                score += 1.0
    return score / (seats * len(decks))


def packed(rules: Rules, players: int) -> Array:
    """The rules of a table, with a limit to quiet turns."""
    return rules.for_table(players).packed


def scores(tables: Tables, mine: Array, theirs: Array, blocks: int = 2000) -> list[float]:
    """The score at each of the tables."""
    out = []
    for number, (rules, players, _) in enumerate(tables):
        decks = words(5, number, np.arange(blocks))
        rules_here = packed(rules, players)
        out.append(score_of(rules_here, new_states(rules), players, mine, theirs, decks))
    return out


def lessons(tables: Tables, row: Array, seed: int, games: int) -> tuple[Array, Array]:
    """The sums of least squares from one round of games."""
    squares, products = np.zeros((LENGTH, LENGTH)), np.zeros(LENGTH)
    for number, (rules, players, weight) in enumerate(tables):
        study(
            packed(rules, players),
            new_states(rules, 4),
            np.zeros(1, VIEW),
            players,
            row,
            games * weight,
            words(seed, number),
            squares,
            products,
        )
    return squares, products


def learn(tables: Tables, rounds: int, games: int, seed: int) -> Array:
    """Improves a row round by round; returns the one that did best against greedy."""
    row = best = 0.1 * greedy_weights()
    most = -np.inf
    squares, products = np.zeros((LENGTH, LENGTH)), np.zeros(LENGTH)
    for number in range(rounds):
        began = time.process_time()
        new_squares, new_products = lessons(tables, row, seed + number, games)
        squares, products = 0.7 * squares + new_squares, 0.7 * products + new_products
        found = np.linalg.solve(squares + _CALM * np.eye(LENGTH), products)
        row = found if number == 0 else 0.6 * row + 0.4 * found
        told = scores(tables, row, GREEDY)
        saved = sum(
            1 - (1 - score) * players for score, (_, players, _) in zip(told, tables, strict=True)
        )
        if saved > most:
            best, most = row, saved
        seconds = time.process_time() - began
        print(f"round {number}, {seconds:.0f} s: {np.round(told, 3).tolist()}", flush=True)
    return best


def main() -> None:
    """Learn a row and write it to a file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tables", choices=TABLES)
    parser.add_argument("file", help="where the row is written")
    parser.add_argument("--rounds", type=int, default=12)
    parser.add_argument("--games", type=int, default=120)
    parser.add_argument("--seed", type=int, default=100)
    chosen = parser.parse_args()
    row = learn(TABLES[chosen.tables], chosen.rounds, chosen.games, chosen.seed)
    np.savetxt(chosen.file, row, fmt="%.5f")


if __name__ == "__main__":
    main()
