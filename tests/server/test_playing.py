"""Whole games over real sockets, by a client written from the protocol page alone."""

import asyncio
import json
import threading
from collections.abc import Sequence
from pathlib import Path

import pytest

from karma import fair
from karma.record import Record
from karma.server.connections import WebSocketLine
from karma.server.sockets import Reader
from karma.server.tables import ServerTables
from serving import serving
from stranger import Stranger


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory):
    with serving(tmp_path_factory.mktemp("data")) as served:
        yield served


async def people(address: str, *names: str, bots: int = 0, **settings) -> list[Stranger]:
    """Strangers at one table, connected."""
    host, *others = [await Stranger(address, name).come() for name in names]
    await host.open(bots=bots, **settings)
    for other in others:
        await other.join(host)
    for each in (host, *others):
        await each.connect()
    return [host, *others]


@pytest.mark.parametrize("edition", ["classic", "alternative", "mini", "online"])
async def test_strangers_and_bots_play_a_whole_game(server, edition: str) -> None:
    ana, bo = await people(server.address, "Ana", "Bo", bots=1, edition=edition)
    assert (await ana.ask("start"))["type"] == "ack"
    await asyncio.gather(ana.play(), bo.play())
    line = await ana.get(f"/api/tables/{ana.table}/games/1")
    record = Record.loads(json.dumps(line))
    record.replay()
    fair.check(record)
    assert [part["missing"] for part in line["fair"]["seats"]] == [False, False, False]
    assert line["fair"]["seats"][1]["commitment"] is None  # the bot's
    games = await ana.get(f"/api/tables/{ana.table}/games")
    assert games["games"][0]["players"] == ["Ana", "greedy", "Bo"]
    replay = await ana.get(f"/api/tables/{ana.table}/games/1/replay?eyes=all&count=3")
    assert [frame["ply"] for frame in replay["frames"]] == [0, 1, 2]
    assert replay["frames"][0]["hands"] is not None
    statistics = await ana.get("/api/player")
    assert statistics["statistics"][0]["played"] == 1
    for each in (ana, bo):
        await each.go()


async def test_a_lost_connection_comes_back_where_it_was(server) -> None:
    ana, bo = await people(server.address, "Ana", "Bo", edition="mini")
    await ana.ask("start")
    await asyncio.gather(
        ana.play(lambda state: state.get("view") and state["view"]["ply"] > 20),
        bo.play(lambda state: state.get("view") and state["view"]["ply"] > 20),
    )
    version = ana.version
    await ana.socket.close()
    missed_from = len(ana.happened)
    bo.socket and await bo.read_until(lambda: not bo.state["seats"][0]["connected"])
    await ana.connect()
    assert ana.happened[missed_from:] == [] or ana.happened[missed_from]["version"] == version + 1
    await asyncio.gather(ana.play(), bo.play())
    for each in (ana, bo):
        await each.go()


async def test_an_answer_and_the_news_of_it_are_one_write(
    server, monkeypatch: pytest.MonkeyPatch
) -> None:
    ana, bo = await people(server.address, "Ana", "Bo", edition="mini")
    writes: list[list[str]] = []
    write = WebSocketLine.write

    def count(line: WebSocketLine, texts: Sequence[bytes]) -> bool:
        writes.append([json.loads(text)["type"] for text in texts])
        return write(line, texts)

    monkeypatch.setattr(WebSocketLine, "write", count)
    assert (await ana.ask("rotate"))["type"] == "ack"
    await bo.read_until(lambda: bo.version == ana.version)
    assert sorted(writes) == [["ack", "update"], ["update"]]
    for each in (ana, bo):
        await each.go()


