"""Disks that are full, fail, may not be written, or give back something else than was written."""

import asyncio
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import httpx
import psycopg
import pytest
import websockets

from checker import check
from databases import Postgres
from disks import Disk, FailingDisk
from servers import House, Roamer, Worker, at, finish, house, two_seats
from stranger import Stranger

MOST_ASKED = 4000
PAGE = 8192


@asynccontextmanager
async def on_sqlite(folder: Path) -> AsyncIterator[Worker]:
    """A server on a folder's SQLite file."""
    worker = Worker(folder, "--data", folder / "data")
    try:
        yield await worker.ready()
    finally:
        worker.end()


async def ask_until(who: Stranger, answer: str) -> None:
    """Pauses and goes on, again and again, until that is the answer: `ack`, or a refusal's code."""
    for _ in range(MOST_ASKED):
        try:
            if who.socket is None:
                await who.connect()
            told = await who.ask("resume" if who.state["table"]["paused"] else "pause")
            if told["type"] == "ack":
                await who.read_until(lambda told=told: who.version >= told["version"])
        except (OSError, websockets.WebSocketException, httpx.HTTPError):
            who.socket = None
            await asyncio.sleep(0.2)
            continue
        if answer in (told["type"], told.get("code")):
            return
        assert told["type"] == "ack" or told["code"] == "not_stored", told
        if told["type"] == "refused":
            await asyncio.sleep(0.1)
    raise AssertionError(f"{answer} was never the answer")


async def play_on(ana: Stranger) -> None:
    await ask_until(ana, "ack")
    if ana.state["table"]["paused"]:
        assert (await ana.ask("resume"))["type"] == "ack"


async def at_a_table(server: Worker) -> Roamer:
    ana = Roamer([server], "Ana")
    await ana.come()
    await ana.open(bots=1, start=True, edition="mini")
    await ana.connect()
    await ana.play(at(8))
    return ana


async def test_a_full_disk_refuses_and_play_goes_on_when_there_is_room(
    tmp_path: Path, disk: Disk
) -> None:
    (tmp_path / "data").symlink_to(disk.folder)
    async with on_sqlite(tmp_path) as server:
        ana = await at_a_table(server)
        disk.fill()
        await ask_until(ana, "not_stored")
        health = await ana.http.get("/api/health")
        assert health.status_code == 503 and "not_stored" in health.json()["status"]
        disk.free()
        await play_on(ana)
        await ana.play()
        async with asyncio.timeout(10):  # it looks at the disk's room once a second
            while (await ana.http.get("/api/health")).json()["status"] != "ok":
                await asyncio.sleep(0.2)
        await ana.go()
    check(tmp_path, [ana])


@pytest.fixture
def failing_disk(tmp_path: Path, disk: Disk) -> Iterator[FailingDisk]:
    """The folder's data on a disk that can be made to fail."""
    made = FailingDisk(disk, tmp_path / "data", 400)
    yield made
    made.end()


@pytest.mark.parametrize("how", ["errors", "death"])
async def test_a_disk_that_fails_refuses_and_nothing_acknowledged_is_lost(
    tmp_path: Path, failing_disk: FailingDisk, how: str
) -> None:
    """Blocks that cannot be written, or a disk that is gone; then the machine is mended."""
    async with on_sqlite(tmp_path) as server:
        ana = await at_a_table(server)
        if how == "errors":
            failing_disk.fail()
        else:
            failing_disk.die()
        await ask_until(ana, "not_stored")
        server.kill()
    if how == "errors":
        failing_disk.mend()
    failing_disk.mount_again()  # its journal is played back
    failing_disk.mount_again("ro")
    told = await asyncio.to_thread(serve, tmp_path / "data")
    assert told.returncode == 1 and len(told.stderr.splitlines()) == 1, told.stderr
    failing_disk.mount_again()
    async with on_sqlite(tmp_path) as server:
        await ana.go_to(server.address)
        await play_on(ana)
        await ana.play()
        await ana.go()
        check(tmp_path, [ana])


