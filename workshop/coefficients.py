"""Learns how much of a result's luck is to be taken out, table by table, and writes it down.

``python -m workshop.coefficients 100`` plays so many games at each printed table, greedy and steady
in turn around it, and writes `src/karma/review/coefficients.json`.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np

from karma.editions import EDITIONS, Rules
from karma.review.coefficient import learn
from karma.review.reviewer import account
from karma.simulation.lineup import Lineup

FILE = Path(__file__).parent.parent / "src" / "karma" / "review" / "coefficients.json"
SEED = 4242


def tables() -> list[tuple[str, Rules, int]]:
    """Every printed edition with every number of players."""
    return [
        (f"{name} {players}", rules.for_table(players), players)
        for name, rules in EDITIONS.items()
        for players in range(2, rules.most_players + 1)
    ]


def measure(rules: Rules, players: int, games: int) -> float:
    """The share for a table, from games of its own."""
    bots = tuple(("greedy", "steady")[seat % 2] for seat in range(players))
    played = Lineup(rules, bots, SEED).play(range(games), record=True)
    results, luck = [], []
    for record in played.records:
        found = account(record)
        if found.result is not None:
            for seat in range(players):
                results.append(found.result[seat])
                luck.append(sum(found.luck(seat).values()))
    return round(max(0.0, min(1.0, learn(np.array(results), np.array(luck)))), 3)


def main() -> None:
    """Measure every table and write the file."""
    games = int(sys.argv[1])
    found = {}
    for name, rules, players in tables():
        found[name] = measure(rules, players, games)
        print(name, found[name], flush=True)
    origin = f"greedy and steady in turn around the table, {games} games each, seed {SEED}"
    FILE.write_text(json.dumps({"origin": origin, "tables": found}, indent=1) + "\n")


if __name__ == "__main__":
    main()
