"""The store in PostgreSQL: two processes on one database, and a server that goes and comes back."""

import asyncio
import threading
from collections import Counter
from collections.abc import AsyncIterator, Callable, Collection, Iterator
from contextlib import asynccontextmanager, closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import psycopg
import pytest
from sqlalchemy import Connection, text

from databases import Postgres, address_for, store_in
from karma.clock import WallClock
from karma.protocol.state import Settings
from karma.server.workers import ServerWorkers
from karma.store import Conflict, Damaged, StoreError
from karma.store.ports import WorkersPort
from karma.store.postgres import PostgresStore
from karma.store.sql_store import SqlStore
from karma.store.workers import LEASE_SECONDS
from karma.table import requests
from people import table_for


@pytest.fixture
def server() -> Iterator[Postgres]:
    """A server of the test's own, to end and to start."""
    server = Postgres()
    yield server
    server.end()


@asynccontextmanager
async def at_once(store: SqlStore) -> AsyncIterator[None]:
    """Holds the writer up, so that what it is asked for meanwhile becomes one transaction."""
    begun, queued = threading.Event(), threading.Event()

    def wait(connection: Connection) -> None:
        begun.set()
        queued.wait()

    busy = asyncio.create_task(store._writer.write(wait))
    while not begun.is_set():
        await asyncio.sleep(0.001)
    yield
    await asyncio.sleep(0)
    queued.set()
    await busy


async def test_of_two_processes_that_write_one_table_one_goes_first(tmp_path: Path) -> None:
    with closing(store_in(tmp_path)) as one, closing(store_in(tmp_path)) as other:
        tables = [f"table{number}" for number in range(20)]
        for number in range(15):
            answers = await asyncio.gather(
                *(
                    store.log.append(table, number, [f"{name} {number}".encode()])
                    for store, name in ((one, "one"), (other, "other"))
                    for table in tables
                ),
                return_exceptions=True,
            )
            mine, yours = answers[: len(tables)], answers[len(tables) :]
            for pair in zip(mine, yours, strict=True):
                assert {type(answer) for answer in pair} == {type(None), Conflict}, pair
        assert await one.log.broken_links() == []
        assert {len(await other.log.read(table)) for table in tables} == {15}


async def test_one_that_comes_too_late_has_nothing_of_the_others_written_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(store_in(tmp_path)) as one, closing(store_in(tmp_path)) as other:
        tables = [f"table{number}" for number in range(20)]
        for table in tables:
            await one.log.append(table, 0, [b"1"])
        await other.log.append("table7", 1, [b"other"])
        commit, transactions = one._writer._commit, []

        def count(tasks: Any, do: Any) -> list[Any]:
            transactions.append(len(tasks))
            return commit(tasks, do)

        async with at_once(one):
            monkeypatch.setattr(one._writer, "_commit", count)
            wanted = [asyncio.create_task(one.log.append(each, 1, [b"2"])) for each in tables]
        answers = await asyncio.gather(*wanted, return_exceptions=True)
        assert [type(each) for each in answers] == [
            Conflict if table == "table7" else type(None) for table in tables
        ]
        assert transactions == [20]
        assert await one.log.broken_links() == []


async def test_who_waits_for_a_table_holds_none_that_comes_after_it(tmp_path: Path) -> None:
    def fail(connection: Connection) -> None:
        connection.execute(text("INSERT INTO events VALUES ('z', 1, 'once more', 'hash')"))

    with (
        closing(store_in(tmp_path)) as store,
        closing(psycopg.connect(str(address_for(tmp_path)))) as other,
        closing(psycopg.connect(str(address_for(tmp_path)), autocommit=True)) as watcher,
    ):
        await store.log.append("z", 0, [b"1"])
        other.execute("INSERT INTO events VALUES ('a', 1, 'other', 'hash')")
        async with at_once(store):
            failing = asyncio.create_task(store._writer.write(fail))  # so each is tried by itself
            wanted = [asyncio.create_task(store.log.append(table, 0, [b"1"])) for table in "cba"]
        while not watcher.execute("SELECT FROM pg_locks WHERE NOT granted").fetchall():
            await asyncio.sleep(0.01)
        other.execute("SET lock_timeout = '1ms'")  # which is not to wait at all
        for table in "bc":
            other.execute("INSERT INTO events VALUES (%s, 1, 'other', 'hash')", [table])
        other.commit()
        answers = await asyncio.gather(failing, *wanted, return_exceptions=True)
        assert [type(answer) for answer in answers] == [Conflict] * 4


