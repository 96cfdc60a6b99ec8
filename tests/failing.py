"""Bots that fail, in a module that their processes can load."""

import os
import time
from pathlib import Path
from typing import Any

from karma.view import View


def fail(level: str, seed: int, milliseconds: int | None, view: View) -> Any:
    """Never answers, works for ever, dies, or talks nonsense, by its level.

    Any other makes the first move.

    A level may go on with a file to write when it begins: ``hang /tmp/begun``.
    """
    level, _, begun = level.partition(" ")
    if begun:
        Path(begun).touch()
    if view.phase != "choose":
        if level == "hang":
            time.sleep(10_000)
        while level == "work":
            pass
        if level == "die":
            os._exit(1)
        if level == "nonsense":
            return "nonsense"
    return view.legal[0]
