"""The schema: a migration is done whole or not at all."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from karma.clock import WallClock
from karma.store.sqlite import SqliteStore

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
