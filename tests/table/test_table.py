"""A table with people and bots: whole games, refusals, seats, clocks, in virtual time."""

import asyncio
from typing import Any

import msgspec
import numpy as np
import pytest

from karma import MINI, Game, fair
from karma.cards import KINDS
from karma.moves import Move
from karma.protocol import Update, Welcome, decode_server
from karma.protocol.state import Settings
from karma.refusals import Refusal
from karma.review.hint import Numbers
from karma.review.reasons import Contrast
from karma.store.memory import MemoryLog
from karma.table import Table, requests
from karma.table.log.state import TableState
from karma.view import View
from people import FirstBot, Person, over, table_for
from virtual import run


def person(name: str, seed: int = 0) -> Person:
    return Person(name, np.random.default_rng([seed, *name.encode()]))


async def together(
    store: Any, *names: str, bots: int = 0, thinker: Any = None, **settings: Any
) -> Any:
    """A table with these people seated and connected, and bots beside them."""
    table = table_for(store, thinker=thinker or FirstBot())
    people = [person(name) for name in names]
    await table.create(people[0].player, names[0], Settings(**settings), bots=["first"] * bots)
    for other in people[1:]:
        await table.join(other.player, other.player, invite=table.state.invite)
    for each in people:
        await each.sit(table)
    return table, people


async def ask(table: Table, who: Person, message: requests.Request) -> Any:
    """Sends an action and returns its answer: None for an ack, or the refusal."""
    acked, refused = len(who.acked), len(who.refused)
    await who.tell(table, message)
    while len(who.acked) == acked and len(who.refused) == refused:
        await who.box.arrived.wait()
        who.look()
    return who.refused[-1] if len(who.refused) > refused else None


async def start(table: Table, people: list[Person]) -> None:
    assert await ask(table, people[0], requests.host.Start(id="start")) is None


def playing(who: Person) -> bool:
    return who.table is not None and who.table.phase == "playing" and who.view is not None


@pytest.mark.parametrize("edition", ["classic", "alternative", "mini", "online"])
def test_people_and_bots_play_a_whole_game(edition: str) -> None:
    async def main() -> None:
        store = MemoryLog()
        table, people = await together(store, "Ana", "Bo", bots=1, edition=edition)
        await start(table, people)
        await asyncio.gather(*(each.play(table, over) for each in people))
        (finished,) = store.finished
        assert finished.complete
        finished.record.replay()
        fair.check(finished.record)
        assert people[0].view is not None and people[0].view.phase == "over"
        assert people[0].table is not None and people[0].table.fair is not None
        assert people[0].table.fair.state == "published"
        assert sum(score.played for score in people[0].table.score) == 3
        await table.stop()

    run(main())


def test_a_rematch_moves_the_deal_on_and_keeps_the_score() -> None:
    async def main() -> None:
        store = MemoryLog()
        table, people = await together(store, "Ana", "Bo", edition="mini")
        await start(table, people)
        await asyncio.gather(*(each.play(table, over) for each in people))
        first = table.state.dealer
        assert await ask(table, people[1], requests.game.Rematch(id="again")) is None
        assert table.state.phase == "over"
        assert await ask(table, people[0], requests.game.Rematch(id="again")) is None
        assert table.state.phase == "deal"
        await asyncio.gather(*(each.play(table, over) for each in people))
        assert table.state.dealer == (first + 1) % 2
        assert [tally.played for tally in table.state.tallies.values()] == [2, 2]
        await table.stop()

    run(main())


def test_the_same_action_twice_is_done_once() -> None:
    async def main() -> None:
        store = MemoryLog()
        table, people = await together(store, "Ana", "Bo", edition="online")
        await start(table, people)
        await asyncio.gather(*(each.play(table, playing) for each in people))
        actor = people[table.state.game.actor]
        act = actor.answer()
        assert await ask(table, actor, act) is None
        length = len(store.logs["table"])
        assert await ask(table, actor, act) is None
        assert len(store.logs["table"]) == length
        await table.stop()
        again = table_for(store, thinker=FirstBot())
        await again.load()
        await actor.sit(again)
        assert await ask(again, actor, act) is None
        assert len(store.logs["table"]) == length
        await again.stop()

    run(main())


