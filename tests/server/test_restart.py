"""A graceful restart with live games, and who may be sent people: readiness."""

import asyncio
import signal
from pathlib import Path

import httpx
import pytest
import websockets

from checker import check
from servers import Worker, at
from stranger import Stranger


@pytest.mark.timeout(900)
async def test_a_restart_tells_everybody_and_games_go_on_by_themselves(tmp_path: Path) -> None:
    """SIGTERM: every socket ends with 1012, the process with 0; whoever played goes on alone."""
    server = await Worker(tmp_path, "--data", tmp_path / "data").ready()
    try:
        people = []
        for name in ("Ana", "Bo"):
            who = await Stranger(server.address, name).come()
            await who.open(bots=1, start=True, edition="classic")
            await who.connect()
            await who.play(at(10))
            people.append(who)
        server.send(signal.SIGTERM)
        for each in people:
            with pytest.raises(websockets.ConnectionClosed) as closed:
                while True:
                    await each.read()
            assert closed.value.rcvd is not None and closed.value.rcvd.code == 1012
            each.socket = None
        assert await asyncio.to_thread(server.process.wait, 120) == 0
        server = server.again()
        async with asyncio.timeout(600):
            await asyncio.gather(*(each.play_through() for each in people))
        for each in people:
            await each.go()
    finally:
        server.end()
    check(tmp_path, people)


@pytest.mark.timeout(900)
async def test_a_server_that_answers_is_ready_to_play_at(tmp_path: Path) -> None:
    """Nothing listens before everything is loaded: the first answer there is says `ok`."""
    server = Worker(tmp_path, "--data", tmp_path / "data")
    try:
        await server.ready()
        async with httpx.AsyncClient(base_url=server.address, timeout=60) as http:
            health = await http.get("/api/health")
        assert (health.status_code, health.json()["status"]) == (200, "ok")
        ana = await Stranger(server.address, "Ana").come()
        await ana.open(bots=1, start=True, edition="mini")
        await ana.connect()
        await ana.play()
        await ana.go()
    finally:
        server.end()
    check(tmp_path, [ana])
