"""Who gets in, what is said to whom, and what is never said at all: on real sockets."""

import asyncio
import gc
import json
import logging
import socket
from contextlib import ExitStack
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
import websockets

from databases import kept_bytes
from karma.protocol import messages
from karma.protocol.kinds import kinds
from karma.protocol.messages import FromClient
from karma.server import connections, process, sockets
from karma.server import limits as limits_module
from karma.server import outbox as outbox_module
from karma.server.outbox import MOST_BYTES, MOST_MESSAGES, SocketOutbox
from karma.table import names
from load import Http
from serving import serving
from stranger import Stranger


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory):
    with serving(tmp_path_factory.mktemp("data")) as served:
        yield served


async def table_of(address: str, name: str = "Ana", **settings: Any) -> Stranger:
    return await (await Stranger(address, name).come()).open(**{"edition": "mini", **settings})


async def with_cookie(address: str, origin: str | None) -> httpx.AsyncClient:
    """A browser: its token is in a cookie."""
    browser = Stranger(address, "browser").http
    answer = await browser.post("/api/player", json={"name": "Ana"}, headers=_origin(origin))
    assert answer.status_code == 201 and answer.json()["token"] is None
    return browser


def _origin(origin: str | None) -> dict[str, str]:
    return {} if origin is None else {"origin": origin}


# ---- tokens and invites --------------------------------------------------------------------------


async def test_a_token_is_kept_as_a_hash_and_public_ids_open_nothing(server) -> None:
    ana = await table_of(server.address)
    assert len(ana.token) >= 43
    player = (await ana.get("/api/player"))["player"]
    for wrong in (player, ana.table, ana.invite, ana.token[:-1], ana.token + "A", "", "Bearer"):
        answer = await ana.http.get(
            "/api/player", headers={"authorization": f"Bearer {wrong}"} if wrong else {}
        )
        assert (answer.status_code, answer.json()["code"]) == (401, "unknown_token")
    kept = kept_bytes(server.folder)
    assert ana.token.encode() not in kept and player.encode() in kept
    await ana.http.delete("/api/player", headers=ana.bearer)
    assert (await ana.http.get("/api/player", headers=ana.bearer)).status_code == 401
    await ana.go()


async def test_looking_at_an_invite_takes_no_seat_and_a_rotated_one_opens_nothing(server) -> None:
    ana = await table_of(server.address)
    await ana.connect()
    before = await ana.get(f"/api/tables/{ana.table}")
    preview = Stranger(server.address, "preview")
    for _ in range(50):
        await preview.http.get(f"/join/{ana.invite}")
        await preview.http.get(f"/api/invites/{ana.invite}")
    assert (await ana.get(f"/api/tables/{ana.table}"))["seats"] == before["seats"]
    old = ana.invite
    assert (await ana.ask("rotate"))["type"] == "ack"
    answer = await preview.http.get(f"/api/invites/{old}")
    assert answer.json()["code"] == "wrong_invite"
    await ana.read_until(lambda: ana.state["you"]["invite"] != old)
    assert (await preview.http.get(f"/api/invites/{ana.state['you']['invite']}")).is_success
    for each in (ana, preview):
        await each.go()


# ---- browsers ------------------------------------------------------------------------------------


def origins(address: str) -> dict[str, str | None]:
    host = urlsplit(address).netloc
    name, port = host.split(":")
    return {
        "same": address,
        "foreign": "http://evil.example",
        "null": "null",
        "missing": None,
        "sub-domain": f"http://x.{host}",
        "other port": f"http://{name}:{int(port) + 1}",
        "suffix": f"http://{host}.evil.example",
        "prefix": f"http://evil{host}",
        "user": f"http://{host}@evil.example",
        "other scheme": f"ftp://{host}",
        "empty": "",
    }


