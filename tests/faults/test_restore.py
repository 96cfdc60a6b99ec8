"""A point-in-time restore of PostgreSQL, rehearsed: the archive, a base backup, a moment."""

import asyncio
import re
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest

from checker import check
from databases import ADDRESSES, Postgres, rows_in
from servers import House, at, finish, house, two_seats

PAGE = (Path(__file__).parent.parent.parent / "docs" / "workers.md").read_text()


def settings(holds: str, archive: Path, moment: object = None) -> str:
    """The page's lines for PostgreSQL that hold something, with a folder and time of this test."""
    blocks = re.findall(r"```ini\n(.*?)```", PAGE, re.DOTALL)
    (block,) = (block for block in blocks if holds in block)
    return re.sub(r"(?<=time = ').*(?=')", str(moment), block.replace("/srv/archive", str(archive)))


@pytest.fixture
def archive() -> Iterator[Path]:
    """A folder that PostgreSQL may write to."""
    folder = Path(tempfile.mkdtemp(prefix="karma-archive-"))
    folder.chmod(0o777)
    yield folder
    shutil.rmtree(folder)


@pytest.fixture
def archived(tmp_path: Path, archive: Path) -> Iterator[House]:
    """Workers on a PostgreSQL that archives as docs/workers.md says."""
    lines = settings("archive_command", archive)
    with house(tmp_path, Postgres("max_connections=100", file=lines)) as made:
        yield made


def value(address: str, statement: str) -> Any:
    with psycopg.connect(address, autocommit=True) as connection:
        row = connection.execute(statement).fetchone()  # type: ignore[call-overload]
    return row[0] if row is not None else None


async def archived_up_to(address: str) -> None:
    """Waits until everything written so far is in the archive."""
    segment = value(address, "SELECT pg_walfile_name(pg_switch_wal())")
    async with asyncio.timeout(300):
        while (value(address, "SELECT last_archived_wal FROM pg_stat_archiver") or "") < segment:
            await asyncio.sleep(0.2)


async def test_games_go_on_from_any_moment_after_a_base_backup(
    archived: House, archive: Path
) -> None:
    """Something is deleted by mistake; the database is restored to the moment before."""
    ana, bo = await two_seats(archived, *await archived.two())
    await asyncio.gather(*(each.play(at(8)) for each in (ana, bo)))
    base = await asyncio.to_thread(archived.postgres.base_backup)
    await asyncio.gather(*(each.play_through(at(16)) for each in (ana, bo)))
    await ana.ask("pause")
    data = archived.folder / "data"
    kept = rows_in(data, "SELECT tbl, seq, hash FROM heads ORDER BY tbl")
    moment = value(archived.database, "SELECT clock_timestamp()")
    await asyncio.sleep(0.1)
    with psycopg.connect(archived.database) as connection:
        connection.execute("DELETE FROM events")  # the mistake
        connection.execute("DELETE FROM heads")
    await archived_up_to(archived.database)
    for each in archived.workers:
        each.kill()
    await asyncio.to_thread(archived.postgres.stop)

    lines = settings("restore_command", archive, moment)
    restored = await asyncio.to_thread(Postgres.restored, base, lines)
    try:
        archived.database = restored.address("karma")
        async with asyncio.timeout(300):
            while value(archived.database, "SELECT pg_is_in_recovery()"):
                await asyncio.sleep(0.2)
        ADDRESSES[data.resolve()] = archived.database
        assert rows_in(data, "SELECT tbl, seq, hash FROM heads ORDER BY tbl") == kept
        archived.workers = []
        one, other = await archived.two()
        for each, worker in ((ana, one), (bo, other)):
            each.workers = [worker.address]
            await each.go_to(worker.address)
            await each.connect()
        assert (await ana.ask("resume"))["type"] == "ack"
        await finish([ana, bo])
        check(archived.folder, [ana, bo])
    finally:
        for each in archived.workers:
            each.end()
        restored.end()
