"""What the documents claim: options, paths, the life of a move, the worked examples."""

import importlib
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
from karma.editions import OPTIONS, edition, parse_options
from karma.table import Table, TableState
from karma.table.log.table_log import TableLog

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


RULINGS = {
    "Editions": ("give no number", "online sheet leaves open", "A double is", "may take one"),
    "The deal": ("asks seat by seat",),
    "A turn": ("requirement is lifted",),
    "After a play": (
        "all of this is",
        "not to themselves",
        "One effect for a play",
        "no declining",
    ),
    "Drawing": ("so it is a choice", "they must draw", "has to play it or pick up"),
    "Going out, and the end": ("when a draw pile is left", "takes a new one", "off in the printed"),
    "What is public": ("All of this is",),
}


@pytest.mark.parametrize("heading", RULINGS)
def test_what_the_sheets_do_not_say_is_marked_as_a_ruling(heading):
    page = (ROOT / "docs/rules.md").read_text().replace("\n", " ")
    section = re.split(r" ## ", page.partition(f" ## {heading} ")[2])[0]
    for phrase in RULINGS[heading]:
        assert phrase in section, phrase
        following = section.partition(phrase)[2]
        assert "[ruling" in following[:400], phrase


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_a_house_rule_that_a_document_shows_leaves_sets_possible(document):
    text = document.read_text()
    for name, changes in re.findall(r'edition\("(\w+)", ([^)]*)\)', text):
        options = dict(change.split("=") for change in changes.replace('"', "").split(", "))
        assert edition(name, **parse_options(options)).has_sets, changes


def test_the_moving_picture_is_small_and_the_readme_shows_it_first():
    lines = (ROOT / "README.md").read_text().splitlines()
    first_screen = "\n".join(lines[:20])
    for picture in ("browser.gif", "browser-light.png", "browser-dark.png", "table.svg"):
        assert f"docs/pictures/{picture}" in first_screen
    assert (ROOT / "docs/pictures/browser.gif").stat().st_size < 1_000_000


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_the_files_that_a_document_names_exist(document):
    text = document.read_text()
    for path in re.findall(r"`((?:src|tests|docs|requirements)/[\w/.]+)`", text):
        assert (ROOT / path).exists(), path
    for link in re.findall(r"\]\(([\w/.-]+)(?:#[\w-]+)?\)", text):
        assert (document.parent / link).exists(), link


def test_the_commands_that_the_readme_shows_exist():
    shown = re.findall(r"^karma (\w+)(.*?)(?:#|$)", (ROOT / "README.md").read_text(), re.MULTILINE)
    commands = {command.callback.__name__: command.callback for command in app.registered_commands}
    for group in app.registered_groups:
        if group.typer_instance.registered_callback is not None:
            commands[group.name] = group.typer_instance.registered_callback.callback
        for command in group.typer_instance.registered_commands:
            commands[f"{group.name} {command.name}"] = command.callback
    assert len(shown) >= 5
    for name, rest in shown:
        if name not in commands:  # of a group
            name = f"{name} {rest.split()[0]}"
        taken = set(inspect.signature(commands[name]).parameters)
        assert {option.replace("-", "_") for option in re.findall(r"--(\w+)", rest)} <= taken


PAGE = (ROOT / "docs/architecture.md").read_text()


def part(heading):
    """What the page on architecture says under a heading."""
    return PAGE.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]


def test_the_layers_are_those_of_the_package():
    layers = part("The layers").split("```")[1].strip().splitlines()
    named = {name for line in layers for name in re.findall(r"\w+", re.split(r"  +", line)[0])}
    found = {path.stem for path in (ROOT / "src/karma").iterdir() if path.suffix in ("", ".py")}
    assert named == {name for name in found if not name.startswith("_")}


def test_the_life_of_a_move_names_functions_that_exist():
    steps = re.findall(
        r"^\| `([\w/.]+)` \| `([\w.]+)` \|", part("The life of a move"), re.MULTILINE
    )
    assert len(steps) > 20
    for path, function in steps:
        if path.startswith("src/"):
            found = importlib.import_module(path.removeprefix("src/")[:-3].replace("/", "."))
            for name in function.split("."):
                found = getattr(found, name)
            assert inspect.isfunction(found), function
        else:
            assert re.search(rf"^  (?:\w+ )*{function}\(", (ROOT / path).read_text(), re.MULTILINE)
    for name in re.findall(r"`([A-Z]\w+)\.(\w+)`", part("The life of a move")):
        assert any(step.endswith(".".join(name)) for _, step in steps) or hasattr(
            {"Table": Table, "TableLog": TableLog, "TableState": TableState}[name[0]], name[1]
        )


def changed_copy(folder, heading):
    """A copy of the sources with the changes of a worked example."""
    shutil.copytree(ROOT / "src", folder / "src", ignore=shutil.ignore_patterns("__pycache__"))
    hunks = re.findall(r"```diff\n--- (\S+)\n(.*?)```", part(heading), re.DOTALL)
    assert len(hunks) >= 5
    for name, hunk in hunks:
        lines = hunk.splitlines(keepends=True)
        before = "".join(line[1:] for line in lines if line[0] in " -")
        after = "".join(line[1:] for line in lines if line[0] in " +")
        source = (folder / name).read_text()
        assert source.count(before) == 1, f"{name} does not have once:\n{before}"
        (folder / name).write_text(source.replace(before, after))


