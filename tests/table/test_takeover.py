"""Who may take a seat over, who is sent away and stays away, and what names and acks tell."""

import asyncio
from typing import Any

import numpy as np
import pytest

from karma.protocol import decode_server, messages
from karma.protocol.state import Settings
from karma.refusals import Refusal
from karma.store.memory import MemoryLog
from karma.table import Table, Terms, names, requests
from karma.table.log.envelope import Envelope, encode
from karma.table.log.host import Rotated
from people import Inline, Person, table_for
from table.test_table import ask, person, playing, start, together
from virtual import run


async def running(*people: str, bots: int = 1, **settings: Any) -> tuple[Table, list[Person]]:
    """A game that runs, its people connected."""
    table, seated = await together(MemoryLog(), *people, bots=bots, edition="mini", **settings)
    await start(table, seated)
    await asyncio.gather(*(each.play(table, playing) for each in seated))
    return table, seated


async def refused(table: Table, player: str, seat: int) -> str:
    with pytest.raises(Refusal) as caught:
        await table.join(player, player, invite=table.state.invite, seat=seat)
    return caught.value.code


def codes(who: Person) -> list[str]:
    who.look()
    return [notice.code for step in who.happened for notice in step.notices]


def test_a_seat_is_taken_over_with_the_hosts_word_alone() -> None:
    async def main() -> None:
        table, (ana, bo) = await running("Ana", "Bo")
        assert await refused(table, "Cy", 1) == "not_offered"
        assert (await ask(table, bo, requests.host.OfferSeat(id="o", seat=1))).code == "not_host"
        assert await ask(table, ana, requests.host.OfferSeat(id="o", seat=1)) is None
        assert [seat.offered for seat in table.look().seats] == [False, True, False]
        assert await table.join("Cy", "Cy", invite=table.state.invite, seat=1) == 1
        await asyncio.sleep(0)
        for each in (ana, bo):
            assert {"seat_offered", "seat_taken_over"} <= set(codes(each))
        assert await refused(table, "Dee", 1) == "seat_taken"
        await table.stop()

    run(main())


def test_an_offer_can_be_taken_back() -> None:
    async def main() -> None:
        table, (ana, _) = await running("Ana", "Bo")
        assert await ask(table, ana, requests.host.OfferSeat(id="o", seat=1)) is None
        assert await ask(table, ana, requests.host.OfferSeat(id="p", seat=1, offered=False)) is None
        assert await refused(table, "Cy", 1) == "not_offered"
        await table.stop()

    run(main())


def test_who_took_a_seat_over_keeps_it_and_the_old_bot_plays_on() -> None:
    async def main() -> None:
        store = MemoryLog()
        table = table_for(store, thinker=Inline(("greedy", "master")))
        ana = person("Ana")
        await table.create("Ana", "Ana", Settings(edition="mini"), bots=["master"])
        await ana.sit(table)
        await start(table, [ana])
        await ana.play(table, playing)
        assert await ask(table, ana, requests.host.OfferSeat(id="o", seat=1)) is None
        await table.join("Cy", "Cy", invite=table.state.invite, seat=1)
        await table.ask("Cy", requests.seats.Leave(id="l"))
        assert table.state.chairs[1].level == "master"
        assert (await ask(table, ana, requests.host.OfferSeat(id="p", seat=1))).code == "seat_kept"
        assert await refused(table, "Dee", 1) == "seat_kept"
        assert await table.join("Cy", "Cy", seat=1) == 1, "their own again"
        assert await ask(table, ana, requests.host.Kick(id="k", seat=1)) is None
        assert table.state.chairs[1].bot == "master"
        assert (await ask(table, ana, requests.host.OfferSeat(id="q", seat=1))).code == "seat_kept"
        await table.stop()

    run(main())