def test_what_cannot_be_done_is_refused_with_the_present_ply() -> None:
    async def main() -> None:
        table, (ana, bo) = await together(MemoryLog(), "Ana", "Bo", edition="online")
        assert (await ask(table, bo, requests.host.Start(id="b1"))).code == "not_host"
        await start(table, [ana, bo])
        await asyncio.gather(ana.play(table, playing), bo.play(table, playing))
        actor, other = (ana, bo) if table.state.game.actor == 0 else (bo, ana)
        act = actor.answer()
        assert isinstance(act, requests.game.Act)
        wrong = requests.game.Act(id="w1", game=act.game, ply=act.ply + 1, moves=act.moves)
        refused = await ask(table, actor, wrong)
        assert (refused.code, refused.ply) == ("stale_ply", act.ply)
        wrong = requests.game.Act(id="w2", game=act.game + 1, ply=act.ply, moves=act.moves)
        assert (await ask(table, actor, wrong)).code == "stale_game"
        wrong = requests.game.Act(id="w3", game=act.game, ply=act.ply, moves=["^7"])
        assert (await ask(table, actor, wrong)).code == "already_chosen"
        wrong = requests.game.Act(id="w4", game=act.game, ply=act.ply, moves=["seven"])
        assert (await ask(table, actor, wrong)).code == "no_such_move"
        wrong = requests.game.Act(id="w6", game=act.game, ply=act.ply, moves=["7", "8"])
        refused = await ask(table, actor, wrong)
        assert (refused.code, refused.parameters) == ("too_many", {"most": 1})
        missing = next(kind for kind in KINDS if kind not in actor.view.hand)
        wrong = requests.game.Act(id="w7", game=act.game, ply=act.ply, moves=[missing])
        refused = await ask(table, actor, wrong)
        assert refused.code in ("not_in_hand", "hand_first")
        if refused.code == "not_in_hand":
            assert refused.parameters == {"kind": missing, "count": 1}
        wrong = requests.game.Act(id="w5", game=act.game, ply=act.ply, moves=act.moves)
        assert (await ask(table, other, wrong)).code == "not_your_turn"
        with pytest.raises(Refusal, match="This invitation opens no table"):
            await table.join("Cy", "Cy", invite="nonsense")
        with pytest.raises(Refusal, match="Not at this moment of the game"):
            await table.join("Cy", "Cy", invite=table.state.invite)
        await table.stop()

    run(main())


def test_nobody_is_told_a_choice_before_all_have_chosen() -> None:
    async def main() -> None:
        table, people = await together(MemoryLog(), "Ana", "Bo", "Cy", edition="classic")
        await start(table, people)
        await asyncio.gather(*(each.play(table, playing) for each in people))
        for each in people:
            assert each.view is not None and each.view.actor == each.you.seat
            assert all(move.startswith("^") for move in each.view.legal)
        for chooser in (people[2], people[0]):
            assert await ask(table, chooser, chooser.answer()) is None
            for each in people:
                each.look()
                for seat, cards in enumerate(each.view.face_up):
                    assert seat == each.you.seat or set(cards) <= {None}
        assert [seat.chosen for seat in people[1].seats] == [True, False, True]
        assert not any(happening.events for happening in people[1].happened)
        assert (await ask(table, people[0], _again(people[0]))).code == "already_chosen"
        assert await ask(table, people[1], people[1].answer()) is None
        people[0].look()
        assert all(len(cards) == 3 and None not in cards for cards in people[0].view.face_up)
        await table.stop()

    def _again(who: Person) -> requests.game.Act:
        return requests.game.Act(id="again", game=1, ply=who.view.ply, moves=["^7"])

    run(main())


