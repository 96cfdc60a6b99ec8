"""Attacks: one stranger against a fresh server, kind after kind, and what a neighbour feels.

`python tests/attacks.py` starts a server, lets a neighbour from another address play against a bot,
and has a process of its own attack for some seconds in each way there is. A line of JSON for each:
the neighbour's waiting for an answer, in milliseconds; the server's memory; whether a bot failed.
The first line is of a quiet time. `python tests/attacks.py pings idle` tries these two alone, and
`--behind-nginx` first has a real nginx stand between everybody and the server.
"""

import asyncio
import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, suppress
from itertools import count
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from servers import Proxy
from stranger import Stranger
from wire import HELLO, NEIGHBOUR, PIECE, PING, PONG, REST, TEXT, dial, frame, get, upgrade

SECONDS = 10.0
BEATS_A_SECOND = 10
MOST_MILLISECONDS = 100.0


# ---- the attacker --------------------------------------------------------------------------------


class Attacker:
    """A player with a table or several, in a process of its own."""

    def __init__(self, address: str, source: str) -> None:
        self.address = address
        self.source = source
        self.until = time.monotonic() + SECONDS
        self.token = self.ask("POST", "/api/player", {"name": "Eve", "bearer": True})["token"]

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        """A request, and what it brings; nothing if it is refused."""
        headers = {"content-type": "application/json"}
        if hasattr(self, "token"):
            headers["authorization"] = f"Bearer {self.token}"
        with closing(self._http()) as connection:
            connection.request(
                method, path, json.dumps(body) if body is not None else None, headers
            )
            answer = connection.getresponse()
            told = answer.read()
        return json.loads(told) if told and answer.status < 400 else {}

    def _http(self) -> http.client.HTTPConnection:
        netloc = urlsplit(self.address).netloc
        return http.client.HTTPConnection(netloc, timeout=30, source_address=(self.source, 0))

    def table(self, bots: int = 0, level: str = "greedy", **settings: Any) -> "Attacker":
        body = {"settings": settings, "bots": [level] * bots, "start": bool(bots)}
        joined = self.ask("POST", "/api/tables", body)
        self.table_id, self.invite = joined.get("table", ""), joined.get("invite", "")
        return self

    @property
    def going_on(self) -> bool:
        return time.monotonic() < self.until

    def connect(self, window: int | None = None) -> Any:
        raw = dial(self.address, self.source, window=window)
        raw.settimeout(2)
        raw.sendall(upgrade(self.table_id, self.token))
        answer = b""
        while not answer.endswith(b"\r\n\r\n"):
            some = raw.recv(1)
            if not some:
                break
            answer += some
        raw.sendall(HELLO)
        return raw

    def flood(self, text: bytes, *, window: int | None = None) -> None:
        """Sends without end over one socket, and over another when that is closed."""
        self.table(edition="mini")
        while self.going_on:
            with suppress(OSError), closing(self.connect(window)) as raw:
                while self.going_on:
                    raw.sendall(text)
                    if window is None:
                        with suppress(BlockingIOError):
                            raw.recv(65536, 0x40)  # MSG_DONTWAIT

    def many(self, request: bytes, sockets: int, *, window: int | None = None) -> None:
        """Holds so many connections, each with a request, and renews those that are cut."""
        with ExitStack() as held:
            raws: list[Any] = []
            while self.going_on:
                with suppress(OSError):
                    raw = held.enter_context(
                        closing(dial(self.address, self.source, window=window))
                    )
                    raws.append(raw)
                    if request:
                        raw.sendall(request)
                if len(raws) >= sockets:
                    with suppress(OSError):
                        raws.pop(0).close()
                    time.sleep(0.001)

    def gets(self, path: str) -> None:
        """Asks for one page, eight times at once, reading every answer."""
        with ExitStack() as held:
            raws = [held.enter_context(closing(dial(self.address, self.source))) for _ in range(8)]
            for index in count():
                if not self.going_on:
                    return
                try:
                    raws[index % 8].sendall(get(path, self.token))
                    raws[index % 8].recv(1 << 20)
                except OSError:
                    with suppress(OSError):
                        raws[index % 8] = held.enter_context(
                            closing(dial(self.address, self.source))
                        )


