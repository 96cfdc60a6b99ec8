"""Reviews over real sockets: of finished games alone, for those who may see the replay."""

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest

from karma.record import Record
from karma.review.rehearsal import rehearse
from karma.review.reviewer import review
from karma.server import reviews
from serving import serving
from stranger import Stranger

pytestmark = pytest.mark.timeout(3600)  # the first of them compiles

ENOUGH = 900


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory):
    rehearse()  # a review that has to be compiled first would take minutes
    with serving(tmp_path_factory.mktemp("data")) as served:
        yield served


async def whole(who: Stranger, path: str) -> dict[str, Any]:
    """Asks until all of a review is there, as the browser does."""
    have = ""
    async with asyncio.timeout(ENOUGH):
        while True:
            found: dict[str, Any] = await who.get(f"{path}{have}")
            if found["mistakes"] is not None:
                return found
            have = "?have=ledger" if found["values"] else ""


async def played(address: str, **settings: Any) -> Stranger:
    """Somebody after a game against a bot."""
    ana = await Stranger(address, "Ana").come()
    await ana.open(bots=1, edition="mini", **settings)
    await ana.connect()
    await ana.ask("start")
    await ana.play()
    return ana


async def test_a_finished_game_is_reviewed_and_the_review_is_kept(server) -> None:
    ana = await played(server.address)
    path = f"/api/tables/{ana.table}/games/1"
    found = await whole(ana, f"{path}/review")
    record = Record.loads((await ana.http.get(path, headers=ana.bearer)).text)
    expected = review(record)
    assert found["players"] == list(record.players)
    assert len(found["values"]) == len(record.moves) + 1
    assert found["movers"] == [ply.seat for ply in expected.plies]
    for seat, ledger in enumerate(found["seats"]):
        parts = ledger["baseline"] + sum(ledger["luck"].values()) + ledger["losses"]
        assert parts + ledger["rest"] == pytest.approx(ledger["result"], abs=0.001)
        assert ledger["losses"] == pytest.approx(-expected.loss(seat), abs=0.001)
    assert [each["ply"] for each in found["mistakes"]] == [ply.ply for ply in expected.mistakes]
    for each in found["mistakes"]:
        assert each["losses"][each["best"]] == 0 and each["move"] != each["best"]
    kept = await server.store.reviews.of_game(ana.table, 1)
    assert kept is not None and kept.judge == found["judge"]
    assert await ana.get(f"{path}/review") == found
    luck = await ana.get("/api/player/luck")
    assert luck["games"] == 1 and luck["luckier"] is None
    assert luck["luck"] == pytest.approx(sum(found["seats"][0]["luck"].values()), abs=0.001)
    await ana.go()


async def test_who_may_not_see_the_replay_may_not_see_the_review(server) -> None:
    ana = await played(server.address)
    bo = await Stranger(server.address, "Bo").come()
    for path in ("replay", "review"):
        answer = await bo.http.get(f"/api/tables/{ana.table}/games/1/{path}", headers=bo.bearer)
        assert (answer.status_code, answer.json()["code"]) == (403, "not_allowed")
    await ana.go()
    await bo.go()


async def test_a_game_that_goes_on_is_not_reviewed(server) -> None:
    ana = await Stranger(server.address, "Ana").come()
    await ana.open(bots=1, edition="mini", privacy="public")
    await ana.connect()
    await ana.ask("start")
    answer = await ana.http.get(f"/api/tables/{ana.table}/games/1/review", headers=ana.bearer)
    assert answer.json()["code"] == "not_over"
    answer = await ana.http.get(f"/api/tables/{ana.table}/games/7/review", headers=ana.bearer)
    assert answer.json()["code"] == "no_such_game"
    await ana.go()


async def test_practice_is_reviewed_but_kept_out_of_the_ledger(server) -> None:
    ana = await played(server.address)
    fork = {"table": ana.table, "game": 1, "ply": 4, "seat": 0}
    bo = await Stranger(server.address, "Ana").come()
    bo.token = ana.token
    body = {"fork": fork, "bots": ["greedy"]}
    bo._sit(await bo.post("/api/tables", body))
    await bo.connect()
    await bo.play()
    found = await whole(bo, f"/api/tables/{bo.table}/games/1/review")
    assert found["seats"] is not None
    assert (await bo.get("/api/player/luck"))["games"] == 0
    for each in (ana, bo):
        await each.go()


async def test_what_compiles_for_reviews_ends_with_them(monkeypatch: pytest.MonkeyPatch) -> None:
    started: asyncio.Queue[asyncio.subprocess.Process] = asyncio.Queue()
    start = asyncio.create_subprocess_exec

    async def noted(*command: str) -> asyncio.subprocess.Process:
        process = await start(*command)
        started.put_nowait(process)
        return process

    monkeypatch.setattr(asyncio, "create_subprocess_exec", noted)
    monkeypatch.setattr(reviews, "COMPILE", "import time; time.sleep(600)")
    store: Any = SimpleNamespace(reviews=None, games=None)
    shares: Any = None
    made = reviews.Reviews(store, shares, lambda what, error: None, reviews.compile_reviews)
    made._ready = asyncio.create_task(reviews.compile_reviews())
    process = await started.get()
    await made.close()
    assert process.returncode is not None  # before the loop is closed, which would complain
