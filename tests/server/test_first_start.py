"""A server on a machine that has compiled nothing yet: its strong bots think all the same."""

from pathlib import Path

import pytest

from servers import Worker
from stranger import Stranger


async def test_a_strong_bot_plays_at_its_level_before_anything_was_compiled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    server = Worker(tmp_path)
    try:
        ana = await Stranger((await server.ready()).address, "Ana").come()
        await ana.open(bots=1, level="sharp", start=True, edition="mini")
        await ana.connect()
        await ana.play(lambda state: state.get("view") and state["view"]["ply"] >= 12)
        assert not any(seat["failed"] for seat in ana.state["seats"])
        codes = {note["code"] for step in ana.happened for note in step["notices"]}
        assert "bot_failed" not in codes
        await ana.go()
    finally:
        server.end()