async def test_a_handshake_needs_the_right_origin(server) -> None:
    browser = await with_cookie(server.address, server.address)
    table = (await browser.post("/api/tables", json={}, headers=_origin(server.address))).json()[
        "table"
    ]
    url = server.address.replace("http", "ws", 1) + f"/api/tables/{table}/socket"
    cookie = {"cookie": f"karma={browser.cookies['karma']}"}
    bearer = {"authorization": f"Bearer {browser.cookies['karma']}"}
    for what, origin in origins(server.address).items():
        for credentials in (cookie, bearer):
            allowed = what == "same" or (what == "missing" and credentials is bearer)
            status = await _handshake(url, {**credentials, **_origin(origin)})
            assert status == (101 if allowed else 403), (what, credentials)
    assert await _handshake(url, {}) == 403
    assert await _handshake(url, {"authorization": "Bearer nonsense"}) == 401
    stranger = await Stranger(server.address, "Bo").come()
    assert await _handshake(url, stranger.bearer) == 403
    missing = url.replace(table, "a" * 10)
    assert await _handshake(missing, stranger.bearer) == 404
    await stranger.go()
    await browser.aclose()


async def _handshake(url: str, headers: dict[str, str]) -> int:
    try:
        async with websockets.connect(url, additional_headers=headers, origin=None):
            return 101
    except websockets.InvalidStatus as error:
        return error.response.status_code


async def test_another_site_changes_nothing(server) -> None:
    browser = await with_cookie(server.address, server.address)
    foreign = {"origin": "http://evil.example"}
    form = {**foreign, "content-type": "application/x-www-form-urlencoded"}
    tries = [
        await browser.post("/api/tables", content=b"settings=1", headers=form),
        await browser.post("/api/tables", json={}, headers=foreign),
        await browser.post("/api/tables", json={}),
        await browser.post("/api/tables", json={}, headers={"origin": "null"}),
        await browser.post(
            "/api/tables",
            json={},
            headers={"origin": server.address, "sec-fetch-site": "cross-site"},
        ),
        await browser.put("/api/player", json={"name": "Eve"}, headers=foreign),
        await browser.delete("/api/player", headers=foreign),
    ]
    assert [answer.status_code for answer in tries] == [403] * len(tries)
    await browser.get("/api/tables", headers=foreign)  # an image on another site
    me = (await browser.get("/api/player")).json()
    assert me["name"] == "Ana" and me["tables"] == []
    await browser.aclose()


@pytest.mark.parametrize("public", [None, "http://192.168.1.5:8000", "https://karma.example"])
async def test_cookies_are_as_safe_as_the_address_allows(tmp_path, public: str | None) -> None:
    with serving(tmp_path, public_url=public) as served:
        origin = public or served.address
        async with httpx.AsyncClient(base_url=served.address) as browser:
            answer = await browser.post(
                "/api/player", json={"name": "Ana"}, headers=_origin(origin)
            )
            cookie = answer.headers["set-cookie"].lower()
            assert "httponly" in cookie and "samesite=lax" in cookie
            assert ("secure" in cookie) == (public or "").startswith("https")
            about = (await browser.get("/api/about")).json()
            assert about["secure"] == (public or "").startswith("https")
            token = browser.cookies.get("karma") or cookie.split("karma=")[1].split(";")[0]
            assert token
            if public is not None:
                answer = await browser.post(
                    "/api/player", json={"name": "Ana"}, headers=_origin(served.address)
                )
                assert answer.status_code == 403


async def test_every_answer_is_protected(server) -> None:
    guest = Stranger(server.address, "guest")
    for path in ("/", "/join/XXXX", "/api/health", "/api/nonsense", "/api/player", "/x.js"):
        answer = await guest.http.get(path)
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy and "unsafe" not in policy
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "no-referrer"
        assert "server" not in answer.headers
    await guest.go()


# ---- names and chat are text ---------------------------------------------------------------------


NASTY = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "abc\u202egnp.exe",
    "a\u200bb\u2066c\u2069",
    "Zalgo" + "\u0301" * 10_000,
    "\x00\x07bell",
    "tab\tand\nline",
]


@pytest.mark.parametrize("text", NASTY)
def test_names_and_lines_are_plain(text: str) -> None:
    for shown in (names.name(text), names.line(text)):
        assert not any(char in shown for char in "\u202e\u200b\u2066\u2069\x00\x07\n\t")
        assert shown.count("\u0301") <= 3
    assert len(names.name(text)) <= 24


def test_a_name_of_nothing_visible_is_none() -> None:
    for text in ("", "   ", "\u200b\u200d", "\u0301\u0301", "\n"):
        assert names.name(text) == ""
    assert names.name("Анна-Мария") == "Анна-Мария"
    assert names.name("👩‍👩‍👧") != ""


