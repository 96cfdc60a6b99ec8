"""One stranger who sends without end, never reads, or holds on: bounds in counts and bytes."""

import asyncio
import json
import socket
import subprocess
import sys
import threading
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from typing import Any

import pytest

from karma.refusals import Refusal
from karma.server import connections as module
from karma.server import gauges, outbox, queues, sockets, turns
from karma.server.connections import Connections, most_connections, people_who_fit
from karma.server.gauges import subscriber
from karma.server.limits import Limits, Minutes
from serving import Served, serving
from stranger import Stranger
from wire import (
    HELLO,
    NEIGHBOUR,
    PIECE,
    PING,
    PONG,
    REST,
    TEXT,
    dial,
    frame,
    get,
    read_all,
    shake_hands,
    upgrade,
)


async def at_table(served: Served, name: str) -> Stranger:
    return await (await Stranger(served.address, name).come()).open(edition="mini")


async def within(seconds: float, done: Any) -> None:
    async with asyncio.timeout(seconds):
        while not done():
            await asyncio.sleep(0.02)


FLOODS = {
    "pings": frame(PING) * 20_000,
    "pongs": frame(PONG) * 20_000,
    "pieces": frame(PIECE) + frame(REST) * 20_000,
    "messages": frame(TEXT, b'{"type": "heartbeat"}') * 5_000,
}


@pytest.mark.parametrize("kind", FLOODS)
async def test_every_frame_counts_and_who_sends_too_many_is_closed(
    kind: str, tmp_path: Path
) -> None:
    with serving(tmp_path, limits=True) as served:
        ana, bo = await at_table(served, "Ana"), await at_table(served, "Bo")
        await bo.connect()
        with closing(shake_hands(served, ana)) as raw:
            raw.sendall(HELLO)
            with suppress(ConnectionError):
                await asyncio.to_thread(raw.sendall, FLOODS[kind])
            told = await asyncio.to_thread(read_all, raw)
        assert told.count(bytes([PONG, 0])) <= gauges.BURST + gauges.PER_SECOND * 30
        assert served.app.state.connections.refused["frames"] == 1
        assert (await bo.ask("say", phrase="hello"))["type"] == "ack"


async def test_pongs_that_nobody_reads_take_no_memory(tmp_path: Path) -> None:
    with serving(tmp_path) as served:  # without limits: the buffer alone is looked at
        ana = await at_table(served, "Ana")
        with closing(shake_hands(served, ana, window=4096)) as raw:
            raw.sendall(HELLO)
            flood = frame(PING, b"x" * 125) * 1000
            for _ in range(40):
                await asyncio.to_thread(raw.sendall, flood)
            table, connections = served.access.tables.live[ana.table], served.app.state.connections
            before = table.state.version
            raw.sendall(frame(TEXT, b'{"type": "rotate", "id": "r"}'))  # behind all of it
            await within(60, lambda: table.state.version > before)
            assert 0 < connections.unread < 200_000


@pytest.mark.parametrize("ask", [get("/api/schema.json") * 20, get("/api/about") * 200])
async def test_who_asks_and_does_not_read_is_cut(
    ask: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "SWEEP_SECONDS", 0.1)
    with serving(tmp_path) as served, ExitStack() as raws:
        connections = served.app.state.connections
        for _ in range(20):
            raw = raws.enter_context(closing(dial(served.address, window=4096)))
            raw.sendall(ask)
        await within(60, lambda: connections.refused["unread"] == 20)
        await within(10, lambda: len(connections) == 0)
        assert connections.unread == 0


class Still:
    """A transport that takes nothing of what waits for it."""

    def get_extra_info(self, name: str) -> Any:
        return ("192.0.2.1", 1)

    def get_write_buffer_size(self) -> int:
        return 1

    def get_protocol(self) -> None:
        return None

    def abort(self) -> None:
        pass


async def test_a_sweep_keeps_nobody_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "SWEEP_SECONDS", 0.1)
    connections = module.Connections(limits=False, people_per_address=5000, proxies=None)
    many: Any = [Still() for _ in range(5000)]
    seen: list[int] = []
    monkeypatch.setattr(module, "_waiting", lambda transport: seen.append(1) or 1)
    monkeypatch.setattr(connections, "_bound", lambda transports: None)
    for transport in many:
        assert connections.add(transport)
    most = 0
    while connections.refused["unread"] < 5000:
        seen.clear()
        connections._sweep()
        most = max(most, len(seen))
    assert 0 < most <= 150
    for transport in many:
        connections.remove(transport)


