"""Master among experts at tables that nobody chose: ``python -m workshop.house docs FOLDER``.

House rules and players are drawn at random, a mirrored block at each table; where chance has drawn
a printed edition, nothing is played: these have the battery. Their seed is of no training. How many
was fixed before any was played by the network that plays there now. The blocks are kept in FOLDER,
and Ctrl-C loses nothing; what finished crowds of tables prove is written to
`docs/strength/house/`, which `workshop.strength` tells of.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from karma.arena.blocks import Pairing
from karma.arena.results import ArenaResults
from karma.arena.runner import run
from karma.arena.statistics import Z
from karma.bots.chance import words
from karma.bots.registry import describe
from karma.bots.strength import Crowd
from karma.editions import Rules
from karma.train.house import draw_table
from workshop import strength

CANDIDATE, BASELINE = "master", "expert"
SEED = 2027


class Tables(NamedTuple):
    """So many tables for some numbers of players."""

    crowd: Crowd
    number: int

    def pairings(self) -> list[Pairing]:
        """The games: the seed, the table's number and who may sit there draw the rules.

        Tables that are alike are one, with one deck.
        """
        drawn = dict.fromkeys(self._pairing(number) for number in range(self.number))
        return [pairing for pairing in drawn if not is_printed(pairing.rules)]

    def _pairing(self, number: int) -> Pairing:
        chance = np.random.default_rng(words(SEED, self.crowd.fewest, number))
        while True:
            table = draw_table(chance)
            if self.crowd.fits(table.rules, table.players):
                return Pairing(CANDIDATE, BASELINE, table.rules, table.players, SEED)


def is_printed(rules: Rules) -> bool:
    """Is an edition as it is, but for the limit on quiet turns?"""
    return rules.overrides.keys() <= {"stall_limit"}


HOUSE = (Tables(Crowd(2, 2), 140), Tables(Crowd(3, 6), 120), Tables(Crowd(7, 12), 20))


def prove(tables: Tables, kept: ArenaResults) -> dict[str, Any] | None:
    """What a crowd of tables says, once all of it is played: points above the even share."""
    pairings = tables.pairings()
    if any(kept.missing(pairing, 1) for pairing in pairings):
        return None
    blocks = [kept.of(pairing)[0] for pairing in pairings]
    seats = [pairing.players for pairing in pairings]
    gains = [block.score - (1 - 1 / n) for block, n in zip(blocks, seats, strict=True)]
    games = sum(seats)
    return {
        "fewest": tables.crowd.fewest,
        "most": tables.crowd.most,
        "tables": len(blocks),
        "games": games,
        "gain": float(np.mean(gains)),
        "error": float(Z * np.std(gains, ddof=1) / len(gains) ** 0.5),
        "stalled": sum(block.stalled + block.unfinished for block in blocks) / games,
        "milliseconds": 1000
        * sum(block.seconds for block in blocks)
        / sum(block.moves for block in blocks),
    }


def tell(kept: ArenaResults, docs: Path) -> None:
    """Writes what the finished crowds prove; of the others stays what these versions proved."""
    path = docs / "strength" / "house" / f"{CANDIDATE}-{BASELINE}.json"
    bots = {bot: describe(bot) for bot in (CANDIDATE, BASELINE)}
    before = json.loads(path.read_bytes()) if path.exists() else {}
    standing = before["rows"] if before.get("bots") == bots else []
    told_of = {(row["fewest"], row["most"]): row for row in standing}
    rows = [
        prove(tables, kept) or told_of.get((tables.crowd.fewest, tables.crowd.most))
        for tables in HOUSE
    ]
    told = {"seed": SEED, "bots": bots, "rows": [row for row in rows if row is not None]}
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")


def finish(
    pairings: Sequence[Pairing], blocks: int, kept: ArenaResults, workers: int | None = None
) -> None:
    """Plays what is missing; Ctrl-C ends the program, and what was played is kept."""
    if not run(pairings, blocks, kept, workers=workers):
        sys.exit("not finished; the next run goes on from here")


def main(docs: str, folder: str, workers: str = "0", *fewest: str) -> None:
    """Play what is missing, and write what came of it; named by their fewest players, of these."""
    Path(folder).mkdir(parents=True, exist_ok=True)
    kept = ArenaResults(Path(folder) / "house.jsonl")
    for tables in HOUSE:
        if fewest and str(tables.crowd.fewest) not in fewest:
            continue
        finish(tables.pairings(), 1, kept, int(workers) or None)
        tell(kept, Path(docs))
        strength.main(docs)


if __name__ == "__main__":
    main(*sys.argv[1:])
