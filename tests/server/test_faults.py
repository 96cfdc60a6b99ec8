"""Faults, with real processes killed for real; after each, the common checker."""

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
import time
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import msgspec
import pytest
from websockets.exceptions import ConnectionClosedError

from checker import check
from databases import flags_for
from failing import fail
from karma.clock import WallClock
from karma.editions import MINI
from karma.game import Game
from karma.server.operator import TOKEN_FILE
from karma.store.sqlite import SqliteStore
from karma.table import Table
from karma.table.bots.pool import Pool
from karma.table.clients.sight import show_view
from karma.table.log.state import REMEMBERED_STEPS, TableState
from killing import tables_of_two, victim
from serving import serving
from stranger import Stranger


def karma(*arguments: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "karma", *map(str, arguments)], capture_output=True, text=True
    )


@pytest.mark.parametrize("what", ["a taken port", "no such host", "a file as the folder"])
def test_what_cannot_be_served_is_told_in_one_line(what: str, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        host, port, data = "127.0.0.1", 0, tmp_path / "data"
        if what == "a taken port":
            port = taken.getsockname()[1]
        elif what == "no such host":
            host = "nowhere.invalid"
        else:
            data.write_text("")
        refused = karma("serve", "--host", host, "--port", port, "--data", data)
    assert refused.returncode == 1
    assert len(refused.stderr.splitlines()) == 1 and refused.stderr.startswith("karma: cannot")
    assert "http://" not in refused.stdout


COMES_AT_ONCE = """
import os, socket, sys
from pathlib import Path
from karma.server.process import serve
from karma.server.settings import ServerSettings

def ready(settings):
    socket.create_connection(("127.0.0.1", settings.port), 30).close()
    os._exit(0)

if __name__ == "__main__":
    serve(ServerSettings(port=0, data=Path(sys.argv[1])), ready)
"""


def test_whoever_comes_as_soon_as_the_address_is_told_is_let_in(tmp_path: Path) -> None:
    (tmp_path / "comes.py").write_text(COMES_AT_ONCE)
    came = subprocess.run([sys.executable, tmp_path / "comes.py", tmp_path / "data"])
    assert came.returncode == 0


def test_an_empty_token_for_the_operator_is_no_start(tmp_path: Path) -> None:
    (tmp_path / TOKEN_FILE).write_text("")
    refused = karma("serve", "--port", 0, "--data", tmp_path)
    assert refused.returncode == 1 and "http://" not in refused.stdout
    assert len(refused.stderr.splitlines()) == 1
    assert "operator.token is empty; delete it" in refused.stderr


@pytest.mark.timeout(900)
async def test_a_killed_server_loses_nothing_and_games_finish(tmp_path: Path) -> None:
    """At marked points and at random instants, with a backup in the middle of it."""
    async with victim(tmp_path) as server:
        people = await tables_of_two(server, 3)
        playing = asyncio.gather(*(each.play_through() for each in people))
        await server.haunt(4, playing.done)
        backup = await asyncio.to_thread(
            karma, "games", "backup", tmp_path / "copy", *flags_for(tmp_path / "data")
        )
        assert backup.returncode == 0, backup.stderr
        await playing
        assert server.deaths >= 1
        for each in people:
            await each.go()
    check(tmp_path, people)
    for kept in (flags_for(tmp_path / "data"), ["--data", tmp_path / "copy"]):
        verified = karma("games", "verify", *kept)
        assert verified.returncode == 0, verified.stderr
        assert "0 wrong" in verified.stdout
    exported = karma("games", "export", tmp_path / "all.jsonl", *flags_for(tmp_path / "data"))
    assert exported.returncode == 0
    # A server that was dead for too long while seeds were sent has left one out, and says so.
    dealt = karma("verify", tmp_path / "all.jsonl", "--accept-missing")
    assert dealt.returncode == 0 and "3 games, 0 wrong" in dealt.stdout


def test_a_second_server_on_the_same_folder_refuses(tmp_path: Path) -> None:
    with closing(SqliteStore(tmp_path, WallClock())):
        second = karma("serve", "--data", tmp_path, "--port", 0)
    assert second.returncode == 1
    assert second.stderr.startswith("karma: another process uses")
    assert "Traceback" not in second.stderr


async def test_whatever_version_a_client_has_it_is_shown_the_present(tmp_path: Path) -> None:
    """The steps that were missed, as far as they are remembered, and always the whole truth."""
    with serving(tmp_path) as served:
        ana = await (await Stranger(served.address, "Ana").come()).open(
            bots=1, start=True, edition="mini"
        )
        await ana.connect()
        await ana.play(lambda state: state.get("view") and state["view"]["ply"] >= 12)
        while ana.version < REMEMBERED_STEPS + 40 or not ana.state["table"]["paused"]:
            await ana.ask("resume" if ana.state["table"]["paused"] else "pause")
        present = ana.version  # and it stays so in the pause
        state = served.access.tables.live[ana.table].state
        shown = show_view(state, 0)
        assert shown is not None and state.version == present
        for gap in (0, 1, 20, REMEMBERED_STEPS, REMEMBERED_STEPS + 1, 10_000, -5):
            since = max(0, present - gap)
            ana.version = since
            ana.state.clear()
            ana.frames.clear()
            await ana.connect()
            welcome = json.loads(ana.frames[-1])
            assert (welcome["type"], welcome["version"]) == ("welcome", present)
            assert welcome["view"] == msgspec.to_builtins(shown)
            assert welcome["table"]["paused"] and len(welcome["seats"]) == 2
            missed = present - since if since <= present else present  # a version yet to come
            versions = [step["version"] for step in welcome["missed"]]
            told = min(missed, REMEMBERED_STEPS)
            assert versions == list(range(present - told + 1, present + 1))
            assert welcome["complete"] == (missed <= REMEMBERED_STEPS)
        await ana.ask("resume")
        await ana.play()
        await ana.go()


@pytest.mark.parametrize(
    ("level", "why"), [("hang", "hang"), ("die", "crash"), ("nonsense", "nonsense")]
)
async def test_a_bot_that_fails_in_its_process_is_replaced_by_safe_moves(
    tmp_path: Path, level: str, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from karma.server import tables
    from karma.table.bots import pool as pool_module

    monkeypatch.setattr(pool_module, "GRACE_SECONDS", 0)
    monkeypatch.setattr(tables, "THINKING_SECONDS", 0.3 if level == "hang" else 300)
    pool = Pool(1, think=fail, levels=("greedy", level))
    await pool.ready()
    try:
        with serving(tmp_path, thinker=pool, milliseconds=1) as served:
            ana = await Stranger(served.address, "Ana").come()
            ana._sit(
                await ana.post(
                    "/api/tables",
                    {"settings": {"edition": "online"}, "bots": [level], "start": True},
                )
            )
            await ana.connect()
            await ana.play(lambda state: state.get("view") and state["view"]["ply"] >= 6)
            assert ana.state["seats"][1]["failed"]
            notices = [n for step in ana.happened for n in step["notices"]]
            whys = {n["parameters"].get("why") for n in notices if n["code"] == "bot_failed"}
            assert whys == {why}
            await ana.go()
    finally:
        pool.close()


@pytest.mark.parametrize("level", ["hang", "die"])
async def test_a_bot_that_waits_behind_a_failing_one_still_moves(
    tmp_path: Path, level: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who only shared a process with it is asked anew."""
    from karma.table.bots import pool as pool_module

    monkeypatch.setattr(pool_module, "GRACE_SECONDS", 0)
    game = Game(MINI, 2, seed=1)
    while game.phase == "choose":
        game.push(game.legal[0])
    view = game.view(game.actor)
    pool = Pool(1, think=fail, levels=("greedy", level))
    await pool.ready()
    try:
        begun = tmp_path / "begun"
        failing = asyncio.create_task(pool.choose(f"{level} {begun}", view, 0))
        waiting = [asyncio.create_task(pool.choose("greedy", view, 0)) for _ in range(5)]
        while not begun.exists():
            await asyncio.sleep(0.01)
        if level == "hang":
            failing.cancel()
        assert await asyncio.gather(*waiting) == [view.legal[0]] * 5
        with pytest.raises((asyncio.CancelledError, BrokenProcessPool)):
            await failing
    finally:
        pool.close()


def children(pid: int) -> set[int]:
    """The processes that a process has started, and those that they have."""
    found: set[int] = set()
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):  # it may have ended just now
            if int(stat.read_text().rpartition(")")[2].split()[1]) == pid:
                child = int(stat.parent.name)
                found |= {child} | children(child)
    return found


def test_bots_end_with_a_server_that_was_killed(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "karma", "serve", "--port", "0", "--data", str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        while "http://" not in server.stdout.readline():  # until then bots are being got ready
            assert server.poll() is None
        started = children(server.pid)
        assert started
        os.kill(server.pid, signal.SIGKILL)
    while any(Path(f"/proc/{pid}").exists() for pid in started):
        time.sleep(0.1)


async def test_a_poisoned_table_stops_and_the_others_play(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving(tmp_path) as served:
        ana = await (await Stranger(served.address, "Ana").come()).open(
            bots=1, start=True, edition="online"
        )
        bo = await (await Stranger(served.address, "Bo").come()).open(
            bots=1, start=True, edition="online"
        )
        for each in (ana, bo):
            await each.connect()
            await each.play(lambda state: state["table"]["phase"] == "playing")
        apply = TableState.apply

        def poisoned(self: TableState, line: Any) -> Any:
            if self.id == ana.table:
                raise ZeroDivisionError("poison")
            return apply(self, line)

        monkeypatch.setattr(TableState, "apply", poisoned)
        try:  # a bot's move may have met the poison before this is asked
            answer = await ana.ask("pause")
            assert (answer["type"], answer["code"]) == ("refused", "stopped")
        except ConnectionClosedError as closed:
            assert closed.rcvd is not None and closed.rcvd.reason == "stopped"
        await bo.play()
        live: Table = served.access.tables.live[ana.table]
        assert live.stopped == "stopped"
        for each in (ana, bo):
            await each.go()


async def test_bots_think_while_nobody_else_wants_the_processor() -> None:
    pool = Pool(1)
    try:
        assert await pool.work(os.nice, 0) == 19
        if hasattr(os, "SCHED_IDLE"):  # not every system has it
            assert await pool.work(os.sched_getscheduler, 0) == os.SCHED_IDLE
    finally:
        pool.close()


async def test_a_bot_that_works_for_ever_is_ended_by_the_work_it_did(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """And not by the time that passed: other programs may keep it from thinking."""
    from karma.table.bots import pool as pool_module

    monkeypatch.setattr(pool_module, "GRACE_SECONDS", 0.5)
    game = Game(MINI, 2, seed=1)
    while game.phase == "choose":
        game.push(game.legal[0])
    view = game.view(game.actor)
    pool = Pool(1, 1, think=fail, levels=("greedy", "work"))
    await pool.ready()
    try:
        with pytest.raises(TimeoutError):
            await pool.choose("work", view, 0)
        assert await pool.choose("greedy", view, 0) == view.legal[0]
    finally:
        pool.close()