@pytest.mark.parametrize("kind", ["pages", "sockets"])
async def test_for_all_slow_readers_of_an_address_so_much_waits_and_no_more(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "SWEEP_SECONDS", 0.1)
    monkeypatch.setattr(module, "SWEEPS", 1 << 30)  # nobody is cut for reading too slowly,
    monkeypatch.setattr(outbox, "MOST_MESSAGES", 1000)  # nor for asking too much
    with serving(tmp_path) as served, ExitStack() as opened:
        connections = served.app.state.connections

        async def slow_reader(name: str, source: str) -> socket.socket:
            if kind == "pages":
                raw = dial(served.address, source, window=4096)
                raw.sendall(get("/api/schema.json") * 20)
            else:
                who = await at_table(served, name)
                raw = shake_hands(served, who, source=source, window=4096)
                raw.sendall(HELLO * 300)
            return opened.enter_context(closing(raw))

        neighbour = await slow_reader("Bo", NEIGHBOUR)
        await within(10, lambda: connections.unread > 0)
        many = [await slow_reader(f"Ana {number}", "127.0.0.1") for number in range(20)]
        most = {"pages": 1_000_000, "sockets": 2_000_000}[kind]  # more than connections alone have
        await within(30, lambda: connections.unread > most)
        connections.most_unread = 500_000
        await within(30, lambda: connections.unread < 1_000_000)
        assert 0 < connections.refused["unread"] < 20 == len(many)
        mark, number = (b"HTTP/1.1 200 OK", 20) if kind == "pages" else (b'"type":"welcome"', 300)
        told = b""
        while told.count(mark) < number:  # whatever waited for the neighbour still comes
            some = await asyncio.to_thread(neighbour.recv, 65536)
            assert some
            told += some


async def answers_of(raw: socket.socket, number: int) -> int:
    """How many answers come, of so many."""
    told = b""
    while told.count(b"HTTP/1.1 ") < number and (some := await asyncio.to_thread(raw.recv, 65536)):
        told += some
    return told.count(b"HTTP/1.1 ")


@pytest.mark.parametrize("proxies", [None, "127.0.0.0/8"], ids=["alone", "behind a proxy"])
async def test_what_an_address_asks_is_taken_in_turn_and_the_neighbour_does_not_wait(
    proxies: str | None, tmp_path: Path
) -> None:
    now = asyncio.get_running_loop().time
    limited = serving(tmp_path, limits=True, people_per_address=1, proxies=proxies)
    with limited as served, ExitStack() as opened:
        raws = [opened.enter_context(closing(dial(served.address))) for _ in range(20)]
        began = now()
        for raw in raws:
            raw.sendall(get("/api/health") * 6)
        with closing(dial(served.address, NEIGHBOUR)) as raw:
            raw.sendall(get("/api/about"))
            assert b" 200 OK" in await asyncio.to_thread(raw.recv, 4096)
        told = await asyncio.gather(*(answers_of(raw, 6) for raw in raws))
        assert told == [6] * 20  # all of them, but not at once
        assert now() - began > (120 - queues.AT_ONCE) / gauges.of_an_address(1) - 0.1


async def test_behind_a_proxy_so_many_wait_and_no_more(tmp_path: Path) -> None:
    most = module.most_of_an_address(1)
    limited = serving(tmp_path, limits=True, people_per_address=1, proxies="127.0.0.0/8")
    with limited as served, ExitStack() as opened:
        raws = [opened.enter_context(closing(dial(served.address))) for _ in range(3 * most)]
        for raw in raws:
            raw.sendall(upgrade("aaaaaaaaaa", "x") if raw is raws[-1] else get("/api/health"))
        told = await asyncio.gather(*(asyncio.to_thread(raw.recv, 4096) for raw in raws))
        refused = [each for each in told if b"retry-after: 10\r\n" in each]
        assert 0 < len(refused) <= 3 * most - queues.AT_ONCE - most
        assert all(each.startswith((b"HTTP/1.1 200", b"HTTP/1.1 4")) for each in told)
        with closing(dial(served.address)) as raw:
            await within(20, lambda: served.access.refused["too_fast"] >= len(refused))
            raw.sendall(get("/api/health"))
            assert await answers_of(raw, 1) == 1


async def test_who_waits_when_the_server_ends_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(turns, "of_an_address", lambda people: 0.01)
    limited = serving(tmp_path, limits=True, people_per_address=1, proxies="127.0.0.0/8")
    with ExitStack() as opened:
        with limited as served:
            number = queues.AT_ONCE + 10
            raws = [opened.enter_context(closing(dial(served.address))) for _ in range(number)]
            for raw in raws:
                raw.sendall(get("/api/health"))
            told = [await asyncio.to_thread(raw.recv, 4096) for raw in raws[: queues.AT_ONCE]]
        told = [await asyncio.to_thread(raw.recv, 4096) for raw in raws[queues.AT_ONCE :]]
        assert all(b'"stopping"' in each for each in told)