@pytest.mark.parametrize("clock", ["relaxed", "fast"])
def test_a_clock_that_runs_out_moves_and_then_covers(clock: str) -> None:
    async def main() -> None:
        store = MemoryLog()
        table, (ana, bo) = await together(store, "Ana", "Bo", edition="mini", clock=clock)
        await start(table, [ana, bo])
        await ana.play(table, lambda who: who.seats[1].covered == "clock")
        codes = [notice.code for step in ana.happened for notice in step.notices]
        assert codes.count("clock_ran_out") == 3
        assert "seed_missing" in codes
        await bo.sit(table)
        bo.look()
        assert table.state.chairs[1].covered is None
        await asyncio.gather(ana.play(table, over), bo.play(table, over))
        fair.check(store.finished[0].record)
        assert store.finished[0].record.extra["fair"]["seats"][1]["missing"]
        await table.stop()

    run(main())


def test_a_table_without_a_clock_does_not_wait_for_the_absent() -> None:
    async def main() -> None:
        table, (ana, bo) = await together(MemoryLog(), "Ana", "Bo", edition="mini")
        await start(table, [ana, bo])
        await asyncio.gather(ana.play(table, playing), bo.play(table, playing))
        await table.disconnect(bo.client)
        await ana.play(table, lambda who: who.seats[1].covered == "absent")
        await ana.play(table, lambda who: who.view.ply > 20)
        await bo.sit(table)
        bo.look()
        assert bo.seats[1].covered is None and not bo.seats[1].failed
        await table.stop()

    run(main())


def test_nobodys_time_runs_while_the_table_sleeps() -> None:
    async def main() -> None:
        store = MemoryLog()
        table, (ana, bo) = await together(store, "Ana", "Bo", edition="mini", clock="fast")
        await start(table, [ana, bo])
        await asyncio.gather(ana.play(table, playing), bo.play(table, playing))
        await table.disconnect(ana.client)
        await table.disconnect(bo.client)
        length = len(store.logs["table"])
        await asyncio.sleep(1000)
        assert len(store.logs["table"]) == length
        await table.stop()

    run(main())


def test_a_pause_stops_the_clocks() -> None:
    async def main() -> None:
        table, (ana, bo) = await together(MemoryLog(), "Ana", "Bo", edition="online", clock="fast")
        await start(table, [ana, bo])
        await asyncio.gather(ana.play(table, playing), bo.play(table, playing))
        await asyncio.sleep(5)
        assert (await ask(table, bo, requests.host.Pause(id="p"))).code == "not_host"
        assert await ask(table, ana, requests.host.Pause(id="p")) is None
        actor = table.state.game.actor
        assert ana.seats[actor].remaining == 15_000 and ana.seats[actor].deadline is None
        refused = await ask(
            table, [ana, bo][actor], requests.game.Act(id="a", game=1, ply=0, moves=["P"])
        )
        assert refused.code == "paused"
        await asyncio.sleep(1000)
        assert table.state.game.ply == 0
        assert await ask(table, ana, requests.host.Resume(id="r")) is None
        assert ana.seats[actor].deadline == ana.happened[-1].at + 15_000
        await asyncio.sleep(16)
        assert table.state.game.ply == 1
        await table.stop()

    run(main())


def test_a_bot_covers_and_hands_the_seat_back() -> None:
    async def main() -> None:
        table, (ana, bo) = await together(MemoryLog(), "Ana", "Bo", edition="mini")
        await start(table, [ana, bo])
        await asyncio.gather(ana.play(table, playing), bo.play(table, playing))
        assert await ask(table, bo, requests.seats.StepAway(id="s")) is None
        await ana.play(table, lambda who: who.view.ply > 12)
        assert (await ask(table, bo, requests.seats.TakeBack(id="t"))) is None
        assert (await ask(table, bo, requests.seats.TakeBack(id="t2"))).code == "not_covered"
        await asyncio.gather(ana.play(table, over), bo.play(table, over))
        await table.stop()

    run(main())


