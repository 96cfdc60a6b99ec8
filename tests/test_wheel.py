"""What is built: the sdist and the wheel made from it, and a game from the wheel on its own."""

import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from karma import Record

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """The folder with the sdist and the wheel, the wheel built from the sdist."""
    out = tmp_path_factory.mktemp("dist")
    build = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(out), str(ROOT)]
    without = os.environ | {"KARMA_BROWSER_TABLE": "no"}  # its build needs more than Python
    subprocess.run(build, check=True, capture_output=True, env=without)
    return out


def test_the_sdist_has_the_sources_and_the_tests(built):
    (path,) = built.glob("karma-*.tar.gz")
    with tarfile.open(path) as archive:
        names = archive.getnames()
    for name in ("src/karma/core/rules.py", "tests/test_wheel.py", "docs/rules.md", "LICENSE"):
        assert f"{path.name.removesuffix('.tar.gz')}/{name}" in names


def test_the_wheel_has_the_package_and_nothing_else(built):
    (path,) = built.glob("karma-*.whl")
    names = zipfile.ZipFile(path).namelist()
    assert {"karma/py.typed", "karma/texts/ru.json", "karma/core/rules.py"} <= set(names)
    assert all(name.startswith(("karma/", "karma-")) for name in names)


def test_a_game_from_the_wheel_in_a_clean_environment(built, tmp_path):
    """With the pinned dependencies and nothing else, outside the project."""
    (wheel,) = built.glob("karma-*.whl")
    uv = Path(sys.executable).with_name("uv")
    python = tmp_path / "clean" / "bin" / "python"
    install = [uv, "pip", "install", "--quiet", "--python", python]
    for command in (
        [uv, "venv", "--quiet", "--python", sys.executable, tmp_path / "clean"],
        [*install, "--require-hashes", "--requirement", ROOT / "requirements" / "run.txt"],
        [*install, "--no-deps", wheel],
        [uv, "pip", "check", "--quiet", "--python", python],
    ):
        subprocess.run(list(map(str, command)), check=True)
    cards = [*map(str, range(1, 17)), "G", "F", "T", "B", "?0", "?1", "?2", ">1", "P"]
    record = tmp_path / "game.jsonl"
    play = [python.with_name("karma"), "play", "--plain", "--edition", "mini", "--players", "2"]
    result = subprocess.run(
        list(map(str, [*play, "--seed", 3, "--record", record])),
        input="\n".join(cards * 300),
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"},  # to compile takes longer than a game
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert result.returncode == 0, result.stderr
    assert "The game is over" in result.stdout
    assert Record.loads(record.read_text()).replay().over