def test_who_has_seen_a_hand_sees_no_other() -> None:
    async def main() -> None:
        table, (ana, bo, _) = await running("Ana", "Bo", "Cy")
        assert await ask(table, bo, requests.seats.Leave(id="l")) is None
        assert await ask(table, ana, requests.host.OfferSeat(id="o", seat=2)) is None
        await table.join("Dee", "Dee", invite=table.state.invite, seat=2)
        assert await ask(table, ana, requests.host.OfferSeat(id="p", seat=1)) is None
        assert await refused(table, "Bo", 1) == "seat_kept"
        with pytest.raises(Refusal) as caught:
            await table.move_seat("Bo", 3, "Cy")
        assert caught.value.code == "seat_kept"
        await table.stop()

    run(main())


def test_in_a_rated_game_a_seat_is_its_persons() -> None:
    async def main() -> None:
        table, (ana, bo, _) = await running("Ana", "Bo", "Cy", bots=0, rated=True)
        assert await ask(table, bo, requests.seats.Leave(id="l")) is None
        assert (await ask(table, ana, requests.host.OfferSeat(id="o", seat=1))).code == "seat_kept"
        assert await refused(table, "Dee", 1) == "seat_kept"
        assert await table.join("Bo", "Bo", invite=table.state.invite) == 1
        await table.stop()

    run(main())


def test_who_was_sent_away_does_not_come_back_by_the_same_invite() -> None:
    async def main() -> None:
        table, (ana, _) = await together(MemoryLog(), "Ana", "Bo", edition="mini")
        old = table.state.invite
        assert await ask(table, ana, requests.host.Kick(id="k", seat=1)) is None
        assert "invite_rotated" in codes(ana)
        for spectate in (False, True):
            with pytest.raises(Refusal) as caught:
                await table.join("Bo again", "Bo", invite=old, spectate=spectate)
            assert caught.value.code == "wrong_invite"
        await table.stop()

    run(main())


def test_a_spectator_has_a_name_of_their_own_and_can_be_muted_and_sent_away() -> None:
    async def main() -> None:
        table, (ana, bo) = await together(MemoryLog(), "Ana", "Bo", edition="mini")
        await table.join("spy", "А\u200dna", invite=table.state.invite, spectate=True)
        spy = Person("spy", np.random.default_rng(0))
        await spy.sit(table)
        spy.look()
        assert spy.you is not None and names.skeleton(spy.you.name) == names.skeleton("Ana 2")
        await asyncio.sleep(1)
        bo.look()
        assert bo.table is not None and bo.table.watching == [spy.you.name]
        mute = requests.talk.Mute(id="m", name=spy.you.name, muted=True)
        assert await ask(table, bo, mute) is None
        await ask(table, spy, requests.talk.Chat(id="c", text="I am Ana"))
        for each in (ana, bo):
            each.look()
        assert [said.name for said in ana.said] == [spy.you.name] and not bo.said
        away = requests.host.SendAway(id="a", name=spy.you.name)
        assert (await ask(table, bo, away)).code == "not_host"
        assert await ask(table, ana, away) is None
        assert spy.box.closed == "kicked"
        assert {"spectator_sent_away", "invite_rotated"} <= set(codes(bo))
        with pytest.raises(Refusal):
            await table.join("spy", "Eve", invite=table.state.invite, spectate=True)
        await table.stop()

    run(main())


def test_late_spectators_learn_no_present_version() -> None:
    async def main() -> None:
        table, (ana, bo) = await together(
            MemoryLog(), "Ana", "Bo", edition="mini", spectators="delayed"
        )
        await table.join("Eve", "Eve", invite=table.state.invite, spectate=True)
        await start(table, [ana, bo])
        await asyncio.gather(ana.play(table, playing), bo.play(table, playing))
        eve = Person("Eve", np.random.default_rng(0))
        await eve.sit(table)
        for request in (
            requests.talk.Say(id="s", phrase="hello"),
            requests.talk.Say(id="s", phrase="hello"),
            requests.seats.TakeBack(id="t"),
        ):
            await ask(table, eve, request)
        shown = [decode_server(frame) for frame in eve.box.frames]
        late = next(each.version for each in shown if isinstance(each, messages.Welcome))
        assert late < table.state.version
        assert {each.version for each in shown if isinstance(each, messages.Ack)} == {late}
        assert {each.game for each in shown if isinstance(each, messages.Refused)} == {0}
        await table.stop()

    run(main())