@pytest.mark.parametrize("edition", ["classic", "mini", "online"])
def test_what_the_rules_count_comes_with_every_view(edition: str) -> None:
    async def main() -> None:
        rules: dict[str, Any] = {"stall_limit": 10, "set_counts": "top"}
        names = ("Ana", "Bo")
        table, people = await together(MemoryLog(), *names, edition=edition, rules=rules)
        await start(table, people)
        await asyncio.gather(*(each.play(table, over) for each in people))
        told = []
        for message in (decode_server(frame) for each in people for frame in each.box.frames):
            if not isinstance(message, Welcome | Update):
                continue
            if message.view is None:
                assert message.counts is None
                continue
            view, counts = View.parse(msgspec.to_builtins(message.view)), message.counts
            assert counts is not None
            told.append(counts)
            row = None if view.in_a_row is None else view.in_a_row.length
            assert (counts.in_a_row, counts.makes_set) == (row, view.rules.set_size)
            assert counts.quiet_left == view.quiet_left
            assert counts.most_at_once == view.rules.most_at_once
            chosen = len(message.view.face_up[view.seat])
            asked = view.phase == "choose" and len(view.legal) > 0
            assert counts.to_choose == (3 - chosen if asked else 0)
        choosing = {counts.to_choose for counts in told}
        assert choosing == ({0} if edition == "online" else {0, 3})
        assert {counts.in_a_row for counts in told} >= {None, 1}
        await table.stop()

    run(main())


def test_anybody_may_ask_for_a_cover_after_a_while_and_the_seat_stays_its_persons() -> None:
    async def main() -> None:
        names = ("Ana", "Bo", "Cy")
        table, (ana, bo, cy) = await together(MemoryLog(), *names, edition="mini")
        await start(table, [ana, bo, cy])
        await asyncio.gather(*(who.play(table, playing) for who in (ana, bo, cy)))
        await table.disconnect(cy.client)
        refused = await ask(table, bo, requests.seats.CoverSeat(id="soon", seat=2))
        assert refused.code == "still_waiting" and refused.parameters["seconds"] == 20
        await asyncio.sleep(1)
        bo.look()
        away_since = bo.seats[2].away_since
        assert away_since is not None and bo.seats[1].away_since is None
        assert bo.seats[2].coverable == away_since + 20_000 and bo.seats[1].coverable is None
        await asyncio.sleep(21)
        assert await ask(table, bo, requests.seats.CoverSeat(id="late", seat=2)) is None
        bo.look()
        assert bo.seats[2].covered == "absent" and table.state.chairs[2].player == cy.player
        await table.stop()

    run(main())


def test_who_leaves_is_played_on_by_a_bot_and_a_friend_takes_over() -> None:
    async def main() -> None:
        store = MemoryLog()
        table, (ana, bo) = await together(store, "Ana", "Bo", edition="mini")
        await start(table, [ana, bo])
        await asyncio.gather(ana.play(table, playing), bo.play(table, playing))
        assert await ask(table, ana, requests.seats.Leave(id="l")) is None
        bo.look()
        assert bo.you.host
        assert await ask(table, bo, requests.host.OfferSeat(id="o", seat=0)) is None
        cy = person("Cy")
        seat = await table.join(cy.player, "Cy", invite=table.state.invite, seat=0)
        assert seat == 0
        await cy.sit(table)
        await asyncio.gather(cy.play(table, over), bo.play(table, over))
        assert store.finished[0].players == ("Cy", "Bo")
        await table.stop()

    run(main())


def test_the_host_kicks_for_good() -> None:
    async def main() -> None:
        table, (ana, bo) = await together(MemoryLog(), "Ana", "Bo", edition="mini")
        assert await ask(table, ana, requests.host.Kick(id="k", seat=1)) is None
        assert bo.box.closed == "kicked"
        with pytest.raises(Refusal, match="The host has sent you away"):
            await table.join(bo.player, "Bo", invite=table.state.invite)
        assert len(table.state.chairs) == 1
        await table.stop()

    run(main())


def test_a_seat_moves_to_another_device() -> None:
    async def main() -> None:
        table, (ana, _) = await together(MemoryLog(), "Ana", "Bo", edition="mini")
        phone = person("phone")
        await table.move_seat(phone.player, 0, ana.player)
        assert ana.box.closed == "seat_moved"
        await phone.sit(table)
        phone.look()
        assert phone.you.seat == 0 and phone.you.host and phone.you.name == "Ana"
        await table.stop()

    run(main())


