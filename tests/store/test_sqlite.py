"""The SQLite store: second processes, and a disk that is full."""

import asyncio
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from karma.clock import WallClock
from karma.store import Conflict, Listing, StoreError, sqlite
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


def listing(invite: str, phase: str = "playing", asked: str = "ana") -> Listing:
    return Listing(
        phase=phase,
        public=True,
        edition="classic",
        rules={},
        clock="none",
        invite=invite,
        names=("Ana", "Bo"),
        players=(("ana", 0), ("bo", 1)),
        asked=(asked,),
        most_players=8,
        spectators=True,
    )


async def test_a_move_writes_few_pages(store: SqliteStore) -> None:
    for table in range(300):
        await store.log.append(f"{table}", 0, [bytes(150)] * 10, [], listing(f"{table}"))
    with closing(sqlite3.connect(store.path)) as database:
        (page,) = database.execute("PRAGMA page_size").fetchone()
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    for table in range(100):
        moved = listing(f"{table}", asked="bo")
        await store.log.append(f"{table}", 10, [bytes(150)], [], moved, parts_changed=False)
    written = store.path.with_name(f"{store.path.name}-wal").stat().st_size / (page + 24)
    assert written / 100 < 5


async def test_a_table_is_found_by_what_it_has_become(store: SqliteStore) -> None:
    await store.log.append("a", 0, [b"1"], [], listing("OLD"))
    await store.log.append("a", 1, [b"2"], [], listing("OLD", asked="bo"))
    assert await store.tables.by_invite("OLD") == "a"
    with pytest.raises(Conflict):
        await store.log.append("a", 1, [b"2"], [], listing("NEW", "over"))
    await store.log.append("a", 2, [b"3"], [], listing("NEW", "over"))
    await store.log.append("a", 3, [b"4"], [], listing("NEW", "over", asked="bo"))
    assert await store.tables.by_invite("NEW") == "a"
    assert await store.tables.by_invite("OLD") is None
    (found,) = await store.tables.public(10)
    assert found.listing == listing("NEW", "over", asked="bo")


async def test_what_was_taken_back_is_written_again(store: SqliteStore) -> None:
    """Though the indices were, nothing of a transaction that failed is."""
    await store.log.append("a", 0, [b"1"], [], listing("OLD"))
    (pages,) = await store._writer.write(
        lambda connection: connection.exec_driver_sql("PRAGMA page_count").all()
    )
    await allow_pages(store, pages[0])
    with pytest.raises(StoreError, match="full"):
        await store.log.append("a", 1, [bytes(1_000_000)], [], listing("NEW"))
    await allow_pages(store, 1_000_000)
    await store.log.append("a", 1, [b"2"], [], listing("NEW"))
    assert await store.tables.by_invite("NEW") == "a"


async def test_what_is_read_at_once_is_read_together(
    store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(50):
        await store.log.append(f"{number}", 0, [b"%d" % number])
    monkeypatch.setattr(sqlite, "MOMENT_SECONDS", 60.0)
    turns: list[int] = []
    to_thread = asyncio.to_thread

    async def counted(*job: Any) -> Any:
        turns.append(1)
        return await to_thread(*job)

    monkeypatch.setattr(asyncio, "to_thread", counted)
    wrong = store._reader.read(text("SELECT nothing"))
    reads = [store.log.read(f"{number}") for number in range(50)]
    failed, *logs = await asyncio.gather(wrong, *reads, return_exceptions=True)
    assert isinstance(failed, StoreError)
    assert logs == [[b"%d" % number] for number in range(50)]
    assert len(turns) <= 4  # heads, entries, and those who came between


async def test_who_asks_for_little_does_not_wait_for_all(
    store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite, "MOMENT_SECONDS", 0.0)
    await store.log.append("a", 0, [b"1"])
    told: list[int] = []

    async def read(number: int) -> None:
        await store.log.tables()
        told.append(number)
        assert len(store._reader._asked) >= 9 - number

    await asyncio.gather(*map(read, range(10)))
    assert told == list(range(10))


def test_reads_go_on_in_another_loop(tmp_path: Path) -> None:
    async def begin() -> None:
        asking = asyncio.create_task(store.log.tables())
        await asyncio.sleep(0)
        asking.cancel()

    with closing(SqliteStore(tmp_path, WallClock())) as store:
        asyncio.run(begin())
        assert asyncio.run(store.log.tables()) == []