async def test_who_comes_again_and_again_waits_in_the_same_queue(tmp_path: Path) -> None:
    now = asyncio.get_running_loop().time
    with serving(tmp_path, limits=True, people_per_address=1) as served:
        began = now()
        for _ in range(100):
            with closing(dial(served.address)) as raw:
                raw.sendall(get("/api/health"))
                assert await answers_of(raw, 1) == 1
        assert now() - began > (100 - queues.AT_ONCE) / gauges.of_an_address(1) - 0.1


async def test_who_goes_leaves_the_queue(tmp_path: Path) -> None:
    with serving(tmp_path, limits=True, people_per_address=1) as served:
        with ExitStack() as opened:
            for _ in range(30):
                raw = opened.enter_context(closing(dial(served.address)))
                raw.sendall(get("/api/health") * 9)
        await within(20, lambda: not len(served.app.state.connections))
        with closing(dial(served.address)) as raw:
            raw.sendall(get("/api/health"))
            assert await answers_of(raw, 1) == 1


async def test_an_address_has_so_many_connections_and_the_neighbour_comes_in(
    tmp_path: Path,
) -> None:
    with serving(tmp_path, limits=True, people_per_address=1) as served, ExitStack() as raws:
        connections = served.app.state.connections
        most = connections.most_an_address
        for _ in range(most):
            raws.enter_context(closing(dial(served.address)))
        await within(10, lambda: len(connections) == most)
        told = await asyncio.to_thread(read_all, raws.enter_context(closing(dial(served.address))))
        head, _, body = told.partition(b"\r\n\r\n")
        assert b" 503 " in head and b"retry-after" in head
        assert json.loads(body)["code"] == "too_fast"
        assert len(connections) == most and connections.refused["connections_of_address"] == 1
        with closing(dial(served.address, NEIGHBOUR)) as raw:
            raw.sendall(get("/api/health"))
            assert b" 200 OK" in await asyncio.to_thread(raw.recv, 4096)


async def test_there_are_so_many_connections_in_all(tmp_path: Path) -> None:
    with serving(tmp_path) as served, ExitStack() as raws:
        connections = served.app.state.connections
        connections.most = 10
        for _ in range(10):
            raws.enter_context(closing(dial(served.address)))
        await within(10, lambda: len(connections) == 10)
        raw = raws.enter_context(closing(dial(served.address, NEIGHBOUR)))
        assert b" 503 " in await asyncio.to_thread(read_all, raw)
        assert connections.refused["connections"] == 1


async def test_idle_connections_are_cut(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "REQUEST_SECONDS", 0.3)
    with serving(tmp_path) as served, ExitStack() as raws:
        for _ in range(50):
            raws.enter_context(closing(dial(served.address)))
        connections = served.app.state.connections
        await within(10, lambda: len(connections) == 50)
        await within(20, lambda: len(connections) == 0)


async def test_heartbeats_are_no_hello(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sockets, "HELLO_SECONDS", 0.5)
    with serving(tmp_path) as served:
        ana = await at_table(served, "Ana")
        with closing(shake_hands(served, ana)) as raw:
            told = asyncio.create_task(asyncio.to_thread(read_all, raw))
            async with asyncio.timeout(20):  # less than a silent one, who has said hello, may stay
                while not told.done():
                    with suppress(OSError):
                        raw.sendall(frame(TEXT, b'{"type": "heartbeat"}'))
                    await asyncio.sleep(0.05)
            assert b"hello_first" in await told


def test_people_are_as_many_as_descriptors_allow() -> None:
    for descriptors in (256, 1024, 4096, 1 << 20):
        people = people_who_fit(descriptors)
        held = Connections(limits=True, people_per_address=people, proxies=None)
        assert held.most_an_address <= max(30, most_connections(descriptors) / 2)
    assert people_who_fit(1 << 20) > 500 > people_who_fit(1024)


FEW_FILES = """
import resource, sys
from karma.server.process import fit, set_up_logs
from karma.server.settings import ServerSettings
resource.setrlimit(resource.RLIMIT_NOFILE, (256, int(sys.argv[1])))
set_up_logs()
print(fit(ServerSettings()).people_per_address, resource.getrlimit(resource.RLIMIT_NOFILE)[0])
"""


