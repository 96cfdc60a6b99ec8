"""Bots of other people at a table: named by its operator, told everything, unable to harm it."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from karma.bots import registry
from karma.bots.foreign_bot import ClassLauncher
from karma.clock import WallClock
from karma.protocol.state import Settings
from karma.refusals import Refusal
from karma.store.memory import MemoryLog
from karma.table import Inline, Table, Terms
from karma.table.bots.foreign_bots import happened
from people import Person, over, table_for

WRONG = Path(__file__).parent.parent / "bots" / "wrong.py"


@pytest.fixture(autouse=True)
def _registered() -> Iterator[None]:
    yield
    registry.REGISTERED.clear()


def table_of(log: MemoryLog, reports: list[str], thinking: float = 240) -> Table:
    """A table in real time: foreign bots think in processes."""
    return table_for(
        log,
        clock=WallClock(),
        thinker=Inline(),
        terms=Terms(ask_seeds=False, thinking=thinking),
        report=lambda what, error: reports.append(what),
    )


async def sit(table: Table, bot: str) -> Person:
    ana = Person("Ana", np.random.default_rng(1))
    await table.create("Ana", "Ana", Settings(edition="mini"), bots=[bot], start=True)
    await ana.sit(table)
    return ana


def played(number: int) -> Any:
    return lambda who: who.view is not None and (who.view.ply >= number or over(who))


def test_a_foreign_bot_hears_the_game_and_after_a_restart_all_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    notes = tmp_path / "notes"
    monkeypatch.setenv("KARMA_TEST_NOTES", str(notes))
    monkeypatch.setattr(ClassLauncher, "_idle", {})  # those were started with other notes
    registry.register("listening", f"{WRONG}:Listening")
    reports: list[str] = []

    def heard() -> list[str]:
        lines = notes.read_text().splitlines()
        return [name for line in lines if line.startswith("heard ") for name in line.split()[1:]]

    async def main() -> None:
        log = MemoryLog()
        table = table_of(log, reports)
        ana = await sit(table, "listening")
        await ana.play(table, played(12))
        await table.stop()
        first = heard()
        assert first == [type(e).__name__ for e in happened(table.state.game)][: len(first)]
        notes.write_text("asked\n" * 20)  # beyond the decision at which it would fail
        again = table_of(log, reports)
        assert await again.load()
        await ana.sit(again)
        await ana.play(again, played(20))
        await again.stop()
        names = [type(event).__name__ for event in happened(again.state.game)]
        assert len(first) > 3 and len(heard()) > len(first)
        assert heard() == names[: len(heard())]

    asyncio.run(main())
    assert reports == []


@pytest.mark.parametrize(("how", "reason"), [(0, "oh"), (2, "exit code 4"), (5, "not a move")])
def test_a_foreign_bot_that_fails_is_marked_and_the_game_goes_on(how: int, reason: str) -> None:
    registry.register("failing", f"{WRONG}:Failing:how={how}")
    reports: list[str] = []

    async def main() -> None:
        table = table_of(MemoryLog(), reports)
        ana = await sit(table, "failing")
        await ana.play(table, played(10))
        assert ana.seats[1].failed
        await table.stop()

    asyncio.run(main())
    assert reason in reports[0]


def test_a_foreign_bot_that_sleeps_is_ended_at_its_limit() -> None:
    registry.register("sleeping", f"{WRONG}:Failing:how=3")
    reports: list[str] = []

    async def main() -> None:
        table = table_of(MemoryLog(), reports, thinking=0.5)
        ana = await sit(table, "sleeping")
        await ana.play(table, played(8))
        assert ana.seats[1].failed
        await table.stop()

    asyncio.run(main())


def test_nobody_at_a_table_can_name_a_file_or_a_program() -> None:
    async def main() -> None:
        for bot in (f"{WRONG}:First", "process:true", "first"):
            with pytest.raises(Refusal) as refused:
                await sit(table_of(MemoryLog(), []), bot)
            assert refused.value.code == "no_such_bot"

    asyncio.run(main())