async def test_nothing_overtakes_a_request_that_waits(
    server, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits, may_go_on = threading.Event(), threading.Event()
    taken: list[tuple[str, bool]] = []
    take_at_once = Reader.take_at_once

    async def look_around(*_: object) -> None:
        waits.set()
        while not may_go_on.is_set():
            await asyncio.sleep(0.001)

    def note(reader: Reader, frame: str, behind: bool) -> bool:
        taken.append((json.loads(frame)["type"], take_at_once(reader, frame, behind)))
        return taken[-1][1]

    monkeypatch.setattr(ServerTables, "look_around", look_around)
    monkeypatch.setattr(Reader, "take_at_once", note)
    ana, bo = await people(server.address, "Ana", "Bo", edition="mini")
    taken.clear()  # whoever comes says hello
    assert (await ana.ask("rotate"))["type"] == "ack"
    asked = [ana.action("start"), ana.action("rotate")]
    await ana.send(asked[0])
    assert await asyncio.to_thread(waits.wait, 60)
    await ana.send(asked[1])
    while len(taken) < 3:
        await asyncio.sleep(0.001)
    assert taken == [("rotate", True), ("start", False), ("rotate", False)]
    may_go_on.set()
    await ana.read_until(lambda: all(message["id"] in ana.answers for message in asked))
    first, second = (ana.answers[message["id"]] for message in asked)
    assert first["version"] < second["version"]
    for each in (ana, bo):
        await each.go()


async def test_a_private_table_opens_by_its_invite_only(server) -> None:
    ana = await (await Stranger(server.address, "Ana").come()).open(edition="mini")
    bo = await Stranger(server.address, "Bo").come()
    answer = await bo.http.get(f"/api/tables/{ana.table}", headers=bo.bearer)
    assert (answer.status_code, answer.json()["code"]) == (403, "not_allowed")
    answer = await bo.http.post(f"/api/tables/{ana.table}/join", json={}, headers=bo.bearer)
    assert answer.json()["code"] == "wrong_invite"
    look = await bo.get(f"/api/invites/{ana.invite.lower().replace('-', '')}")
    assert look["table"]["table"] == ana.table
    await bo.join(ana)
    assert (await bo.get("/api/player"))["tables"][0]["seat"] == 1
    for each in (ana, bo):
        await each.go()


async def test_a_seat_moves_by_its_one_time_code(server) -> None:
    (ana,) = await people(server.address, "Ana", bots=1, edition="mini")
    code = (await ana.post(f"/api/tables/{ana.table}/transfer"))["code"]
    phone = await Stranger(server.address, "phone").come()
    phone._sit(await phone.post("/api/transfers", {"code": code}))
    await phone.connect()
    assert phone.state["you"]["seat"] == 0 and phone.state["you"]["name"] == "Ana"
    again = await phone.http.post("/api/transfers", json={"code": code}, headers=phone.bearer)
    assert again.json()["code"] == "code_expired"
    for each in (ana, phone):
        await each.go()


async def test_public_tables_are_listed_and_open(server) -> None:
    ana = await (await Stranger(server.address, "Ana").come()).open(
        edition="online", privacy="public", spectators="live"
    )
    bo = await Stranger(server.address, "Bo").come()
    tables = (await bo.get("/api/tables"))["tables"]
    assert ana.table in [table["table"] for table in tables]
    bo.table = ana.table
    bo._sit(await bo.post(f"/api/tables/{ana.table}/join", {"spectate": True}))
    await bo.connect()
    assert bo.state["you"]["seat"] is None
    document = await bo.get(f"/api/tables/{ana.table}/rules?language=ru")
    assert document["language"] == "ru" and document["markdown"]
    for each in (ana, bo):
        await each.go()


async def test_a_fork_plays_on_from_a_position(server) -> None:
    (ana,) = await people(server.address, "Ana", bots=1, edition="mini")
    await ana.ask("start")
    await ana.play()
    body = {"fork": {"table": ana.table, "game": 1, "ply": 12, "seat": 1}, "bots": ["random"]}
    fork = await Stranger(server.address, "Ana").come()
    fork.token = ana.token
    fork._sit(await fork.post("/api/tables", body))
    await fork.connect()
    assert fork.state["table"]["practice"] and fork.state["you"]["seat"] == 1
    await fork.play()
    for each in (ana, fork):
        await each.go()


async def test_without_the_browser_table_the_server_says_how_to_get_it(
    server, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    from karma.server import static_files

    monkeypatch.setattr(static_files, "FOLDER", tmp_path)
    guest = Stranger(server.address, "guest")
    answer = await guest.http.get("/")
    assert answer.status_code == 503 and "make play" in answer.text
    (tmp_path / "index.html").write_text("the table")
    assert (await guest.http.get("/table/abc")).text == "the table"
    assert (await guest.http.get("/missing.js")).status_code == 404
    await guest.go()
