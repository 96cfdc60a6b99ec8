"""Tracing: a request can be followed to its entry and to who was told; no card is on the way."""

import json
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import structlog
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from databases import rows_in
from karma import fair
from karma.editions import EDITIONS
from karma.server import process, tracing
from karma.server.app import report
from karma.server.tracing import CollectorTrace, LogTrace, trace_id
from karma.table.log.envelope import decode
from people import table_for
from serving import serving
from stranger import Stranger
from table import test_secrecy
from virtual import run


async def play_a_little(folder: Path) -> Stranger:
    """Somebody plays a few moves against a bot; every request is traced."""
    with serving(folder, tracing="log") as served:
        ana = await (await Stranger(served.address, "Ana").come()).open(
            bots=1, start=True, edition="online"
        )
        await ana.connect()
        await ana.play(lambda state: state.get("view") and state["view"]["ply"] >= 10)
        await ana.go()
    return ana


def requests_kept(folder: Path) -> dict[str, tuple[str, int]]:
    """The trace that each kept request has to have, and the number of its entry."""
    kept = {}
    for table, number, body in rows_in(folder, "SELECT tbl, seq, body FROM events"):
        line = decode(bytes(body))
        if line.action is not None and line.player is not None:
            ids: dict[str, str | int] = {"table": table, "player": line.player}
            kept[line.action] = trace_id({**ids, "request": line.action}), number
    return kept


async def test_a_request_is_followed_to_its_entry_and_to_who_was_told(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    process.set_up_logs()
    ana = await play_a_little(tmp_path)
    written = [line for line in capfd.readouterr().err.splitlines() if line.startswith("{")]
    lines = [json.loads(line) for line in written]
    kept = requests_kept(tmp_path)
    acked = [id for id, answer in ana.answers.items() if answer["type"] == "ack"]
    assert len(acked) > 5
    for action in acked:
        trace, number = kept[action]
        of_it = {line["event"]: line for line in lines if line.get("trace") == trace}
        assert of_it.keys() == {"request", "append", "tell"}
        assert of_it["request"]["request"] == action
        assert of_it["append"]["entry"] == of_it["tell"]["entry"] == number


async def test_spans_go_to_a_collector_with_ids_and_numbers_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    exporter = InMemorySpanExporter()
    monkeypatch.setattr(tracing, "LogTrace", lambda: CollectorTrace(exporter))
    ana = await play_a_little(tmp_path)
    spans = exporter.get_finished_spans()
    kept = requests_kept(tmp_path)
    for action, answer in ana.answers.items():
        if answer["type"] != "ack":
            continue
        trace, number = kept[action]
        of_it = {span.name: span for span in spans if f"{span.context.trace_id:032x}" == trace}
        assert of_it.keys() == {"request", "append", "tell"}
        for name in ("append", "tell"):
            assert of_it[name].parent.span_id == of_it["request"].context.span_id
            assert of_it[name].attributes["karma.entry"] == number
    names = {key for span in spans for key in span.attributes}
    assert names == {"karma.table", "karma.player", "karma.request", "karma.entry"}


def test_the_log_is_the_same_whatever_the_hidden_cards_are(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Two games of the same moves that no watcher can tell apart: nor can who reads the log."""
    followed = partial(table_for, trace=LogTrace(), report=report)
    monkeypatch.setattr(test_secrecy, "table_for", followed)
    compared = 0
    for seed in range(12):
        rules = EDITIONS["classic"]
        chance = np.random.default_rng(seed)
        game = test_secrecy.played(rules, 3, chance)
        other = test_secrecy.another_deal(game, None, chance)
        if other is None:
            continue
        compared += 1
        written = [log_of(monkeypatch, rules, deck, game.moves) for deck in (game.deck, other)]
        assert written[0] == written[1] and len(written[0]) > 50
    assert compared > 5


def log_of(monkeypatch: pytest.MonkeyPatch, rules: Any, deck: Any, moves: Any) -> list[Any]:
    """Every line of the log while these moves and wrong ones are made; but for how long it took."""
    monkeypatch.setattr(fair, "deal", lambda *_: tuple(deck))
    with structlog.testing.capture_logs() as lines:
        run(test_secrecy.frames(rules, tuple(deck), moves, 3, None))
    return [{key: line[key] for key in line.keys() - {"milliseconds"}} for line in lines]


def test_a_planted_card_in_the_log_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    from karma.table.clients.broadcast import Broadcast

    tell = Broadcast.tell

    def leaky(self: Any, state: Any, *more: Any) -> None:
        cards = state.game.position()["hands"] if state.game is not None else None
        structlog.get_logger().info("told", cards=cards)
        tell(self, state, *more)

    monkeypatch.setattr(Broadcast, "tell", leaky)
    with pytest.raises(AssertionError):
        test_the_log_is_the_same_whatever_the_hidden_cards_are(monkeypatch)


def test_nothing_of_it_is_loaded_unless_asked_for() -> None:
    code = (
        "import sys; from karma.server.app import make_trace; from karma.server.settings import *;"
        "make_trace(ServerSettings()); print([m for m in sys.modules if 'opentelemetry' in m])"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert told.stdout.strip() == "[]", told.stderr
