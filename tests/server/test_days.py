"""Games that last days, what is told of them, ratings, and how long things are kept."""

import asyncio
import json
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import numpy as np
import pytest

from karma.clock import WallClock
from karma.protocol.state import Settings
from karma.server.addresses import CODES_A_DAY, MOST_TRIES
from karma.server.notices import plain_name
from karma.store.memory import MemoryLog
from karma.table import requests
from letters import post_office
from people import Person, table_for
from serving import serving
from stranger import Stranger
from virtual import run


def test_a_clock_of_days_runs_while_nobody_is_there() -> None:
    async def main() -> None:
        table = table_for(MemoryLog())
        ana = Person("Ana", np.random.default_rng(1))
        settings = Settings(edition="online", clock="days", days=2)
        await table.create("Ana", "Ana", settings, bots=["greedy"])
        await ana.sit(table)
        await ana.tell(table, requests.host.Start(id="start"))
        await ana.play(table, lambda who: who.view is not None and bool(who.view.legal))
        ply = table.state.ply
        await table.disconnect(ana.client)
        await asyncio.sleep(2 * 24 * 3600 - 60)
        assert table.state.ply == ply
        await asyncio.sleep(120)
        assert table.state.ply > ply
        await table.stop()

    run(main())


async def test_who_is_not_there_is_told_once_a_turn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("karma.table.requests.game.SECONDS_TO_COME", 0)
    told: list[dict[str, Any]] = []

    class Hook(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            length = int(self.headers["content-length"])
            told.append(json.loads(self.rfile.read(length)))
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_: Any) -> None:
            pass

    hook = HTTPServer(("127.0.0.1", 0), Hook)
    Thread(target=hook.serve_forever, daemon=True).start()
    try:
        address = f"http://127.0.0.1:{hook.server_address[1]}/"
        with serving(tmp_path, webhook=address) as served:
            ana = await Stranger(served.address, "Ana").come()
            await ana.open(bots=1, start=True, edition="mini", clock="days")
            while not told:
                await asyncio.sleep(0.05)
            await asyncio.sleep(0.2)
            assert len(told) == 1
            assert told[0]["name"] == "Ana" and told[0]["table"] == ana.table
            assert set(told[0]) == {"event", "table", "player", "link", "name"}
    finally:
        hook.shutdown()
        hook.server_close()


async def test_who_gave_an_address_gets_a_letter_and_nobody_else(tmp_path: Path) -> None:
    sender = "table@karma.example"
    with post_office() as (smtp, letters), serving(tmp_path, smtp=smtp, mail_from=sender) as served:
        ana = await Stranger(served.address, "Ana").come()
        body = {"email": "ana@home.example"}
        answer = await ana.http.put("/api/player", json=body, headers=ana.bearer)
        assert answer.status_code == 200 and answer.json()["email"] is None
        code = letters.pop()[-1]
        for given, status in (("XXXX-XXXX", 404), (code, 200), (code, 404)):
            body = {"code": given}
            answer = await ana.http.put("/api/player", json=body, headers=ana.bearer)
            assert answer.status_code == status
        assert (await ana.get("/api/player"))["email"] == "ana@home.example"
        bo = await Stranger(served.address, "Bo").come()
        await ana.open(edition="online", clock="days", days=3)
        await bo.join(ana)
        for each in (ana, bo):
            await each.connect()
        await ana.ask("start")
        await asyncio.gather(*(each.play(in_play) for each in (ana, bo)))
        await ana.play(turn_of_another)
        await ana.socket.close()
        await bo.read_until(lambda: not bo.state["seats"][0]["connected"])
        await bo.play(turn_of_another)
        while not letters:
            await asyncio.sleep(0.05)
        assert len(letters) == 1
        letter = "\n".join(letters[0])
        assert "From: table@karma.example" in letter and "To: ana@home.example" in letter
        assert f"/table/{ana.table}" in letter and "Ana" in letter
        await bo.go()


def in_play(state: dict[str, Any]) -> bool:
    return bool(state["table"]["phase"] == "playing" and state.get("view"))


def turn_of_another(state: dict[str, Any]) -> bool:
    return not state["view"]["legal"]


async def test_rated_games_need_people_and_are_rated(tmp_path: Path) -> None:
    with serving(tmp_path) as served:
        ana = await (await Stranger(served.address, "Ana").come()).open(
            bots=1, edition="online", rated=True
        )
        bo = await (await Stranger(served.address, "Bo").come()).join(ana)
        for each in (ana, bo):
            await each.connect()
        assert (await ana.ask("start"))["code"] == "no_rating"
        assert (await ana.ask("remove", seat=1))["type"] == "ack"
        assert (await ana.ask("start"))["type"] == "ack"
        await asyncio.gather(ana.play(), bo.play())
        loser = ana.state["view"]["loser"]
        ratings = [(await each.get("/api/player"))["statistics"][0] for each in (ana, bo)]
        assert [rating["lost"] for rating in ratings] == [int(loser == 0), int(loser == 1)]
        if loser is not None:
            assert ratings[loser]["rating"] < ratings[1 - loser]["rating"]
        server = await ana.get("/api/statistics")
        assert server["editions"][0]["games"] == 1


class ClockAhead(WallClock):
    """The real time, some days from now."""

    days = 0

    def date(self) -> int:
        return super().date() + self.days * 86_400_000


async def test_tables_are_deleted_after_their_time(tmp_path: Path) -> None:
    clock = ClockAhead()
    with serving(tmp_path, clock=clock, retention=7) as served:
        ana = await (await Stranger(served.address, "Ana").come()).open(edition="mini")
        tables = served.access.tables
        clock.days = 8
        await tables.delete_old()
        assert await served.store.log.read(ana.table)  # still in memory, still somebody's
        tables.live.pop(ana.table)
        await tables.delete_old()
        assert await served.store.log.read(ana.table) == []
        assert (await ana.get("/api/player"))["tables"] == []


async def test_a_code_goes_to_one_address_and_only_so_often(tmp_path: Path) -> None:
    with post_office() as (smtp, letters), serving(tmp_path, smtp=smtp) as served:
        ana = await Stranger(served.address, "Ana").come()

        async def give(email: str) -> int:
            body = {"email": email}
            answer = await ana.http.put("/api/player", json=body, headers=ana.bearer)
            return answer.status_code

        for wrong in ("a@b.example,c@d.example", "a@b", "a b@c.example", "<a@b.example>"):
            assert await give(wrong) == 422
        for wrong in ("a@b@c.example", '"x"@y.example', "a@b.example;c", "a:b@c.example"):
            assert await give(wrong) == 422
        assert not letters
        codes = [await give(f"a{number}@b.example") for number in range(CODES_A_DAY + 2)]
        assert codes == [200] * CODES_A_DAY + [429] * 2
        assert len(letters) == CODES_A_DAY
        for _ in range(MOST_TRIES):
            body = {"code": "XXXX-XXXX"}
            assert not (await ana.http.put("/api/player", json=body, headers=ana.bearer)).is_success
        body = {"code": letters[-1][-1]}
        assert not (await ana.http.put("/api/player", json=body, headers=ana.bearer)).is_success
        assert (await ana.get("/api/player"))["email"] is None


def test_a_name_in_a_letter_is_no_link() -> None:
    assert plain_name("win at http://evil.example/x?y=1 now") == "win at http___evil_examp"
    assert plain_name("<b>Ana</b>") == "_b_Ana__b_"
