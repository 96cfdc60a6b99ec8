"""Pictures and a page of an arena's results: a cross-table as a heat map, strength by bot."""

from __future__ import annotations

import base64
import html
import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

Row = dict[str, Any]
_OTHER = {"candidate": "baseline", "baseline": "candidate"}


def names(rows: Sequence[Row]) -> list[str]:
    """All bots of the rows, in the order they first appear."""
    return list(dict.fromkeys(bot for r in rows for bot in (r["candidate"], r["baseline"])))


def cell(rows: Sequence[Row], candidate: str, baseline: str) -> Row | None:
    """The row of a pairing; for two players the mirror of the other one's will do."""
    for r in rows:
        if (r["candidate"], r["baseline"]) == (candidate, baseline):
            return r
    for r in rows:
        if (r["candidate"], r["baseline"]) == (baseline, candidate) and r["players"] == 2:
            return {**r, "score": 1 - r["score"], "low": 1 - r["high"], "high": 1 - r["low"]}
    return None


def named(row: Row, role: str) -> str:
    """A bot of a row, with how often it failed: those moves, and their score, were greedy's."""
    number = row["failures"][role]["number"] if "failures" in row else 0
    return f"{row[role]} (failed {number:,}×)" if number else str(row[role])


def failures(rows: Sequence[Row]) -> list[str]:
    """A line for each bot that failed: how often, and where it first did."""
    lines = []
    for r in rows:
        for role, failed in r.get("failures", {}).items():
            if failed["number"]:
                first = failed["first"]
                lines.append(
                    f"{r[role]} failed {failed['number']:,}× against {r[_OTHER[role]]}, first in "
                    f"game {first['game']} at ply {first['ply']}: {first['reason']}; greedy moved "
                    "in its place"
                )
    return lines


def heat_map(rows: Sequence[Row]) -> bytes:
    """The cross-table as a picture: each bot's score against each other."""
    bots = names(rows)
    figure = Figure(figsize=(2.4 + 0.8 * len(bots), 1.8 + 0.6 * len(bots)), layout="constrained")
    axes = figure.add_subplot()
    scores = [[_percent(rows, a, b) for b in bots] for a in bots]
    image = axes.imshow(scores, cmap="RdYlGn", vmin=0, vmax=100, aspect="auto")
    for y, line in enumerate(scores):
        for x, score in enumerate(line):
            if score == score:  # there is a score
                axes.text(x, y, f"{score:.0f}", ha="center", va="center")
    axes.set_xticks(range(len(bots)), bots, rotation=45, ha="right")
    axes.set_yticks(range(len(bots)), bots)
    axes.set_title("share not lost by the bot on the left, %")
    figure.colorbar(image, ax=axes)
    return _png(figure)


def _percent(rows: Sequence[Row], candidate: str, baseline: str) -> float:
    found = cell(rows, candidate, baseline)
    return float("nan") if found is None else 100 * float(found["score"])


def strengths(fit: dict[str, Any]) -> bytes:
    """The strength of each bot, with its interval."""
    bots = sorted(fit["bots"], key=lambda bot: bot["strength"])
    figure = Figure(figsize=(7, 1.4 + 0.4 * len(bots)), layout="constrained")
    axes = figure.add_subplot()
    middle = [bot["strength"] for bot in bots]
    half = [bot["high"] - bot["strength"] for bot in bots]
    axes.errorbar(middle, range(len(bots)), xerr=half, fmt="o", capsize=3)
    axes.set_yticks(range(len(bots)), [bot["bot"] for bot in bots])
    axes.set_xlabel("strength")
    axes.set_title(f"fit to the scores; residual {100 * fit['residual']:.1f} points")
    axes.grid(axis="x", alpha=0.3)
    return _png(figure)


def _png(figure: Figure) -> bytes:
    FigureCanvasAgg(figure)
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", dpi=120)
    return buffer.getvalue()


def write(folder: Path, told: dict[str, Any]) -> Path:
    """Writes the pictures and a page that holds them, all in one file; returns its path."""
    folder.mkdir(parents=True, exist_ok=True)
    pictures = {"cross-table": heat_map(told["rows"]), "strength": strengths(told["fit"])}
    for name, picture in pictures.items():
        (folder / f"{name}.png").write_bytes(picture)
    page = folder / "report.html"
    page.write_text(_page(told, pictures), encoding="utf-8")
    return page


_STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 60rem; padding: 0 1rem }
table { border-collapse: collapse } td, th { padding: .25rem .75rem; text-align: right }
td:nth-child(-n+2), th:nth-child(-n+2) { text-align: left } tr:nth-child(even) { background: #8881 }
img { max-width: 100% }
"""


def _page(told: dict[str, Any], pictures: dict[str, bytes]) -> str:
    columns = ("candidate", "baseline", "edition", "players", "games", "score", "95 %")
    more = ("stalled", "unfinished", "ms a move", "seed")
    head = "".join(f"<th scope=col>{name}</th>" for name in (*columns, *more))
    body = "".join(f"<tr>{_cells(r)}</tr>" for r in told["rows"])
    failed = "".join(f"<p>{html.escape(line)}</p>" for line in failures(told["rows"]))
    images = "".join(
        f'<img alt="{name}" src="data:image/png;base64,{base64.b64encode(png).decode()}">'
        for name, png in pictures.items()
    )
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>Arena</title>'
        f"<style>{_STYLE}</style><h1>Arena</h1>"
        f"<p>Karma {html.escape(told['karma'])}. Score: the candidate's share of games not lost; "
        f"a game without a loser counts 1 − 1/n. Intervals: 95 %, by mirrored blocks.</p>"
        f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{failed}{images}</html>\n"
    )


def _cells(r: Row) -> str:
    rules = "".join(f", {name}={value}" for name, value in r["rules"].items())
    values = (
        named(r, "candidate"),
        named(r, "baseline"),
        f"{r['edition']}{rules}",
        str(r["players"]),
        f"{r['games']:,}",
        f"{100 * r['score']:.1f} %",
        f"{100 * r['low']:.1f}–{100 * r['high']:.1f} %",
        f"{100 * r['stalled']:.1f} %",
        f"{100 * r['unfinished']:.1f} %",
        f"{r['milliseconds']:.3g}",
        str(r["seed"]),
    )
    return "".join(f"<td>{html.escape(value)}</td>" for value in values)
