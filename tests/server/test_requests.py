"""Requests that nobody honest makes: each has an answer, and none of them is a fault of ours."""

import asyncio
import json
import logging
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import msgspec
import pytest
from starlette.requests import HTTPConnection

from karma.refusals import Refusal
from karma.server import access, process, tables
from karma.server.access import Access
from karma.server.connections import LEAST_AN_ADDRESS
from karma.server.operator import TOKEN_FILE
from karma.server.settings import ServerSettings
from karma.table import requests
from serving import serving
from stranger import Stranger
from wire import dial, read_all, upgrade


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Any:
    with serving(tmp_path_factory.mktemp("data"), proxies="127.0.0.1") as served:
        yield served


async def at_table(address: str, name: str = "Ana") -> Stranger:
    return await (await Stranger(address, name).come()).open(edition="mini")


@pytest.mark.parametrize("origin", ["http://[", "http://[::1", "//", "http://x:99999", "\x7f"])
async def test_an_origin_that_is_none_is_wrong(server: Any, origin: str) -> None:
    ana = await at_table(server.address)
    headers = {**ana.bearer, "origin": origin}
    answer = await ana.http.post("/api/tables", json={}, headers=headers)
    assert (answer.status_code, answer.json()["code"]) == (403, "wrong_origin")


@pytest.mark.parametrize(
    "path", ["a" * 300, "a" * 9000, "assets/" + "b" * 300 + ".js", "%00", "a/%00"]
)
async def test_a_path_that_no_file_can_have_is_answered(server: Any, path: str) -> None:
    answer = await Stranger(server.address, "guest").http.get(f"/{path}")
    assert answer.status_code in (200, 404, 503)  # 503: the browser's table has not been built


@pytest.mark.parametrize("game", [-(10**30), -1, 0, 10**30, 1 << 31])
async def test_no_game_has_such_a_number(server: Any, game: int) -> None:
    ana = await at_table(server.address)
    fork = {"table": ana.table, "game": game, "ply": 0, "seat": 0}
    answer = await ana.http.post("/api/tables", json={"fork": fork}, headers=ana.bearer)
    assert answer.status_code in (404, 409, 422), answer.text


async def test_a_picture_is_of_the_invite_alone(server: Any) -> None:
    ana = await at_table(server.address)
    assert ana.invite is not None
    plain = await ana.http.get(f"/api/invites/{ana.invite}/picture")
    small = await ana.http.get(f"/api/invites/{ana.invite.lower()}/picture")
    assert plain.status_code == 200 and plain.content == small.content
    for code in ("-" * 5000 + ana.invite, "-" * 5000, ana.invite * 50):
        answer = await ana.http.get(f"/api/invites/{code}/picture")
        assert (answer.status_code, answer.json()["code"]) == (403, "wrong_invite")


@pytest.mark.parametrize("number", ["9" * 5000, "9" * 20, "9" * 10])
@pytest.mark.parametrize("page", ["", "/replay", "/share", "/review"])
async def test_a_path_with_a_number_that_no_game_has_is_no_page(
    server: Any, number: str, page: str
) -> None:
    ana = await at_table(server.address)
    path = f"/api/tables/{ana.table}/games/{number}{page}"
    answer = await ana.http.get(path, headers=ana.bearer)
    assert (answer.status_code, answer.json()["code"]) == (404, "no_such_page")


async def test_a_name_that_no_machine_has_is_put_into_no_link(server: Any) -> None:
    ana = await at_table(server.address)
    headers = {**ana.bearer, "host": "a" * 5000}
    picture = await ana.http.get(f"/api/invites/{ana.invite}/picture", headers=headers)
    assert picture.status_code == 200
    about = (await ana.http.get("/api/about", headers=headers)).json()
    assert "aaaa" not in about["public_url"]


