"""A package to start from: a bot, its entry point and a test that passes."""

from __future__ import annotations

import re
from importlib.resources import files
from pathlib import Path
from string import Template

from karma.bots.bot import BotError
from karma.bots.registry import BOTS


def write_package(name: str, folder: Path) -> list[Path]:
    """Writes the package into a new folder; returns its files."""
    if not re.fullmatch(r"[a-z][a-z0-9_-]*", name):
        raise BotError(f"{name!r} is no name for a bot; small letters, digits, - and _ are")
    if name in BOTS:
        raise BotError(f"there is a bot {name} already, which would hide yours; name it otherwise")
    if folder.exists():
        raise BotError(f"{folder} is there already")
    module = name.replace("-", "_")
    class_name = "".join(part.capitalize() for part in module.split("_")) + "Bot"
    names = {"name": name, "module": module, "class_name": class_name}
    written = {
        "pyproject.toml.txt": "pyproject.toml",
        "README.md.txt": "README.md",
        "bot.py.txt": f"karma_{module}.py",
        "test_bot.py.txt": f"test_{module}.py",
    }
    folder.mkdir(parents=True)
    for template, file in written.items():
        text = files("karma.bots").joinpath("template", template).read_text(encoding="utf-8")
        (folder / file).write_text(Template(text).substitute(names), encoding="utf-8")
    return [folder / file for file in written.values()]
