"""ArenaResults: the blocks played so far, in a file that a later run goes on with.

The file is JSON lines. Each line is one block: its pairing, what came of it, and the versions of
the program and of the bots that played it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from importlib.metadata import version
from pathlib import Path
from typing import Any

import msgspec

from karma.arena.blocks import Block, Pairing
from karma.bots.registry import describe


class ResultsError(ValueError):
    """A results file that cannot be read, or not be written."""


class ArenaResults:
    """The blocks of pairings, in memory and, if there is a path, in a file."""

    def __init__(self, path: str | Path | None = None) -> None:
        self.path = None if path is None else Path(path)
        self.blocks: dict[str, dict[int, Block]] = {}
        if self.path is not None and self.path.exists():
            self._read(self.path)

    def _read(self, path: Path) -> None:
        lines = path.read_text(encoding="utf-8").splitlines()
        for number, line in enumerate(lines, start=1):
            try:
                data = json.loads(line)
                pairing = Pairing.of(data["pairing"])
                versions = data["bots"]
                block = msgspec.convert(data["block"], Block)
            except (ValueError, KeyError, TypeError) as error:
                if number == len(lines):
                    break  # the last line of a run that was killed while writing
                raise ResultsError(
                    f"{path}, line {number}, is not a block of an arena: {error!r}"
                ) from None
            if versions == _versions(pairing):  # blocks of other versions prove nothing of these
                self.blocks.setdefault(pairing.key, {})[block.number] = block

    def of(self, pairing: Pairing) -> list[Block]:
        """The blocks of a pairing, in order."""
        return [block for _, block in sorted(self.blocks.get(pairing.key, {}).items())]

    def missing(self, pairing: Pairing, blocks: int) -> list[int]:
        """The numbers of the blocks that are still to be played."""
        have = self.blocks.get(pairing.key, {})
        return [number for number in range(blocks) if number not in have]

    def add(self, pairing: Pairing, blocks: Iterable[Block]) -> None:
        """Takes blocks in, each once, and writes them down at once."""
        mine = self.blocks.setdefault(pairing.key, {})
        new = [block for block in blocks if block.number not in mine]
        mine.update((block.number, block) for block in new)
        if self.path is None or not new:
            return
        head = {"karma": version("karma"), "bots": _versions(pairing), "pairing": pairing.data()}
        try:
            with open(self.path, "a", encoding="utf-8") as file:
                for block in new:
                    line = {**head, "block": msgspec.to_builtins(block)}
                    file.write(json.dumps(line, ensure_ascii=False) + "\n")
        except OSError as error:
            raise ResultsError(f"cannot write {self.path}: {error.strerror}") from None


def _versions(pairing: Pairing) -> dict[str, Any]:
    return {bot: describe(bot) for bot in (pairing.candidate, pairing.baseline)}