async def test_chat_arrives_as_text_and_can_be_muted_and_off(server) -> None:
    ana = await table_of(server.address)
    bo = await (await Stranger(server.address, "Bo").come()).join(ana)
    for each in (ana, bo):
        await each.connect()
    assert (await ana.ask("chat", text="<b>hi</b>\u202e"))["type"] == "ack"
    said = await bo.read()
    while said["type"] != "said":
        said = await bo.read()
    assert (said["text"], said["seat"]) == ("<b>hi</b>", 0)
    assert (await bo.ask("mute", seat=0, muted=True))["type"] == "ack"
    await ana.ask("say", phrase="thanks")
    await bo.ask("say", phrase="hello")
    assert not any('"thanks"' in frame for frame in bo.frames)
    settings = {**ana.state["table"]["settings"], "chat": False}
    assert (await ana.ask("change", settings=settings))["type"] == "ack"
    assert (await bo.ask("chat", text="hello"))["code"] == "chat_off"
    codes = [(await ana.ask("say", phrase="ouch")).get("code") for _ in range(12)]
    assert "muted" in codes
    for each in (ana, bo):
        await each.go()


# ---- every message, every role -------------------------------------------------------------------

SAMPLES: dict[str, dict[str, Any]] = {
    "act": {"game": 1, "ply": 0, "moves": ["P"]},
    "commit": {"game": 1, "commitment": "0" * 64},
    "reveal": {"game": 1, "seed": "0" * 64},
    "left_out": {"game": 1},
    "say": {"phrase": "hello"},
    "chat": {"text": "hello"},
    "mute": {"seat": 0, "muted": True},
    "step_away": {},
    "take_back": {},
    "rematch": {},
    "hint": {},
    "set_pace": {"pace": "fast"},
    "undo": {"game": 1, "ply": 0},
    "start": {},
    "add_bot": {"level": "greedy"},
    "remove": {"seat": 11},
    "kick": {"seat": 11},
    "send_away": {"name": "nobody"},
    "offer": {"seat": 11},
    "cover": {"seat": 11},
    "pause": {},
    "resume": {},
    "rotate": {},
    "hand_over": {"seat": 11},
    "change": {"settings": {"edition": "mini"}},
    "leave": {},
    "close": {},
}


def test_there_is_a_sample_of_every_message() -> None:
    tags = {message.__struct_config__.tag for message in kinds(FromClient)}
    assert tags == {*SAMPLES, "hello", "heartbeat"}


@pytest.mark.parametrize("phase", ["lobby", "deal", "playing", "over"])
@pytest.mark.parametrize("role", ["host", "seat", "spectator"])
async def test_every_message_of_every_role_has_an_answer(server, role: str, phase: str) -> None:
    host = await table_of(server.address, edition="online")
    seat = await (await Stranger(server.address, "Bo").come()).join(host)
    watcher = await (await Stranger(server.address, "Cy").come()).join(host, spectate=True)
    who = {"host": host, "seat": seat, "spectator": watcher}[role]
    for each in (host, seat, watcher):
        await each.connect()
    if phase != "lobby":
        assert (await host.ask("start"))["type"] == "ack"
    if phase in ("playing", "over"):
        until = None if phase == "over" else lambda state: state["table"]["phase"] == "playing"
        await asyncio.gather(host.play(until), seat.play(until))
    await who.send({"type": "heartbeat", "beat": 7})
    beat = await who.read()
    while beat["type"] != "beat":
        beat = await who.read()
    for kind, fields in SAMPLES.items():
        answer = await who.ask(kind, **fields)
        assert answer["type"] in ("ack", "refused")
        assert answer.get("code") not in ("server_error", "stopped", "not_stored"), (kind, answer)
        again = {"type": kind, "id": answer["id"], **fields}
        if kind not in ("leave", "close"):
            await who.send(again)
            message = await who.read()
            while message.get("id") != answer["id"] or message["type"] == "advice":
                message = await who.read()
            assert message == answer
        elif answer["type"] == "ack":
            break
    for each in (host, seat, watcher):
        await each.go()


