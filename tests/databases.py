"""Databases for tests: a SQLite file as ever, or, with DATABASE=postgres, a real PostgreSQL.

Its server is started by the first test that needs it and ends with the tests. It listens on no
port, only on a socket in its own folder. Every folder of a test has a database of its own there.
"""

import atexit
import hashlib
import os
import shutil
import sqlite3
import subprocess
import tempfile
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import Any

import psycopg

from karma.clock import Clock, WallClock
from karma.store.location import open_store
from karma.store.schema import METADATA
from karma.store.sql_store import SqlStore
from karma.store.sqlite import FILE

USER = "postgres"
START_SECONDS = 120


def programs() -> Path:
    """Where PostgreSQL's own programs are; Debian keeps them off the path."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: path.parts[4])
    on_path = shutil.which("initdb")
    if not found and on_path is None:
        raise RuntimeError("PostgreSQL is not installed: make services, as root, installs it")
    return found[-1].parent if found else Path(str(on_path)).parent


class Postgres:
    """A PostgreSQL server of the tests' own."""

    def __init__(self, *settings: str, within: Path | None = None, file: str = "") -> None:
        self._programs = programs()
        self._settings = settings
        self.folder = Path(tempfile.mkdtemp(prefix="karma-postgres-", dir=within))
        if os.getuid() == 0:
            shutil.chown(self.folder, USER)
        how = ("--auth=trust", f"--username={USER}", "--encoding=UTF8", "--data-checksums")
        self._run("initdb", *how, "--no-sync")
        self.set_up(file)
        atexit.register(self.end)
        self.start()

    def set_up(self, lines: str) -> None:
        """Adds lines to its file of settings."""
        with (self.folder / "data" / "postgresql.conf").open("a") as file:
            file.write(f"\n{lines}\n")

    def _run(self, program: str, *arguments: str, data: Path | None = None) -> None:
        """Runs one of PostgreSQL's programs, which refuse to be root's."""
        data = data or self.folder / "data"
        command = [str(self._programs / program), f"--pgdata={data}", *arguments]
        if os.getuid() == 0:
            command = ["runuser", "-u", USER, "--", *command]
        done = subprocess.run(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=self.folder
        )
        if done.returncode:
            raise RuntimeError(f"{program} failed: {done.stdout}")

    def start(self) -> None:
        chosen = ["listen_addresses=", f"unix_socket_directories={self.folder}", *self._settings]
        options = " ".join(f"-c {each}" for each in chosen)
        self._run(
            "pg_ctl", f"--timeout={START_SECONDS}", f"--log={self.folder / 'log'}", "--wait",
            f"--options={options}", "start",
        )  # fmt: skip

    def stop(self, mode: str = "immediate") -> None:
        """Ends: at once, in the middle of whatever it does, as a kill would, or otherwise."""
        self._run("pg_ctl", f"--mode={mode}", "stop")

    def base_backup(self) -> Path:
        """Copies all of its files while it runs."""
        base = self.folder / "base"
        how = ("--wal-method=none", "--checkpoint=fast", "--no-sync")
        self._run("pg_basebackup", *how, f"--host={self.folder}", f"--username={USER}", data=base)
        return base

    @classmethod
    def restored(cls, base: Path, lines: str) -> "Postgres":
        """A server that starts from a base backup, and goes on as its settings say."""
        server = cls.__new__(cls)
        server._programs, server._settings = programs(), ()
        server.folder = Path(tempfile.mkdtemp(prefix="karma-postgres-"))
        shutil.move(base, server.folder / "data")
        signal = server.folder / "data" / "recovery.signal"
        signal.touch()
        if os.getuid() == 0:
            for each in (server.folder, signal):
                shutil.chown(each, USER)
        server.set_up(lines)
        atexit.register(server.end)
        server.start()
        return server

    def address(self, name: str) -> str:
        return f"postgresql://{USER}@/{name}?host={self.folder}"

    def make(self, name: str) -> str:
        """A new database; its address."""
        with psycopg.connect(self.address("postgres"), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}")  # type: ignore[arg-type]
        return self.address(name)

    def end(self) -> None:
        atexit.unregister(self.end)
        if (self.folder / "data" / "postmaster.pid").exists():
            self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)


@cache
def postgres() -> Postgres:
    """The server that all tests of a process share; it may forget what a power cut would take."""
    return Postgres("fsync=off", "max_connections=200")


ADDRESSES: dict[Path, str] = {}
"""The databases that stand for folders; a test with a server of its own puts its own here."""


def address_for(folder: Path) -> str | None:
    """The address of the database that stands for a folder; None for the folder's own file."""
    folder = folder.resolve()
    if folder not in ADDRESSES:
        if os.environ.get("DATABASE", "sqlite") == "sqlite":
            return None
        name = "k" + hashlib.sha256(str(folder).encode()).hexdigest()[:20]
        ADDRESSES[folder] = postgres().make(name)
    return ADDRESSES[folder]


def flags_for(folder: Path) -> list[str]:
    """A folder, or the database that stands for it, as flags of `karma games`."""
    address = address_for(folder)
    return ["--data", str(folder)] if address is None else ["--database", address]


def rows_in(folder: Path, statement: str) -> list[tuple[Any, ...]]:
    """What is kept for a folder, asked past the store."""
    address = address_for(folder)
    if address is None:
        with closing(sqlite3.connect(folder / FILE)) as file:
            return file.execute(statement).fetchall()
    with psycopg.connect(address) as connection:
        return connection.execute(statement).fetchall()  # type: ignore[arg-type]


def kept_bytes(folder: Path) -> bytes:
    """Everything that is kept for a folder, to search in."""
    if address_for(folder) is None:
        return b"".join(path.read_bytes() for path in sorted(folder.glob(f"{FILE}*")))
    return repr([rows_in(folder, f"SELECT * FROM {name}") for name in METADATA.tables]).encode()


def store_in(folder: Path, clock: Clock | None = None) -> SqlStore:
    """The store of a test: whatever database the tests run on."""
    return open_store(folder, address_for(folder), clock or WallClock())
