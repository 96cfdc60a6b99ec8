"""How strong the bots are, as measured: `docs/strength.md` says how."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def measured() -> dict[str, dict[str, Any]]:
    """Strength (classic for two, greedy = 1000) and milliseconds a move, by name."""
    text = files("karma.bots").joinpath("strength.json").read_text(encoding="utf-8")
    return json.loads(text)  # type: ignore[no-any-return]
