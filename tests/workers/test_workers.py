"""Two workers on one PostgreSQL and one Redis: the seats of a table on different ones, and faults.

After each: every acknowledged move is kept once, everybody was shown what the log says.
"""

import asyncio
import json
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
import websockets

from checker import check
from databases import rows_in
from processes import workers
from servers import House, Proxy, Roamer, answers, at, finish, house, lease, over, two_seats
from stranger import Stranger


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A database and a Redis; its workers are started when a test needs them."""
    with house(tmp_path_factory.mktemp("house")) as made:
        yield made


async def test_the_seats_of_one_table_are_on_different_workers(shared: House) -> None:
    one, other = await shared.two()
    ana, bo = await two_seats(shared, one, other)
    await asyncio.gather(*(each.play(at(14)) for each in (ana, bo)))

    said = await ana.ask("say", phrase="well_played")
    del ana.answers[said["id"]]  # which no log knows of
    await bo.read_until(lambda: '"said"' in bo.frames[-1][:20])
    assert json.loads(bo.frames[-1])["phrase"] == "well_played"

    second = await (await Roamer([one, other], "Bo", 2).come()).join(ana, spectate=True)
    second.token = bo.token  # another tab of the same person, at the other worker
    first_socket = bo.socket
    await second.connect()
    with pytest.raises(websockets.ConnectionClosed) as closed:
        while True:
            await asyncio.wait_for(first_socket.recv(), 60)
    assert closed.value.rcvd is not None and closed.value.rcvd.code == 4002
    await second.go()
    await ana.wait_for(lambda state: not state["seats"][2]["connected"])
    bo.socket = None
    await finish([ana, bo])
    check(shared.folder, [ana, bo])


async def test_whoever_is_there_takes_part_in_the_deal_at_whatever_worker(shared: House) -> None:
    """At once: nobody has to have heard of the others by the bus."""
    one, other = await shared.two()
    shared.redis.kill()
    ana, bo = await Roamer([one, other], "Ana").come(), await Roamer([other, one], "Bo", 1).come()
    await ana.open(edition="mini")
    await bo.join(ana)
    for each in (ana, bo):
        await each.connect()
    assert (await ana.ask("start"))["type"] == "ack"
    shared.redis.start()
    await finish([ana, bo])
    (body,) = (
        json.loads(bytes(body))
        for table, body in rows_in(shared.folder / "data", "SELECT tbl, body FROM events")
        if table == ana.table and b"shuffling" in bytes(body)
    )
    assert body["entry"]["seats"] == [0, 1]
    check(shared.folder, [ana, bo])


async def test_who_revokes_a_token_is_cut_off_at_every_worker(shared: House) -> None:
    one, other = await shared.two()
    ana, bo = await two_seats(shared, one, other)
    await ana.go_to(other.address)
    socket = ana._sockets[-1]
    await ana.http.delete("/api/player", headers=ana.bearer)
    with pytest.raises(websockets.ConnectionClosed):
        while True:
            await asyncio.wait_for(socket.recv(), 60)
    assert (await bo.http.get(f"{one.address}/api/player", headers=ana.bearer)).status_code == 401


async def test_an_owner_is_killed_and_another_takes_over(shared: House) -> None:
    one, other = await shared.two()
    ana, bo = await two_seats(shared, one, other)
    await asyncio.gather(*(each.play(at(12)) for each in (ana, bo)))
    first, _ = await lease(shared, ana.table)
    one.kill()
    await finish([ana, bo])
    second, epoch = await lease(shared, ana.table)
    assert second != first and epoch == 2
    check(shared.folder, [ana, bo])


async def test_a_frozen_owner_wakes_to_one_history(shared: House) -> None:
    one, other = await shared.two()
    ana, bo = await two_seats(shared, one, other)
    await asyncio.gather(*(each.play(at(12)) for each in (ana, bo)))
    first, _ = await lease(shared, ana.table)
    one.send(signal.SIGSTOP)
    await ana.go_to(other.address)  # whose heartbeats are not answered
    await asyncio.gather(*(each.play_through(at(20)) for each in (ana, bo)))
    async with asyncio.timeout(120):
        while (await lease(shared, ana.table))[0] == first:
            await asyncio.sleep(0.2)
    one.send(signal.SIGCONT)
    await finish([ana, bo])
    cy = await (await Roamer([one, other], "Cy").come()).join(ana, spectate=True)
    await cy.connect()  # at the worker that was frozen
    assert over(cy.state) and cy.version >= ana.version
    await cy.go()
    check(shared.folder, [ana, bo])


async def test_redis_is_killed_and_comes_back_empty(shared: House) -> None:
    ana, bo = await two_seats(shared, *await shared.two())
    await asyncio.gather(*(each.play(at(12)) for each in (ana, bo)))
    shared.redis.kill()
    await asyncio.gather(*(each.play(at(20)) for each in (ana, bo)))
    shared.redis.start()
    await finish([ana, bo])
    check(shared.folder, [ana, bo])


async def test_postgres_is_killed_and_comes_back(shared: House) -> None:
    ana, bo = await two_seats(shared, *await shared.two())
    await asyncio.gather(*(each.play(at(12)) for each in (ana, bo)))
    playing = asyncio.gather(*(each.play_through() for each in (ana, bo)))
    await asyncio.to_thread(shared.postgres.stop)
    refused = await ana.http.post("/api/tables", json={"settings": {}}, headers=ana.bearer)
    assert (refused.status_code, refused.json()["code"]) == (503, "not_stored")
    await asyncio.to_thread(shared.postgres.start)
    async with asyncio.timeout(300):
        await playing
    await finish([ana, bo])
    check(shared.folder, [ana, bo])


async def test_workers_behind_a_proxy_are_drained_one_after_another(shared: House) -> None:
    """A new one comes, an old one goes, twice; whoever plays notices no more than a lost socket."""
    old = list(await shared.two())
    new = await shared.add(2)
    proxy = Proxy(shared.folder, [each.address for each in (*old, *new)])
    try:
        async with httpx.AsyncClient(base_url=proxy.address) as http:
            await answers(http, "/api/health")
        people = [await Stranger(proxy.address, name, 3).come() for name in ("Ana", "Bo", "Cy")]
        ana, *others = people
        await ana.open(edition="classic")
        for each in others:
            await each.join(ana)
        for each in people:
            await each.connect()
        await ana.read_until(
            lambda: [seat["connected"] for seat in ana.state["seats"]] == [True] * 3
        )
        await ana.ask("start")
        playing = asyncio.gather(*(each.play_through() for each in people))
        for each in old:
            each.send(signal.SIGTERM)
            await asyncio.to_thread(each.process.wait, 120)
        await playing
        for each in people:
            await each.go()
    finally:
        proxy.end()
    check(shared.folder, people)


async def test_a_code_for_another_device_is_good_at_every_worker(shared: House) -> None:
    one, other = await shared.two()
    ana, bo = await two_seats(shared, one, other)
    code = (await ana.post(f"/api/tables/{ana.table}/transfer"))["code"]
    phone = await Roamer([other, one], "phone").come()
    phone._sit(await phone.post("/api/transfers", {"code": code}))
    again = await bo.http.post("/api/transfers", json={"code": code}, headers=bo.bearer)
    assert again.json()["code"] == "code_expired"
    await phone.connect()
    assert phone.state["you"]["seat"] == 0


async def test_one_command_runs_several_workers_and_starts_a_killed_one_anew(shared: House) -> None:
    (several,) = await shared.add(1, "--workers", 2)
    shared.workers.remove(several)
    try:
        first = workers(several.process.pid)
        assert len(first) == 2
        os.kill(first[0], signal.SIGKILL)
        async with asyncio.timeout(200), httpx.AsyncClient(base_url=several.address) as http:
            while len(set(workers(several.process.pid)) - {first[0]}) < 2:
                await asyncio.sleep(0.2)
            await answers(http, "/api/health")
        several.send(signal.SIGTERM)
        assert await asyncio.to_thread(several.process.wait, 120) == 0
        assert not any(Path(f"/proc/{each}").exists() for each in first)
    finally:
        several.end()
