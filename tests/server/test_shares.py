"""A finished game as a picture and a link, for those who were not there."""

from io import BytesIO
from pathlib import Path

from PIL import Image

from karma.server.static_files import FOLDER
from serving import serving
from stranger import Stranger


async def finished_game(address: str) -> Stranger:
    ana = await Stranger(address, "Ana").come()
    await ana.http.put("/api/player", json={"name": "Ana <b>"}, headers=ana.bearer)
    await ana.open(bots=2, start=True, edition="mini")
    await ana.connect()
    await ana.play()
    return ana


async def test_a_shared_game_is_seen_by_whoever_has_the_link_and_by_nobody_else(
    tmp_path: Path,
) -> None:
    with serving(tmp_path) as served:
        ana = await finished_game(served.address)
        path = f"/api/tables/{ana.table}/games/1/share"
        shared = await ana.get(f"{path}?language=ru")
        stranger = Stranger(served.address, "nobody")
        assert (await stranger.http.get(path)).status_code == 401
        code = shared["link"].rpartition("/")[2]
        assert await stranger.get(f"/api/shared/{code}") == shared
        assert "Ana <b>" in shared["text"] and "Ana <b>" in shared["alt"]
        answer = await stranger.http.get(f"/api/shared/{code}/picture")
        assert Image.open(BytesIO(answer.content)).size == (1200, 630)
        assert "immutable" in answer.headers["cache-control"]
        for wrong in (
            code[:-1] + ("0" if code[-1] != "0" else "1"),
            code.replace("-1-", "-2-"),
            code.replace("-ru-", "-xx-"),
            code.replace("-1-", "-99999999999999999999-"),
            ana.table,
            "-".join("abcde"),
        ):
            assert (await stranger.http.get(f"/api/shared/{wrong}")).status_code == 404
            assert (await stranger.http.get(f"/api/shared/{wrong}/picture")).status_code == 404
        await ana.go()


async def test_a_shared_link_shows_a_preview(tmp_path: Path) -> None:
    with serving(tmp_path) as served:
        ana = await finished_game(served.address)
        shared = await ana.get(f"/api/tables/{ana.table}/games/1/share")
        code = shared["link"].rpartition("/")[2]
        page = await Stranger(served.address, "crawler").http.get(f"/shared/{code}")
        if not (FOLDER / "index.html").is_file():
            assert page.status_code == 503  # the browser table is not built
            return
        assert f'<meta property="og:image" content="{shared["picture"]}" />' in page.text
        assert "Ana &lt;b&gt;" in page.text and "Ana <b>" not in page.text
        assert "content-security-policy" in page.headers
        plain = await ana.http.get("/shared/nothing-1-en-0")
        assert plain.status_code == 200 and "og:image" not in plain.text
        await ana.go()
