"""The page on strength says what the stored results say."""

import json
from pathlib import Path

from karma.arena.strength import MAIN, load, measured, page
from karma.bots import strength

DOCS = Path(__file__).parent.parent.parent / "docs"


def test_the_page_is_made_from_the_stored_results() -> None:
    assert (DOCS / "strength.md").read_text(encoding="utf-8") == page(load(DOCS / "strength"))


def test_what_the_command_shows_is_too() -> None:
    told = json.loads(Path(strength.__file__).with_suffix(".json").read_text(encoding="utf-8"))
    assert told == measured(load(DOCS / "strength")[MAIN])
