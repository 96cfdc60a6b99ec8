"""Are the networks honest about their chances at each table? ``python -m workshop.chances``.

A network's chance not to lose is fitted to its own games at all of its tables at once. Here that of
the network which plays at a printed table is looked at in games there that no fit has seen. Where
it is off by more than a point and a half, a head of its own is fitted to the table, and kept if
that is nearer to what happens; `src/karma/bots/nets/chances.json` has these. With words, only
tables that have them all are looked at.
"""

from __future__ import annotations

import sys
from typing import Any

import msgspec
import numpy as np

from karma.bots.choice import FOLDER, Chances, chances, load_net, network_for, with_keeps
from karma.bots.network import KEEPS, Weights
from karma.bots.strength import Setting
from karma.editions import EDITIONS
from karma.train.calibration import calibrate, forward, own_games
from karma.train.config import TrainingTable
from workshop.pictures import UNSEEN

FILE = FOLDER / "chances.json"
DECISIONS = 400_000
BINS = 20
MAY_DIFFER = 1.5  # points, on the average


def gap(said: Any, happened: Any) -> float:
    """Points, of a hundred, between what was said and what happened, on the average over bins."""
    bins = np.minimum(BINS - 1, (said * BINS).astype(int))
    counts = np.bincount(bins, minlength=BINS)
    sums = [np.bincount(bins, values, BINS) for values in (said, happened)]
    return float(100 * np.abs(sums[0] - sums[1]).sum() / counts.sum())


def look(weights: Weights, words: Any, kept: Any) -> float:
    """How far off a network's chances are."""
    return gap(1 / (1 + np.exp(-forward(weights, words)[:, KEEPS])), kept)


def fitted(name: str, place: Setting) -> Chances | None:
    """A head for a table of its own, if the network's is off there and its own is nearer."""
    table = TrainingTable(place.edition, place.players)
    weights = load_net(name)
    words, samples = own_games(table, weights, DECISIONS, UNSEEN)
    before = look(weights, words, samples["keeps"])
    told = f"{name}, {table}: off by {before:.2f} points"
    if before <= MAY_DIFFER:
        print(told, flush=True)
        return None
    own = calibrate([table], weights, DECISIONS)
    keeps = tuple(round(float(x), 4) for x in (*own.heads[KEEPS], own.heads_bias[KEEPS]))
    after = look(with_keeps(weights, keeps), words, samples["keeps"])
    print(f"{told}, {after:.2f} with a head of its own", flush=True)
    return Chances(name, place, keeps) if after < before else None


def main() -> None:
    """Look at every printed table, and write the heads of their own."""
    for edition, rules in EDITIONS.items():
        for players in range(2, rules.most_players + 1):
            place, name = Setting(edition, players), network_for(rules, players)
            if not all(word in f"{name} {edition} {players}" for word in sys.argv[1:]):
                continue
            others = [own for own in chances() if own.place != place]
            own = fitted(name, place)
            rows = others if own is None else [*others, own]
            lines = [msgspec.json.encode(row).decode() for row in rows]
            FILE.write_text("[\n" + ",\n".join(lines) + "\n]\n")
            chances.cache_clear()


if __name__ == "__main__":
    main()
