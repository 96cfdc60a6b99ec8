"""Strong bots have to be compiled once: nobody waits behind them, and no bot fails by it."""

import asyncio
import os
import subprocess
import sys
from contextlib import closing
from pathlib import Path

from karma.table.bots.port import Inline
from karma.table.bots.rehearsal import Rehearsal
from karma.table.bots.shares import Claim, Shares


class Rehearsed(Inline):
    """Bots of which some are still to be tried."""

    def __init__(self, rehearsal: Rehearsal) -> None:
        super().__init__()
        self.rehearsal = rehearsal

    async def prepared(self, level: str) -> None:
        await self.rehearsal.over(level)


def trying(until: Path) -> str:
    """Tries greedy at once, and sharp when a file is there."""
    return (
        "import pathlib, time\n"
        "print('greedy', flush=True)\n"
        f"while not pathlib.Path({str(until)!r}).exists(): time.sleep(0.01)\n"
        "print('sharp', flush=True)\n"
        "time.sleep(60)"
    )


async def test_a_level_waits_for_its_own_trial_and_keeps_nobody_waiting(tmp_path: Path) -> None:
    with closing(Rehearsal(["greedy", "sharp"], trying(tmp_path / "go"))) as rehearsal:
        shares = Shares(Rehearsed(rehearsal), processes=1)
        share = shares.of("table", lambda: Claim("Ana", watched=True))
        turns: list[str] = []

        async def take_turn(level: str) -> None:
            async with share.turn(level):
                turns.append(level)

        waiting = asyncio.create_task(take_turn("sharp"))
        await take_turn("greedy")
        await take_turn("a bot of somebody else")
        assert rehearsal.missing == ("sharp",) and not waiting.done()
        (tmp_path / "go").touch()
        await waiting
        assert turns == ["greedy", "a bot of somebody else", "sharp"]


async def test_who_gives_up_waiting_takes_nothing_from_the_others(tmp_path: Path) -> None:
    with closing(
        Rehearsal(["sharp"], trying(tmp_path / "go").replace("'greedy'", "end=''"))
    ) as trial:
        given_up, waiting = (asyncio.create_task(trial.over("sharp")) for _ in range(2))
        await asyncio.sleep(0)
        given_up.cancel()
        await asyncio.wait([given_up])
        assert trial.missing == ("sharp",) and not waiting.done()
        (tmp_path / "go").touch()
        await waiting


async def test_a_rehearsal_that_ends_before_its_time_holds_up_no_bot() -> None:
    with closing(Rehearsal(["sharp"], "raise SystemExit(1)")) as rehearsal:
        await rehearsal.over("sharp")
        assert not rehearsal.missing


def test_what_was_rehearsed_once_is_not_rehearsed_again(tmp_path: Path) -> None:
    """Nor before the machine code is on the disk: only a rehearsal to the end leaves its mark."""
    environment = os.environ | {"XDG_CACHE_HOME": str(tmp_path)}
    script = (
        "from contextlib import closing\n"
        "from karma.table.bots.rehearsal import Rehearsal\n"
        "with closing(Rehearsal(['greedy'])) as rehearsal:\n"
        "    print(list(rehearsal.missing))\n"
        "    if rehearsal.missing: rehearsal._process.wait()"
    )

    def missing() -> str:
        command = [sys.executable, "-c", script]
        return subprocess.run(
            command, env=environment, check=True, capture_output=True, text=True
        ).stdout.strip()

    assert [missing(), missing()] == ["['greedy']", "[]"]
