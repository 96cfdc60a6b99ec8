"""The common checker after every fault: what the clients saw against what the log says.

Every acknowledged move is kept once; whatever anybody was shown, every view and every step, is
what the log gives at that version, in order, nothing twice; no card was lost or made; every deal
verifies; no traceback.
"""

import json
from collections import Counter, deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from databases import rows_in
from karma import fair
from karma.protocol.state import Happening
from karma.record import Record
from karma.store.chain import breaks
from karma.table.clients.sight import show_view
from karma.table.log.envelope import decode
from karma.table.log.state import TableState
from stranger import Json, Stranger

Shown = dict[tuple[int, int | None], Json | None]


@dataclass
class History:
    """One table, as its log has it."""

    state: TableState
    actions: Counter[tuple[str | None, str | None]] = field(default_factory=Counter)
    views: Shown = field(default_factory=dict)
    """What every seat has to see at every version."""

    def add(self, body: bytes) -> None:
        line = decode(body)
        self.state.apply(line)
        if line.action is not None:
            self.actions[line.player, line.action] += 1
        for seat in range(len(self.state.chairs)):
            shown = show_view(self.state, seat)
            view = None if shown is None else msgspec.to_builtins(shown)
            self.views[self.state.version, seat] = view

    @property
    def steps(self) -> Sequence[Happening]:
        return self.state.steps


def check(folder: Path, people: Sequence[Stranger], *, older: bool = False) -> None:
    """Checks everything that is kept for a folder, and what these people saw of it.

    Where an `older` version served some of them, it showed them what it knew to show.
    """
    data = folder / "data"
    links = rows_in(data, "SELECT tbl, seq, body, hash FROM events ORDER BY tbl, seq")
    assert list(breaks(links)) == []
    played = {who.table for who in people}
    histories: dict[str, History] = {}
    for table, _, body, _ in links:
        if table in played:
            unlimited: deque[Happening] = deque()
            fresh = History(TableState(table, steps=unlimited))
            histories.setdefault(table, fresh).add(bytes(body))
    for history in histories.values():
        assert max(history.actions.values()) == 1, "an action was done twice"
        _count_cards(history.state)
    for who in people:
        _check_what_was_seen(who, histories[who.table], older)
    records = rows_in(data, "SELECT tbl, game, record FROM games")
    for _, _, line in records:
        record = Record.loads(line)
        record.replay()
        fair.check(record)
    assert {table for table, _, _ in records} >= played
    log = (folder / "server.log").read_text()
    assert "Traceback" not in log and '"level": "error"' not in log, log[-2000:]


def _check_what_was_seen(who: Stranger, history: History, older: bool) -> None:
    player = who.state["you"]["player"]
    seat = history.state.seat_of(player)
    for action, answer in who.answers.items():
        if answer["type"] == "ack":
            assert history.actions[player, action] == 1, f"{action} was lost"
    versions = [step["version"] for step in who.happened]
    assert versions == sorted(set(versions)), f"{who.name} was told something twice"
    kept = {step.version: msgspec.to_builtins(step) for step in history.steps}
    for step in who.happened:
        assert step == kept.get(step["version"]), f"{who.name} was told what is not kept"
    for message in map(json.loads, who.frames):
        if message["type"] in ("welcome", "update") and message["view"] is not None:
            expected = history.views.get((message["version"], seat))
            if older and expected is not None:
                expected = {key: expected[key] for key in message["view"]}
            assert message["view"] == expected, f"{who.name} was shown what is not so"


def _count_cards(state: TableState) -> None:
    """No card was lost or made."""
    game = state.game
    if game is None:
        return
    position: dict[str, Any] = game.position()
    zones = ("hands", "face_up", "face_down")
    cards = [card for zone in zones for seat in position[zone] for card in seat]
    cards += [*position["pile"], *position["draw_pile"], *position["removed"]]
    assert Counter(card for card in cards if card) == Counter(game.rules.full_deck)
