"""The doors (browser, terminal, commands, server, tables) show what the rules say: they know none.

What a rule comes to is said by Views, by `Rules` and by the protocol's `counts`. A door that reads
an option's value decides by it, or counts by it, sooner or later: each such place is named here.
"""

import re
from pathlib import Path

import pytest

from karma.editions import EDITIONS, OPTIONS

ROOT = Path(__file__).parent.parent
# Views have face-up cards, whatever the option of that name is.
NAMES = "|".join(sorted(OPTIONS.keys() - {"face_up"}))
EDITION = "|".join(EDITIONS)

BROWSER = {
    "lib/course.svelte.ts": {"drawing"},  # positions written down: which of the notes they use
    "lib/fair.ts": {"copies", "decks", "give_cards"},  # deals again without the server's word
    "lib/lessons.ts": {"drawing"},  # the key of a sentence
    "lib/options.ts": {"set_counts", "decks", "drawing", "set_effect"},  # sets of house rules
    "ui/SettingsForm.svelte": {"stall_limit"},  # the form of an option that is not printed
}
PYTHON = {
    "cli/play.py": {"decks"},  # advises house rules with which more can play
    "table/clients/sight.py": {"set_size"},  # what the protocol tells
    "tui/pile.py": {"set_size"},  # how many dots there are
    "tui/setup.py": {"set_counts"},  # a switch for this house rule
}


def browser_sources():
    for path in sorted((ROOT / "web/src").rglob("*")):
        if path.suffix in (".ts", ".svelte"):
            text = path.read_text(encoding="utf-8")
            if not text.startswith("// Written by"):
                yield path, text


def python_sources():
    for layer in ("tui", "cli", "server", "table", "protocol", "store"):
        for path in sorted((ROOT / "src/karma" / layer).rglob("*.py")):
            yield path, path.read_text(encoding="utf-8")


def test_the_browser_reads_no_option_of_the_rules():
    reads = re.compile(rf"""(?:\.|["'])({NAMES})\b|\b({NAMES}):""")
    found = {}
    for path, text in browser_sources():
        if names := {one or other for one, other in reads.findall(text)}:
            found[path.relative_to(ROOT / "web/src").as_posix()] = names
    assert found == BROWSER


def test_the_other_doors_read_no_option_of_the_rules():
    reads = re.compile(rf"rules(?:\(\))?\.({NAMES})\b")
    found = {}
    for path, text in python_sources():
        if names := set(reads.findall(text)):
            found[path.relative_to(ROOT / "src/karma").as_posix()] = names
    assert found == PYTHON


@pytest.mark.parametrize("sources", [browser_sources, python_sources])
def test_no_door_asks_which_edition_is_played(sources):
    asks = re.compile(rf"""edition\w*\)?\s*[!=]==?\s*["'](?:{EDITION})["']""")
    for path, text in sources():
        assert not asks.search(text), path
