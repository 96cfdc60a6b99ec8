"""The schema: migrations end at exactly what is defined."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import create_engine
from sqlalchemy.pool import NullPool

from karma.clock import WallClock
from karma.store.schema import METADATA
from karma.store.sqlite import SqliteStore


def test_migrations_end_at_the_schema_as_it_is_defined(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path, WallClock())
    with create_engine(f"sqlite:///{store.path}", poolclass=NullPool).connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, METADATA) == []
    store.close()


DIES_AT = """
import os, sys
import signal
import subprocess
import sys
from pathlib import Path
from alembic import op
from karma.clock import WallClock
from karma.store.sqlite import SqliteStore

made, create, index = [], op.create_table, op.create_index

def counted(do):
    def die_or_do(*arguments, **options):
        made.append(1)
        if len(made) > int(sys.argv[2]):
            os.kill(os.getpid(), 9)
        return do(*arguments, **options)
    return die_or_do

op.create_table, op.create_index = counted(create), counted(index)
SqliteStore(Path(sys.argv[1]), WallClock()).close()
"""


@pytest.mark.parametrize("steps", [0, 1, 4, 8])
async def test_a_kill_during_the_first_start_leaves_a_folder_that_starts(
    tmp_path: Path, steps: int
) -> None:
    died = subprocess.run([sys.executable, "-c", DIES_AT, tmp_path, str(steps)])
    assert died.returncode == -signal.SIGKILL
    store = SqliteStore(tmp_path, WallClock())
    await store.log.append("a", 0, [b"1"])
    assert await store.log.read("a") == [b"1"]
    store.close()
