"""The fixed battery of `docs/strength.md`: ``python -m workshop.battery docs FOLDER``.

Who plays whom, where and how often does not depend on the scores. The blocks are kept in FOLDER,
in results files as `karma arena` writes them; what they prove is written to `docs/strength/`.
Ctrl-C loses nothing: the next run goes on from there. Unfinished rows are left out of the page.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from itertools import combinations, pairwise
from pathlib import Path
from typing import NamedTuple

from karma.arena.account import account
from karma.arena.blocks import Pairing
from karma.arena.results import ArenaResults
from karma.arena.runner import new_pool, run
from karma.bots.registry import find
from karma.editions import edition
from karma.simulation import cores
from workshop import strength

SEED = 2026
MANY = 10_000  # games of the quick bots
QUICK = ("steady", "greedy", "casual", "beginner", "random")
WITH_PEERS = (*QUICK[:-1], "taker", "cheapest", QUICK[-1])


class Setting(NamedTuple):
    """An edition and how many play it."""

    edition: str
    players: int

    @property
    def name(self) -> str:
        return f"{self.edition}-{self.players}"


class Match(NamedTuple):
    """Two bots at a table, and how many games they play."""

    setting: Setting
    candidate: str
    baseline: str
    games: int

    @property
    def pairing(self) -> Pairing:
        """What an arena plays: with its usual stall limit."""
        players = self.setting.players
        rules = edition(self.setting.edition).for_table(players)
        return Pairing(self.candidate, self.baseline, rules, players, SEED)

    @property
    def blocks(self) -> int:
        return -(-self.games // self.setting.players)


CLASSIC, MINI = Setting("classic", 2), Setting("mini", 2)
TABLE = Setting("classic", 4)
OTHERS = (
    TABLE,
    Setting("classic", 6),
    Setting("mini", 4),
    Setting("alternative", 4),
    Setting("online", 2),
)
#: Where steady is so little better than greedy that it takes more games to see.
MORE = {Setting("classic", 6): 60_000, Setting("mini", 4): 100_000, Setting("online", 2): 20_000}
#: The bots that search; the claims come first.
SEARCHES = (
    Match(TABLE, "expert", "greedy", 400),
    Match(CLASSIC, "expert", "greedy", 140),
    Match(CLASSIC, "expert:rollouts=1000", "flat:rollouts=1000", 80),
    Match(MINI, "careful", "steady", 600),
    Match(MINI, "careful", "greedy", 600),
    Match(CLASSIC, "careful", "steady", 200),
    Match(CLASSIC, "careful", "greedy", 200),
    Match(MINI, "sharp", "careful", 200),
    Match(MINI, "sharp", "greedy", 200),
    Match(CLASSIC, "sharp", "careful", 60),
    Match(CLASSIC, "sharp", "greedy", 80),
    Match(MINI, "expert", "sharp", 100),
    Match(MINI, "expert", "greedy", 100),
    Match(CLASSIC, "endgame", "greedy", 100),
    Match(CLASSIC, "flat", "greedy", 40),
    Match(CLASSIC, "net", "greedy", 200),
    Match(MINI, "net", "greedy", 600),
    Match(CLASSIC, "net", "sharp", 60),
    Match(MINI, "net", "sharp", 200),
    Match(TABLE, "master", "expert", 40),
    Match(CLASSIC, "expert", "sharp", 40),
    *(Match(other, "careful", "steady", 1000) for other in OTHERS),
    *(Match(other, "sharp", "careful", 100) for other in OTHERS),
    *(Match(other, "careful", "greedy", 1000) for other in OTHERS),
    Match(MINI, "master", "expert", 200),
    Match(CLASSIC, "master", "expert", 40),
    *(Match(other, "sharp", "greedy", 100) for other in OTHERS),
    *(Match(other, "expert", "sharp", 40) for other in OTHERS),
    *(Match(other, "expert", "greedy", 40) for other in OTHERS if other != TABLE),
)


def quick_matches() -> Iterator[Match]:
    """The quick bots: all against all for two, elsewhere with their neighbours and with greedy."""
    for setting in (CLASSIC, MINI):
        for a, b in combinations(WITH_PEERS if setting == CLASSIC else QUICK, 2):
            # Only a candidate's time is taken: this way each bot is one at least once.
            yield Match(setting, *((b, a) if (a, b) == ("taker", "random") else (a, b)), MANY)
    for setting in OTHERS:
        pairs = [*pairwise(QUICK), *((bot, "greedy") for bot in QUICK[2:])]
        for a, b in dict.fromkeys(pairs):
            many = MORE.get(setting, MANY) if a == QUICK[0] else MANY
            yield Match(setting, a, b, many)


BATTERY = (*quick_matches(), *SEARCHES)


def play(stored: dict[Setting, ArenaResults], workers: int) -> bool:
    """Plays what is missing; returns False if Ctrl-C ended it early."""
    pool = new_pool(compiled=False, number=workers)
    for match in BATTERY:
        kept = stored[match.setting]
        if not kept.missing(match.pairing, match.blocks):
            continue
        if not run([match.pairing], match.blocks, kept, workers=workers, executor=pool):
            return False
        score = account([match.pairing], kept)["rows"][0]["score"]
        told = f"{match.candidate} – {match.baseline}: {100 * score:.1f} %"
        print(f"{match.setting.name}: {told}", flush=True)
    pool.shutdown()
    return True


def tell(stored: dict[Setting, ArenaResults], docs: Path) -> None:
    """Writes what the finished rows of each setting prove, and the page."""
    for setting, kept in stored.items():
        matches = [match for match in BATTERY if match.setting == setting]
        done = [match.pairing for match in matches if not kept.missing(match.pairing, match.blocks)]
        if done:
            done.sort(key=lambda pairing: (_place(pairing.candidate), _place(pairing.baseline)))
            text = json.dumps(account(done, kept), ensure_ascii=False, indent=1) + "\n"
            (docs / "strength" / f"{setting.name}.json").write_text(text, encoding="utf-8")
    strength.main(str(docs))


def _place(bot: str) -> tuple[int, str]:
    """Where a bot stands on the page: the ladder from the top, then everybody else."""
    level = find(bot.partition(":")[0]).level
    return (-1 if level is None else level) * -1, bot


def main(docs: str, folder: str, workers: str = "0") -> None:
    """Play, and write down what came of it."""
    Path(folder).mkdir(parents=True, exist_ok=True)
    stored = {s: ArenaResults(Path(folder) / f"{s.name}.jsonl") for s in (CLASSIC, MINI, *OTHERS)}
    finished = play(stored, int(workers) or cores())
    tell(stored, Path(docs))
    if not finished:
        sys.exit("not finished; the next run goes on from here")


if __name__ == "__main__":
    main(*sys.argv[1:])
