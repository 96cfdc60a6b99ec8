"""Pictures of a training run: its learning curve, its champion's calibration, its set-ups.

``python -m workshop.pictures training/mini-2 docs/pictures`` draws all three, or the curve alone
where the champion is neither in the package nor beside the run.
"""

from __future__ import annotations

import json
import math
import sys
from pathlib import Path
from typing import Any

import numpy as np

from karma.bots.choice import FOLDER
from karma.bots.net import opinions
from karma.bots.network import KEEPS, PLACES, Weights
from karma.bots.weights import load as load_weights
from karma.cards import KINDS
from karma.game import Game
from karma.train.calibration import forward, own_games
from karma.train.config import Config, TrainingTable, load

UNSEEN = 2**41  # seeds of games that nothing was trained or tested on
DEALS = 1500
BINS = 20


def draw_all(folder: Path, pictures: Path, samples: int) -> list[Path]:
    """Draws a run's pictures; returns their files. Without a champion there is only the curve."""
    import matplotlib

    matplotlib.use("Agg")
    if not (folder / "log.jsonl").exists():
        sys.exit(f"{folder} has no log.jsonl yet; train first: karma train {folder}")
    config = load(folder / "config.toml")
    pictures.mkdir(parents=True, exist_ok=True)
    curve, calibration, set_up = (
        pictures / f"{config.name}-{what}.png" for what in ("curve", "calibration", "set-up")
    )
    draw_curve(folder, config, curve)
    champions = folder / "champion.npz", FOLDER / f"{config.name}.npz"
    path = next((path for path in champions if path.exists()), None)
    if path is None:
        return [curve]
    champion = load_weights(path)
    draw_calibration(config, champion, samples, calibration)
    draw_set_up(config, champion, set_up)
    return [curve, calibration, set_up]


# ---- the learning curve -------------------------------------------------------------------------


def draw_curve(folder: Path, config: Config, path: Path) -> None:
    """Draws strength against the guards, and the champions' climb, over the samples learned."""
    from matplotlib import colormaps, pyplot

    lines = [json.loads(text) for text in (folder / "log.jsonl").read_text().splitlines()]
    samples = [line["samples"] / 1e6 for line in lines]
    tables = {f"{table.edition} {table.players}" for table in config.tables}
    guards = [name for name in lines[-1]["guards"] if name.rpartition(" ")[0] in tables]
    height = 4 + 0.1 * len(guards)
    figure, (left, right) = pyplot.subplots(1, 2, figsize=(10, height), layout="constrained")
    left.set_prop_cycle(color=[colormaps["tab20"](i) for i in range(20)])
    for name in guards:
        # A guard may have joined later than the first test.
        met = [line for line in lines if name in line["guards"]]
        heights, errors = 100 * np.array([line["guards"][name] for line in met]).T
        when = [line["samples"] / 1e6 for line in met]
        left.errorbar(when, heights, errors, label=name, capsize=2)
    left.set(xlabel="samples, millions", ylabel="games not lost, %", title="Against the guards")
    right.plot(samples, _climb(lines), drawstyle="steps-post", label="champion")
    right.plot(samples, _ratings(lines), ".", label="tested")
    right.set(xlabel="samples, millions", ylabel="Elo over the first", title="Champions")
    left.legend(fontsize=8, ncols=2, loc="upper center", bbox_to_anchor=(0.5, -0.15))
    right.legend()
    for axes in (left, right):
        axes.grid(alpha=0.3)
    figure.suptitle(f"{config.name}: {lines[-1]['minutes']:.0f} minutes")
    figure.savefig(path, dpi=100)
    pyplot.close(figure)


def _elo(share: float) -> float:
    share = min(0.99, max(0.01, share))
    return 400 * math.log10(share / (1 - share))


def _climb(lines: list[dict[str, Any]]) -> list[float]:
    """The champion's rating after each test: what each gained over the one before, added up."""
    total, climb = 0.0, []
    for line in lines:
        if line["accepted"] and "champion" in line:
            total += _elo(line["champion"][0])
        climb.append(total)
    return climb


