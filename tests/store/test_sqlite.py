"""The SQLite store: what it promises of entries, conflicts, chains, and second processes."""

import asyncio
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from karma.store import Conflict, StoreError
from karma.store.chain import broken_links
from karma.store.sqlite import SqliteStore


@pytest.fixture
def store(tmp_path: Path):
    store = SqliteStore(tmp_path)
    yield store
    store.close()


async def test_entries_come_back_in_order(store: SqliteStore) -> None:
    await store.append("a", 0, [b"1", b"2"])
    await store.append("b", 0, [b"other"])
    await store.append("a", 2, [b"3"])
    assert await store.read("a") == [b"1", b"2", b"3"]
    assert await store.read("nobody") == []


async def test_the_second_writer_of_a_table_fails_and_takes_nobody_along(
    store: SqliteStore,
) -> None:
    answers = await asyncio.gather(
        store.append("a", 0, [b"mine"]),
        store.append("a", 0, [b"yours"]),
        store.append("b", 0, [b"other"]),
        return_exceptions=True,
    )
    assert [type(answer) for answer in answers] == [type(None), Conflict, type(None)]
    assert await store.read("a") == [b"mine"]
    assert await store.read("b") == [b"other"]


async def test_entries_survive_a_new_start(tmp_path: Path) -> None:
    first = SqliteStore(tmp_path)
    await first.append("a", 0, [b"1"])
    first.close()
    second = SqliteStore(tmp_path)
    await second.append("a", 1, [b"2"])
    assert await second.read("a") == [b"1", b"2"]
    second.close()


async def test_a_changed_bit_shows(store: SqliteStore) -> None:
    for number in range(10):
        await store.append("a", number, [b"entry %d" % number])
        await store.append("b", number, [b"entry %d" % number])
    with sqlite3.connect(store.path) as database:
        assert list(broken_links(database)) == []
        database.execute("UPDATE events SET body = ? WHERE tbl = 'a' AND seq = 4", (b"entry 4",))
        assert list(broken_links(database)) == [("a", 4)]
        database.execute("DELETE FROM events WHERE tbl = 'b' AND seq = 7")
        assert list(broken_links(database)) == [("a", 4), ("b", 8)]


def test_a_second_process_is_refused(store: SqliteStore) -> None:
    script = (
        "import sys; from pathlib import Path; from karma.store.sqlite import SqliteStore\n"
        "from karma.store import StoreError\n"
        "try: SqliteStore(Path(sys.argv[1]))\n"
        "except StoreError as error: print(error)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, store.path.parent], capture_output=True, text=True
    )
    assert done.stdout.startswith("another process uses") and not done.stderr


async def test_a_full_disk_is_said_and_nothing_is_kept(store: SqliteStore) -> None:
    await store.append("a", 0, [b"1"])
    pages = (await store.query("PRAGMA page_count"))[0][0]
    await store.write(lambda database: database.execute(f"PRAGMA max_page_count = {pages}"))
    with pytest.raises(StoreError, match="full"):
        await store.append("a", 1, [bytes(1_000_000)])
    assert await store.read("a") == [b"1"]
    await store.write(lambda database: database.execute("PRAGMA max_page_count = 1000000"))
    await store.append("a", 1, [bytes(1_000_000)])
    assert len(await store.read("a")) == 2
