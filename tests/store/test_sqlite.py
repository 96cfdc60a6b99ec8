"""The SQLite store: second processes, and a disk that is full."""

import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from karma.clock import WallClock
from karma.store import StoreError
from karma.store.sqlite import SqliteStore


@pytest.fixture
def store(tmp_path: Path):
    store = SqliteStore(tmp_path, WallClock())
    yield store
    store.close()


def test_a_second_process_is_refused(store: SqliteStore) -> None:
    script = (
        "import sys; from pathlib import Path; from karma.store.sqlite import SqliteStore\n"
        "from karma.clock import WallClock; from karma.store import StoreError\n"
        "try: SqliteStore(Path(sys.argv[1]), WallClock())\n"
        "except StoreError as error: print(error)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, store.path.parent], capture_output=True, text=True
    )
    assert done.stdout.startswith("another process uses") and not done.stderr


async def allow_pages(store: SqliteStore, pages: int) -> None:
    """Makes the disk as full as that: SQLite says the same of both."""
    limit = f"PRAGMA max_page_count = {pages}"
    await store._writer.write(lambda connection: connection.exec_driver_sql(limit).all())


async def test_a_full_disk_is_said_and_nothing_is_kept(store: SqliteStore) -> None:
    await store.log.append("a", 0, [b"1"])
    with closing(sqlite3.connect(store.path)) as database:
        (pages,) = database.execute("PRAGMA page_count").fetchone()
    await allow_pages(store, pages)
    with pytest.raises(StoreError, match="full"):
        await store.log.append("a", 1, [bytes(1_000_000)])
    assert await store.log.read("a") == [b"1"]
    await allow_pages(store, 1_000_000)
    await store.log.append("a", 1, [bytes(1_000_000)])
    assert len(await store.log.read("a")) == 2