def _ratings(lines: list[dict[str, Any]]) -> list[float]:
    """The rating of each network tested."""
    before = [0.0, *_climb(lines)[:-1]]
    return [
        base + (_elo(line["champion"][0]) if "champion" in line else 0.0)
        for base, line in zip(before, lines, strict=True)
    ]


# ---- calibration --------------------------------------------------------------------------------


def predictions(table: TrainingTable, weights: Weights, number: int) -> tuple[Any, Any]:
    """What the network said in games against itself, by head, and what came of it."""
    words, samples = own_games(table, weights, number, UNSEEN)
    return forward(weights, words), samples


def draw_calibration(config: Config, weights: Weights, number: int, path: Path) -> None:
    """Draws predicted chances against what happened, in games not seen before."""
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(5, 5), layout="constrained")
    axes.plot([0, 100], [0, 100], color="grey", linewidth=1)
    for table in config.tables:
        said, samples = predictions(table, weights, number)
        chances = 1 / (1 + np.exp(-said[:, KEEPS]))
        name = f"{table.edition} {table.players}"
        axes.plot(*_reliability(chances, samples["keeps"]), ".-", label=f"{name}: does not lose")
        if table.players > 2:
            known = samples["place"] >= 0
            logits = said[known][:, PLACES : PLACES + table.players]
            chances = np.exp(logits - logits.max(1, keepdims=True))
            chances /= chances.sum(1, keepdims=True)
            first = samples["place"][known] == 0
            axes.plot(*_reliability(chances[:, 0], first), ".:", label=f"{name}: out first")
    axes.set(xlabel="predicted, %", ylabel="happened, %", title=f"{config.name}: calibration")
    axes.legend(fontsize=8)
    axes.grid(alpha=0.3)
    figure.savefig(path, dpi=100)
    pyplot.close(figure)


def _reliability(chances: Any, happened: Any) -> tuple[list[float], list[float]]:
    """For bins of predictions, their mean and the share of what happened."""
    bins = np.minimum(BINS - 1, (chances * BINS).astype(int))
    filled = [b for b in range(BINS) if (bins == b).sum() >= 100]
    return (
        [100 * float(chances[bins == b].mean()) for b in filled],
        [100 * float(happened[bins == b].mean()) for b in filled],
    )


# ---- the set-up ---------------------------------------------------------------------------------


def set_up_shares(table: TrainingTable, weights: Weights, deals: int) -> Any:
    """For each kind, how often one of its cards among the six is put face up."""
    held, shown = np.zeros(len(KINDS)), np.zeros(len(KINDS))
    for deal in range(deals):
        game = Game(table.rules, players=table.players, seed=UNSEEN + deal)
        before = game.view(game.actor)
        seat = before.seat
        for _ in range(3):
            thought = opinions(game.view(seat), weights)
            game.push(max(thought, key=lambda move: thought[move].worth))
        after = game.view(seat).record["hand"][0].astype(float)
        counts = before.record["hand"][0].astype(float)
        held += counts
        shown += counts - after
    return shown / np.maximum(held, 1)


def draw_set_up(config: Config, weights: Weights, path: Path) -> None:
    """Draws which three of six are put face up."""
    from matplotlib import pyplot

    tables = [t for t in config.tables if t.rules.face_up == "chosen"]
    figure, axes = pyplot.subplots(figsize=(9, 3.5), layout="constrained")
    width = 0.8 / max(1, len(tables))
    places = np.arange(len(KINDS))
    for i, table in enumerate(tables):
        shares = set_up_shares(table, weights, DEALS)
        axes.bar(
            places + width * (i + 0.5) - 0.4,
            100 * shares,
            width,
            label=f"{table.edition} {table.players}",
        )
    axes.axhline(50, color="grey", linewidth=1)
    axes.set_xticks(places, KINDS)
    axes.set(ylabel="put face up, %", title=f"{config.name}: a card of the six goes to the table")
    axes.legend()
    figure.savefig(path, dpi=100)
    pyplot.close(figure)


if __name__ == "__main__":
    for drawn in draw_all(Path(sys.argv[1]), Path(sys.argv[2]), samples=400_000):
        print(drawn)