@pytest.mark.parametrize(("files", "people"), [(1024, 137), (8192, 500)])
def test_descriptors_are_raised_and_fewer_people_are_told_of(files: int, people: int) -> None:
    command = [sys.executable, "-c", FEW_FILES, str(files)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.split() == [str(people), str(files)]
    assert done.stderr.count("fewer people may come from one address") == int(people < 500)


async def test_all_sockets_of_an_address_share_what_it_may_send_and_nobody_is_closed(
    tmp_path: Path,
) -> None:
    sockets_, beats = 6, gauges.BURST - 5
    with serving(tmp_path, limits=True, people_per_address=10) as served, ExitStack() as raws:
        many = []
        for number in range(sockets_):
            who = await at_table(served, f"Ana {number}")
            raw = raws.enter_context(closing(shake_hands(served, who)))
            raw.sendall(HELLO)
            many.append(raw)
        bo = await (await Stranger(served.address, "Bo", source=NEIGHBOUR).come()).open()
        await bo.connect()
        began = asyncio.get_running_loop().time()
        for raw in many:
            raw.sendall(frame(TEXT, b'{"type": "heartbeat"}') * beats)
        assert (await bo.ask("say", phrase="hello"))["type"] == "ack"

        def answers(raw: socket.socket) -> int:
            told = b""
            while told.count(b'"type":"beat"') < beats:
                told += raw.recv(65536)
            return told.count(b'"type":"beat"')

        counted = await asyncio.gather(*(asyncio.to_thread(answers, raw) for raw in many))
        assert counted == [beats] * sockets_  # all of them, but not at once
        share = 2 * gauges.PER_SECOND
        early = sockets_ * beats - 2 * gauges.BURST - module.SLICE // 27
        assert asyncio.get_running_loop().time() - began > early / share - 1
        assert not served.app.state.connections.refused


async def test_requests_are_counted_by_the_minute_and_without_threads() -> None:
    threads = threading.active_count()
    limits = Limits(people_per_address=1)
    for _ in range(12):
        await limits.count("request", "192.0.2.1")
    with pytest.raises(Refusal, match="Too fast"):
        await limits.count("request", "192.0.2.1")
    await limits.count("request", "192.0.2.2")
    assert threading.active_count() == threads
    minutes, key = Minutes(), ("request", "192.0.2.1")
    assert [minutes.hit(key, 2, now) for now in (30, 31, 89, 91, 92, 93)] == [
        *(True, True, False),
        *(True, True, False),
    ]


def test_who_has_a_network_of_ipv6_has_one_share() -> None:
    assert subscriber("2001:db8:0:1::1") == subscriber("2001:db8:0:1:ffff::2")
    assert subscriber("2001:db8:0:1::1") != subscriber("2001:db8:0:2::1")
    assert subscriber("::ffff:192.0.2.1") == subscriber("192.0.2.1") != subscriber("192.0.2.2")
    crowds = gauges.Common(lambda: gauges.Gauge(2, 1))
    assert crowds.of("2001:db8::2", 0.0) is crowds.of("2001:db8::1", 0.0)


def test_what_an_address_has_used_up_is_remembered_when_it_is_gone() -> None:
    crowds = gauges.Common(lambda: gauges.Gauge(20, 1))
    assert [crowds.of("192.0.2.1", 0.0).take(0.0) for _ in range(21)] == [True] * 20 + [False]
    assert crowds.of("192.0.2.1", 9.0).seconds(9.0) == 0 < crowds.of("192.0.2.1", 9.0).seconds(0.0)
    seen = id(crowds.of("192.0.2.1", 9.0))
    crowds.of("192.0.2.2", 15.0)
    assert id(crowds.of("192.0.2.1", 15.0)) == seen  # some are still missing
    crowds.of("192.0.2.3", 40.0)
    assert list(crowds._in_use) == ["192.0.2.3"]


async def test_the_addresses_of_one_network_share_the_limits(tmp_path: Path) -> None:
    limited = serving(tmp_path, limits=True, people_per_address=1, proxies="127.0.0.1")
    with limited as served:
        ana = Stranger(served.address, "Ana")
        codes = []
        for number in range(30):
            headers = {"x-forwarded-for": f"2001:db8::{number:x}"}
            codes.append((await ana.http.get("/api/tables", headers=headers)).status_code)
        assert codes.count(200) == 12 and codes[-1] == 429
        elsewhere = {"x-forwarded-for": "2001:db8:1::1"}
        assert (await ana.http.get("/api/tables", headers=elsewhere)).status_code == 200
