"""Writes the page on strength from stored results: ``python -m workshop.strength docs``.

`docs/strength/*.json` are what `battery` wrote; the figures are made from nothing else. The prose
is in `pages/strength.md`, and what is to be said of one file in `pages/strength/`. What
`karma bots` shows is written too.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from string import Template
from typing import Any

import msgspec

from karma.arena.report import cell, names
from karma.bots import BOTS, strength
from karma.bots.choice import MASTER, NET, general_net, network_for
from karma.bots.strength import Crowd, Fact, Measured, Setting, Strengths
from karma.editions import EDITIONS

Told = dict[str, Any]
APART = 4000  # an interval so wide says that a bot never met the others, even by way of third ones
MAIN = "classic-2.json"  # the cross-table from which `karma bots` takes strengths
HOUSE = "master-expert.json"  # the games by house rules
PROOF = ((NET, "expert"), (MASTER, "expert"))

_PAGES = Path(__file__).parent / "pages"


def load(folder: Path) -> dict[str, Told]:
    """The stored results, by the names of their files."""
    return {
        path.name: json.loads(path.read_text(encoding="utf-8"))
        for path in sorted(folder.glob("*.json"))
    }


def page(docs: Path) -> str:
    """The whole page."""
    stored, house = load(docs / "strength"), load(docs / "strength" / "house")
    parts = [part for name, told in stored.items() for part in _section(name, told)]
    responses, endings = (load(docs / "strength" / name) for name in ("response", "endings"))
    parts = [
        _ladder(stored),
        *map(_house, house.values()),
        *map(_endings, endings.values()),
        *_responses(responses),
        *parts,
    ]
    frame = Template((_PAGES / "strength.md").read_text(encoding="utf-8"))
    return frame.substitute(sections="\n".join(parts))


def _ladder(stored: dict[str, Told]) -> str:
    """Each level against the one below, at every table: by how much it is above the even share."""
    steps = sorted(
        (bot for bot in BOTS.values() if bot.level is not None), key=lambda b: b.level or 0
    )
    pairs = [(upper.name, lower.name) for lower, upper in pairwise(steps)]
    lines = [
        "## The ladder at every table\n",
        "By how many points, of a hundred, a level is above the even share where the one below\n"
        "fills all other seats; without luck, where that was measured. What earlier versions\n"
        "played is in italics; their rows say which. An empty place was not played yet.\n",
        "| | " + " | ".join(f"{upper} – {lower}" for upper, lower in pairs) + " |",
        "|---|" + "---:|" * len(pairs),
    ]
    for told in stored.values():
        found = {who_played(row): row for row in told["rows"]}
        cells = [_step(found[pair]) if pair in found else "" for pair in pairs]
        lines.append(f"| {_title(told['rows'][0])} | " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def _gain(row: Told) -> tuple[float, float]:
    """How much of the score is above the even share, and its error; without luck, if possible."""
    told = row.get("adjusted", row)
    return told["score"] - 1 + 1 / row["players"], (told["high"] - told["low"]) / 2


def _step(row: Told) -> str:
    gain, error = _gain(row)
    told = f"{100 * gain:+.1f} ± {100 * error:.1f}"
    return f"*{told}*" if "@" in row["candidate"] + row["baseline"] else told


def _house(told: Told) -> str:
    """What was played at tables drawn at random."""
    candidate, baseline = told["bots"]
    lines = [
        "## House rules drawn at random\n",
        f"How many points, of a hundred, {candidate} is above the even share where {baseline}\n"
        "fills all other seats: a mirrored block at each of so many tables, whose edition,\n"
        "options and players chance has drawn, and which is no printed one\n"
        f"(`python -m workshop.house`, seed {told['seed']}).\n",
        "| players | tables | games | points | stalled | ms a move |",
        "|---|---:|---:|---:|---:|---:|",
    ]
    for row in told["rows"]:
        players = (
            f"{row['fewest']}"
            if row["fewest"] == row["most"]
            else f"{row['fewest']} to {row['most']}"
        )
        lines.append(
            f"| {players} | {row['tables']} | {row['games']} "
            f"| {100 * row['gain']:+.1f} ± {100 * row['error']:.1f} "
            f"| {100 * row['stalled']:.1f} % | {_milliseconds(row)} |"
        )
    return "\n".join(lines) + f"\n\n{_settings(told)}\n"


def _endings(told: Told) -> str:
    """How many games between the strongest did not end."""
    (bot,) = told["bots"]
    lines = [
        f"## Games between {bot}s end\n",
        f"Of games with {bot}s in all seats, how many went round until they were stopped\n"
        f"(`python -m workshop.endings`, seed {told['seed']}; house rules: the tables above).\n",
        "| edition and players | tables | games | stalled |",
        "|---|---:|---:|---:|",
    ]
    for name, row in told["rows"].items():
        share = f"{row['stalled']} ({100 * row['stalled'] / row['games']:.1f} %)"
        lines.append(f"| {name} | {row['tables']} | {row['games']} | {share} |")
    return "\n".join(lines) + f"\n\n{_settings(told)}\n"


def _responses(stored: dict[str, Told]) -> Iterator[str]:
    """How far networks can be exploited."""
    if not stored:
        return
    yield (
        "## Best responses\n\n"
        "What a network that learned against one other alone has against that one; and what it\n"
        "has against master, who searches by that one, if it is searched by in the same way\n"
        "(`python -m workshop.response`; 50 would be a network that nothing can exploit).\n\n"
        "| against | which learned from | the response from | games | % not lost "
        "| games by search | % not lost |\n"
        "|---|---:|---:|---:|---:|---:|---:|"
    )
    for told in stored.values():
        alone, search = told["alone"], told["searching"]
        yield (
            f"| `{told['network']}` | {told['champion_decisions'] / 1e6:.0f} million decisions "
            f"| {told['decisions'] / 1e6:.0f} million "
            f"| {alone['games']:,} | {100 * alone['score']:.1f} ± {100 * alone['error']:.1f} "
            f"| {search['games']:,} "
            f"| {100 * search['score']:.1f} ± {50 * (search['high'] - search['low']):.1f} |"
        )
    yield ""


def without_version(bot: str) -> str:
    """A bot's text, for any of its versions: `expert:trees=2` for `expert@1:trees=2`."""
    name, colon, options = bot.partition(":")
    return name.partition("@")[0] + colon + options


