"""The learning curve of a run, as a picture."""

from __future__ import annotations

import json
import math
from pathlib import Path

from karma.train.config import load


def draw(folder: Path, path: Path) -> None:
    """Draws strength against the guards, and the champions' climb, over the samples learned."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    lines = [json.loads(text) for text in (folder / "log.jsonl").read_text().splitlines()]
    samples = [line["samples"] / 1e6 for line in lines]
    figure, (left, right) = pyplot.subplots(1, 2, figsize=(10, 4), layout="constrained")
    for name in lines[-1]["guards"]:
        points = [(at, line["guards"][name]) for at, line in zip(samples, lines, strict=True)]
        left.errorbar(
            [at for at, _ in points],
            [100 * share for _, (share, _) in points],
            [100 * error for _, (_, error) in points],
            label=f"{name}",
            capsize=2,
        )
    left.set(xlabel="samples, millions", ylabel="games not lost, %", title="Against the guards")
    left.legend()
    left.grid(alpha=0.3)
    right.plot(samples, _climb(lines), drawstyle="steps-post", label="champion")
    right.plot(samples, _ratings(lines), ".", label="tested")
    right.set(xlabel="samples, millions", ylabel="Elo over the first", title="Champions")
    right.legend()
    right.grid(alpha=0.3)
    figure.suptitle(f"{load(folder / 'config.toml').name}: {lines[-1]['minutes']:.0f} minutes")
    figure.savefig(path, dpi=110)
    pyplot.close(figure)


def _elo(share: float) -> float:
    share = min(0.99, max(0.01, share))
    return 400 * math.log10(share / (1 - share))


def _climb(lines: list[dict[str, list[float]]]) -> list[float]:
    """The champion's rating after each test: what each gained over the one before, added up."""
    total, climb = 0.0, []
    for line in lines:
        if line["accepted"] and "champion" in line:
            total += _elo(line["champion"][0])
        climb.append(total)
    return climb


def _ratings(lines: list[dict[str, list[float]]]) -> list[float]:
    """The rating of each network tested."""
    before = [0.0, *_climb(lines)[:-1]]
    return [
        base + (_elo(line["champion"][0]) if "champion" in line else 0.0)
        for base, line in zip(before, lines, strict=True)
    ]