async def test_two_processes_that_wait_for_each_other_are_both_answered(tmp_path: Path) -> None:
    met = threading.Event()
    both = threading.Barrier(2, action=met.set, timeout=60)

    def crosswise(first: str, second: str) -> Callable[[Connection], None]:
        def job(connection: Connection) -> None:
            for table in (first, second):
                connection.execute(text("UPDATE heads SET seq = 1 WHERE tbl = :t"), {"t": table})
                if not met.is_set():
                    both.wait()  # each has what the other wants next

        return job

    with closing(store_in(tmp_path)) as one, closing(store_in(tmp_path)) as other:
        for table in "ab":
            await one.log.append(table, 0, [b"1"])
        await asyncio.gather(
            one._writer.write(crosswise("a", "b")), other._writer.write(crosswise("b", "a"))
        )
        assert not one.failing and not other.failing


async def test_processes_that_start_at_once_make_one_schema(server: Postgres) -> None:
    address = server.make("karma")
    stores = await asyncio.gather(
        *(asyncio.to_thread(PostgresStore, address, WallClock()) for _ in range(4))
    )
    for number, store in enumerate(stores):
        await store.log.append("a", number, [b"1"])
        store.close()


async def test_a_process_goes_on_where_another_wrote(tmp_path: Path) -> None:
    with closing(store_in(tmp_path)) as one, closing(store_in(tmp_path)) as other:
        await one.log.append("a", 0, [b"1"])
        await other.log.append("a", 1, [b"2", b"3"])
        with pytest.raises(Conflict):
            await one.log.append("a", 1, [b"mine"])
        assert await one.log.read("a", after=1) == [b"2", b"3"]
        await one.log.append("a", 3, [b"4"])
        assert await other.log.read("a") == [b"1", b"2", b"3", b"4"]


async def test_who_goes_at_one_process_and_comes_back_at_another_has_a_part_again(
    tmp_path: Path,
) -> None:
    with closing(store_in(tmp_path)) as one, closing(store_in(tmp_path)) as other:
        here = table_for(one.log, clock=WallClock())
        await here.create("ana", "Ana", Settings(edition="mini"))
        await here.join("bo", "Bo", invite=here.state.invite)
        there = table_for(other.log, clock=WallClock())
        assert await there.load()
        await there.ask("bo", requests.seats.Leave(id="leave"))
        assert await one.tables.of_player("bo", 1) == []
        await here.catch_up()
        await here.join("bo", "Bo", invite=here.state.invite)
        (listed,) = await one.tables.of_player("bo", 1)
        assert listed.seat == 1
        for table in (here, there):
            await table.stop()


async def test_a_process_that_stands_still_in_a_transaction_keeps_nobody(tmp_path: Path) -> None:
    with closing(store_in(tmp_path)) as store:
        await store.log.append("a", 0, [b"1"])
        with closing(psycopg.connect(str(address_for(tmp_path)))) as frozen:
            frozen.execute("SET idle_in_transaction_session_timeout = '1s'")
            frozen.execute("INSERT INTO events VALUES ('a', 2, 'other', 'hash')")
            await store.log.append("a", 1, [b"2"])  # waits until the server has ended the other
        assert await store.log.read("a") == [b"1", b"2"]


async def test_the_store_refuses_while_the_server_is_away_and_goes_on_when_it_is_back(
    server: Postgres,
) -> None:
    with closing(PostgresStore(server.make("karma"), WallClock())) as store:
        await store.log.append("a", 0, [b"1"])
        for version in (1, 2, 3):
            server.stop()
            with pytest.raises(StoreError, match="cannot write postgresql://"):
                await store.log.append("a", version, [b"lost"])
            with pytest.raises(StoreError, match="cannot read"):
                await store.log.read("a")
            assert store.failing
            server.start()
            await store.log.append("a", version, [b"kept"])
            assert not store.failing
        assert await store.log.read("a") == [b"1", b"kept", b"kept", b"kept"]


async def test_a_store_whose_server_is_gone_ends_without_a_word(server: Postgres) -> None:
    store = PostgresStore(server.make("karma"), WallClock())
    assert store.workers is not None
    await store.workers.renew("worker")
    server.stop()
    with pytest.raises(StoreError):
        await store.workers.renew("worker")
    store.close()


async def test_nothing_is_written_behind_entries_that_a_restored_database_has_lost(
    server: Postgres,
) -> None:
    """It has gone back in time while it was away: to a backup, or to a replica that was late."""
    address = server.make("karma")
    with closing(PostgresStore(address, WallClock())) as store:
        await store.log.append("a", 0, [b"1", b"2", b"3"])
        server.stop()
        server.start()
        with psycopg.connect(address) as restored:
            restored.execute("DELETE FROM events WHERE seq > 1")
            restored.execute("UPDATE heads SET (seq, hash) = (SELECT seq, hash FROM events)")
        with pytest.raises(Conflict):
            await store.log.append("a", 3, [b"4"])
        with pytest.raises(Damaged, match="has lost its entry of number 3"):
            await store.log.read("a", after=3)
        assert await store.log.read("a") == [b"1"] and await store.log.broken_links() == []


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("mysql://somewhere/karma", "is like postgresql://"),
        ("postgresql://host", "is like postgresql://"),
        ("nonsense", "is like postgresql://"),
        ("postgresql://me:secret@127.0.0.1:1/karma", "cannot use postgresql://me:.*127.0.0.1:1/k"),
    ],
)
def test_an_address_that_leads_nowhere_is_said_in_a_line(address: str, said: str) -> None:
    with pytest.raises(StoreError, match=said) as told:
        PostgresStore(address, WallClock())
    assert "\n" not in str(told.value) and "secret" not in str(told.value)


