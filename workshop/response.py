"""How far can a network, and master by it, be exploited? ``python -m workshop.response docs DIR``.

A best response is a network that learned against one other alone (``karma train
training/response-mini-2``). Here it meets that one on decks of no training; and then master, who
searches by that one, while the response is searched by in just the same way. How many games was
fixed before any was played. Blocks are kept in DIR, and Ctrl-C loses nothing; what came of
them is written to `docs/strength/response/`, which `workshop.strength` tells of.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np

from karma.arena.blocks import Pairing
from karma.arena.results import ArenaResults
from karma.arena.runner import run
from karma.arena.statistics import Z, row
from karma.bots.choice import FOLDER, load_net
from karma.train.config import load
from karma.train.trial import measure
from workshop import strength
from workshop.response_bot import RUNS, response

RESPONSES = ("response-mini-2", "response-classic-2")
CANDIDATE, BASELINE = "./workshop/response_bot.py:Response", "master"
SEED = 2**43 + 2029  # of decks that no training and no test has
ALONE, SEARCHING = 5000, 100  # blocks


def decisions(name: str) -> int:
    """From how many decisions a response has learned."""
    with np.load(RUNS / name / "checkpoint.npz") as arrays:
        return int(arrays["counts"][1])


def champion_decisions(network: str) -> int:
    """From how many decisions the network had learned that a response met."""
    about = json.loads((FOLDER / f"{network}.json").read_bytes())
    return int(about["result"]["samples"])


def prove(name: str, folder: Path, workers: int | None) -> dict[str, Any] | None:
    """What a response has against the network and against master; None if Ctrl-C ended it early."""
    config = load(RUNS / name / "config.toml")
    (table,) = config.tables
    alone = measure(table, response(name), load_net(config.response_to), ALONE, SEED)
    learned, champion = decisions(name), champion_decisions(config.response_to)
    kept = ArenaResults(folder / f"{name}-{learned}-{champion}.jsonl")
    pairing = Pairing(CANDIDATE, BASELINE, table.rules, table.players, SEED)
    if not run([pairing], SEARCHING, kept, workers=workers):
        return None
    return {
        "network": config.response_to,
        "edition": table.edition,
        "players": table.players,
        "decisions": learned,
        "champion_decisions": champion,
        "seed": SEED,
        "alone": {"games": ALONE * table.players, "score": alone.share, "error": Z * alone.error},
        "searching": row(pairing, kept.of(pairing)),
    }


def main(docs: str, folder: str, workers: str = "0", *names: str) -> None:
    """Play what is missing of all responses, or of those that are named, and write what came."""
    Path(folder).mkdir(parents=True, exist_ok=True)
    for name in names or RESPONSES:
        told = prove(name, Path(folder), int(workers) or None)
        if told is None:
            sys.exit("not finished; the next run goes on from here")
        path = Path(docs) / "strength" / "response" / f"{name}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")
        strength.main(docs)


if __name__ == "__main__":
    main(*sys.argv[1:])
