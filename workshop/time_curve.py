"""Draws strength against time from stored results: ``python -m workshop.time_curve docs``.

Every bot of the two cross-tables is a point: its strength, and its milliseconds for a move.
"""

from __future__ import annotations

import json
import math
import sys
from pathlib import Path
from typing import Any

from workshop.strength import APART

TABLES = ("mini-2", "classic-2")
QUICKEST = 0.0005  # milliseconds: less is drawn as this
TURNS = "master:turns="
LABEL_WIDTH, LABEL_HEIGHT = 0.8, 50  # of a name in the picture: powers of ten, points of strength


def points(told: dict[str, Any]) -> dict[str, tuple[float, float, float]]:
    """Of each of today's bots that was a candidate: its milliseconds, strength and error."""
    times: dict[str, float] = {}
    for row in told["rows"]:
        time = max(QUICKEST, row["milliseconds"])
        times[row["candidate"]] = min(time, times.get(row["candidate"], time))
    return {
        bot["bot"]: (times[bot["bot"]], bot["strength"], (bot["high"] - bot["low"]) / 2)
        for bot in told["fit"]["bots"]
        if bot["bot"] in times and "@" not in bot["bot"] and bot["high"] - bot["low"] < APART
    }


def label_places(found: dict[str, tuple[float, float, float]]) -> dict[str, tuple[float, float]]:
    """Where each bot's name stands: at its point, or as far below as other names need."""
    places: dict[str, tuple[float, float]] = {}
    for bot, (time, strength, _) in sorted(found.items(), key=lambda each: -each[1][1]):
        height = strength
        while any(
            abs(math.log10(time / other)) < LABEL_WIDTH and abs(height - taken) < LABEL_HEIGHT
            for other, taken in places.values()
        ):
            height -= LABEL_HEIGHT / 4
        places[bot] = time, height
    return places


def draw(docs: Path) -> Path:
    """Draws a panel for each table; returns the picture's file."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, panels = pyplot.subplots(1, 2, figsize=(11, 5), layout="constrained", sharey=True)
    for axes, name in zip(panels, TABLES, strict=True):
        told = json.loads((docs / "strength" / f"{name}.json").read_text(encoding="utf-8"))
        found = points(told)
        for time, strength, error in found.values():
            axes.errorbar(time, strength, error, fmt=".", color="tab:blue", capsize=2)
        for bot, place in label_places(found).items():
            label, beside = bot, (4, 1)
            if bot.startswith(TURNS):  # below the curve
                label, beside = f"{bot.removeprefix(TURNS)} turns", (4, -9)
            axes.annotate(label, place, beside, textcoords="offset points", fontsize=8)
        curve = sorted(
            point for bot, point in found.items() if bot == "master" or bot.startswith(TURNS)
        )
        axes.plot([p[0] for p in curve], [p[1] for p in curve], color="tab:orange")
        title = name.replace("-", " for ").capitalize().replace("for 2", "for two")
        axes.margins(x=0.17)
        axes.set(xscale="log", xlabel="milliseconds a move", title=title)
        axes.grid(alpha=0.3)
    panels[0].set_ylabel("strength (greedy is 1000)")
    path = docs / "pictures" / "strength-by-time.png"
    figure.savefig(path, dpi=100)
    pyplot.close(figure)
    return path


if __name__ == "__main__":
    print(draw(Path(sys.argv[1])))