def test_late_spectators_are_shown_no_present_table() -> None:
    async def main() -> None:
        store = MemoryLog()
        table, (ana, bo) = await together(store, "Ana", "Bo", edition="mini", spectators="delayed")
        await table.join("Eve", "Eve", invite=table.state.invite, spectate=True)
        eve = Person("Eve", np.random.default_rng(0))
        await eve.sit(table)
        eve.look()
        assert [seat.name for seat in eve.seats] == ["Ana", "Bo"]  # nothing to hide in the lobby
        await start(table, [ana, bo])
        await asyncio.gather(ana.play(table, playing), bo.play(table, playing))
        await eve.sit(table)
        eve.look()
        for seen in (eve.table, table.look("Eve").table, table.look(None).table):
            assert (seen.phase, seen.game, seen.fair) == ("lobby", 0, None)
        assert table.look("Ana").table.phase == "playing"
        await table.stop()
        again = table_for(store, name=table.id)  # a server that starts anew remembers nothing
        await again.load()
        for seen in (again.look("Eve").table, again.look(None).table):
            assert (seen.phase, seen.game, seen.fair) == ("lobby", 0, None)
        await asyncio.sleep(31)
        assert again.look("Eve").table.phase == "playing"
        await again.stop()

    run(main())


def test_late_spectators_hear_late_what_the_seats_say() -> None:
    async def main() -> None:
        table, (ana, bo) = await together(
            MemoryLog(), "Ana", "Bo", edition="mini", spectators="delayed", chat=True
        )
        for name in ("Eve", "Fay"):
            await table.join(name, name, invite=table.state.invite, spectate=True)
        await start(table, [ana, bo])
        await asyncio.gather(ana.play(table, playing), bo.play(table, playing))
        eve, fay = (Person(name, np.random.default_rng(0)) for name in ("Eve", "Fay"))
        for each in (eve, fay):
            await each.sit(table)
        await ask(table, fay, requests.talk.Mute(id="m", seat=1, muted=True))

        def heard(who: Person) -> list[str | None]:
            told = [decode_server(frame) for frame in who.box.frames]
            return [each.text or each.phrase for each in told if isinstance(each, messages.Said)]

        await ask(table, ana, requests.talk.Chat(id="c", text="I hold two jokers"))
        await ask(table, bo, requests.talk.Say(id="s", phrase="hello"))
        await ask(table, eve, requests.talk.Say(id="e", phrase="thanks"))
        assert heard(ana) == heard(bo) == ["I hold two jokers", "hello", "thanks"]
        assert heard(eve) == heard(fay) == ["thanks"]  # who watches knows nothing of the present
        await asyncio.sleep(29)
        assert heard(eve) == ["thanks"]
        await asyncio.sleep(2)
        assert heard(eve) == ["thanks", "I hold two jokers", "hello"]
        assert heard(fay) == ["thanks", "I hold two jokers"]
        await table.stop()

    run(main())


def test_who_changes_too_much_waits_and_moves_are_not_counted() -> None:
    async def main() -> None:
        table = table_for(MemoryLog(), terms=Terms(changes=5))
        await table.create("Ana", "Ana", Settings(edition="mini"))
        await table.join("Bo", "Bo", invite=table.state.invite)
        ana, bo = person("Ana"), person("Bo")
        for each in (ana, bo):
            await each.sit(table)
        before = table.state.version
        refusals = [
            await ask(table, ana, requests.host.Rotate(id=f"r{number}")) for number in range(20)
        ]
        assert [each.code if each else None for each in refusals] == [None] * 5 + ["too_fast"] * 15
        assert table.state.version == before + 5
        with pytest.raises(Refusal, match="Too fast"):
            await table.join("Ana", "Anna")
        assert await ask(table, bo, requests.seats.Leave(id="l")) is None  # others may
        await asyncio.sleep(11)
        assert await ask(table, ana, requests.host.Rotate(id="r19")) is None  # the same, later
        await table.stop()

    run(main())


