"""What a program has learned plays against a person in the browser."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from browser.conftest import Server
from browser.guests import Guest, play_out
from karma import Record
from karma.bots import make_bot
from policies import write_untrained
from test_docs import ROOT

BOT = f"{ROOT / 'examples' / 'learned.py'}:Learned"


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    """A server whose operator has named a policy."""
    write_untrained(tmp_path / "learned.npz")
    monkeypatch.setenv("LEARNED", str(tmp_path / "learned.npz"))
    server = Server(tmp_path / "data", 0.02, "--bot", f"learned={BOT}")
    server.start()
    yield server
    server.kill()


def test_a_policy_that_was_learned_plays_every_move_of_its_own(invite: Any) -> None:
    guest: Guest = invite(name="Ana")
    guest.open_table("mini")
    guest.page.get_by_role("button", name="Add a bot").click()
    guest.page.get_by_label("Level").select_option("learned")
    guest.start(2)
    guest.page.wait_for_selector(".game")
    assert play_out([guest]) > 3
    table = guest.page.url.partition("/table/")[2].partition("/")[0]
    answer = guest.page.request.get(f"/api/tables/{table}/games/1")
    policy, made = make_bot(BOT), 0
    record = Record.loads(answer.text())
    game = record.deal()
    for move in record.moves:
        if game.actor == 1:
            made += 1
            assert str(policy.choose(game.view(1))) == move  # and not a safe one in its place
        game.push(move)
    assert made > 3
