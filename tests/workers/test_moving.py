"""`karma games move`: from a folder into a database and back, and all is as it was."""

import sqlite3
from contextlib import closing
from pathlib import Path

import psycopg
import pytest
from typer.testing import CliRunner

from databases import Postgres, postgres
from golden_database import GOLDEN
from karma.cli.errors import Failure
from karma.cli.games import games
from karma.clock import WallClock
from karma.store.copy import KEPT
from karma.store.sqlite import FILE, SqliteStore

DATABASES = sorted(GOLDEN.glob("database-*.sql"))


def run(*command: object) -> str:
    """What a command says; it has to end well."""
    told = CliRunner().invoke(games, [str(part) for part in command])
    assert told.exit_code == 0, f"{told.output} {told.exception}"
    return told.output


def refused(*command: object) -> str:
    told = CliRunner().invoke(games, [str(part) for part in command])
    assert isinstance(told.exception, Failure)
    return str(told.exception)


def rows(folder: Path) -> dict[str, list[str]]:
    with closing(sqlite3.connect(folder / FILE)) as file:
        return {
            table.name: sorted(map(repr, file.execute(f"SELECT * FROM {table.name}")))
            for table in KEPT
        }


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """What a released version kept."""
    with closing(sqlite3.connect(tmp_path / FILE)) as file:
        file.executescript(DATABASES[0].read_text(encoding="utf-8"))
    return tmp_path


def new_database(server: Postgres, name: str) -> str:
    with psycopg.connect(server.address("postgres"), autocommit=True) as connection:
        connection.execute(f"DROP DATABASE IF EXISTS {name}")  # type: ignore[arg-type]
    return server.make(name)


def test_everything_moves_into_a_database_and_back(folder: Path, tmp_path: Path) -> None:
    address = new_database(postgres(), "moved")
    assert "2 games" in run("move", folder, address)
    before = rows(folder)
    assert len(before["events"]) > 50 and before["games"] and before["heads"]
    assert run("verify", "--database", address).endswith("0 wrong\n")
    listed = run("list", "--database", address)
    assert listed == run("list", "--data", folder) and listed
    assert run("export", "--database", address) == run("export", "--data", folder)
    back = tmp_path / "back"
    assert str(back) in run("move", address, back)
    assert rows(back) == before
    assert run("verify", "--data", back).endswith("0 wrong\n")
    SqliteStore(back, WallClock()).close()  # and a server starts there


def test_what_cannot_be_moved_is_said_in_a_line(folder: Path, tmp_path: Path) -> None:
    address = new_database(postgres(), "taken")
    run("move", folder, address)
    assert "something in it already" in refused("move", folder, address)
    assert "exists; give a folder" in refused("move", address, folder)
    with psycopg.connect(address) as connection:
        connection.execute("INSERT INTO workers VALUES ('somebody', 9000000000000)")
    assert "1 workers serve from there" in refused("move", address, tmp_path / "other")
    assert "one of the two" in refused("move", folder, tmp_path / "other")
    assert "there is no" in refused("move", tmp_path / "nowhere", address)
    assert "is like postgresql://" in refused("move", folder, "postgresql:wrong")
    with closing(SqliteStore(folder, WallClock())):
        assert "another process uses" in refused("move", folder, address)
