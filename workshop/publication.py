"""Puts a run's champion into the package: ``python -m workshop.publication training/mini-2``."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from karma.bots.choice import FOLDER
from karma.train.config import load


def publish(run: Path, package: Path = FOLDER) -> None:
    """Copies the champion, and the word on where it comes from, under the run's name."""
    name = load(run / "config.toml").name
    for end in (".npz", ".json"):
        champion = run / f"champion{end}"
        if not champion.exists():
            sys.exit(f"{run} has no {champion.name} yet; train first: karma train {run}")
        shutil.copy(champion, package / f"{name}{end}")


if __name__ == "__main__":
    publish(Path(sys.argv[1]))
