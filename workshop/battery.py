"""The fixed battery of `docs/strength.md`: ``python -m workshop.battery docs FOLDER``.

Who plays whom, where and how often does not depend on the scores. The blocks are kept in FOLDER,
in results files as `karma arena` writes them; what they prove is written to `docs/strength/`. Rows
that stand there are not played again, unless one of their bots is another version by now; until
then they stand for the version that played them. Ctrl-C loses nothing: the next run goes on from
there. Unfinished rows are left out of the page.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any, NamedTuple

from karma.arena.account import account
from karma.arena.blocks import Pairing
from karma.arena.results import ArenaResults
from karma.arena.runner import new_pool, run
from karma.arena.statistics import fit
from karma.bots.choice import NET, player_for
from karma.bots.registry import describe, find
from karma.editions import EDITIONS, edition
from karma.simulation import cores
from workshop import strength

Row = dict[str, Any]
SEED = 2026
MANY = 10_000  # games of the quick bots
MORE = 40_000  # of steady and greedy, which are close
FEW = 200  # of bots that search, luck taken out
LONG = 600  # the same, where so few had not told two levels apart
SOME = 400  # of those that search a little: to take their luck out costs more than to play on
QUICK = ("steady", "greedy", "regular", "casual", "beginner", "random")
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
    luck: bool = False  # is it taken out of the score?

    @property
    def pairing(self) -> Pairing:
        """What an arena plays: with its usual stall limit."""
        players = self.setting.players
        rules = edition(self.setting.edition).for_table(players)
        return Pairing(self.candidate, self.baseline, rules, players, SEED, luck=self.luck)

    @property
    def blocks(self) -> int:
        return -(-self.games // self.setting.players)


CLASSIC, MINI, TABLE = Setting("classic", 2), Setting("mini", 2), Setting("classic", 4)
#: Every printed edition, and as many players as it seats.
EVERY = tuple(
    Setting(name, players)
    for name in ("mini", "online", "classic", "alternative")
    for players in range(2, EDITIONS[name].most_players + 1)
)
#: Where the move that a network likes best meets a search, alone or three and five of them.
BY_NET = (
    CLASSIC,
    MINI,
    TABLE,
    *(Setting(*t) for t in (("mini", 4), ("classic", 6), ("alternative", 4))),
)


def _net_plays(setting: Setting) -> bool:
    """Does `net` play at a table by a network, and not as expert?"""
    rules = EDITIONS[setting.edition].for_table(setting.players)
    return player_for(NET, rules, setting.players) is not None


TURNS = (100, 300, 3000)  # of master, beside its usual thousand: what time buys
#: Beside the ladder: what stands against greedy, and against the other ways to play.
YARDSTICKS = (
    Match(TABLE, "expert", "greedy", 400),
    Match(CLASSIC, "expert", "greedy", 140),
    Match(CLASSIC, "expert:rollouts=1000", "flat:rollouts=1000", 80),
    Match(CLASSIC, "careful", "greedy", 200),
    Match(MINI, "careful", "greedy", 600),
    Match(CLASSIC, "sharp", "greedy", 80),
    Match(MINI, "sharp", "greedy", 200),
    Match(MINI, "expert", "greedy", 100),
    Match(CLASSIC, "endgame", "greedy", 100),
    Match(CLASSIC, "flat", "greedy", 40),
    Match(CLASSIC, "net", "greedy", 200),
    Match(MINI, "net", "greedy", 600),
    *(Match(setting, "net", "sharp", 200) for setting in BY_NET),
    *(Match(setting, "net", "expert", FEW) for setting in EVERY if _net_plays(setting)),
    *(Match(MINI, f"master:turns={turns}", "expert", FEW, luck=True) for turns in TURNS),
)


def quick_matches() -> Iterator[Match]:
    """The quick bots: all against all for two, elsewhere with their neighbours and with greedy."""
    for setting in EVERY:
        pairs = [*pairwise(QUICK), *((bot, "greedy") for bot in QUICK[2:])]
        if setting in (CLASSIC, MINI):
            pairs = list(combinations(WITH_PEERS if setting == CLASSIC else QUICK, 2))
        for a, b in dict.fromkeys(pairs):
            games = MORE if (a, b) == ("steady", "greedy") else MANY
            # Only a candidate's time is taken: this way each bot is one at least once.
            yield Match(setting, *((b, a) if (a, b) == ("taker", "random") else (a, b)), games)


def searching_matches() -> Iterator[Match]:
    """Neighbours of the ladder that search: the quick rows first, then the claim, then the rest."""
    for a, b in (("careful", "steady"), ("sharp", "careful")):
        yield from (Match(setting, a, b, SOME) for setting in EVERY)
    for a, b in (("master", "expert"), ("expert", "sharp")):
        for setting in EVERY:
            games = LONG if (setting, a) == (Setting("mini", 4), "expert") else FEW
            yield Match(setting, a, b, games, luck=True)


BATTERY = (*quick_matches(), *searching_matches(), *YARDSTICKS)


def standing(setting: Setting, docs: Path) -> Row:
    """The page's rows, and who played them: `master@4` if that is not what `master` is by now."""
    path = docs / "strength" / f"{setting.name}.json"
    if not path.exists():
        return {"rows": [], "bots": {}}
    told = json.loads(path.read_text(encoding="utf-8"))
    now = {bot: _name_now(bot, values) for bot, values in told["bots"].items()}
    return {
        "rows": [
            row | {"candidate": now[row["candidate"]], "baseline": now[row["baseline"]]}
            for row in told["rows"]
        ],
        "bots": {now[bot]: values for bot, values in told["bots"].items()},
    }


