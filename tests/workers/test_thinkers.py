"""Bots that think in processes of their own: a real `karma think`, alive, killed and answering."""

import asyncio
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, closing, suppress
from pathlib import Path

import pytest

from checker import check
from databases import flags_for
from karma.table.bots.port import ladder
from karma.table.bots.rehearsal import Rehearsal
from servers import START_SECONDS, Redis, Roamer, Worker, finish

TOLD = "Thinking"


class ThinkerProcess:
    """A `karma think` of the tests' own."""

    def __init__(self, queue: Redis) -> None:
        command = [sys.executable, "-m", "karma", "think", queue.address]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)

    async def ready(self) -> "ThinkerProcess":
        assert self.process.stdout is not None
        async with asyncio.timeout(START_SECONDS):
            while TOLD not in (line := await asyncio.to_thread(self.process.stdout.readline)):
                assert line, "it ended"
        return self

    def end(self) -> None:
        with suppress(ProcessLookupError):
            self.process.send_signal(signal.SIGCONT)
            self.process.kill()
        self.process.wait()
        assert self.process.stdout is not None
        self.process.stdout.close()


@pytest.fixture(autouse=True, scope="module")
def _compiled() -> None:
    """A thinker is ready when every level is compiled, which is no part of what is tried here."""

    async def over() -> None:
        for level in ladder():
            await rehearsal.over(level)

    with closing(Rehearsal(ladder())) as rehearsal:
        asyncio.run(over())


@pytest.fixture
def queue() -> Iterator[Redis]:
    made = Redis()
    yield made
    made.end()


def asked(queue: Redis) -> int:
    """How many questions have ever been put into the queue."""
    told = subprocess.run(
        ["redis-cli", "-s", queue.folder / "socket", "info", "commandstats"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    return sum(
        int(line.partition("calls=")[2].partition(",")[0])
        for line in told.splitlines()
        if line.startswith("cmdstat_rpush:")
    )


async def test_bots_think_elsewhere_and_here_again_when_a_thinker_is_killed(
    tmp_path: Path, queue: Redis
) -> None:
    log = tmp_path / "server.log"
    with ExitStack() as ending:
        first = ThinkerProcess(queue)
        ending.callback(first.end)
        server = Worker(
            tmp_path, *flags_for(tmp_path / "data"), "--thinkers", queue.address,
            "--milliseconds", 100,
        )  # fmt: skip
        ending.callback(server.end)
        await asyncio.gather(server.ready(), first.ready())
        await told(log, '"processes": 1')

        ana = await Roamer([server], "Ana").come()
        await ana.open(bots=2, start=True, edition="classic")
        await ana.connect()
        async with asyncio.timeout(300):
            await ana.play(lambda state: asked(queue) >= 3)
        assert "has not answered" not in log.read_text()

        first.process.send_signal(signal.SIGSTOP)  # with whatever it has taken, or takes now
        first.process.kill()
        await finish([ana])
        await told(log, '"processes": 0')

        second = ThinkerProcess(queue)
        ending.callback(second.end)
        await second.ready()
        before = asked(queue)
        bo = await Roamer([server], "Bo").come()
        await bo.open(bots=2, start=True, edition="mini")
        await bo.connect()
        await finish([bo])
        assert asked(queue) > before
        second.process.terminate()
        assert await asyncio.to_thread(second.process.wait, 120) == 0
    check(tmp_path, [ana, bo])


async def told(log: Path, words: str) -> None:
    """Waits until the server has said something in its log."""
    async with asyncio.timeout(120):
        while words not in log.read_text():
            await asyncio.sleep(0.1)


def test_a_queue_that_is_not_there_is_said_in_one_line(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "karma", "think", f"unix://{tmp_path}/nobody"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 1
    assert done.stderr == "karma: no Redis answers there: ConnectionError\n", done.stderr