async def test_nothing_is_answered_before_hello(server) -> None:
    ana = await table_of(server.address)
    url = server.address.replace("http", "ws", 1) + f"/api/tables/{ana.table}/socket"
    async with websockets.connect(url, additional_headers=ana.bearer) as raw:
        for kind, fields in SAMPLES.items():
            await raw.send(json.dumps({"type": kind, "id": "x", **fields}))
            answer = json.loads(await raw.recv())
            assert answer == {"type": "error", "code": "hello_first", "parameters": {}}
        await raw.send(json.dumps({"type": "hello", "protocol": 99}))
        answer = json.loads(await raw.recv())
        assert answer["code"] == "wrong_protocol" and answer["parameters"] == {"protocol": 1}
    await ana.go()


# ---- strict input --------------------------------------------------------------------------------

FRAMES: list[str | bytes] = [
    "",
    "{",
    "null",
    "[]",
    '"hello"',
    "{}",
    '{"type": "fly"}',
    '{"type": ["hello"]}',
    '{"type": "hello", "protocol": "1"}',
    '{"type": "hello", "protocol": 1, "extra": 1}',
    '{"type": "hello", "protocol": NaN}',
    '{"type": "act", "id": "a", "game": 1, "ply": 1e400, "moves": ["P"]}',
    '{"type": "act", "id": "a", "game": 1, "ply": 99999999999999999999, "moves": ["P"]}',
    '{"type": "act", "id": "\\ud800", "game": 1, "ply": 1, "moves": ["P"]}',
    "[" * 5000,
    '{"a":' * 2000,
    b"\xff\xfe\x00",
    b"\x80" * 100,
    '{"type": "hello", "protocol": 1, "protocol": 2, "version": -1}',
]


async def test_frames_that_are_no_messages_are_answered_or_end_the_connection(
    server, capfd: pytest.CaptureFixture[str]
) -> None:
    ana = await table_of(server.address)
    url = server.address.replace("http", "ws", 1) + f"/api/tables/{ana.table}/socket"
    for frame in FRAMES:
        async with websockets.connect(url, additional_headers=ana.bearer) as raw:
            await raw.send(frame)
            answer = json.loads(await asyncio.wait_for(raw.recv(), 10))
            assert answer["code"] == "bad_message", frame
    async with websockets.connect(url, additional_headers=ana.bearer) as raw:
        with pytest.raises(websockets.ConnectionClosed) as closed:
            await raw.send("x" * 20_000)
            await raw.recv()
        assert closed.value.rcvd is not None and closed.value.rcvd.code == 1009
    async with websockets.connect(url, additional_headers=ana.bearer) as raw:
        with pytest.raises(websockets.ConnectionClosed) as closed:
            for _ in range(20):
                await raw.send("{")
                await raw.recv()
        assert closed.value.rcvd is not None and closed.value.rcvd.code == 4000
    assert "Traceback" not in capfd.readouterr().err
    assert (await ana.get("/api/health"))["status"] == "ok"
    await ana.go()


async def test_bodies_that_do_not_fit_are_refused(server) -> None:
    ana = await table_of(server.address)
    post = ana.http.post
    headers = {**ana.bearer, "content-type": "application/json"}
    cases: list[tuple[bytes, int, str]] = [
        (b"{", 422, "bad_message"),
        (b"[]", 422, "bad_message"),
        (b'{"extra": 1}', 422, "bad_message"),
        (b'{"settings": {"edition": "nonsense"}}', 422, "bad_rules"),
        (b'{"settings": {"rules": {"copies": 99}}}', 422, "bad_rules"),
        (b'{"settings": {"rules": {"nonsense": 1}}}', 422, "bad_rules"),
        (b'{"bots": ["nonsense"]}', 422, "no_such_bot"),
        (b'{"bots": ["greedy","greedy","greedy","greedy","greedy","greedy"]}', 409, "table_full"),
        (b'{"x":"' + b"x" * 20_000 + b'"}', 413, "too_large"),
        (b"\xff\xfe", 422, "bad_message"),
        (b"[" * 10_000, 422, "bad_message"),
        (b'{"start": true}', 409, "too_few_players"),
    ]
    for body, status, code in cases:
        answer = await post("/api/tables", content=body, headers=headers)
        assert (answer.status_code, answer.json()["code"]) == (status, code), body[:60]
    wrong = await post("/api/tables", content=b"{}", headers=ana.bearer)
    assert wrong.json()["code"] == "not_json"
    assert (await post("/api/health", headers=headers)).json()["code"] == "wrong_method"
    nowhere = await ana.http.get("/api/nonsense")
    assert (nowhere.status_code, nowhere.json()["code"]) == (404, "no_such_page")
    for name in ("", " ", "\u200b"):
        answer = await post("/api/player", json={"name": name})
        assert answer.json()["code"] in ("bad_name", "bad_message")
    await ana.go()


