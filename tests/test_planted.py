"""Planted bugs: the tests must fail on each of them, or they do not see."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

import test_clock
from chaos import Chaos
from karma import fair
from karma.clock import TableClock
from karma.protocol import messages
from karma.server import app, outbox, sockets
from karma.server.access import Access
from karma.server.connections import Connections, HttpConnection, WebSocketLine
from karma.server.gauges import Common, Gauge
from karma.server.queues import Queue
from karma.store import sqlite
from karma.table import Table, TableState, names
from karma.table.allowance import Allowance
from karma.table.bots.moments import Moments
from karma.table.clients import sight
from karma.table.clients.broadcast import Broadcast
from karma.table.requests import seats
from server import test_damage, test_floods, test_security
from serving import Served, serving
from stranger import send_everybody_home
from table import test_deal, test_fair, test_moments, test_secrecy, test_takeover
from virtual import run
from wire import get

# Every test here breaks one thing and expects the test that guards it to fail.
SEES = (AssertionError, TimeoutError, pytest.fail.Exception)


@pytest.fixture(autouse=True)
async def nobody_left_behind() -> AsyncIterator[None]:
    yield
    await send_everybody_home()


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Served]:
    with serving(tmp_path) as served:
        yield served


def test_a_leaked_card_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    show_view = sight.show_view

    def leaky(state: Any, seat: int | None) -> Any:
        shown = show_view(state, seat)
        if shown is None or state.game is None:
            return shown
        hidden = state.game.position()["draw_pile"]
        return msgspec.structs.replace(shown, removed=[*shown.removed, *hidden[:1]])

    monkeypatch.setattr(sight, "show_view", leaky)
    with pytest.raises(SEES):
        for seed in range(10):
            test_secrecy.compare("classic", 3, 0, seed)


def test_an_ack_before_the_commit_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    commit = Table._commit

    async def hasty(self: Any, new: Any, client: Any = None, request: Any = None) -> None:
        if client is not None and request is not None and new:
            version = self.state.version + len(new)
            client.outbox.send(messages.Ack(id=request.id, version=version))
        await commit(self, new, client, request)

    monkeypatch.setattr(Table, "_commit", hasty)
    with pytest.raises(SEES):
        for seed in range(40):
            run(Chaos(seed).run())


def test_an_action_done_twice_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    class Forgetful(dict[Any, Any]):
        def __contains__(self, key: object) -> bool:
            return False

    copy = TableState.copy

    def forget(self: TableState) -> TableState:
        after = copy(self)
        after.done = Forgetful(after.done)
        return after

    monkeypatch.setattr(TableState, "copy", forget)
    with pytest.raises(SEES):
        for seed in range(60):
            run(Chaos(seed).run())


def test_an_uneven_shuffle_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fair, "_below", lambda bound, words: (next(words) & 0x7F) % bound)
    with pytest.raises(SEES):
        test_fair.test_every_card_is_equally_likely_at_every_place()
    with pytest.raises(SEES):
        test_fair.test_the_deck_is_the_one_of_the_protocol_page("classic")


async def test_an_outbox_without_a_limit_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outbox, "MOST_MESSAGES", 1 << 40)
    monkeypatch.setattr(outbox, "MOST_BYTES", 1 << 40)
    with pytest.raises(SEES):
        await test_security.test_an_outbox_holds_so_much_and_no_more()


async def test_a_missing_origin_check_is_seen(
    server: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Access, "_check_origin", lambda *_, **__: None)
    with pytest.raises(SEES):
        await test_security.test_a_handshake_needs_the_right_origin(server)
    with pytest.raises(SEES):
        await test_security.test_another_site_changes_nothing(server)


async def test_a_card_in_the_log_is_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(app, "report", lambda what, error: print(f"{what}: {error}"))
    with pytest.raises(SEES):
        await test_security.test_a_fault_in_any_handler_tells_no_card(tmp_path, monkeypatch, capfd)


def test_a_move_shown_as_soon_as_it_is_known_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Moments, "wait", lambda *_, **__: 0.0)
    with pytest.raises(SEES):
        test_moments.test_forced_moves_cannot_be_guessed_from_times("master", 0.7)


def test_a_seat_that_anybody_may_take_over_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seats, "_needs_offer", lambda *_: None)
    with pytest.raises(SEES):
        test_takeover.test_a_seat_is_taken_over_with_the_hosts_word_alone()
    with pytest.raises(SEES):
        test_takeover.test_in_a_rated_game_a_seat_is_its_persons()


def test_a_present_version_in_an_ack_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Broadcast, "version_for", lambda self, state, client: state.version)
    with pytest.raises(SEES):
        test_takeover.test_late_spectators_learn_no_present_version()


def test_names_compared_by_their_letters_are_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(names, "skeleton", lambda text: text)
    with pytest.raises(SEES):
        test_takeover.test_names_that_look_alike_have_one_skeleton("An\u200da")


def test_a_present_table_shown_to_late_spectators_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("karma.table.clients.broadcast._hides_the_present", lambda state: False)
    with pytest.raises(SEES):
        test_takeover.test_late_spectators_are_shown_no_present_table()


def test_a_deal_that_waits_for_nobody_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("karma.table.requests.game.SECONDS_TO_COME", 0)
    with pytest.raises(SEES):
        test_deal.test_a_table_opened_with_start_waits_for_its_persons_seed()


def test_a_clock_that_forgets_a_tables_past_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(TableClock, "go_on_from", lambda *_: None)
    with pytest.raises(SEES):
        test_clock.test_a_deal_is_not_waited_for_longer_after_the_clock_was_set_back()


@pytest.mark.parametrize("kind", ["pings", "pongs"])
async def test_frames_that_are_not_metered_are_seen(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    handler = {"pings": "handle_ping", "pongs": "handle_pong"}[kind]
    monkeypatch.setattr(WebSocketLine, handler, getattr(WebSocketsSansIOProtocol, handler))
    monkeypatch.setattr(sockets, "SILENCE_SECONDS", 2)
    with pytest.raises(SEES):
        await test_floods.test_every_frame_counts_and_who_sends_too_many_is_closed(kind, tmp_path)


async def test_sockets_that_each_have_a_share_are_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Connections, "queue", lambda *_: None)
    monkeypatch.setattr(Common, "of", lambda *_: Gauge(1 << 30, 1 << 30))
    with pytest.raises(SEES):
        await (
            test_floods.test_all_sockets_of_an_address_share_what_it_may_send_and_nobody_is_closed
        )(tmp_path)


@pytest.mark.parametrize("proxies", [None, "127.0.0.0/8"], ids=["alone", "behind a proxy"])
async def test_requests_that_are_all_taken_at_once_are_seen(
    proxies: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Queue, "lets_pass", lambda *_: True)
    with pytest.raises(SEES):
        await (
            test_floods.test_what_an_address_asks_is_taken_in_turn_and_the_neighbour_does_not_wait
        )(proxies, tmp_path)


async def test_connections_that_nobody_sweeps_are_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    within = test_floods.within
    monkeypatch.setattr(test_floods, "within", lambda seconds, done: within(3, done))
    monkeypatch.setattr(Connections, "_sweep", lambda *_: None)
    with pytest.raises(SEES):
        await test_floods.test_who_asks_and_does_not_read_is_cut(
            get("/api/schema.json") * 20, tmp_path / "unread", monkeypatch
        )
    monkeypatch.setattr(HttpConnection, "_cut_off", lambda *_: None)
    with pytest.raises(SEES):
        await test_floods.test_idle_connections_are_cut(tmp_path / "idle", monkeypatch)


@pytest.mark.parametrize("kind", ["pages", "sockets"])
async def test_slow_readers_whom_nobody_counts_together_are_seen(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    within = test_floods.within
    monkeypatch.setattr(test_floods, "within", lambda seconds, done: within(5, done))
    monkeypatch.setattr(Connections, "_bound", lambda *_: None)
    with pytest.raises(SEES):
        await test_floods.test_for_all_slow_readers_of_an_address_so_much_waits_and_no_more(
            kind, tmp_path, monkeypatch
        )


async def test_heads_that_are_not_kept_apart_are_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite._Session, "_put_heads", lambda *_: None)
    with pytest.raises(SEES):
        await test_damage.test_entries_cut_off_at_the_end_are_missed(tmp_path / "read")
    with pytest.raises(SEES):
        await test_damage.test_verify_says_what_was_cut_off_and_looks_at_one_moment(
            tmp_path / "verified"
        )


def test_words_that_late_spectators_hear_at_once_are_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Broadcast, "pass_on", _tell_all)
    with pytest.raises(SEES):
        test_takeover.test_late_spectators_hear_late_what_the_seats_say()


def _tell_all(self: Any, state: Any, said: messages.Said, now: int) -> None:
    for client in self._presence.greeted:
        client.outbox.send(said)


def test_changes_that_nobody_counts_are_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Allowance, "used_up", lambda *_: False)
    with pytest.raises(SEES):
        test_takeover.test_who_changes_too_much_waits_and_moves_are_not_counted()