def test_who_comes_back_within_a_moment_is_told_of_together() -> None:
    async def main() -> None:
        names = ("Ana", "Bo", "Cy", "Di")
        table, (ana, *others) = await together(MemoryLog(), *names, edition="mini")
        await asyncio.sleep(1)
        ana.look()
        for each in others:
            await table.disconnect(each.client)
        await asyncio.sleep(0.5)
        assert len(ana.box.frames) == ana.read + 1
        ana.look()
        assert [seat.connected for seat in ana.seats] == [True, False, False, False]
        for each in others:
            await each.sit(table)
        await asyncio.sleep(0.5)
        assert len(ana.box.frames) == ana.read + 1
        ana.look()
        assert all(seat.connected for seat in ana.seats)
        await table.disconnect(others[0].client)
        await others[0].sit(table)
        await asyncio.sleep(0.5)
        assert len(ana.box.frames) == ana.read  # nobody has missed anybody
        await table.stop()

    run(main())


def test_the_newest_connection_of_a_player_wins() -> None:
    async def main() -> None:
        table, (ana, _) = await together(MemoryLog(), "Ana", "Bo", edition="mini")
        old = ana.box
        await ana.sit(table)
        assert old.closed == "replaced"
        ana.look()
        assert ana.you.seat == 0 and ana.seats[0].connected
        await table.stop()

    run(main())


def test_moves_are_taken_back_against_bots_only() -> None:
    async def main() -> None:
        store = MemoryLog()
        table, (ana,) = await together(store, "Ana", bots=2, edition="mini")
        await start(table, [ana])
        await ana.play(table, lambda who: playing(who) and who.view.ply > 20)
        await ana.play(table, lambda who: bool(who.view.legal))
        before = ana.view
        assert await ask(table, ana, ana.answer()) is None
        await ana.play(table, lambda who: bool(who.view.legal))
        undo = requests.game.Undo(id="u", game=1, ply=ana.view.ply)
        assert await ask(table, ana, undo) is None
        ana.look()
        assert ana.view == before
        assert ana.table.practice
        await ana.play(table, over)
        assert not table.state.tallies
        await table.stop()

    run(main())


def test_a_hint_is_a_legal_move() -> None:
    async def main() -> None:
        table, (ana,) = await together(MemoryLog(), "Ana", bots=1, edition="mini")
        await start(table, [ana])
        await ana.play(table, playing)
        assert await ask(table, ana, requests.game.Hint(id="h")) is None
        while not ana.advice:
            await ana.box.arrived.wait()
            ana.look()
        assert len(ana.advice[0].moves) == 3
        assert set(ana.advice[0].moves) <= set(ana.view.legal)
        assert [reason.code for reason in ana.advice[0].reasons] == ["lay"]
        await table.stop()

    run(main())


def test_a_hint_has_the_numbers_where_there_are_some() -> None:
    told = Numbers(Move("P"), (Contrast("next_picks_up", 0.49, 0.0),))

    class Counting(FirstBot):
        async def work(self, job: Any, *values: Any) -> Any:
            return told

    async def main() -> None:
        table, (ana,) = await together(
            MemoryLog(), "Ana", bots=1, edition="mini", thinker=Counting()
        )
        await start(table, [ana])
        await ana.play(table, playing)
        assert await ask(table, ana, requests.game.Hint(id="h")) is None
        while not ana.advice:
            await ana.box.arrived.wait()
            ana.look()
        assert ana.advice[0].instead == "P"
        assert [(f.fact, f.best, f.made) for f in ana.advice[0].facts] == list(told.facts)
        await table.stop()

    run(main())


@pytest.mark.parametrize("fault", ["hang", "crash", "nonsense"])
def test_a_bot_that_fails_is_marked_and_the_game_goes_on(fault: str) -> None:
    class Broken(FirstBot):
        async def choose(self, level: str, view: Any, seed: int) -> Any:
            if view.phase != "choose" and fault == "hang":
                await asyncio.sleep(10_000)
            if view.phase != "choose" and fault == "crash":
                raise RuntimeError("out of luck")
            return view.legal[0] if view.phase == "choose" else "nonsense"

    async def main() -> None:
        store, reports = MemoryLog(), []
        table = table_for(store, thinker=Broken(), report=lambda what, error: reports.append(what))
        ana = person("Ana")
        await table.create(ana.player, "Ana", Settings(edition="mini"), bots=["first"])
        await ana.sit(table)
        await start(table, [ana])
        await ana.play(table, over)
        assert ana.seats[1].failed
        assert all("crashed" in report for report in reports) == (fault == "crash") or not reports
        await table.stop()

    run(main())


