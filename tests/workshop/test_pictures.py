"""Pictures of a training run."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from workshop.pictures import draw_all

RUN = Path(__file__).parents[2] / "training" / "response-mini-2"
PNG = b"\x89PNG"


def test_a_run_without_a_champion_at_hand_has_its_curve_alone(tmp_path: Path) -> None:
    run, pictures = tmp_path / "run", tmp_path / "pictures"
    run.mkdir()
    for name in ("config.toml", "log.jsonl"):
        shutil.copy(RUN / name, run)
    drawn = draw_all(run, pictures, samples=1000)
    assert drawn == list(pictures.iterdir()) == [pictures / "response-mini-2-curve.png"]
    assert drawn[0].read_bytes().startswith(PNG)


def test_a_run_that_has_not_begun_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="train first: karma train"):
        draw_all(tmp_path, tmp_path / "pictures", samples=1000)
    assert not (tmp_path / "pictures").exists()
