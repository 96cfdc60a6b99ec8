"""What costs much is made off the loop, once, and refused before a queue of it is long."""

import asyncio
import threading
from pathlib import Path
from typing import Any

import pytest

from karma.protocol import schema as schema_module
from karma.server import app as app_module
from karma.server.pages import games as games_module
from karma.server.pages import tables as tables_module
from serving import serving
from stranger import Stranger

POOLED = ("asyncio_", "uvloop_")


class Watch:
    """A function that notes the threads it ran on."""

    def __init__(self, function: Any) -> None:
        self.function = function
        self.threads: list[str] = []
        self.hold = threading.Event()
        self.hold.set()

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        self.threads.append(threading.current_thread().name)
        self.hold.wait(30)
        return self.function(*arguments, **named)


async def finished_game(address: str) -> Stranger:
    ana = await (await Stranger(address, "Ana").come()).open(bots=1, start=True, edition="mini")
    await ana.connect()
    await ana.play()
    return ana


async def test_a_replay_is_made_once_and_off_the_loop(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    watch = Watch(games_module._frames)
    monkeypatch.setattr(games_module, "_frames", watch)
    with serving(tmp_path) as served:
        ana = await finished_game(served.address)
        path = f"/api/tables/{ana.table}/games/1/replay"
        watch.hold.clear()
        asked = [
            asyncio.create_task(ana.http.get(f"{path}?start={n % 15}", headers=ana.bearer))
            for n in range(30)
        ]
        async with asyncio.timeout(30):
            while not watch.threads:
                await asyncio.sleep(0.01)
            await ana.get("/api/health")  # though a replay is being made
            while sum(each.done() for each in asked) < 30 - games_module.MOST_WAITING - 1:
                await asyncio.sleep(0.01)  # whoever finds the queue long is refused at once
        watch.hold.set()
        answers = await asyncio.gather(*asked)
        assert {answer.status_code for answer in answers} <= {200, 429}
        assert all(answer.json()["code"] == "too_fast" for answer in answers if answer.is_error)
        assert len(watch.threads) <= games_module.MOST_WAITING + 1
        assert all(name.startswith(POOLED) for name in watch.threads)
        before = len(watch.threads)
        texts = {(await ana.http.get(path, headers=ana.bearer)).text for _ in range(5)}
        assert len(texts) == 1 and len(watch.threads) <= before + 1


async def test_schemas_and_pictures_are_made_once_and_off_the_loop(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import segno

    made = {"schema": Watch(schema_module.schema), "picture": Watch(segno.make)}
    monkeypatch.setattr(schema_module, "schema", made["schema"])
    monkeypatch.setattr(segno, "make", made["picture"])
    app_module._schema.cache_clear()
    tables_module._picture.cache_clear()
    with serving(tmp_path) as served:
        ana = await (await Stranger(served.address, "Ana").come()).open(edition="mini")
        for path in ("/api/schema.json", f"/api/invites/{ana.invite}/picture"):
            for _ in range(3):
                assert (await ana.http.get(path)).status_code == 200
    for watch in made.values():
        assert len(watch.threads) == 1 and watch.threads[0].startswith(POOLED)