def requests(eve: Attacker) -> None:
    """Three hundred connections that all ask at once, again and again, and read the answers."""
    with ExitStack() as held:
        raws = [held.enter_context(closing(dial(eve.address, eve.source))) for _ in range(300)]
        while eve.going_on:
            for raw in raws:
                with suppress(OSError):
                    raw.sendall(get("/api/health") * 5)
            for raw in raws:
                with suppress(OSError):
                    raw.settimeout(0.5)
                    raw.recv(65536)


def churn(eve: Attacker) -> None:
    """Comes, asks, and is gone before the answer, from four threads."""

    def come_and_go() -> None:
        while eve.going_on:
            with suppress(OSError), closing(dial(eve.address, eve.source)) as raw:
                raw.sendall(get("/"))

    with ThreadPoolExecutor(4) as threads:
        for _ in range(4):
            threads.submit(come_and_go)


def drops(eve: Attacker) -> None:
    """Three hundred requests whose bodies come byte by byte."""
    with ExitStack() as held:
        raws = [held.enter_context(closing(dial(eve.address, eve.source))) for _ in range(300)]
        for raw in raws:
            raw.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            raw.sendall(b"POST /api/player HTTP/1.1\r\nHost: x\r\nContent-Length: 9999\r\n\r\n")
        while eve.going_on:
            for raw in raws:
                with suppress(OSError):
                    raw.send(b"x", 0x40)  # MSG_DONTWAIT


def replays(eve: Attacker) -> None:
    """A game of a bot against a safe player, then its replay from everywhere."""
    eve.table(1, edition="mini")
    with suppress(OSError), closing(eve.connect()) as raw:
        raw.sendall(frame(TEXT, b'{"type": "close", "id": "c"}'))
        time.sleep(0.5)
    eve.until = time.monotonic() + SECONDS
    eve.gets(f"/api/tables/{eve.table_id}/games/1/replay?eyes=all")


def hints(eve: Attacker) -> None:
    """Five tables, and a hint asked for on each as often as a socket may."""
    with ExitStack() as held:
        raws = []
        for _ in range(5):
            eve.table(3, best_level(eve), edition="classic")
            raws.append(held.enter_context(closing(eve.connect())))
        for number in count():
            if not eve.going_on:
                return
            for raw in raws:
                ask = json.dumps({"type": "hint", "id": f"h{number}"}).encode()
                with suppress(OSError):
                    raw.sendall(frame(TEXT, ask))
            time.sleep(0.1)


def alone(eve: Attacker) -> None:
    """Twenty tables of many strong bots that play on while nobody looks, by each of six people."""
    for _ in range(6):
        eve.token = eve.ask("POST", "/api/player", {"name": "Eve", "bearer": True})["token"]
        for _ in range(20):
            eve.table(5, best_level(eve), edition="classic", clock="days")
            if not eve.going_on:
                return
    time.sleep(max(0.0, eve.until - time.monotonic()))


def sixty_sockets(eve: Attacker, held: ExitStack, window: int | None = None) -> list[Any]:
    """Sixty people of one address, each at a table of their own."""
    raws = []
    for _ in range(60):
        eve.token = eve.ask("POST", "/api/player", {"name": "Eve", "bearer": True})["token"]
        eve.table(edition="mini")
        with suppress(OSError):
            raws.append(held.enter_context(closing(eve.connect(window))))
    return raws


def crowd(eve: Attacker, text: bytes) -> None:
    """Sixty people of one address, each at a table, who all send as often as a socket may."""
    with ExitStack() as held:
        raws = sixty_sockets(eve, held)
        eve.until = time.monotonic() + SECONDS
        for number in count():
            if not eve.going_on:
                return
            for raw in raws:
                with suppress(OSError):
                    raw.settimeout(0.01)
                    raw.sendall(frame(TEXT, text.replace(b"NUMBER", b"%d" % number)))
                    raw.recv(65536, 0x40)  # MSG_DONTWAIT
            time.sleep(1 / 18)


def portraits(eve: Attacker) -> None:
    """Another face again and again, at twenty tables."""
    for _ in range(20):
        eve.table(edition="mini")
    for number in count():
        if not eve.going_on:
            return
        eve.ask("PUT", "/api/player", {"portrait": {"face": 20 + number % 2, "colour": number % 5}})