# ---- faults say nothing --------------------------------------------------------------------------


async def test_a_fault_in_any_handler_tells_no_card(
    tmp_path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    from karma.table.requests import Request

    process.set_up_logs()
    canary = "canary-of-seven-hidden-cards"

    def fail(*_: Any, **__: Any) -> Any:
        raise RuntimeError(canary)

    with serving(tmp_path) as served:
        ana = await table_of(served.address, bots=1)
        await ana.connect()
        monkeypatch.setattr(Request, "entries", fail)
        for kind, fields in SAMPLES.items():
            answer = await ana.ask(kind, **fields)
            assert answer["code"] == "server_error", kind
        for name in ("of_player", "public", "by_invite", "record", "open", "find"):
            monkeypatch.setattr(type(served.access.tables), name, fail)
        for path in ("/api/player", "/api/tables", "/api/invites/X", f"/api/tables/{ana.table}"):
            answer = await ana.http.get(path, headers=ana.bearer)
            assert (answer.status_code, answer.json()["code"]) == (500, "server_error")
            ana.frames.append(answer.text)
        await ana.go()
    output = capfd.readouterr()
    for text in (output.out, output.err, *ana.frames):
        assert canary not in text and ana.token not in text
    assert "RuntimeError" in output.err + output.out
    logging.getLogger().handlers.clear()


# ---- limits --------------------------------------------------------------------------------------


async def test_who_asks_too_often_waits_and_the_neighbour_does_not(
    tmp_path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits_module, "LEAST", 3)
    monkeypatch.setitem(limits_module.LIMITS, "request", 1000)
    monkeypatch.setattr(connections, "BURST", 30)
    with serving(tmp_path, limits=True, people_per_address=1) as served:
        ana = await table_of(served.address)
        bo = await table_of(served.address, "Bo")
        await bo.connect()
        codes = []
        for _ in range(4):
            answer = await ana.http.post("/api/tables", json={}, headers=ana.bearer)
            codes.append(answer.status_code)
        assert codes[-1] == 429 and int(answer.headers["retry-after"]) > 0
        await ana.connect()
        with pytest.raises(websockets.ConnectionClosed) as closed:
            for _ in range(200):
                await ana.send({"type": "heartbeat"})
                await ana.read()
        assert closed.value.rcvd.code == 4008
        assert (await bo.ask("say", phrase="hello"))["type"] == "ack"
        for each in (ana, bo):
            await each.go()


@pytest.mark.parametrize("what", limits_module.LIMITS)
async def test_every_limit_is_for_one_address_alone(
    what: str, tmp_path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits_module, "LEAST", 3)
    with serving(tmp_path, limits=True, people_per_address=1, proxies="127.0.0.1") as served:
        ana = await table_of(served.address)
        asked = {
            "request": ("GET", "/api/health", None),
            "player": ("POST", "/api/player", {"name": "Bo"}),
            "table": ("POST", "/api/tables", {}),
            "join": ("POST", f"/api/tables/{ana.table}/join", {"invite": ana.invite}),
            "code": ("GET", f"/api/invites/{ana.invite}", None),
            "transfer": ("POST", f"/api/tables/{ana.table}/transfer", None),
            "socket": ("GET", f"/api/tables/{ana.table}/socket", None),
            "replay": ("GET", f"/api/tables/{ana.table}/games/1/replay", None),
            "review": ("GET", f"/api/tables/{ana.table}/games/1/review", None),
            "subscription": ("PUT", "/api/player/subscription", {"endpoint": "https://push/1"}),
        }
        method, path, body = asked[what]

        async def ask(address: str) -> int:
            headers = {**ana.bearer, "x-forwarded-for": address}
            if what == "socket":
                headers |= {"upgrade": "websocket", "connection": "upgrade"}
                headers |= {"sec-websocket-version": "13", "sec-websocket-key": "A" * 22 + "=="}
            async with ana.http.stream(method, path, json=body, headers=headers) as answer:
                return answer.status_code

        most = max(3, round(limits_module.LIMITS[what]))
        codes = [await ask("192.0.2.1") for _ in range(most + 1)]
        assert 429 not in codes[:-1] and codes[-1] == 429
        assert await ask("192.0.2.2") != 429
        await ana.go()


async def test_who_is_no_proxy_cannot_say_where_a_request_comes_from(
    tmp_path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits_module, "LEAST", 3)
    with serving(tmp_path, limits=True, people_per_address=1, proxies="192.0.2.9") as served:
        ana = Stranger(served.address, "Ana")
        codes = []
        for number in range(4):
            headers, body = (
                {"x-forwarded-for": f"192.0.2.{number}"},
                {"name": "Ana", "bearer": True},
            )
            answer = await ana.http.post("/api/player", json=body, headers=headers)
            codes.append(answer.status_code)
        assert codes == [201, 201, 201, 429]


async def test_a_player_has_so_many_tables_and_no_more(
    server, monkeypatch: pytest.MonkeyPatch
) -> None:
    from karma.server import tables

    monkeypatch.setattr(tables, "MOST_TABLES_A_PLAYER", 2)
    ana = await table_of(server.address)
    await ana.open()
    answer = await ana.http.post("/api/tables", json={}, headers=ana.bearer)
    assert answer.json() == {"code": "too_many_tables", "parameters": {"most": 2}}
    await ana.go()


async def test_an_outbox_holds_so_much_and_no_more() -> None:
    class Stuck:
        async def send_text(self, text: str) -> None:
            await asyncio.sleep(1000)

        async def close(self, *_: Any) -> None:
            await asyncio.sleep(1000)

    outbox = SocketOutbox(Stuck(), None)  # type: ignore[arg-type]
    running = asyncio.create_task(outbox.run())
    message = messages.Error(code="closed")
    await asyncio.sleep(0)
    for _ in range(MOST_MESSAGES * 2):
        outbox.send(message)
    assert outbox.closing == "too_slow" and outbox.waiting == 0
    running.cancel()
    outbox = SocketOutbox(Stuck(), None)  # type: ignore[arg-type]
    outbox.send(messages.Error(code="closed", parameters={"reason": "x" * MOST_BYTES}))
    assert outbox.closing == "too_slow"


async def test_a_thousand_clients_that_never_read_hold_no_memory(
    tmp_path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outbox_module, "DRAIN_SECONDS", 0.2)
    hello, before = _frame({"type": "hello", "protocol": 1}), _alive(SocketOutbox)
    with serving(tmp_path) as served, ExitStack() as raws:
        http = await Http.to(urlsplit(served.address).port or 80)
        tokens = [await http.player() for _ in range(50)]
        for number in range(20):
            host = await table_of(served.address, f"host{number}", spectators="live")
            await host.connect()
            for aid in (True, False) * 15:  # a past that every hello brings along
                settings = {**host.state["table"]["settings"], "memory_aid": aid}
                assert (await host.ask("change", settings=settings))["type"] == "ack"
            await host.go()
            for token in tokens:
                body = {"invite": host.invite, "spectate": True}
                await http.post(f"/tables/{host.table}/join", body, token)
                raw = raws.enter_context(_never_reads(served.address, host.table, token))
                raw.sendall(hello * 100)  # and wants the whole truth again and again
        async with asyncio.timeout(300):
            while served.access.sockets or _alive(SocketOutbox) > before + 20:
                await asyncio.sleep(0.5)  # a table remembers the last who went
        assert served.access.ended == 1020
        http.close()


def _alive(kind: type) -> int:
    """How many objects of a type there are, garbage apart."""
    gc.collect()
    return sum(isinstance(each, kind) for each in gc.get_objects())


def _never_reads(address: str, table: str, token: str) -> socket.socket:
    """A raw socket that shakes hands, says hello and then reads nothing."""
    parts = urlsplit(address)
    raw = socket.socket()
    raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)  # before the window is agreed on
    raw.connect((parts.hostname, parts.port))
    raw.sendall(
        f"GET /api/tables/{table}/socket HTTP/1.1\r\nHost: {parts.netloc}\r\n"
        f"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        f"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
        f"Authorization: Bearer {token}\r\n\r\n".encode()
    )
    answer = b""
    while not answer.endswith(b"\r\n\r\n"):  # frames sent before the answer would be lost
        answer += raw.recv(1)
    raw.sendall(_frame({"type": "hello", "protocol": 1}))
    return raw