def test_a_long_log_keeps_nobody_waiting() -> None:
    async def main() -> None:
        table, _ = await together(store := MemoryLog(), "Ana", "Bo", edition="mini")
        await table.stop()
        store.logs["table"] += [
            encode(Envelope(at=1, entry=Rotated(invite="AAAA-AAAA"))) for _ in range(5000)
        ]
        turns = 0

        async def others() -> None:
            nonlocal turns
            while True:
                turns += 1
                await asyncio.sleep(0)

        waiting = asyncio.create_task(others())
        again = table_for(store)
        assert await again.load()
        assert turns >= 5000 // 200
        waiting.cancel()
        await again.stop()

    run(main())


def test_a_revoked_token_loses_its_connection() -> None:
    async def main() -> None:
        table, (_, bo) = await together(MemoryLog(), "Ana", "Bo", edition="mini")
        await table.cut("Bo")
        assert bo.box.closed == "unknown_token"
        await table.stop()

    run(main())


def test_a_stopped_table_can_be_closed_and_stays_so(monkeypatch: pytest.MonkeyPatch) -> None:
    async def main() -> None:
        table, _ = await together(store := MemoryLog(), "Ana", "Bo", edition="mini")
        await table.stop()
        store.logs["table"].append(
            b'{"at":1,"entry":{"entry":"made","seat":0,"moves":[],"by":"bot"}}'
        )
        again = table_for(store, report=lambda what, error: None)
        assert await again.load() and again.stopped == "stopped"
        await again.close()
        assert (again.stopped, again.state.phase) == ("closed", "closed")
        await again.stop()
        reports: list[str] = []
        last = table_for(store, report=lambda what, error: reports.append(what))
        assert await last.load()
        assert (last.stopped, last.state.phase, reports) == ("closed", "closed", [])
        await last.stop()

    run(main())


@pytest.mark.parametrize(
    "name", ["\u3164", "\u2800\u2800", "\uffa0 \u115f", "\u200d\ufe0f", "\ufe0f\u034f"]
)
def test_a_blank_name_is_none(name: str) -> None:
    assert names.name(name) == ""


@pytest.mark.parametrize(
    "double",
    [
        "Аna",
        "ᗅna",
        "ᎪnＡ",
        "𝐀𝐧𝐚",
        "An\u200da",
        "Ana\ufe0f",
        "A\u2800na",
        "ANA",
        "Ａｎａ",
        "A\u3164na",
        "Αna",
    ],
)
def test_names_that_look_alike_have_one_skeleton(double: str) -> None:
    assert names.skeleton(double) == names.skeleton("Ana")
    assert names.skeleton(names.name(double)) == names.skeleton("Ana")


def test_names_that_differ_have_skeletons_that_do() -> None:
    others = ["Ana", "Anna", "Bo", "Вова", "Борис", "Zoë", "李", "ゆき", "علي", "Ana 2", "🦊", "🐻"]
    assert len({names.skeleton(name) for name in others}) == len(others)


def test_a_deal_that_was_given_up_is_listed() -> None:
    async def main() -> None:
        table, (ana, bo) = await together(MemoryLog(), "Ana", "Bo", edition="mini")
        await start(table, [ana, bo])
        assert await ask(table, ana, requests.host.Close(id="c")) is None
        assert table.look().table.given_up == [1]
        await table.stop()

    run(main())


def test_who_promised_a_seed_that_was_left_out_tells_the_table() -> None:
    async def main() -> None:
        table, (ana, bo) = await together(MemoryLog(), "Ana", "Bo", edition="mini")
        await start(table, [ana, bo])
        for each in (ana, bo):
            each.look()
            assert await ask(table, each, each.answer()) is None  # the promises
        bo.look()
        assert await ask(table, bo, bo.answer()) is None
        assert (await ask(table, ana, requests.game.LeftOut(id="x", game=1))).code == "bad_seed"
        while not playing(ana):  # Ana's seed never arrives
            await ana.box.arrived.wait()
            ana.look()
        assert await ask(table, ana, requests.game.LeftOut(id="y", game=1)) is None
        assert (await ask(table, bo, requests.game.LeftOut(id="z", game=1))).code == "bad_seed"
        assert "seed_left_out" in codes(bo)
        await table.stop()

    run(main())