def slow_readers(eve: Attacker) -> None:
    """A hundred connections that ask for a large page and take little of it, but something."""
    with ExitStack() as held:
        raws = []
        for _ in range(100):
            raw = held.enter_context(closing(dial(eve.address, eve.source, window=4096)))
            with suppress(OSError):
                raw.sendall(get("/api/schema.json"))
                raws.append(raw)
        while eve.going_on:
            for raw in raws:
                with suppress(OSError):
                    raw.recv(64, 0x40)  # MSG_DONTWAIT
            time.sleep(0.2)


def reconnects(eve: Attacker) -> None:
    """One seat, taken again and again: every time the whole table is sent."""
    eve.table(3, edition="classic")
    while eve.going_on:
        with suppress(OSError), closing(eve.connect()) as raw:
            raw.recv(1)


def slow_sockets(eve: Attacker) -> None:
    """Sixty sockets that ask for the whole table as often as they may, and read little of it."""
    with ExitStack() as held:
        raws = sixty_sockets(eve, held, window=4096)
        eve.until = time.monotonic() + SECONDS
        while eve.going_on:
            for raw in raws:
                with suppress(OSError):
                    raw.settimeout(0.01)
                    raw.sendall(HELLO)
                    raw.recv(256, 0x40)  # MSG_DONTWAIT
            time.sleep(1 / 18)


def best_level(eve: Attacker) -> str:
    return str(eve.ask("GET", "/api/about")["bots"][-1])


ATTACKS: dict[str, Callable[[Attacker], Any]] = {
    "pings": lambda eve: eve.flood(frame(PING) * 1000),
    "pongs": lambda eve: eve.flood(frame(PONG) * 1000),
    "pieces": lambda eve: eve.flood(frame(PIECE) + frame(REST) * 1000),
    "unread_pongs": lambda eve: eve.flood(frame(PING, b"x" * 125) * 100, window=4096),
    "messages": lambda eve: eve.flood(frame(TEXT, b'{"type": "heartbeat"}') * 100),
    "unread_pages": lambda eve: eve.many(get("/api/schema.json") * 10, 60, window=4096),
    "idle": lambda eve: eve.many(b"", 1200),
    "half_requests": lambda eve: eve.many(b"GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ", 600),
    "handshakes": lambda eve: eve.many(upgrade("aaaaaaaaaa", "x"), 60),
    "junk": lambda eve: eve.many(b"\x00\x01\x02\r\n\r\n", 60),
    "schema": lambda eve: eve.gets("/api/schema.json"),
    "pictures": lambda eve: eve.table().gets(f"/api/invites/{eve.invite}/picture"),
    "replays": replays,
    "hints": hints,
    "tables_alone": alone,
    "crowd_beating": lambda eve: crowd(eve, b'{"type": "heartbeat"}'),
    "crowd_greeting": lambda eve: crowd(eve, b'{"type": "hello", "protocol": 1}'),
    "crowd_changing": lambda eve: crowd(eve, b'{"type": "rotate", "id": "rNUMBER"}'),
    "crowd_talking": lambda eve: crowd(eve, b'{"type": "say", "id": "sNUMBER", "phrase": "hurry"}'),
    "portraits": portraits,
    "slow_readers": slow_readers,
    "slow_sockets": slow_sockets,
    "reconnects": reconnects,
    "requests": requests,
    "churn": churn,
    "drops": drops,
    "front_page": lambda eve: eve.gets("/"),
    "rules": lambda eve: eve.gets("/api/rules/classic?language=ru"),
}


# ---- the neighbour -------------------------------------------------------------------------------


