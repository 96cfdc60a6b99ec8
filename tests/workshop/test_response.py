"""Best responses: what is told of them, and a bot that searches by them."""

from pathlib import Path

import pytest

import karma
from karma.arena import ArenaResults
from workshop import response, response_bot, strength


def test_a_response_searches_by_the_network_of_its_run() -> None:
    game = karma.Game(karma.MINI, players=2, seed=4)
    view = game.view(game.actor)
    assert response_bot.Response(seed=1).choose(view) in view.legal
    assert response.decisions("response-mini-2") > 30_000_000
    assert response_bot.response("response-mini-2").first.shape[1] == 128


def test_what_came_of_a_response_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(response, "ALONE", 200)
    monkeypatch.setattr(response, "SEARCHING", 2)
    monkeypatch.setattr(response, "CANDIDATE", "greedy")
    monkeypatch.setattr(response, "BASELINE", "random")
    monkeypatch.setattr(strength, "main", lambda docs: None)
    response.main(str(tmp_path), str(tmp_path / "kept"), "1", "response-mini-2")
    told = strength.load(tmp_path / "strength" / "response")["response-mini-2.json"]
    alone, search = told["alone"], told["searching"]
    assert 0.4 < alone["score"] < 0.65 and alone["games"] == 400
    assert (search["games"], search["candidate"]) == (4, "greedy")
    page = "\n".join(strength._responses({"response-mini-2.json": told}))
    met, learned = (f"{told[key] / 1e6:.0f} million" for key in ("champion_decisions", "decisions"))
    assert f"| `mini-2` | {met} decisions | {learned} | 400 | " in page
    # Blocks are kept, for this response to this champion: nothing is played again.
    (kept,) = (tmp_path / "kept").iterdir()
    assert str(told["champion_decisions"]) in kept.name
    assert len(ArenaResults(kept).blocks) == 1
