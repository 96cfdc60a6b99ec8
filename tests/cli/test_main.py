"""The command line itself: help, version, and errors of one line."""

import subprocess
import sys


def karma(*arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "karma", *arguments],
        input=stdin,
        capture_output=True,
        text=True,
        timeout=120,
    )


def test_help_lists_the_commands():
    result = karma("--help")
    assert result.returncode == 0
    assert "Usage: karma" in result.stdout


def test_version_is_the_packages():
    result = karma("--version")
    assert result.returncode == 0
    assert result.stdout.startswith("karma 0.")


def test_an_unknown_command_is_one_line_and_exit_code_2():
    result = karma("shuffle")
    assert result.returncode == 2
    assert result.stderr.count("\n") == 1
    assert "shuffle" in result.stderr


def test_help_imports_nothing_heavy():
    script = (
        "import sys\n"
        "import karma.cli\n"
        "heavy = {'numpy', 'numba', 'textual', 'starlette', 'sqlalchemy', 'matplotlib'}\n"
        "print(sorted(heavy & set(sys.modules)))\n"
    )
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert result.stdout.strip() == "[]"


def test_simulate_names_the_house_rules(karma):
    changes = ("--rule", "set_counts=top", "--rule", "drawing=manual")
    answer = karma("simulate", "--edition", "mini", "--games", 2, *changes)
    assert "mini (drawing=manual, set_counts=top)" in " ".join(answer.out.split())