async def test_a_crowd_is_written_down_at_once_and_each_is_where_they_came_last(
    tmp_path: Path,
) -> None:
    with closing(store_in(tmp_path)) as one, closing(store_in(tmp_path)) as other:
        assert one.workers is not None and other.workers is not None
        everybody = [(table, f"player{number}") for table in "ab" for number in range(50)]
        for store, worker in ((one, "one"), (other, "other")):
            await store.workers.renew(worker)
        await one.workers.note("one", everybody, [])
        await other.workers.note("other", everybody[:10], [])
        await one.workers.note("one", [], everybody[:20])  # ten of them are another's by now
        found = await one.workers.look("one", ["a", "b"])
        assert found["a"].present == {
            player: "other" if number < 10 else "one"
            for number, (_, player) in enumerate(everybody[:50])
            if not 10 <= number < 20
        }
        assert found["b"].present == dict.fromkeys([who for _, who in everybody[50:]], "one")


async def test_a_crowd_has_each_table_caught_up_with_once(tmp_path: Path) -> None:
    """Also where everybody comes before the first of their tables is anybody's."""
    caught_up = Counter[str]()
    taken: list[int] = []

    def table(name: str, people: set[str]) -> Any:
        async def catch_up() -> None:
            caught_up[name] += 1

        return SimpleNamespace(id=name, players_here=people, is_waited_for=True, catch_up=catch_up)

    with closing(store_in(tmp_path)) as store:
        assert store.workers is not None
        port, take = store.workers, store.workers.take

        async def count(worker: str, tables: Collection[str]) -> set[str]:
            taken.append(len(tables))
            return await take(worker, tables)

        port.take = count  # type: ignore[method-assign]
        names = [f"table{number}" for number in range(30)]
        tables = {name: table(name, set()) for name in names}
        worker = ServerWorkers(port, store.players, None, tables, print)
        await port.renew(worker.id)
        arrivals = []
        for number in range(6):
            for name in names:
                tables[name].players_here.add(f"player {number} of {name}")
                arrivals.append(asyncio.create_task(worker.arrived(name)))
        await asyncio.gather(*arrivals)
        async with asyncio.timeout(60):
            while len(caught_up) < len(names):
                await asyncio.sleep(0.01)
        await worker.close()
        assert set(caught_up.values()) == {1}
        assert len(taken) < len(names)


async def test_who_wants_a_lease_that_another_holds_waits_for_nobody(tmp_path: Path) -> None:
    with (
        closing(store_in(tmp_path)) as one,
        closing(store_in(tmp_path)) as other,
        closing(psycopg.connect(str(address_for(tmp_path)))) as holding,
    ):
        assert one.workers is not None and other.workers is not None
        for store, worker in ((one, "one"), (other, "other")):
            await store.workers.renew(worker)
        assert await one.workers.take("one", ["a"]) == {"a"}
        holding.execute("SELECT FROM leases WHERE tbl = 'a' FOR UPDATE")
        assert await other.workers.take("other", ["a", "b"]) == {"b"}
        holding.rollback()
        await one.workers.retire("one")
        assert await other.workers.take("other", ["a"]) == {"a", "b"}


class Stuck:
    """Workers of a database that never come to the end of writing down who is there."""

    def __init__(self, port: WorkersPort) -> None:
        self._port = port

    def __getattr__(self, name: str) -> Any:
        return getattr(self._port, name)

    async def note(self, *arguments: Any) -> None:
        await asyncio.Event().wait()


async def test_a_worker_whose_turn_takes_long_is_alive_for_the_others(tmp_path: Path) -> None:
    with closing(store_in(tmp_path)) as store:
        assert store.workers is not None
        port: Any = Stuck(store.workers)
        somebody: Any = SimpleNamespace(players_here={"ana"}, is_waited_for=False)
        worker = ServerWorkers(port, store.players, None, {"a": somebody}, print)
        await store.workers.note(worker.id, [("a", "ana")], [])
        running = asyncio.create_task(worker.run())
        async with asyncio.timeout(60):
            while not (await store.workers.look("other", ["a"]))["a"].present:
                assert not running.done(), running
                await asyncio.sleep(0.01)
            for _ in range(round(2 * LEASE_SECONDS / 0.5)):
                await asyncio.sleep(0.5)  # as long as two leases
                assert (await store.workers.look("other", ["a"]))["a"].present
        running.cancel()
