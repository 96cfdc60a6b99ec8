"""What the documents claim: the table of options, the paths they name, the worked example."""

import inspect
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from karma import EDITIONS
from karma.cli import app
from karma.editions import OPTIONS

ROOT = Path(__file__).parent.parent
DOCUMENTS = [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")]


def rows(text, first):
    """The cells of the table whose heading begins with a word."""
    lines = iter(text.splitlines())
    for line in lines:
        if line.startswith(f"| {first} |"):
            break
    next(lines)
    for line in lines:
        if not line.startswith("|"):
            return
        yield [cell.strip().strip("`") for cell in line.strip("|").split("|")]


def test_the_rules_page_has_every_option_with_its_value_in_every_edition():
    page = (ROOT / "docs/rules.md").read_text()
    table = {name: values for name, *values, _ in rows(page, "option")}
    assert list(table) == list(OPTIONS)
    for name, values in table.items():
        printed = [str(getattr(rules, name)).lower() for rules in EDITIONS.values()]
        assert values == printed, name


def test_the_rules_page_has_every_edition():
    page = (ROOT / "docs/rules.md").read_text()
    assert [name for name, _ in rows(page, "edition")] == list(EDITIONS)


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_the_files_that_a_document_names_exist(document):
    text = document.read_text()
    for path in re.findall(r"`((?:src|tests|docs|requirements)/[\w/.]+)`", text):
        assert (ROOT / path).exists(), path
    for link in re.findall(r"\]\(([\w/.]+)(?:#[\w-]+)?\)", text):
        assert (document.parent / link).exists(), link


def test_the_commands_that_the_readme_shows_exist():
    shown = re.findall(r"^karma (\w+)(.*?)(?:#|$)", (ROOT / "README.md").read_text(), re.MULTILINE)
    commands = {command.callback.__name__: command.callback for command in app.registered_commands}
    assert len(shown) >= 5
    for name, rest in shown:
        taken = set(inspect.signature(commands[name]).parameters)
        assert {option.replace("-", "_") for option in re.findall(r"--(\w+)", rest)} <= taken


def test_the_worked_example_works(tmp_path):
    """How to add a rule option: the changes are made to a copy, and a game is played with them."""
    shutil.copytree(ROOT / "src", tmp_path / "src", ignore=shutil.ignore_patterns("__pycache__"))
    page = (ROOT / "docs/architecture.md").read_text()
    hunks = re.findall(r"```diff\n--- (\S+)\n(.*?)```", page, re.DOTALL)
    assert len(hunks) >= 5
    for name, hunk in hunks:
        lines = hunk.splitlines(keepends=True)
        before = "".join(line[1:] for line in lines if line[0] in " -")
        after = "".join(line[1:] for line in lines if line[0] in " +")
        source = (tmp_path / name).read_text()
        assert source.count(before) == 1, f"{name} does not have once:\n{before}"
        (tmp_path / name).write_text(source.replace(before, after))
    script = (
        "import karma\n"
        "rules = karma.edition('classic', hand_size=5)\n"
        "game = karma.Game(rules, players=2, seed=1)\n"
        "for _ in range(7):\n"
        "    game.push(game.legal[0])\n"
        "print(karma.__file__, game.view(None).hand_sizes[0], rules)\n"
    )
    result = subprocess.run(
        [sys.executable, "-c", script],
        env=os.environ | {"PYTHONPATH": str(tmp_path / "src"), "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
    )
    assert result.returncode == 0, result.stderr
    assert result.stdout == f"{tmp_path / 'src/karma/__init__.py'} 5 classic (hand_size=5)\n"
