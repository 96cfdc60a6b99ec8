"""The clock: whoever waits by it is not moved by somebody who sets the machine's."""

import time

import pytest

from karma.clock import WallClock


@pytest.mark.parametrize("hours", [-1, 1])
def test_setting_the_machines_clock_moves_no_deadline(
    hours: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = WallClock()
    before, real = clock.now(), time.time_ns
    monkeypatch.setattr(time, "time_ns", lambda: real() + hours * 3600 * 10**9)
    assert before <= clock.now() < before + 1_800_000
