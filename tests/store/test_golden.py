"""Databases of every released version open, and their logs replay to the same tables."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from typer.testing import CliRunner

from golden_database import GOLDEN, fingerprint
from karma.cli.errors import Failure
from karma.cli.games import games
from karma.clock import WallClock
from karma.store.sqlite import FILE, SqliteStore

DATABASES = sorted(GOLDEN.glob("database-*.sql"))


def restored(path: Path, folder: Path) -> Path:
    with closing(sqlite3.connect(folder / FILE)) as database:
        database.executescript(path.read_text(encoding="utf-8"))
    return folder


@pytest.mark.parametrize("path", DATABASES, ids=lambda path: path.stem)
async def test_an_old_database_opens_and_replays_to_the_same_tables(
    path: Path, tmp_path: Path
) -> None:
    store = SqliteStore(restored(path, tmp_path), WallClock())
    with closing(sqlite3.connect(store.path)) as database:
        told = json.loads(json.dumps(fingerprint(database)))
    assert await store.log.broken_links() == []
    assert told == json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
    for table in told:
        await store.log.append(table, told[table]["version"], [b"{}"])
    store.close()


def test_the_operator_sees_what_was_kept_and_what_was_changed(tmp_path: Path) -> None:
    folder = restored(DATABASES[-1], tmp_path)
    run = CliRunner().invoke
    listed = run(games, ["list", "--data", str(folder)])
    assert listed.exit_code == 0 and listed.output.count("\n") == 2
    assert run(games, ["verify", "--data", str(folder)]).output.endswith("0 wrong\n")
    copied = run(games, ["backup", str(tmp_path / "copy"), "--data", str(folder)])
    assert copied.exit_code == 0
    exported = run(games, ["export", "--data", str(tmp_path / "copy")])
    assert exported.output.count('"karma": 1') == 2
    with closing(sqlite3.connect(folder / FILE)) as database, database:
        (body,) = database.execute(
            "SELECT body FROM events WHERE tbl = 'goldentab1' AND seq = 9"
        ).fetchone()
        flipped = bytes([body[0] ^ 1]) + body[1:]
        database.execute(
            "UPDATE events SET body = ? WHERE tbl = 'goldentab1' AND seq = 9", (flipped,)
        )
    verified = run(games, ["verify", "--data", str(folder)])
    assert verified.exit_code == 1
    assert "table goldentab1: entry 9 is not what was written" in verified.output
    nowhere = run(games, ["list", "--data", str(tmp_path / "nowhere")])
    assert nowhere.exit_code != 0


def test_the_operator_is_told_in_a_line_what_is_wrong(tmp_path: Path) -> None:
    folder, broken = restored(DATABASES[-1], tmp_path), tmp_path / "broken"
    broken.mkdir()
    (broken / FILE).write_bytes(b"not a database at all" * 1000)
    asked = {
        "file is not a database": ["list", "--data", str(broken)],
        "has no finished game": ["export", "--table", "nobody", "--data", str(folder)],
        "cannot write": ["export", str(broken), "--data", str(folder)],
        "as a folder": ["backup", str(folder / FILE), "--data", str(folder)],
        "2 games written to": ["export", str(tmp_path / "all.jsonl"), "--data", str(folder)],
    }
    for answer, command in asked.items():
        told = CliRunner().invoke(games, command)
        assert answer in f"{told.output} {told.exception}"
        assert told.exception is None or isinstance(told.exception, Failure)