def serve(folder: Path) -> subprocess.CompletedProcess[str]:
    """A server that cannot start."""
    command = [sys.executable, "-m", "karma", "serve", "--port", "0", "--data", str(folder)]
    return subprocess.run(command, capture_output=True, text=True, timeout=600)


async def test_a_wal_that_was_cut_off_leaves_whole_entries_and_a_server_that_plays(
    tmp_path: Path,
) -> None:
    """What a lying disk lost is lost; the rest is whole, and nothing is half there."""
    async with on_sqlite(tmp_path) as server:
        ana = await at_a_table(server)
        bo = await at_a_table(server)
        server.kill()
    wal = tmp_path / "data" / "karma.sqlite-wal"
    os.truncate(wal, wal.stat().st_size * 9 // 10)
    async with on_sqlite(tmp_path) as server:
        for each in (ana, bo):
            again = Stranger(server.address, each.name)
            again.token, again.table = each.token, each.table
            await again.connect()
            await play_on(again)
            await again.play()
            await again.go()
            each.state, each.happened, each.answers = again.state, again.happened, again.answers
            each.frames = again.frames
        check(tmp_path, [ana, bo])


@pytest.fixture
def on_small_disk(tmp_path: Path, disk: Disk) -> Iterator[House]:
    """Two workers whose PostgreSQL is on a disk that is soon full."""
    server = Postgres("max_connections=100", "max_wal_size=48MB", within=disk.folder)
    with house(tmp_path, server) as made:
        yield made


async def test_a_full_disk_under_postgres_refuses_and_play_goes_on_when_there_is_room(
    on_small_disk: House, disk: Disk
) -> None:
    ana, bo = await two_seats(on_small_disk, *await on_small_disk.two())
    await asyncio.gather(*(each.play(at(10)) for each in (ana, bo)))
    disk.fill()
    await ask_until(ana, "not_stored")
    disk.free()
    with suppress(RuntimeError):  # it may have given up, or not
        await asyncio.to_thread(on_small_disk.postgres.start)
    await play_on(ana)
    await finish([ana, bo])
    check(on_small_disk.folder, [ana, bo])


async def test_a_damaged_page_under_postgres_stops_its_tables_and_the_others_play(
    shared: House,
) -> None:
    """Its checksum tells PostgreSQL, and that tells us; nobody is shown what was not kept."""
    (worker,) = await shared.add()
    first = [await at_a_table(worker) for _ in range(3)]
    for each in first:
        await each.play()
        await each.go()
    later = await at_a_table(worker)
    with psycopg.connect(shared.database) as connection:
        row = connection.execute("SELECT pg_relation_filepath('events')").fetchone()
        mine = "SELECT DISTINCT tbl FROM events WHERE (ctid::text::point)[0] = 1"
        damaged = {each[0] for each in connection.execute(mine)}
    assert row is not None and later.table not in damaged and damaged
    worker.kill()
    await asyncio.to_thread(shared.postgres.stop, "fast")
    with (shared.postgres.folder / "data" / row[0]).open("r+b") as file:
        file.seek(PAGE + 4000)
        file.write(b"something else")
    await asyncio.to_thread(shared.postgres.start)
    worker = await worker.again().ready()
    shared.workers.append(worker)
    await later.play_through()
    for each in first:
        if each.table in damaged:
            answer = await later.http.get(
                f"{worker.address}/api/tables/{each.table}", headers=each.bearer
            )
            assert (answer.status_code, answer.json()["code"]) == (503, "not_stored")
    await later.go()
    command = [sys.executable, "-m", "karma", "games", "verify", "--database", shared.database]
    told = await asyncio.to_thread(subprocess.run, command, capture_output=True, text=True)
    assert told.returncode == 1
    assert "Traceback" not in told.stderr and len(told.stderr.splitlines()) == 1
