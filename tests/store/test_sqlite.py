"""The SQLite store: what it promises of entries, conflicts, chains, and second processes."""

import asyncio
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from karma.clock import WallClock
from karma.store import Conflict, StoreError
from karma.store.sqlite import SqliteStore


@pytest.fixture
def store(tmp_path: Path):
    store = SqliteStore(tmp_path, WallClock())
    yield store
    store.close()


async def test_entries_come_back_in_order(store: SqliteStore) -> None:
    await store.log.append("a", 0, [b"1", b"2"])
    await store.log.append("b", 0, [b"other"])
    await store.log.append("a", 2, [b"3"])
    assert await store.log.read("a") == [b"1", b"2", b"3"]
    assert await store.log.read("nobody") == []


async def test_the_second_writer_of_a_table_fails_and_takes_nobody_along(
    store: SqliteStore,
) -> None:
    answers = await asyncio.gather(
        store.log.append("a", 0, [b"mine"]),
        store.log.append("a", 0, [b"yours"]),
        store.log.append("b", 0, [b"other"]),
        return_exceptions=True,
    )
    assert [type(answer) for answer in answers] == [type(None), Conflict, type(None)]
    assert await store.log.read("a") == [b"mine"]
    assert await store.log.read("b") == [b"other"]


async def test_entries_survive_a_new_start(tmp_path: Path) -> None:
    first = SqliteStore(tmp_path, WallClock())
    await first.log.append("a", 0, [b"1"])
    first.close()
    second = SqliteStore(tmp_path, WallClock())
    await second.log.append("a", 1, [b"2"])
    assert await second.log.read("a") == [b"1", b"2"]
    second.close()


async def test_a_changed_bit_shows(store: SqliteStore) -> None:
    for number in range(10):
        await store.log.append("a", number, [b"entry %d" % number])
        await store.log.append("b", number, [b"entry %d" % number])
    with sqlite3.connect(store.path) as database:
        assert await store.log.broken_links() == []
        database.execute("UPDATE events SET body = ? WHERE tbl = 'a' AND seq = 4", (b"entry 4",))
        database.commit()
        assert await store.log.broken_links() == [("a", 4)]
        database.execute("DELETE FROM events WHERE tbl = 'b' AND seq = 7")
        database.commit()
        assert await store.log.broken_links() == [("a", 4), ("b", 8)]


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
