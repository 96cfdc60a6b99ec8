"""Damage: what is kept is not what was written; it is seen, said, kept from others, and mended."""

import asyncio
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from typer.testing import CliRunner

from karma.cli.games import games
from karma.clock import WallClock
from karma.server import app
from karma.server.tables import ServerTables
from karma.store import Damaged, StoreError
from karma.store.sqlite import FILE, LOCK, SqliteArchive, SqliteStore, mend
from serving import serving
from stranger import Stranger

MARK = b"these entries lie on pages of their own; "
PAGE = 4096


async def kept(folder: Path, tables: int = 12) -> None:
    """A folder with tables, the third of which can be found in the file."""
    store = SqliteStore(folder, WallClock())
    for number in range(tables):
        text = MARK * 40 if number == 3 else b"%d " % number * 500
        await store.log.append(f"table{number:05}", 0, [text + b"%d" % n for n in range(12)])
    store.close()


def zero_pages(folder: Path, most: int = 2) -> None:
    """Zeroes pages with the marked table's entries."""
    with (folder / FILE).open("r+b") as file:
        data = file.read()
        pages = [n for n in range(len(data) // PAGE) if data[n * PAGE :][:PAGE].count(MARK) > 20]
        for page in pages[len(pages) // 2 :][:most]:  # away from where other tables' may lie
            file.seek(page * PAGE)
            file.write(bytes(PAGE))
    assert len(pages) > 4 * most


def cut(folder: Path, table: str, after: int) -> None:
    with closing(sqlite3.connect(folder / FILE)) as database, database:
        database.execute("DELETE FROM events WHERE tbl = ? AND seq > ?", (table, after))


async def test_entries_cut_off_at_the_end_are_missed(tmp_path: Path) -> None:
    await kept(tmp_path)
    cut(tmp_path, "table00005", 9)
    with closing(SqliteStore(tmp_path, WallClock())) as store:
        with pytest.raises(Damaged, match="table00005 has lost its entries after number 9"):
            await store.log.read("table00005")
        assert await store.log.cut_off() == [("table00005", 12)]
        assert len(await store.log.read("table00004")) == 12


async def test_verify_says_what_was_cut_off_and_looks_at_one_moment(tmp_path: Path) -> None:
    with serving(tmp_path) as served:
        ana = await (await Stranger(served.address, "Ana").come()).open(
            bots=1, start=True, edition="online"
        )
        await ana.connect()
        await ana.play()
        archive = SqliteArchive(tmp_path)
        version = served.access.tables.live[ana.table].state.version
        await served.store.log.append(ana.table, version, [b"{}"])
        assert await archive.log.cut_off() == [] == await archive.log.broken_links()
        archive.close()
    cut(tmp_path, ana.table, 5)
    told = await asyncio.to_thread(CliRunner().invoke, games, ["verify", "--data", str(tmp_path)])
    assert told.exit_code == 1
    assert f"table {ana.table}: the newest entries are missing" in told.output


async def test_what_is_written_while_an_archive_is_read_is_not_in_it(tmp_path: Path) -> None:
    with closing(SqliteStore(tmp_path, WallClock())) as store:
        await store.log.append("a", 0, [b"1"])
        with closing(SqliteArchive(tmp_path)) as archive:
            assert await archive.log.broken_links() == []
            await store.log.append("a", 1, [b"2"])
            await store.log.append("b", 0, [b"1"])
            assert await archive.log.cut_off() == []
            assert (await archive.log.tables(), await archive.log.read("a")) == (["a"], [b"1"])


async def test_half_a_file_is_said_in_one_line(tmp_path: Path) -> None:
    await kept(tmp_path)
    path = tmp_path / FILE
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    done = subprocess.run(
        [sys.executable, "-m", "karma", "games", "verify", "--data", tmp_path],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1
    assert "Traceback" not in done.stderr and len(done.stderr.splitlines()) == 1


async def test_damaged_tables_say_so_and_the_others_play(tmp_path: Path) -> None:
    await kept(tmp_path)
    zero_pages(tmp_path)
    with serving(tmp_path) as served:
        assert served.store.quick_damage()
        ana = await (await Stranger(served.address, "Ana").come()).open(
            bots=1, start=True, edition="online"
        )
        await ana.connect()
        await ana.play()
        answer = await ana.http.get("/api/tables/table00003", headers=ana.bearer)
        assert answer.status_code in (404, 503)  # such an id is none of ours
        await served.access.tables.look_for_damage()
        assert set(served.access.tables.damaged) == {"table00003"}
        health = await ana.http.get("/api/health")
        assert (health.status_code, health.json()["status"]) == (503, "damaged")


async def test_damage_is_looked_for_again_and_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(app, "HOUSEKEEPING_SECONDS", 0.05)
    monkeypatch.setattr(app, "DAMAGE_SECONDS", 0.05)
    looks: list[int] = []
    look = ServerTables.look_for_damage

    async def counted(self: ServerTables) -> None:
        looks.append(1)
        await look(self)

    monkeypatch.setattr(ServerTables, "look_for_damage", counted)
    with serving(tmp_path):
        while len(looks) < 3:
            await asyncio.sleep(0.01)


async def test_a_damaged_table_is_refused_as_stopped(tmp_path: Path) -> None:
    with serving(tmp_path) as served:
        ana = await (await Stranger(served.address, "Ana").come()).open(edition="online")
        bo = await (await Stranger(served.address, "Bo").come()).open(edition="online")
    cut(tmp_path, ana.table, 0)
    with serving(tmp_path) as served:
        for each in (ana, bo):
            each.http.base_url = served.address
        answer = await ana.http.get(f"/api/tables/{ana.table}", headers=ana.bearer)
        assert (answer.status_code, answer.json()["code"]) == (503, "stopped")
        answer = await bo.http.get(f"/api/tables/{bo.table}", headers=bo.bearer)
        assert answer.status_code == 200
        assert (await bo.http.get("/api/health")).json()["status"] == "damaged"


async def test_a_full_disk_shows_in_health(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from karma.server import tables

    with serving(tmp_path) as served:
        ana = Stranger(served.address, "Ana")
        assert (await ana.http.get("/api/health")).json()["status"] == "ok"
        monkeypatch.setattr(tables, "LEAST_FREE", 1 << 60)
        health = await ana.http.get("/api/health")
        assert (health.status_code, health.json()["status"]) == (503, "disk_full")


async def test_repair_restores_what_is_damaged_and_keeps_the_rest(tmp_path: Path) -> None:
    data, copy = tmp_path / "data", tmp_path / "copy"
    await kept(data)
    with closing(SqliteArchive(data)) as archive:
        archive.backup(copy)
    store = SqliteStore(data, WallClock())
    await store.log.append("table00007", 12, [b"newer than the backup"])
    store.close()
    zero_pages(data)
    told = await asyncio.to_thread(
        CliRunner().invoke, games, ["repair", str(copy), "--data", str(data)]
    )
    assert told.exit_code == 0, told.output
    assert "table table00003: as it was in the backup" in told.output
    assert "11 tables are as they were, 1 restored, 0 lost" in told.output
    store = SqliteStore(data, WallClock())
    assert store.quick_damage() == [] == await store.damage()
    assert len(await store.log.tables()) == 12 and await store.log.broken_links() == []
    assert (await store.log.read("table00007"))[-1] == b"newer than the backup"
    assert len(await store.log.read("table00003")) == 12
    with pytest.raises(StoreError, match="another process uses"):
        mend(data, copy)
    store.close()
    assert (data / f"{FILE}.damaged").is_file()


FULL = """
import resource, sys
from pathlib import Path
from karma.clock import WallClock
from karma.store import StoreError
from karma.store.sqlite import SqliteStore
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]), resource.RLIM_INFINITY))
try:
    SqliteStore(Path(sys.argv[1]), WallClock()).close()
except StoreError as error:
    print(error)
"""


@pytest.mark.parametrize("room", [0, 512, 4096, 20_000])
async def test_a_disk_without_room_at_the_first_start_leaves_nothing_half_made(
    tmp_path: Path, room: int
) -> None:
    data = tmp_path / "data"
    done = subprocess.run(
        [sys.executable, "-B", "-c", FULL, data, str(room)], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) == 1 and done.stdout.startswith("cannot"), done.stdout
    assert {each.name for each in data.iterdir()} <= {LOCK}
    store = SqliteStore(data, WallClock())
    await store.log.append("a", 0, [b"1"])
    store.close()