def _section(name: str, told: Told) -> Iterator[str]:
    rows = told["rows"]
    first = rows[0]
    yield f"## {_title(first)}\n"
    prose = _PAGES / "strength" / Path(name).with_suffix(".md")
    if prose.exists():
        yield prose.read_text(encoding="utf-8")
    if len(names(rows)) > 3:
        yield _cross_table(rows)
        yield _scale(told["fit"])
    yield _rows(rows)
    yield f"Karma {told['karma']}, `{name}`. {_settings(told)}\n"


def _title(row: Told) -> str:
    house = {k: v for k, v in row["rules"].items() if k != "stall_limit"}
    rules = "".join(f", {name}={value}" for name, value in house.items())
    return f"{row['edition'].capitalize()}{rules}, {row['players']} players"


def _settings(told: Told) -> str:
    texts = []
    for bot, values in told["bots"].items():
        shown = {k: v for k, v in values.items() if k not in ("version", "threads") and v}
        options = "".join(f", {name} {value}" for name, value in shown.items())
        texts.append(f"{bot}: version {values.get('version', '-')}{options}")
    return "; ".join(texts) + "."


def _cross_table(rows: Sequence[Told]) -> str:
    bots = names(rows)
    lines = ["| % not lost | " + " | ".join(bots) + " |", "|---|" + "---:|" * len(bots)]
    for a in bots:
        cells = [cell(rows, a, b) for b in bots]
        shown = ["" if c is None else _percent(c) for c in cells]
        lines.append(f"| **{a}** | " + " | ".join(shown) + " |")
    return "\n".join(lines) + "\n"


def _percent(row: Told) -> str:
    half = 50 * (row["high"] - row["low"])
    return f"{100 * row['score']:.1f} ± {half:.1f}"