def _frame(message: dict[str, Any]) -> bytes:
    """A short message as the bytes of a client's frame, with a mask that masks nothing."""
    text = json.dumps(message).encode()
    return bytes([0x81, 0x80 | len(text)]) + bytes(4) + text


async def test_half_open_handshakes_and_unfinished_frames_are_cut(
    tmp_path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "REQUEST_SECONDS", 0.3)
    monkeypatch.setattr(sockets, "HELLO_SECONDS", 0.3)
    monkeypatch.setattr(sockets, "SILENCE_SECONDS", 0.3)
    with serving(tmp_path) as served:
        ana = await table_of(served.address)
        parts = urlsplit(served.address)
        for beginning in (b"", b"GET /api/health HT", b"GET / HTTP/1.1\r\nHost: x\r\nX-Slow: "):
            raw = socket.create_connection((parts.hostname, parts.port))
            raw.settimeout(60)
            raw.sendall(beginning)
            assert await asyncio.to_thread(_ended, raw)
        raw = _never_reads(served.address, ana.table, ana.token)
        raw.settimeout(60)
        raw.sendall(bytes([0x81, 0xFE]))  # the beginning of a frame, and no more of it
        assert await asyncio.to_thread(_ended, raw)
        await ana.go()


def _ended(raw: socket.socket) -> bool:
    """Waits until the other side ends the connection."""
    with raw:
        try:
            while raw.recv(4096):
                pass
        except ConnectionError:
            pass
        except TimeoutError:
            return False
    return True


