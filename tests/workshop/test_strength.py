"""The page on strength says what the stored results say."""

from pathlib import Path

import pytest

from karma.bots import BOTS, strength
from karma.bots.strength import Measured
from karma.cli import app
from workshop.strength import HOUSE, load, measured, page, shown

DOCS = Path(__file__).parent.parent.parent / "docs"


def test_the_page_is_made_from_the_stored_results() -> None:
    assert (DOCS / "strength.md").read_text(encoding="utf-8") == page(DOCS)


def test_what_the_command_shows_is_too() -> None:
    house = load(DOCS / "strength" / "house")[HOUSE]
    assert strength.strengths() == shown(load(DOCS / "strength"), house)


def test_a_new_version_has_the_figures_of_the_last_one_that_was_measured() -> None:
    bots = [{"bot": bot, "strength": i} for i, bot in enumerate(("sharp@3", "greedy", "sharp@2"))]
    rows = [{"candidate": b["bot"], "milliseconds": b["strength"]} for b in bots]
    told = {"fit": {"bots": bots}, "rows": rows}
    assert measured(told)["sharp"] == Measured(0, 0)
    bots.append({"bot": "sharp", "strength": 7})
    assert measured(told)["sharp"] == Measured(7, None)


def test_the_command_shows_every_measured_strength_and_cost(
    capsys: pytest.CaptureFixture[str],
) -> None:
    app(["bots"], standalone_mode=False)
    lines = {line.split()[1]: line.split() for line in capsys.readouterr().out.splitlines()}
    for name, told in strength.strengths().bots.items():
        assert lines[name][2] == str(told.strength)
        assert "µs" in lines[name] or "ms" in lines[name]


def test_all_bots_but_the_networks_are_measured() -> None:
    networks = {"net", "master"}
    assert strength.strengths().bots.keys() >= BOTS.keys() - networks
    assert all(told.milliseconds is not None for told in strength.strengths().bots.values())