def run_in(folder, script):
    """What a script prints that uses the copy."""
    result = subprocess.run(
        [sys.executable, "-c", script],
        env=os.environ | {"PYTHONPATH": str(folder / "src"), "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
    )
    assert result.returncode == 0, result.stderr
    return result.stdout


def test_the_worked_example_of_a_rule_option_works(tmp_path):
    """The changes are made to a copy, and a game is played with them."""
    changed_copy(tmp_path, "How to add a rule option")
    script = (
        "import karma\n"
        "rules = karma.edition('classic', hand_size=5)\n"
        "game = karma.Game(rules, players=2, seed=1)\n"
        "for _ in range(7):\n"
        "    game.push(game.legal[0])\n"
        "print(karma.__file__, game.view(None).hand_sizes[0], rules)\n"
    )
    here = tmp_path / "src/karma/__init__.py"
    assert run_in(tmp_path, script) == f"{here} 5 classic (hand_size=5)\n"


TITLE = """
import asyncio, secrets
import karma
from karma.clock import WallClock
from karma.protocol.reference import renewed
from karma.protocol.schema import schema
from karma.protocol.state import Settings
from karma.refusals import Refusal
from karma.store.memory import MemoryLog
from karma.table import Inline, Table, requests


def new_table(log):
    return Table("t", log, clock=WallClock(), secret=secrets.token_bytes, thinker=Inline())


async def main():
    log = MemoryLog()
    table = new_table(log)
    await table.create("ana", "Ana", Settings())
    title = requests.decode('{"type": "take_title", "id": "r1", "title": "Captain"}')
    await table.ask("ana", title)
    await table.stop()
    again = new_table(log)
    await again.load()
    print(again.state.chairs[0].name, again.state.steps[-1].notices[0].code)
    try:
        await again.ask("bo", title)
    except Refusal as refusal:
        print(refusal.code)
    await again.stop()


print(karma.__file__)
asyncio.run(main())
print("TakeTitle" in schema()["$defs"])
mark = "<!-- made from the code: requests -->\\n<!-- end -->"
print([line for line in renewed(mark).splitlines() if "take_title" in line][0])
"""


def test_the_worked_example_of_a_message_works(tmp_path):
    """The changes are made to a copy; the message is sent, kept, replayed, refused, documented."""
    changed_copy(tmp_path, "How to add a message")
    assert run_in(tmp_path, TITLE).splitlines() == [
        str(tmp_path / "src/karma/__init__.py"),
        "Captain Ana player_titled",
        "not_seated",
        "True",
        "| `take_title` | `id`, `title` | seats |"
        " Take a title at this table, before the first game |",
    ]


def test_limits_are_named_on_one_page_and_are_those_of_the_server():
    from karma.server import (
        access,
        addresses,
        connections,
        gauges,
        limits,
        notices,
        outbox,
        process,
        queues,
        tables,
    )

    rates = {
        "request": "requests",
        "player": "new players",
        "table": "new tables",
        "join": "joins",
        "code": "looks at codes",
        "transfer": "codes for another device",
        "socket": "sockets",
        "replay": "replays",
        "review": "reviews",
        "subscription": "subscriptions to push",
    }
    assert rates.keys() == limits.LIMITS.keys()
    words = {3: "three", 5: "five", 10: "ten"}
    named = [
        ", ".join(f"{limits.LIMITS[name]:g} {what}" for name, what in rates.items()),
        f"{words[limits.LEAST]} at least",
        f"{words[connections.CONNECTIONS_A_PERSON]} a person, times `--people-per-address`, "
        f"{connections.LEAST_AN_ADDRESS} at least",
        f"process open, less {connections.OWN_DESCRIPTORS}",
        f"{gauges.PER_SECOND} a second, {gauges.BURST} at once",
        f"{gauges.A_PERSON:g} a second for each of the people",
        f"{connections.REQUEST_SECONDS} s | connections",
        f"{connections.UNREAD_A_PERSON // 1024} KiB for each of the people behind it, "
        f"{connections.LEAST_UNREAD >> 20} MiB at least",
        f"{gauges.of_an_address(1):g} at least, and {queues.AT_ONCE} at once",
        f"{connections.most_of_an_address(500):,} wait",
        f"a frame, a body | {process.MOST_FRAME // 1024} KiB",
        f"{outbox.MOST_MESSAGES} messages or {outbox.MOST_BYTES // 1024} KiB",
        f"moves aside | {tables.MOST_CHANGES} things in ten seconds",
        f"open tables of a player | {tables.MOST_TABLES_A_PLAYER},",
        f"{words[addresses.CODES_A_DAY]} a day for a player and for an address, "
        f"{addresses.CODES_A_DAY_IN_ALL} in all; {notices.LETTERS_A_DAY} notices a day",
    ]
    assert process.MOST_FRAME == access.MOST_BODY
    page = (ROOT / "docs/limits.md").read_text(encoding="utf-8")
    for limit in named:
        assert limit in page, limit
    for name in ("server", "protocol"):
        other = (ROOT / f"docs/{name}.md").read_text(encoding="utf-8")
        assert "limits.md" in other
        assert not re.search(r"\d (open tables|frames a second|new players|a second)", other), name


def test_every_test_that_shows_a_promise_is_there():
    page = (ROOT / "docs/reliability.md").read_text(encoding="utf-8")
    named = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", page)
    assert len(named) > 15
    for file, name in named:
        assert f"def {name}(" in (ROOT / file).read_text(encoding="utf-8"), name
