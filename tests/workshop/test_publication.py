"""A run's champion goes into the package under the run's name."""

from pathlib import Path

import pytest

from workshop.publication import publish

CONFIG = "name = 'small'\ntables = [{ edition = 'mini', players = 2 }]\n"


def test_a_champion_is_published_with_its_origin(tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text(CONFIG)
    (tmp_path / "champion.npz").write_bytes(b"weights")
    (tmp_path / "champion.json").write_text("{}")
    package = tmp_path / "nets"
    package.mkdir()
    publish(tmp_path, package)
    assert (package / "small.npz").read_bytes() == b"weights"
    assert (package / "small.json").read_text() == "{}"


def test_a_run_without_a_champion_says_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text(CONFIG)
    with pytest.raises(SystemExit, match="train first: karma train"):
        publish(tmp_path, tmp_path)
