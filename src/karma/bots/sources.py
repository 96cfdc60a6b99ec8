"""The sources of a bot of other people: a digest of them tells its versions apart."""

from __future__ import annotations

import ast
import hashlib
import shlex
from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path


def digest_of(files: Iterable[Path]) -> str:
    """A short digest of what the files hold."""
    digest = hashlib.sha256()
    for file in files:
        digest.update(hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()[:16]


def files_of(maker: str) -> list[Path]:
    """The files behind ``/home/ana/bot.py:MyBot``, ``karma_timid:TimidBot`` or a command."""
    module, colon, _ = maker.rpartition(":")
    if colon and module.endswith(".py"):
        return imported_by(Path(module))
    if colon and all(part.isidentifier() for part in module.split(".")):
        return _of_module(module.partition(".")[0])
    return [Path(word) for word in shlex.split(maker) if Path(word).is_file()]


def imported_by(file: Path) -> list[Path]:
    """A file, and those of its folder that it imports, directly or not."""
    found: list[Path] = []
    todo = [file]
    while todo:
        here = todo.pop()
        if here in found:
            continue
        found.append(here)
        for name in _imports(here):
            path = file.parent.joinpath(*name.split("."))
            todo += filter(Path.is_file, (path.with_suffix(".py"), path / "__init__.py"))
    return sorted(found)


def _imports(file: Path) -> set[str]:
    try:
        tree = ast.parse(file.read_bytes())
    except (SyntaxError, ValueError):
        return set()
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = f"{node.module}." if node.module else ""
            names.update(base + alias.name for alias in node.names)
            names.add(node.module or "")
    return {name for name in names if name}


def _of_module(name: str) -> list[Path]:
    """The file of a module, or all those of a package; nothing of it is run."""
    spec = find_spec(name)
    if spec is None or spec.origin is None:
        return []
    origin = Path(spec.origin)
    return sorted(origin.parent.rglob("*.py")) if origin.name == "__init__.py" else [origin]
