"""A player's profile: the face, the games, what can be taken along, and what is deleted."""

from pathlib import Path

from karma.record import Record
from serving import serving
from stranger import Stranger


async def test_a_face_and_a_colour_go_with_the_player_to_every_table(tmp_path: Path) -> None:
    with serving(tmp_path) as served:
        ana = await Stranger(served.address, "Ana").come()
        await ana.open(bots=1)
        await ana.connect()
        wanted = {"face": 14, "colour": 3}
        answer = await ana.http.put("/api/player", json={"portrait": wanted}, headers=ana.bearer)
        assert answer.json()["portrait"] == wanted
        await ana.read_until(lambda: ana.state["seats"][0]["portrait"] == wanted)
        assert ana.state["seats"][1]["portrait"]["face"] in range(12)
        bo = await Stranger(served.address, "Bo").come()
        await bo.join(ana)
        await bo.connect()
        assert bo.state["seats"][0]["portrait"] == wanted
        await ana.open()
        ana.version = None
        await ana.connect()
        await ana.read_until(lambda: ana.state["seats"][0]["portrait"] == wanted)
        for wrong in ({"face": 3}, {"face": 24}, {"colour": 12}, {"hat": 1}):
            answer = await ana.http.put("/api/player", json={"portrait": wrong}, headers=ana.bearer)
            assert answer.json()["code"] == "bad_message"
        for each in (ana, bo):
            await each.go()


async def test_games_are_listed_exported_and_forgotten(tmp_path: Path) -> None:
    with serving(tmp_path) as served:
        ana = await Stranger(served.address, "Ana").come()
        await ana.open(bots=2, start=True, edition="mini")
        await ana.connect()
        await ana.play()
        (game,) = (await ana.get("/api/player/games"))["games"]
        assert (game["names"][0], game["people"], game["complete"]) == ("Ana", 1, True)
        assert game["characters"][0] is None and None not in game["characters"][1:]
        assert game["lost"] == (game["place"] is None)
        everything = await ana.get("/api/player/export")
        assert everything["player"]["name"] == "Ana" and ana.token not in str(everything)
        answer = await ana.http.get(f"/api/tables/{ana.table}/games/1", headers=ana.bearer)
        assert everything["games"] == [answer.json()]
        Record.loads(answer.text).replay()
        gone = await ana.http.delete("/api/player", headers=ana.bearer)
        assert gone.status_code == 204
        for path in ("/api/player", "/api/player/games", "/api/player/export"):
            assert (await ana.http.get(path, headers=ana.bearer)).status_code == 401
        standings = (await Stranger(served.address, "x").get("/api/statistics"))["editions"]
        assert "Ana" not in str(standings)
        await ana.go()
