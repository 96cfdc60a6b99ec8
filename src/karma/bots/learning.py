"""Finds the weights of the rules of thumb: a bot that looks ahead plays, and they learn from it.

``python -m karma.bots.learning collect choices.npz`` lets the bot play and writes down what each of
its moves looked like and how much it liked each; ``… fit choices.npz row.txt`` finds the row of
weights under which its choices are likeliest.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from typing import Any

import numpy as np

from karma.bots.policies import PolicyBot
from karma.bots.rules_of_thumb import LENGTH, best_by, greedy_weights
from karma.bots.tree import TreeBot
from karma.core import determinize, prepare
from karma.core.kernel import entry
from karma.core.layout import MOVES
from karma.editions import ALTERNATIVE, CLASSIC, MINI, ONLINE, Rules
from karma.game import Game
from karma.packing import new_states
from karma.view import View

Array = Any
TABLES: tuple[tuple[Rules, int], ...] = (
    *((CLASSIC, 2),) * 4,
    *((MINI, 2),) * 2,
    (CLASSIC, 4),
    (MINI, 4),
    (ALTERNATIVE, 4),
    (ONLINE, 2),
    (CLASSIC, 6),
)
ROLLOUTS = 1000


@entry
def look_at_moves(rules: Array, views: Array, states: Array, rng: Array, table: Array) -> None:
    """Writes down, for each move, how much of each weight goes into what it is worth."""
    pool = np.zeros(200, np.int64)
    view = views[0]
    length = prepare(rules[0], view, states[0], pool)
    determinize(view, states[0], pool, length, rng)
    weights = np.zeros(LENGTH)
    worths = np.zeros(MOVES)
    for i in range(LENGTH):
        weights[i] = 1.0
        worths[:] = 0.0
        best_by(weights, rules[0], states[0], view.plays, view.others, worths)
        for move in range(MOVES):
            table[move, i] = worths[move]
        weights[i] = 0.0


def look(view: View) -> Array:
    """A row of features for each legal move of a view."""
    table = np.zeros((MOVES, LENGTH), np.float32)
    rng = np.ones(1, np.int64)
    look_at_moves(view.packed_rules, view.record, new_states(view.rules), rng, table)
    return table[[move.number for move in view.legal]]


def choices(seed: int) -> Iterator[tuple[Array, Array]]:
    """What the teacher saw and how it shared its visits, decision by decision, for ever."""
    generator = np.random.default_rng(seed)
    while True:
        rules, players = TABLES[generator.integers(len(TABLES))]
        game = Game(
            rules.replace(stall_limit=40 * players), players, seed=int(generator.integers(2**31))
        )
        bots = [PolicyBot("steady") if generator.random() < 0.25 else None for _ in range(players)]
        while game.actor is not None:
            view = game.view(game.actor)
            bot = bots[game.actor]
            if bot is not None or len(view.legal) == 1:
                game.push((bot or PolicyBot("greedy")).choose(view))
                continue
            teacher = TreeBot("teacher", seed=int(generator.integers(2**31)), rollouts=ROLLOUTS)
            visits = teacher.visits(view)[[move.number for move in view.legal]]
            yield look(view), visits / visits.sum()
            game.push(view.legal[int(np.argmax(visits))])


def collect(path: str, seconds: float, seed: int) -> None:
    """Watches the teacher for so long, and writes what it did down."""
    features, shares, sizes = [], [], []
    began = time.monotonic()
    for table, share in choices(seed):
        features.append(table)
        shares.append(share.astype(np.float32))
        sizes.append(len(share))
        if len(sizes) % 2000 == 0:
            print(f"{len(sizes):,} choices, {time.monotonic() - began:.0f} s", flush=True)
        if time.monotonic() - began > seconds:
            break
    np.savez_compressed(
        path, features=np.concatenate(features), shares=np.concatenate(shares), sizes=sizes
    )


def fit(path: str, steps: int = 600, held_out: int = 10, decay: float = 1e-4) -> Array:
    """The row of weights under which the choices are likeliest (softmax, Adam)."""
    data = np.load(path)
    features, shares, sizes = data["features"], data["shares"], data["sizes"]
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    owner = np.repeat(np.arange(len(sizes)), sizes)
    learn = (owner % held_out != 0).astype(np.float32)
    row = greedy_weights().astype(np.float32)
    first, second = np.zeros_like(row), np.zeros_like(row)

    def chances(row: Array) -> Array:
        worth = features @ row
        worth -= np.maximum.reduceat(worth, starts)[owner]
        grown = np.exp(worth)
        return grown / np.add.reduceat(grown, starts)[owner]

    for step in range(1, steps + 1):
        slope = features.T @ ((chances(row) - shares) * learn) / learn.sum() + decay * row
        first = 0.9 * first + 0.1 * slope
        second = 0.999 * second + 0.001 * slope**2
        row -= 0.05 * first / (1 - 0.9**step) / (np.sqrt(second / (1 - 0.999**step)) + 1e-9)
        if step % 100 == 0:
            chance = chances(row)
            loss = -np.sum(shares * np.log(chance + 1e-9) * (1 - learn)) / np.sum(
                np.arange(len(sizes)) % held_out == 0
            )
            print(f"step {step}: {loss:.4f} nats a choice on choices not learned from", flush=True)
    return row


def main() -> None:
    """Collect choices, or fit weights to them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("collect", "fit"))
    parser.add_argument("choices")
    parser.add_argument("row", nargs="?")
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    if chosen.what == "collect":
        collect(chosen.choices, chosen.seconds, chosen.seed)
    else:
        np.savetxt(chosen.row, fit(chosen.choices), fmt="%.3f")


if __name__ == "__main__":
    main()
