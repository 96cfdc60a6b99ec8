"""Do games between masters end? ``python -m workshop.endings docs FOLDER``.

Two masters at every printed table for two, and at the tables of house rules for two that
`workshop.house` draws: how many games went round until they were stopped. How many games was fixed
before any was played. Blocks are kept in FOLDER, and Ctrl-C loses nothing; what came of finished
tables is written to `docs/strength/endings/`, which `workshop.strength` tells of.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from karma.arena.blocks import Pairing
from karma.arena.results import ArenaResults
from karma.bots.registry import describe
from karma.editions import EDITIONS
from workshop import strength
from workshop.house import HOUSE, finish

BOT = "master"
SEED = 7507
BLOCKS = 50  # at a printed table, of two games each
PLAYERS = 2


def places() -> dict[str, list[Pairing]]:
    """Where it is played: each printed edition for two, and all tables of house rules together."""
    printed = {
        name: [Pairing(BOT, BOT, rules.for_table(PLAYERS), PLAYERS, SEED)]
        for name, rules in EDITIONS.items()
    }
    drawn = [
        Pairing(BOT, BOT, table.rules, PLAYERS, SEED)
        for tables in HOUSE
        if tables.crowd.most == PLAYERS
        for table in tables.pairings()
    ]
    return {**printed, "house rules": drawn}


def blocks_for(pairings: Sequence[Pairing]) -> int:
    """How many each of them is played: a block where there are many."""
    return BLOCKS if len(pairings) == 1 else 1


def count(pairings: Sequence[Pairing], kept: ArenaResults) -> dict[str, int] | None:
    """Games and those that did not end, once all are played."""
    number = blocks_for(pairings)
    if any(kept.missing(pairing, number) for pairing in pairings):
        return None
    blocks = [block for pairing in pairings for block in kept.of(pairing)[:number]]
    stalled = sum(block.stalled + block.unfinished for block in blocks)
    return {"tables": len(pairings), "games": PLAYERS * len(blocks), "stalled": stalled}


def tell(kept: ArenaResults, docs: Path) -> None:
    """Writes what is known; what was not played anew stays."""
    path = docs / "strength" / "endings" / f"{BOT}.json"
    rows: dict[str, Any] = json.loads(path.read_text())["rows"] if path.exists() else {}
    for name, pairings in places().items():
        if (row := count(pairings, kept)) is not None:
            rows[name] = row
    told = {"seed": SEED, "bots": {BOT: describe(BOT)}, "rows": rows}
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")


def main(docs: str, folder: str, *names: str) -> None:
    """Play what is missing, everywhere or where it is named, and write down what came of it."""
    Path(folder).mkdir(parents=True, exist_ok=True)
    kept = ArenaResults(Path(folder) / "endings.jsonl")
    everywhere = places()
    if unknown := [name for name in names if name not in everywhere]:
        sys.exit(f"nothing is played at {unknown[0]!r}; there are {', '.join(everywhere)}")
    for name in names or everywhere:
        finish(everywhere[name], blocks_for(everywhere[name]), kept)
        tell(kept, Path(docs))
        strength.main(docs)


if __name__ == "__main__":
    main(*sys.argv[1:])
