"""Do games between masters end? ``python -m workshop.endings docs FOLDER``.

Masters in all seats of every printed table, and of the tables of house rules that `workshop.house`
draws: how many games went round until they were stopped. How many games was fixed before any was
played. Blocks are kept in FOLDER, and Ctrl-C loses nothing; what came of finished tables is written
to `docs/strength/endings/`, which `workshop.strength` tells of.
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
from karma.bots.strength import Crowd
from karma.editions import edition
from workshop import strength
from workshop.battery import EVERY
from workshop.house import HOUSE, finish

BOT = "master"
SEED = 7507
GAMES = (100, 50)  # at a printed table for two players, and at least as many at one for more


def places() -> dict[str, list[Pairing]]:
    """Where it is played: each printed table, and all house rules for a crowd together."""
    printed = {
        f"{name} {players}": [Pairing(BOT, BOT, edition(name).for_table(players), players, SEED)]
        for name, players in EVERY
    }
    drawn = {
        f"house rules {_told(tables.crowd)}": [
            Pairing(BOT, BOT, table.rules, table.players, SEED) for table in tables.pairings()
        ]
        for tables in HOUSE
    }
    return printed | drawn


def _told(crowd: Crowd) -> str:
    return str(crowd.fewest) if crowd.fewest == crowd.most else f"{crowd.fewest}-{crowd.most}"


def blocks_for(pairings: Sequence[Pairing]) -> int:
    """How many each of them is played: one where there are many."""
    if len(pairings) > 1:
        return 1
    (table,) = pairings
    return -(-GAMES[table.players > 2] // table.players)


def count(pairings: Sequence[Pairing], kept: ArenaResults) -> dict[str, int] | None:
    """Games and those that did not end, once all are played."""
    number = blocks_for(pairings)
    if any(kept.missing(pairing, number) for pairing in pairings):
        return None
    blocks = [block for pairing in pairings for block in kept.of(pairing)[:number]]
    games = number * sum(pairing.players for pairing in pairings)
    stalled = sum(block.stalled + block.unfinished for block in blocks)
    return {"tables": len(pairings), "games": games, "stalled": stalled}


def tell(kept: ArenaResults, docs: Path) -> None:
    """Writes what is known; what was not played anew stays, if this version played it."""
    path = docs / "strength" / "endings" / f"{BOT}.json"
    bots = {BOT: describe(BOT)}
    before = json.loads(path.read_text()) if path.exists() else {}
    rows: dict[str, Any] = before["rows"] if before.get("bots") == bots else {}
    known = {name: count(pairings, kept) or rows.get(name) for name, pairings in places().items()}
    rows = {name: row for name, row in known.items() if row is not None}
    told = {"seed": SEED, "bots": bots, "rows": rows}
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
