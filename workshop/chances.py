"""Are the networks honest about their chances at each table? ``python -m workshop.chances``.

A network's chance not to lose is fitted to its own games at all of its tables at once. Here it is
looked at table by table, in games that no fit has seen. Where it is off by more than a point and a
half, a head of its own is fitted to the table, and kept if that is nearer to what happens;
`src/karma/bots/nets/chances.json` has these. With words, only tables that have them all are looked
at.
"""

from __future__ import annotations

import sys
from typing import Any

import msgspec
import numpy as np

from karma.bots.choice import FOLDER, Chances, Setting, chances, load_net, with_keeps
from karma.bots.network import KEEPS, Weights
from karma.train.calibration import calibrate, forward, own_games
from karma.train.config import TrainingTable
from workshop.facts import GENERAL_NETS, NETWORKS, places_of
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
    """Look at every table of every special network, and write the heads of their own."""
    for name in NETWORKS:
        for place in places_of(name):
            if not all(word in f"{name} {place}" for word in sys.argv[1:]) or name in GENERAL_NETS:
                continue
            others = [own for own in chances() if (own.network, own.place) != (name, place)]
            own = fitted(name, place)
            lines = [
                msgspec.json.encode(row).decode() for row in (*others, *([own] if own else []))
            ]
            FILE.write_text("[\n" + ",\n".join(lines) + "\n]\n")
            chances.cache_clear()


if __name__ == "__main__":
    main()