def test_spectators_see_no_hand_and_the_delayed_see_it_late() -> None:
    async def main() -> None:
        table, (ana, bo) = await together(
            MemoryLog(), "Ana", "Bo", edition="mini", spectators="delayed"
        )
        await start(table, [ana, bo])
        cy = person("Cy")
        await table.join(cy.player, "Cy", invite=table.state.invite, spectate=True)
        await cy.sit(table)
        await asyncio.gather(ana.play(table, playing), bo.play(table, playing))
        cy.look()
        assert cy.you.seat is None and cy.you.invite is None and cy.view is None
        await asyncio.sleep(31)
        cy.look()
        assert cy.view is not None and cy.view.hand is None and not cy.view.legal
        await table.stop()

    run(main())


def test_a_practice_game_begins_from_a_finished_ones_position() -> None:
    async def main() -> None:
        store = MemoryLog()
        table, (ana,) = await together(store, "Ana", bots=2, edition="mini")
        await start(table, [ana])
        await ana.play(table, over)
        record = store.finished[0].record
        from karma.table.log.games import Forked

        fork = table_for(store, name="fork", thinker=FirstBot())
        await fork.create(
            "Ana",
            "Ana",
            Settings(edition="mini", rules=record.rules.overrides),
            bots=["first", "first"],
            fork=Forked(record=record.dumps(), ply=20, seat=1),
        )
        ana = person("Ana")
        await ana.sit(fork)
        ana.look()
        assert ana.you.seat == 1 and ana.view.ply == 20 and ana.table.practice
        await ana.play(fork, over)
        await fork.stop()
        await table.stop()

    run(main())


def test_a_seed_deals_as_the_library_does_and_stays_in_the_record() -> None:
    async def main() -> None:
        store = MemoryLog()
        table = table_for(store)
        await table.create("Ana", "Ana", Settings(edition="mini"), bots=["greedy"], seed=5)
        ana = person("Ana")
        await ana.sit(table)
        assert table.state.game.deck == Game(MINI, 2, seed=5).deck
        await table.stop()
        table = table_for(store)
        assert await table.load()
        await (ana := person("Ana")).sit(table)
        ana.look()
        assert ana.table.fair is None and not ana.table.practice
        dealt = [
            notice for step in ana.happened for notice in step.notices if notice.code == "dealt"
        ]
        assert [notice.parameters["seed"] for notice in dealt] == [5]
        await ana.play(table, over)
        assert store.finished[0].record.extra["seed"] == 5
        assert "fair" not in store.finished[0].record.extra
        await table.stop()

    run(main())


def test_bots_play_for_somebody_who_watches() -> None:
    async def main() -> None:
        store = MemoryLog()
        table = table_for(store)
        bots = ["greedy", "random", "greedy"]
        await table.create("Ana", "Ana", Settings(edition="online"), bots=bots, watch=True)
        await (ana := person("Ana")).sit(table)
        while not store.finished:
            await ana.box.arrived.wait()
            ana.box.arrived.clear()
        assert store.finished[0].record.players == ("greedy", "random", "greedy 2")
        assert store.finished[0].players == (None, None, None)
        await table.stop()

    run(main())


def test_replaying_the_log_gives_the_same_table() -> None:
    async def main() -> None:
        from karma.table.log.envelope import decode

        store = MemoryLog()
        table, people = await together(store, "Ana", "Bo", bots=1, edition="classic")
        await start(table, people)
        await asyncio.gather(
            *(each.play(table, lambda who: playing(who) and who.view.ply > 30) for each in people)
        )
        again = TableState("table")
        for line in await store.read("table"):
            again.apply(decode(line))
        assert again.game == table.state.game
        assert again.version == table.state.version
        assert again.done == table.state.done
        await table.stop()

    run(main())
