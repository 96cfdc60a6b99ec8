"""The measurements: every name has rows with a value and a unit."""

import json
import subprocess
import sys

import pytest

from karma.bench import MEASUREMENTS, bench


@pytest.mark.parametrize("name", MEASUREMENTS)
def test_each_measurement_has_rows(name: str) -> None:
    rows = list(bench([name], seconds=0.01))
    assert rows
    for row in rows:
        assert row["name"] == name
        assert row["value"] > 0
        assert row["unit"] in {"steps/s", "views/s", "worlds/s", "records/s", "s", "bytes"}


def test_the_command_prints_a_list() -> None:
    command = [sys.executable, "-m", "karma", "bench", "--json", "--only", "state-bytes"]
    rows = json.loads(subprocess.run(command, capture_output=True, text=True).stdout)
    assert [row["players"] for row in rows] == [4, 8]
