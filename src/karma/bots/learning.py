"""Finds the weights of the rules of thumb: small changes are tried, and those that win are kept.

``python -m karma.bots.learning row.txt`` goes on from the row in a file, or from greedy play. A
change of a few weights plays greedy and the row before it on the same decks at several tables; it
is kept if it does better there and, to be sure, on fresh decks too.
"""

from __future__ import annotations

import argparse
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from karma.bots.chance import words
from karma.bots.policies import greedy
from karma.bots.rollouts import LONGEST
from karma.bots.rules_of_thumb import LENGTH, PICK, SPEND, best_by, greedy_weights
from karma.core import apply, deal, fill_deck, legal
from karma.core.kernel import below, entry
from karma.core.layout import KINDS, NOBODY, OVER
from karma.editions import ALTERNATIVE, CLASSIC, MINI, ONLINE, Rules
from karma.packing import new_states

Array = Any
TABLES: tuple[tuple[Rules, int, float], ...] = (  # rules, players, how much they count
    (CLASSIC, 2, 3.0),
    (MINI, 2, 1.5),
    (CLASSIC, 4, 2.0),
    (ONLINE, 2, 1.0),
    (MINI, 4, 1.0),
    (ALTERNATIVE, 4, 1.0),
)
GREEDY = np.zeros(0)  # no row at all


@entry
def score_of(
    rules: Array, states: Array, seats: int, mine: Array, theirs: Array, decks: Array
) -> float:
    """The share not lost by a row of weights in mirrored blocks; an empty row is greedy."""
    state = states[0]
    score = 0.0
    for block in range(len(decks)):
        for seat in range(seats):
            rng = decks[block : block + 1].copy()
            fill_deck(rules[0], state)
            for i in range(state.deck_size - 1, 0, -1):
                j = below(rng, i + 1)
                state.deck[i], state.deck[j] = state.deck[j], state.deck[i]
            deal(rules[0], state, seats, seats - 1)
            while state.phase != OVER and state.ply < LONGEST:
                plays, others = legal(rules[0], state)
                if state.actor == seat:
                    move = best_by(mine, rules[0], state, plays, others, None)
                elif len(theirs):
                    move = best_by(theirs, rules[0], state, plays, others, None)
                else:
                    move = greedy(state, plays, others)
                apply(rules[0], state, move, None)
            if state.loser == NOBODY:
                score += 1 - 1 / seats
            elif state.loser != seat:
                score += 1.0
    return score / (seats * len(decks))


class Trainer:
    """Compares rows at the tables, on as many threads as there are cores."""

    def __init__(self, threads: int) -> None:
        self._pool = ThreadPoolExecutor(threads)

    def scores(self, mine: Array, theirs: Array, seed: int, blocks: int) -> Array:
        """The score at each table; fewer blocks where more play."""

        def at(number: int) -> float:
            rules, players, _ = TABLES[number]
            packed = rules.replace(stall_limit=40 * players).packed
            decks = words(seed, number, np.arange(2 * blocks // players))
            return score_of(packed, new_states(rules), players, mine, theirs, decks)

        return np.array(list(self._pool.map(at, range(len(TABLES)))))

    def worth(self, row: Array, rivals: list[Array], seed: int, blocks: int) -> float:
        """How well a row does against rivals: losses saved, as a share of a fair seat's."""
        shares = np.array([weight for _, _, weight in TABLES])
        players = np.array([players for _, players, _ in TABLES])
        saved = sum(1 - (1 - self.scores(row, r, seed, blocks)) * players for r in rivals)
        return float(np.sum(saved * shares) / (shares.sum() * len(rivals)))


def change(row: Array, generator: np.random.Generator) -> Array:
    """A row with a few weights changed; what a kind costs is sometimes changed as a whole."""
    new = row.copy()
    size = 0.4 * generator.exponential()
    chosen = generator.random(LENGTH) < generator.choice((0.01, 0.03, 0.1))
    new[chosen] += size * generator.standard_normal(int(chosen.sum()))
    if generator.random() < 0.3:
        kind = int(generator.integers(KINDS))
        new[SPEND + kind : SPEND + 3 * KINDS : KINDS] += size * generator.standard_normal()
    if generator.random() < 0.3:
        new[PICK : PICK + 4] += 2 * size * generator.standard_normal()
    return new


def learn(row: Array, seconds: float, seed: int, threads: int = 2, blocks: int = 400) -> Array:
    """Tries changes for so long, and returns the row that is left."""
    generator = np.random.default_rng(seed)
    trainer = Trainer(threads)
    rivals = [GREEDY, row]
    began = time.monotonic()
    tried = kept = 0
    while time.monotonic() - began < seconds:
        tried += 1
        new = change(row, generator)
        for more in (1, 4):
            decks = int(generator.integers(2**31))
            gain = trainer.worth(new, rivals, decks, more * blocks) - trainer.worth(
                row, rivals, decks, more * blocks
            )
            if gain < 0.004:
                break
        else:
            row, kept = new, kept + 1
            if kept % 5 == 0:
                rivals = [GREEDY, row]
        if tried % 50 == 0:
            told = np.round(trainer.scores(row, GREEDY, 1, 2000), 3).tolist()
            print(f"{time.monotonic() - began:.0f} s: {kept} of {tried} kept; greedy {told}")
    return row


def main() -> None:
    """Improve a row and keep it in its file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", help="where the row is kept")
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    try:
        row = np.loadtxt(chosen.file)
    except OSError:
        row = greedy_weights()
    np.savetxt(chosen.file, learn(row, chosen.seconds, chosen.seed), fmt="%.4f")


if __name__ == "__main__":
    main()