class Neighbour(Stranger):
    """Plays against a strong bot from another address, and measures how long answers take."""

    def __init__(self, address: str) -> None:
        super().__init__(address, "Ana", source=NEIGHBOUR)
        self.waits: list[float] = []
        self.sent: dict[int, float] = {}
        self.refusals: list[str] = []

    def move(self) -> dict[str, Any] | None:
        """What to say now; nothing before it is shown what its last words led to."""
        acks = (answer for answer in self.answers.values() if answer["type"] == "ack")
        known = max((ack["version"] for ack in acks), default=0)
        if self.pending or self.version is None or self.version < known:
            return None
        over = self.state["table"]["phase"] == "over"
        return self.action("rematch") if over else super().move()

    async def sit(self, level: str) -> None:
        await self.come()
        body = {"settings": {"edition": "online"}, "bots": [level], "start": True}
        self._sit(await self.post("/api/tables", body))
        await self.connect()

    async def live(self, seconds: float) -> None:
        """Plays on, and sends heartbeats whose answers are timed."""
        end, beats = time.monotonic() + seconds, count(len(self.sent))
        self.waits, self.sent, self.refusals = [], {}, []

        async def beat() -> None:
            while True:
                number = next(beats)
                self.sent[number] = time.perf_counter()
                await self.send({"type": "heartbeat", "beat": number})
                await asyncio.sleep(1 / BEATS_A_SECOND)

        beating = asyncio.create_task(beat())
        try:
            while time.monotonic() < end:
                message = await self.read()
                if message["type"] == "beat" and message["beat"] in self.sent:
                    waited = time.perf_counter() - self.sent.pop(message["beat"])
                    self.waits.append(1000 * waited)
                if message["type"] == "refused":
                    self.refusals.append(message["code"])
                    continue  # and asks again with the next beat
                move = self.move()
                if move is not None:
                    await self.send(move)
        finally:
            beating.cancel()

    @property
    def whys(self) -> list[str]:
        """Why bots failed, each time one did."""
        notices = [notice for step in self.happened for notice in step["notices"]]
        return [n["parameters"]["why"] for n in notices if n["code"] == "bot_failed"]

    @property
    def bots_failed(self) -> int:
        return len(self.whys)


# ---- the server ----------------------------------------------------------------------------------


def start(folder: Path, *more: str) -> tuple[subprocess.Popen[str], str]:
    command = [sys.executable, "-m", "karma", "serve", "--port", "0", "--data", str(folder)]
    flags = ["--pace", "0.1", "--milliseconds", "200", *more]
    server = subprocess.Popen([*command, *flags], stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    for line in server.stdout:
        if "http://" in line:
            return server, line.split()[4]
    sys.exit("the server did not start")


def memory(pid: int) -> float:
    """Megabytes of a process."""
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def figure(waits: list[float], part: float) -> float:
    return round(sorted(waits)[min(len(waits) - 1, int(part * len(waits)))], 1) if waits else -1.0


async def measure(server: subprocess.Popen[str], address: str, names: list[str]) -> bool:
    neighbour, well = Neighbour(address), True
    await neighbour.sit((await neighbour.get("/api/about"))["bots"][-1])
    await neighbour.play(lambda state: (state.get("view") or {}).get("ply", 0) >= 8)
    for number, name in enumerate(("quiet", *names)):
        environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parent)}
        source = f"127.0.1.{number}"  # a fresh one: what the last did is not held against it
        command = [sys.executable, __file__, "--attack", name, address, source]
        attack = None if name == "quiet" else subprocess.Popen(command, env=environment)
        failed = neighbour.bots_failed
        await neighbour.live(SECONDS)
        attacked = attack is None or attack.wait(60) == 0
        told = {
            "attack": name,
            "answers": len(neighbour.waits),
            "p50_ms": figure(neighbour.waits, 0.5),
            "p99_ms": figure(neighbour.waits, 0.99),
            "server_mb": round(memory(server.pid)),
            "bots_failed": neighbour.bots_failed - failed,
            "why": neighbour.whys,
            "refused": neighbour.refusals,
            "well": attacked
            and server.poll() is None
            and neighbour.bots_failed == failed
            and not neighbour.refusals,
        }
        well = well and bool(told["well"]) and told["p99_ms"] <= MOST_MILLISECONDS
        print(json.dumps(told), flush=True)
        await asyncio.sleep(1)
    await neighbour.go()
    return well


def main() -> None:
    if sys.argv[1:2] == ["--attack"]:
        ATTACKS[sys.argv[2]](Attacker(sys.argv[3], sys.argv[4]))
        return
    behind = sys.argv[1:2] == ["--behind-nginx"]
    names = sys.argv[1 + behind :] or list(ATTACKS)
    with tempfile.TemporaryDirectory() as folder, ExitStack() as ended:
        trusted = ["--proxies", "127.0.0.1"] if behind else []
        server, address = start(Path(folder) / "data", *trusted)
        try:
            if behind:
                proxy = Proxy(Path(folder), [address])
                ended.callback(proxy.end)
                address = proxy.address
            well = asyncio.run(measure(server, address, names))
        finally:
            server.send_signal(signal.SIGTERM)
            server.wait(30)
    sys.exit(
        0 if well else f"a neighbour waited for more than {MOST_MILLISECONDS:.0f} ms, or worse"
    )


if __name__ == "__main__":
    main()
