"""Mutants: rules changed on purpose, one at a time, each of which has to turn a test red.

``make mutants`` copies the package to a temporary folder, changes one place of the rules there,
runs the tests of the core without the compiler, and lists the mutants that no test noticed. It is
slow, and no part of the ordinary tests. ``python tests/mutate.py 7`` begins at the seventh.
"""

import os
import shutil
import sys
import tempfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
RULES, VIEWS, LAYOUT = "core/rules.py", "core/views.py", "core/layout.py"

#: The file, what stands there exactly once, and what to put in its place.
MUTANTS = [
    # the deal
    (RULES, "seat = (dealer + 1 + turn) % seats", "seat = (dealer + turn) % seats"),
    (RULES, "if seat == state.dealer:", "if seat == state.seats - 1:"),
    (RULES, "if size(state.face_up[seat]) == 3:", "if size(state.face_up[seat]) == 2:"),
    # a turn
    (RULES, "state.pile_top > state.pile_bottom or plays == 0", "state.pile_top > 0"),
    (RULES, "may_pick_up = state.must_play != TABLE_CARD and (", "may_pick_up = ("),
    (RULES, "(others & ~bit(seat)) << GIVE_TO", "others << GIVE_TO"),
    (RULES, "rules.give_to == ACTIVE else", "rules.give_to != ACTIVE else"),
    (RULES, "draw_or_leave = 1 if empty(state.hand[seat]) else 3", "draw_or_leave = 3"),
    (RULES, "return empty(state.face_up[seat]) and state.covered[seat] == 0", "return False"),
    (RULES, "return FROM_FACE_DOWN if empty(", "return FROM_FACE_UP if empty("),
    (RULES, "fits = PLAYABLE[state.must_play] & cards_of(kind) != 0", "fits = True"),
    (LAYOUT, "number <= 5 if", "number < 5 if"),
    (LAYOUT, "else number >= must_play", "else number > must_play"),
    # after a play
    (RULES, "if state.run_kind == kind else 0)", "if state.run_kind >= 0 else 0)"),
    (RULES, "if in_a_row >= rules.set_size and", "if in_a_row > rules.set_size and"),
    (RULES, "if in_a_row >= rules.set_size and", "if in_a_row == rules.set_size and"),
    (RULES, "(kind < GIVE or rules.karma_sets)", "True"),
    (RULES, "rules.set_counts == TOP else", "rules.set_counts != TOP else"),
    (RULES, "if kind == GIVE or not rules.karma_stays:", "if not rules.karma_stays:"),
    (
        RULES,
        "        state.run_kind = NO_KIND\n        state.run_length = 0\n        if log",
        "        if log",
    ),
    (RULES, "remove(state, kind, in_a_row)", "remove(state, kind, rules.set_size)"),
    (
        RULES,
        "end_turn(rules, state, seat, PLAYS_AGAIN, log)",
        "end_turn(rules, state, seat, PASSES_ON, log)",
    ),
    (RULES, "            state.again = PLAYS_AGAIN", "            state.again = PASSES_ON"),
    (RULES, "        state.pile_bottom += 1\n", ""),
    (
        RULES,
        "            state.must_play = TABLE_CARD\n            return\n        require_top(state)",
        "            state.must_play = TABLE_CARD\n            return",
    ),
    (RULES, "return rules.no_table_card == HAND and not empty", "return not empty"),
    (RULES, "            return\n        new_pile(state)\n", "            return\n"),
    (RULES, "    add_cards(state.seen[seat], state.pile_cards)\n", ""),
    # drawing
    (RULES, "min(3 - size(state.hand[seat])", "min(4 - size(state.hand[seat])"),
    (RULES, "and size(state.hand[seat]) < 3:", "and size(state.hand[seat]) <= 3:"),
    (
        RULES,
        "state.drawn < state.deck_size and empty(state.hand[seat]):",
        "state.drawn < state.deck_size:",
    ),
    # going out, and the end
    (RULES, "        again = PASSES_ON\n", ""),
    (RULES, "state.quiet = 0 if state.progress else state.quiet + 1", "state.quiet += 1"),
    (RULES, "    state.progress = 0\n    if empty", "    if empty"),
    (RULES, "state.quiet >= rules.stall_limit", "state.quiet > rules.stall_limit"),
    (RULES, "if rules.stall_limit > 0 and", "if"),
    (
        RULES,
        "    for later in range(place, state.out):\n        state.places",
        "    for later in range(0):\n        state.places",
    ),
    (RULES, "later = state.holders >> seat + 1", "later = state.holders >> seat"),
    (RULES, "if count(state.holders) == 1:", "if count(state.holders) == 2:"),
    (
        RULES,
        "    state.progress = 1\n    if log is not None:\n        note(log, DREW",
        "    if log is not None:\n        note(log, DREW",
    ),
    # what is public
    (VIEWS, "if state.phase == CHOOSING:", "if state.phase == CHOOSING and False:"),
    (VIEWS, "if state.actor == seat:", "if True:"),
    (VIEWS, "source(state, state.actor) if", "source(state, state.dealer) if"),
    (VIEWS, "    view.run_length = state.run_length", "    view.run_length = 1"),
]


def mutated(mutant, folder):
    """Copies the package to a folder, and changes the one place."""
    file, old, new = mutant
    shutil.copytree(ROOT / "src", folder / "src", ignore=shutil.ignore_patterns("static"))
    path = folder / "src" / "karma" / file
    text = path.read_text(encoding="utf-8")
    if text.count(old) != 1:
        raise SystemExit(f"{file} does not hold this exactly once, correct the mutant:\n{old}")
    path.write_text(text.replace(old, new), encoding="utf-8")
    return folder / "src"


def tests():
    """The tests of the core, those of whole games last: they take longest."""
    slow = ("test_playouts.py", "test_worlds.py")
    files = sorted((ROOT / "tests" / "core").glob("test_*.py"))
    return map(str, sorted(files, key=lambda path: path.name in slow))


def survives(mutant):
    """Do all tests of the core pass, though the rules are wrong?"""
    with tempfile.TemporaryDirectory() as folder:
        package = mutated(mutant, Path(folder))
        child = os.fork()  # what is slow to import is imported already
        if child == 0:
            sys.path.insert(0, str(package))
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, 1)
            os.dup2(nowhere, 2)
            os._exit(pytest.main(["-q", "-x", "-p", "no:cacheprovider", *tests()]))
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        if code not in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED):
            raise SystemExit(f"the tests did not run: pytest says {code}")
        return code == pytest.ExitCode.OK


def main(first=1):
    _, old, _ = MUTANTS[0]
    if not survives((RULES, old, old)):
        raise SystemExit("the tests fail without any mutant")
    survivors = 0
    for number, mutant in enumerate(MUTANTS[first - 1 :], start=first):
        survived = survives(mutant)
        survivors += survived
        state = "SURVIVED" if survived else "noticed"
        print(f"{number}/{len(MUTANTS)} {state}: {mutant[1]!r} -> {mutant[2]!r}", flush=True)
    print(f"{survivors} survived")
    return survivors > 0


if __name__ == "__main__":
    os.chdir(ROOT)
    os.environ["NUMBA_DISABLE_JIT"] = "1"
    import numba  # noqa: F401, TID251 - slow to import, and each mutant needs it

    sys.exit(main(*map(int, sys.argv[1:])))
