"""The store, on every database: what it promises of entries, conflicts and chains."""

import asyncio
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection, text

from databases import store_in
from karma.store import Conflict, Damaged
from karma.store.schema import METADATA
from karma.store.sql_store import SqlStore


@pytest.fixture
def store(tmp_path: Path):
    store = store_in(tmp_path)
    yield store
    store.close()


async def change(store: SqlStore, statement: str, **values: object) -> None:
    """Changes what is kept, behind the store's back."""
    await store._writer.write(lambda connection: connection.execute(text(statement), values))


async def test_entries_come_back_in_order(store: SqlStore) -> None:
    await store.log.append("a", 0, [b"1", b"2"])
    await store.log.append("b", 0, [b"other"])
    await store.log.append("a", 2, [b"3"])
    assert await store.log.read("a") == [b"1", b"2", b"3"]
    assert await store.log.read("nobody") == []


async def test_the_second_writer_of_a_table_fails_and_takes_nobody_along(
    store: SqlStore,
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
    first = store_in(tmp_path)
    await first.log.append("a", 0, [b"1"])
    first.close()
    second = store_in(tmp_path)
    await second.log.append("a", 1, [b"2"])
    assert await second.log.read("a") == [b"1", b"2"]
    second.close()


async def test_a_changed_bit_shows(store: SqlStore) -> None:
    for number in range(10):
        await store.log.append("a", number, [b"entry %d" % number])
        await store.log.append("b", number, [b"entry %d" % number])
    assert await store.log.broken_links() == []
    await change(store, "UPDATE events SET body = :body WHERE tbl = 'a' AND seq = 4", body=b"other")
    assert await store.log.broken_links() == [("a", 4)]
    await change(store, "DELETE FROM events WHERE tbl = 'b' AND seq = 7")
    assert await store.log.broken_links() == [("a", 4), ("b", 8)]
    for table in ("a", "b"):
        with pytest.raises(Damaged):
            await store.log.read(table)
    assert await store.log.cut_off() == []
    await change(store, "DELETE FROM events WHERE tbl = 'b' AND seq > 7")
    assert await store.log.cut_off() == [("b", 10)]


async def test_the_fence_is_the_key_whatever_a_process_remembers(store: SqlStore) -> None:
    await store.log.append("a", 0, [b"1"])
    await change(store, "INSERT INTO events VALUES ('a', 2, :body, :body)", body=b"somebody's")
    answers = await asyncio.gather(
        store.log.append("a", 1, [b"2"]), store.log.append("b", 0, [b"1"]), return_exceptions=True
    )
    assert [type(answer) for answer in answers] == [Conflict, type(None)]
    assert await store.log.read("b") == [b"1"]


async def test_migrations_end_at_the_schema_as_it_is_defined(store: SqlStore) -> None:
    def differences(connection: Connection) -> list[object]:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        return list(compare_metadata(context, METADATA))

    assert await store._writer.write(differences) == []


async def test_a_job_that_fails_takes_nobody_along(store: SqlStore) -> None:
    def fail(connection: Connection) -> None:
        connection.execute(text("INSERT INTO tokens VALUES (:hash, 'me')"), {"hash": b"1"})
        raise ZeroDivisionError

    answers = await asyncio.gather(
        store._writer.write(fail), store.log.append("a", 0, [b"1"]), return_exceptions=True
    )
    assert [type(answer) for answer in answers] == [ZeroDivisionError, type(None)]
    assert await store.players.by_token(b"1") is None
    assert await store.log.read("a") == [b"1"]