def _scale(fit: Told) -> str:
    lines = ["| bot | strength | 95 % |", "|---|---:|---|"]
    met = [bot for bot in fit["bots"] if bot["high"] - bot["low"] < APART]
    for bot in sorted(met, key=lambda bot: -bot["strength"]):
        between = f"{bot['low']:.0f} – {bot['high']:.0f}"
        lines.append(f"| {bot['bot']} | {bot['strength']:.0f} | {between} |")
    residual = f"{100 * fit['residual']:.1f} points of score"
    return "\n".join(lines) + f"\n\nThe fit (Bradley–Terry) leaves a residual of {residual}.\n"


def _rows(rows: Sequence[Told]) -> str:
    lines = [
        "| candidate | baseline | games | score | 95 % | without luck | 95 % | stalled "
        "| unfinished | ms a move | seed |",
        "|---|---|---:|---:|---|---:|---|---:|---:|---:|---:|",
    ]
    for r in rows:
        lines.append(
            f"| {r['candidate']} | {r['baseline']} | {r['games']:,} | {_score(r)} "
            f"| {_score(r['adjusted']) if 'adjusted' in r else ' | '} | {100 * r['stalled']:.1f} % "
            f"| {100 * r['unfinished']:.1f} % | {_milliseconds(r)} | {r['seed']} |"
        )
    return "\n".join(lines) + "\n"


def _score(told: Told) -> str:
    return f"{100 * told['score']:.1f} % | {100 * told['low']:.1f} – {100 * told['high']:.1f}"


def _milliseconds(row: Told) -> str:
    return "< 0.001" if row["milliseconds"] < 0.001 else f"{row['milliseconds']:.3g}"


def shown(stored: dict[str, Told], house: Told) -> Strengths:
    """What `karma bots` shows: of each bot, and of net and master against expert by tables."""
    rows = [row for told in stored.values() for row in told["rows"] if who_played(row) in PROOF]
    proof = (*map(_at_table, rows), *(_by_house_rules(row, house["seed"]) for row in house["rows"]))
    return Strengths(measured(stored[MAIN]), proof)


def who_played(row: Told) -> tuple[str, str]:
    """Candidate and baseline of a row, whichever versions."""
    return without_version(row["candidate"]), without_version(row["baseline"])


def _at_table(row: Told) -> Fact:
    """What a row of the battery says."""
    place, (gain, error) = Setting(row["edition"], row["players"]), _gain(row)
    name = network_for(EDITIONS[place.edition].for_table(place.players), place.players)
    games, stalled, seed = row["games"], row["stalled"], row["seed"]
    bot, baseline = who_played(row)
    return Fact(bot, name, baseline, gain, error, games, stalled, seed, place=place)


def _by_house_rules(row: Told, seed: int) -> Fact:
    """What a row of tables that chance has drawn says."""
    crowd = Crowd(row["fewest"], row["most"])
    told = row["gain"], row["error"], row["games"], row["stalled"], seed
    return Fact(MASTER, general_net(crowd.most), "expert", *told, crowd=crowd)


def measured(told: Told) -> dict[str, Measured]:
    """Strength and cost of each bot of a cross-table; at first a new version has the old one's."""
    out: dict[str, Measured] = {}
    for bot in sorted(told["fit"]["bots"], key=lambda bot: _version(bot["bot"])):
        name = without_version(bot["bot"])
        if name in BOTS:
            costs = [r["milliseconds"] for r in told["rows"] if r["candidate"] == bot["bot"]]
            out[name] = Measured(round(bot["strength"]), min(costs) if costs else None)
    return out


def _version(bot: str) -> float:
    """Of a bot's text; today's is the last."""
    version = bot.partition("@")[2]
    return float(version.partition(":")[0]) if version else float("inf")


def main(docs: str) -> None:
    """Write the page and what `karma bots` shows."""
    folder = Path(docs)
    (folder / "strength.md").write_text(page(folder), encoding="utf-8")
    stored, house = load(folder / "strength"), load(folder / "strength" / "house")
    text = json.dumps(msgspec.to_builtins(shown(stored, house[HOUSE])), indent=1, sort_keys=True)
    Path(strength.__file__).with_suffix(".json").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1])
