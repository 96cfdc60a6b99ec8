"""The clock: whoever waits is not moved by somebody who sets the machine's; dates are."""

import asyncio
import time

import pytest

from karma.clock import WallClock
from karma.protocol.state import Settings
from karma.store.memory import MemoryLog
from people import FirstBot, table_for
from virtual import VirtualClock, run


@pytest.mark.parametrize("hours", [-1, 1])
def test_setting_the_machines_clock_moves_no_deadline(
    hours: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = WallClock()
    before, real = clock.now(), time.time_ns
    monkeypatch.setattr(time, "time_ns", lambda: real() + hours * 3600 * 10**9)
    assert before <= clock.now() < before + 1_800_000


def test_dates_follow_the_machines_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    clock, real = WallClock(), time.time_ns
    monkeypatch.setattr(time, "time_ns", lambda: real() - 3600 * 10**9)
    assert clock.date() < clock.now() - 3_000_000


class SetBack:
    """A machine whose clock was an hour ahead, and is set right while its server is stopped."""

    ahead = 3_600_000

    def now(self) -> int:
        return VirtualClock().now() + self.ahead

    def date(self) -> int:
        return self.now()

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


def test_a_deal_is_not_waited_for_longer_after_the_clock_was_set_back() -> None:
    async def play() -> None:
        clock, store = SetBack(), MemoryLog()
        table = table_for(store, clock=clock, thinker=FirstBot())
        await table.create("Ana", "Ana", Settings(edition="mini"), bots=["first"], start=True)
        await table.stop()
        clock.ahead = 0
        table = table_for(store, clock=clock, thinker=FirstBot())
        await table.load()
        await asyncio.sleep(31)
        assert table.state.phase == "playing"
        await table.stop()

    run(play())


def test_a_record_has_the_date_of_the_machines_clock() -> None:
    class Stepped(VirtualClock):
        """The machine's clock was set back by an hour while the server ran."""

        def date(self) -> int:
            return self.now() - 3_600_000

    async def play() -> None:
        store = MemoryLog()
        table = table_for(store, clock=Stepped(), thinker=FirstBot())
        await table.create("Ana", "Ana", Settings(edition="mini"), bots=["first"], seed=1)
        await table.close()
        assert store.finished[0].record.extra["date"] == Stepped().date()
        await table.stop()
        again = table_for(store, thinker=FirstBot())
        await again.load()
        assert again.state.phase == "closed"
        await again.stop()

    run(play())