# ---- metrics, the operator, two tabs -------------------------------------------------------------


async def test_metrics_are_off_and_the_operators_door_needs_the_secret(server) -> None:
    from karma.server.operator import TOKEN_FILE
    from karma.server.settings import ServerSettings

    assert ServerSettings().metrics_port is None
    ana = await table_of(server.address)
    await ana.connect()
    path = f"/api/operator/tables/{ana.table}/close"
    for headers in ({}, ana.bearer, {"authorization": "Bearer x"}):
        assert (await ana.http.post(path, headers=headers)).status_code == 403
    token_file = server.folder / TOKEN_FILE
    assert token_file.stat().st_mode & 0o077 == 0
    headers = {"authorization": f"Bearer {token_file.read_text().strip()}"}
    assert (await ana.http.post(path, headers=headers)).status_code == 204
    with pytest.raises(websockets.ConnectionClosed) as closed:
        while True:
            await ana.read()
    assert closed.value.rcvd.code == 4004
    await ana.go()


async def test_of_two_tabs_the_newest_wins_and_the_other_is_told(server) -> None:
    ana = await table_of(server.address)
    await ana.connect()
    first = ana.socket
    await ana.connect()
    with pytest.raises(websockets.ConnectionClosed) as closed:
        while True:
            last = json.loads(await first.recv())
    assert last["code"] == "replaced" and closed.value.rcvd.code == 4002
    assert (await ana.ask("say", phrase="hello"))["type"] == "ack"
    await ana.go()


@pytest.mark.parametrize(
    "name", ["The ADMIN", "Adm\u200din", "Ad\u3164min", "\u0410dmin\ufe0f", "A\u2800dmin"]
)
async def test_a_refused_name_is_refused_however_it_is_written(name: str, tmp_path) -> None:
    words = tmp_path / "words"
    words.write_text("Admin\n")
    with serving(tmp_path, refuse_names=words) as served:
        guest = Stranger(served.address, "guest")
        answer = await guest.http.post("/api/player", json={"name": name})
        assert answer.json()["code"] == "name_refused"
        await guest.go()


async def test_who_is_forgotten_loses_the_connection(tmp_path) -> None:
    with serving(tmp_path) as served:
        ana = await table_of(served.address)
        await ana.connect()
        assert (await ana.http.delete("/api/player", headers=ana.bearer)).is_success
        with pytest.raises(websockets.ConnectionClosed) as closed:
            while True:
                last = json.loads(await ana.socket.recv())
        assert last["code"] == "unknown_token" and closed.value.rcvd is not None
        await ana.go()