async def test_a_body_that_does_not_come_is_not_waited_for_and_writes_no_line(
    server: Any, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(access, "BODY_SECONDS", 0.2)
    with closing(dial(server.address)) as raw:
        raw.sendall(
            b"POST /api/player HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
            b"Content-Length: 1000\r\n\r\n{"
        )
        answer = await asyncio.to_thread(raw.recv, 4096)
    assert b" 422 " in answer and b"did not come in time" in answer
    assert "cannot answer" not in capfd.readouterr().out


@pytest.mark.parametrize("first", ["Content-Length", "Transfer-Encoding"])
async def test_a_request_of_two_lengths_is_refused_and_nothing_behind_it_is_read(
    server: Any, first: str
) -> None:
    lengths = {"Content-Length": "2", "Transfer-Encoding": "chunked"}
    second = next(name for name in lengths if name != first)
    with closing(dial(server.address)) as raw:
        raw.sendall(
            b"POST /api/player HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
            + f"{first}: {lengths[first]}\r\n{second}: {lengths[second]}\r\n\r\n".encode()
            + b"2\r\n{}\r\n0\r\n\r\nGET /api/health HTTP/1.1\r\nHost: x\r\n\r\n"
        )
        told = await asyncio.to_thread(read_all, raw)
    assert told.startswith(b"HTTP/1.1 400 ") and told.count(b"HTTP/1.1") == 1


async def test_an_address_that_is_none_is_not_this_machine(server: Any) -> None:
    ana = await at_table(server.address)
    token = (server.folder / TOKEN_FILE).read_text().strip()
    headers = {"authorization": f"Bearer {token}", "x-forwarded-for": "unknown"}
    answer = await ana.http.post(f"/api/operator/tables/{ana.table}/close", headers=headers)
    assert (answer.status_code, answer.json()["code"]) == (403, "not_allowed")


@pytest.mark.parametrize("foreign", ['prefs={"a": 1, "b": [2]}', "x", "a=b=c", 'q="', "é=1", "=;;"])
async def test_cookies_of_others_sign_nobody_out(server: Any, foreign: str) -> None:
    browser = Stranger(server.address, "browser").http
    answer = await browser.post("/api/player", json={"name": "Ana"})
    token = answer.headers["set-cookie"].split("karma=")[1].split(";")[0]
    browser.cookies.clear()
    for cookie in (f"{foreign}; karma={token}", f"karma={token}; {foreign}"):
        answer = await browser.get("/api/player", headers={"cookie": cookie.encode()})
        assert answer.status_code == 200, cookie


async def test_the_limit_of_tables_holds_for_those_asked_for_at_once(
    server: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tables, "MOST_TABLES_A_PLAYER", 3)
    ana = await Stranger(server.address, "Ana").come()
    answers = await asyncio.gather(
        *(ana.http.post("/api/tables", json={}, headers=ana.bearer) for _ in range(20))
    )
    assert sorted(answer.status_code for answer in answers) == [201] * 3 + [429] * 17
    assert len((await ana.get("/api/player"))["tables"]) == 3


HANDSHAKES = {
    "nobody": b"GET /api/tables/aaaaaaaaaa/socket",
    "elsewhere": b"GET /nowhere",
    "no page": b"GET /api/nowhere",
    "a page": b"GET /api/health",
}


async def test_refused_handshakes_write_no_line_each(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    process.set_up_logs()
    try:
        with serving(tmp_path) as served:
            stranger = Stranger(served.address, "Eve")
            capfd.readouterr()  # a worker of a database says that it serves
            stranger.table, stranger.token = "aaaaaaaaaa", "x"
            whole = upgrade(stranger.table, stranger.token)
            _, _, rest = whole.partition(b" HTTP/1.1")
            handshakes = [begin + b" HTTP/1.1" + rest for begin in HANDSHAKES.values()]
            handshakes += [whole.replace(b"websocket", b"h2c"), b"\x00\x00\r\n\r\n", whole[:-60]]
            for request in handshakes * 3:
                with closing(dial(served.address)) as raw:
                    raw.sendall(request + b"\r\n\r\n")
                    answer = await asyncio.to_thread(raw.recv, 4096)
                    assert answer.startswith(b"HTTP/1.1") and b" 500 " not in answer
            assert served.access.refused["unknown_token"] >= 3
        told = capfd.readouterr().err
        assert told == ""
    finally:
        logging.getLogger().handlers.clear()


async def test_what_was_refused_is_told_in_one_line(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    process.set_up_logs()
    try:
        with serving(tmp_path) as served:
            stranger = Stranger(served.address, "Eve")
            capfd.readouterr()  # a worker of a database says that it serves
            for _ in range(30):
                assert (await stranger.http.get("/api/player")).status_code == 401
            served.access.tell_refused()
            served.access.tell_refused()
        lines = [json.loads(line) for line in capfd.readouterr().err.splitlines()]
        assert [line["refused"] for line in lines] == [{"unknown_token": 30}]
    finally:
        logging.getLogger().handlers.clear()


def test_an_id_has_no_line_break() -> None:
    for tail in ("\\n", "\\r", "\\n\\n"):
        with pytest.raises(msgspec.ValidationError):
            requests.decode(f'{{"type": "say", "id": "a{tail}", "phrase": "hello"}}'.encode())


def test_sockets_are_counted_by_the_address_behind_a_proxy(tmp_path: Path) -> None:
    settings = ServerSettings(data=tmp_path, people_per_address=1)
    access = Access(settings, None, None)

    def socket(address: str) -> HTTPConnection:
        return HTTPConnection({"type": "websocket", "client": (address, 1), "headers": []})

    with ExitStack() as opened:
        for _ in range(LEAST_AN_ADDRESS):
            opened.enter_context(access.counted(socket("192.0.2.1")))
        with pytest.raises(Refusal, match="Too fast"):
            opened.enter_context(access.counted(socket("192.0.2.1")))
        opened.enter_context(access.counted(socket("192.0.2.2")))
        assert access.sockets == LEAST_AN_ADDRESS + 1
    assert access.sockets == 0
    with access.counted(socket("192.0.2.1")):
        pass


async def test_who_watches_is_not_told_by_the_list_whose_turn_it_is_now(server: Any) -> None:
    ana, bo, eve = [await Stranger(server.address, name).come() for name in ("Ana", "Bo", "Eve")]
    await ana.open(edition="online", spectators="delayed")
    await bo.join(ana)
    await eve.join(ana, spectate=True)
    for each in (ana, bo):
        await each.connect()
    await ana.ask("start")
    await asyncio.gather(*(each.play(lambda state: state.get("view")) for each in (ana, bo)))
    (own,) = (await ana.get("/api/player"))["tables"]
    (watched,) = (await eve.get("/api/player"))["tables"]
    assert own["waits_for"] and not watched["waits_for"] and watched["table"] == own["table"]