def _name_now(bot: str, values: dict[str, Any]) -> str:
    if "@" in bot or values == describe(bot):
        return bot
    name, colon, options = bot.partition(":")
    return f"{name}@{values['version']}{colon}{options}"


def is_played(match: Match, rows: list[Row]) -> bool:
    """Does a row have all that a match asks for?"""
    return any(
        (row["candidate"], row["baseline"]) == (match.candidate, match.baseline)
        and row["games"] >= match.games
        for row in rows
    )


def play(stored: dict[Setting, ArenaResults], docs: Path, workers: int) -> bool:
    """Plays what is missing; returns False if Ctrl-C ended it early."""
    pool = new_pool(compiled=False, number=workers)
    for match in BATTERY:
        kept = stored[match.setting]
        if is_played(match, standing(match.setting, docs)["rows"]):
            continue
        if not run([match.pairing], match.blocks, kept, workers=workers, executor=pool):
            return False
        score = account([match.pairing], kept)["rows"][0]["score"]
        told = f"{match.candidate} – {match.baseline}: {100 * score:.1f} %"
        print(f"{match.setting.name}: {told}", flush=True)
        tell(match.setting, kept, docs)
    pool.shutdown()
    return True


def tell(setting: Setting, kept: ArenaResults, docs: Path) -> None:
    """Writes what the finished rows of a setting prove, beside the rows that stand."""
    matches = [match for match in BATTERY if match.setting == setting]
    done = [match.pairing for match in matches if not kept.missing(match.pairing, match.blocks)]
    if not done:
        return
    told = account(done, kept)
    new = {strength.who_played(row) for row in told["rows"]}
    before = standing(setting, docs)
    for row in before["rows"]:
        if strength.who_played(row) not in new:
            told["rows"].append(row)
            told["bots"] |= {
                bot: before["bots"][bot] for bot in (row["candidate"], row["baseline"])
            }
    _write(told, docs / "strength" / f"{setting.name}.json")


def _place(bot: str) -> tuple[int, str]:
    """Where a bot stands on the page: the ladder from the top, then everybody else."""
    level = find(bot.partition(":")[0]).level
    return (-1 if level is None else level) * -1, bot


def name_versions(docs: Path) -> None:
    """Gives what stands the names of the versions that played it, where there are newer ones."""
    for setting in EVERY:
        path = docs / "strength" / f"{setting.name}.json"
        if path.exists():
            told = json.loads(path.read_text(encoding="utf-8"))
            _write(told | standing(setting, docs), path)


def _write(told: dict[str, Any], path: Path) -> None:
    told["rows"].sort(key=lambda row: (_place(row["candidate"]), _place(row["baseline"])))
    told["fit"] = fit(told["rows"], "greedy").data()
    path.write_text(json.dumps(told, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def main(docs: str, folder: str, workers: str = "0") -> None:
    """Play, and write down what came of it."""
    Path(folder).mkdir(parents=True, exist_ok=True)
    stored = {s: ArenaResults(Path(folder) / f"{s.name}.jsonl") for s in EVERY}
    name_versions(Path(docs))
    finished = play(stored, Path(docs), int(workers) or cores())
    strength.main(docs)
    if not finished:
        sys.exit("not finished; the next run goes on from here")


if __name__ == "__main__":
    main(*sys.argv[1:])
