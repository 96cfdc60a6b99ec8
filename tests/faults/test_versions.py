"""A rolling upgrade: an older version from git and this one on one database, while games go on."""

import asyncio
import io
import os
import signal
import subprocess
import tarfile
from pathlib import Path

import psycopg
import pytest

from checker import check
from servers import House, Roamer, Worker, at, finish

ROOT = Path(__file__).parent.parent.parent
MIGRATIONS = "src/karma/store/migrations/versions"


def git(*arguments: str) -> bytes:
    done = subprocess.run(["git", "-C", ROOT, *arguments], capture_output=True)
    if done.returncode:
        raise RuntimeError(
            "two versions side by side need the project's history: a git clone that is not shallow;"
            f" git {arguments[0]} said: {done.stderr.decode().strip()}"
        )
    return done.stdout


def version_before() -> str:
    """The last version with an older schema; OLD names another."""
    if named := os.environ.get("OLD"):
        return named
    added = git("log", "--diff-filter=A", "--format=%H", "-1", "--", MIGRATIONS).decode().strip()
    if not added:
        raise RuntimeError("the project's history has no migration: is this a whole clone?")
    return git("rev-parse", f"{added}^").decode().strip()


@pytest.fixture
def old_sources(tmp_path: Path) -> Path:
    """The sources of the older version."""
    archive = git("archive", version_before(), "src")
    with tarfile.open(fileobj=io.BytesIO(archive)) as packed:
        packed.extractall(tmp_path / "old", filter="data")
    return tmp_path / "old" / "src"


def schema(shared: House) -> str:
    with psycopg.connect(shared.database) as connection:
        row = connection.execute("SELECT version_num FROM alembic_version").fetchone()
    assert row is not None
    return str(row[0])


async def test_games_go_on_while_a_new_version_comes_in_beside_an_old_one(
    shared: House, old_sources: Path
) -> None:
    older = ["env", f"PYTHONPATH={old_sources}"]
    old = await Worker(shared.folder, *shared.shared, inside=older).ready()
    shared.workers.append(old)
    before = schema(shared)
    ana, bo = Roamer([old], "Ana"), Roamer([old], "Bo", 1)
    await (await ana.come()).open(bots=1, edition="classic")
    await (await bo.come()).join(ana)
    for each in (ana, bo):
        await each.connect()
    await ana.ask("start")
    await asyncio.gather(*(each.play(at(12)) for each in (ana, bo)))

    (new,) = await shared.add()
    assert schema(shared) > before  # or this would show little
    ana.workers, bo.workers = [old.address, new.address], [new.address, old.address]
    await bo.go_to(new.address)
    async with asyncio.timeout(600):
        await asyncio.gather(*(each.play_through(at(24)) for each in (ana, bo)))
    old.send(signal.SIGTERM)
    await asyncio.to_thread(old.process.wait, 120)
    await finish([ana, bo])
    check(shared.folder, [ana, bo], older=True)


async def test_a_worker_starts_beside_a_newer_version(shared: House) -> None:
    """Killed in the middle of an upgrade, it comes back to a schema that it does not know."""
    (worker,) = await shared.add()
    with psycopg.connect(shared.database) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
        connection.execute("ALTER TABLE tables ADD COLUMN news text DEFAULT 'none'")
        connection.execute("CREATE TABLE news (news text)")
    worker.kill()
    worker = await worker.again().ready()
    shared.workers.append(worker)
    ana = await Roamer([worker], "Ana").come()
    await ana.open(bots=1, start=True, edition="mini")
    await ana.connect()
    await finish([ana])
    check(shared.folder, [ana])
