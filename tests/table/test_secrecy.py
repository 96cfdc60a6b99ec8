"""Nobody receives a byte that depends on a card they may not know."""

import asyncio
from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import Phase, assume, given, settings
from hypothesis import strategies as st

from karma import fair
from karma.editions import EDITIONS, Rules
from karma.game import Game
from karma.moves import Move
from karma.protocol import encode
from karma.protocol.state import Settings, ViewData
from karma.store import StoreError
from karma.store.memory import MemoryLog
from karma.table import requests
from karma.table.clients.sight import show_view, show_views
from karma.table.log.state import TableState
from people import Person, table_for
from virtual import run

PLIES = 40


def played(rules: Rules, players: int, chance: np.random.Generator) -> Game:
    """A game as far as the secrecy of it is looked at."""
    game = Game(rules, players, seed=int(chance.integers(1 << 30)))
    while not game.over and game.ply < PLIES:
        game.push(game.legal[int(chance.integers(len(game.legal)))])
    return game


def views(rules: Rules, deck: Any, players: int, moves: list[Move], seat: int | None) -> Any:
    """What a seat sees of a game, ply by ply; None if these moves cannot be made with this deck."""
    game = Game(rules, players, deck=deck)
    seen = [game.view(seat)]
    for move in moves:
        if move not in game.legal:
            return None
        game.push(move)
        seen.append(game.view(seat))
    return seen


def another_deal(game: Game, seat: int | None, chance: np.random.Generator) -> list[str] | None:
    """Another deck with which a seat would have seen exactly the same."""
    players = len(game.players)
    seen = views(game.rules, game.deck, players, game.moves, seat)
    deck, changed = list(game.deck), False
    for _ in range(40):
        one, other = chance.integers(len(deck), size=2)
        trial = list(deck)
        trial[one], trial[other] = trial[other], trial[one]
        if trial != deck and views(game.rules, trial, players, game.moves, seat) == seen:
            deck, changed = trial, True
    return deck if changed else None


async def frames(
    rules: Rules, deck: Any, moves: list[Move], players: int, watcher: int | None
) -> list[bytes]:
    """Every frame that one client gets of a table where these moves are made, and wrong ones."""
    table = table_for(MemoryLog())
    people = [Person(f"p{seat}", np.random.default_rng(seat)) for seat in range(players)]
    audience = Person("audience", np.random.default_rng(99))
    options = {**rules.overrides, "stall_limit": 0}
    settings = Settings(edition=rules.edition, rules=options)
    await table.create("p0", "p0", settings)
    for each in people[1:]:
        await table.join(each.player, each.player, invite=table.state.invite)
    await table.join("audience", "audience", invite=table.state.invite, spectate=True)
    for each in (*people, audience):
        await each.sit(table)
    await people[0].tell(table, requests.host.Start(id="start"))
    await asyncio.gather(*(each.play(table, dealt) for each in people))
    dealer = table.state.game
    choosing = [move for move in moves if str(move).startswith("^")]
    script = Game(rules, players, deck=deck)
    for number, move in enumerate(moves):
        actor = script.actor
        assert actor is not None and dealer is not None
        await probe(table, people, number)
        await make(table, people[actor], str(move), number)
        script.push(move)
        if number % 7 == 3:  # a client that comes again is shown no more than before
            await people[actor].sit(table)
    assert len(choosing) in (0, 3 * players) or len(moves) < 3 * players
    who = audience if watcher is None else people[watcher]
    who.look()
    look = table.look(who.player)
    await table.stop()
    return [*who.box.frames, encode(look)]


def dealt(who: Person) -> bool:
    return who.table is not None and who.table.phase == "playing" and who.view is not None


async def make(table: Any, who: Person, move: str, number: int) -> None:
    who.look()
    act = requests.game.Act(id=f"m{number}", game=1, ply=who.view.ply, moves=[move])
    await answered(table, who, act)


async def probe(table: Any, people: list[Person], number: int) -> None:
    """Wrong moves by everybody: refusals must not tell a card either."""
    for who in people:
        who.look()
        for move in ("16x3", "?0", ">1"):
            if move not in who.view.legal:
                act = requests.game.Act(
                    id=f"w{number}.{move[1:]}", game=1, ply=who.view.ply, moves=[move]
                )
                await answered(table, who, act)


async def answered(table: Any, who: Person, act: requests.game.Act) -> None:
    before = len(who.acked) + len(who.refused)
    await who.tell(table, act)
    while len(who.acked) + len(who.refused) == before:
        await who.box.arrived.wait()
        who.look()


SIZES = {"classic": 4, "alternative": 4, "mini": 3, "online": 3}


def compare(edition: str, players: int, seat: int | None, seed: int) -> bool:
    """Plays two games that a seat cannot tell apart; False if no second one was found."""
    rules = EDITIONS[edition]
    chance = np.random.default_rng([seed, players])
    game = played(rules, players, chance)
    other = another_deal(game, seat, chance)
    if other is None:
        return False
    got = []
    for deck in (game.deck, tuple(other)):
        with pytest.MonkeyPatch.context() as monkeypatch:
            monkeypatch.setattr(fair, "deal", lambda *_, deck=deck: deck)
            got.append(run(frames(rules, deck, game.moves, players, seat)))
    assert got[0] == got[1]
    return True


@settings(max_examples=30, phases=[Phase.generate])  # smaller seeds are no smaller games
@given(edition=st.sampled_from(sorted(SIZES)), seed=st.integers(0, 2**32 - 1), data=st.data())
def test_frames_depend_only_on_what_a_seat_may_know(
    edition: str, seed: int, data: st.DataObject
) -> None:
    players = data.draw(st.integers(2, SIZES[edition]), label="players")
    seat = data.draw(st.sampled_from([*range(players), None]), label="seat")
    assume(compare(edition, players, seat, seed))


def test_the_order_in_which_a_hand_was_dealt_is_nobodys_to_see(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rules = EDITIONS["classic"]
    game = played(rules, 3, np.random.default_rng(5))
    deck = list(game.deck)
    deck[9:15] = reversed(deck[9:15])  # the six cards of the first seat
    for seat in (0, 1, None):
        got = []
        for each in (game.deck, tuple(deck)):
            monkeypatch.setattr(fair, "deal", lambda *_, deck=each: deck)
            got.append(run(frames(rules, each, game.moves, 3, seat)))
        assert got[0] == got[1]


@pytest.mark.parametrize("edition", EDITIONS)
def test_views_written_together_are_the_views_of_their_seats(edition: str) -> None:
    for seed in range(3):
        state = TableState("table")
        game = Game(EDITIONS[edition], 3, seed=seed)
        state.phase, state.game = "playing", game
        chance = np.random.default_rng(seed)
        while not game.over and game.ply < 150:
            if game.phase != "choose":
                shown = show_views(state, [0, 1, 2, None])
                for seat in (0, 1, 2, None):
                    assert shown[seat] == show_view(state, seat)
            game.push(game.legal[int(chance.integers(len(game.legal)))])


def test_a_view_with_another_field_is_never_sent() -> None:
    view = Game(EDITIONS["mini"], 2, seed=1).view(0).json()
    assert msgspec.convert(view, ViewData)
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({**view, "hands": []}, ViewData)


def test_a_blind_card_is_kept_before_its_face_is_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    class Failing(MemoryLog):
        fails = False

        async def append(self, *arguments: Any) -> None:
            if self.fails:
                raise StoreError("the disk is full")
            await super().append(*arguments)

    async def main(seed: int) -> bool:
        store = Failing()
        table = table_for(store, seed=seed)
        ana = Person("Ana", np.random.default_rng(seed))
        ana.keen = True
        await table.create("Ana", "Ana", Settings(edition="mini"), bots=["random"])
        await ana.sit(table)
        await ana.tell(table, requests.host.Start(id="start"))

        def blind(who: Person) -> bool:
            return dealt(who) and any(move.startswith("?") for move in who.view.legal)

        await ana.play(table, lambda who: blind(who) or who.table.phase == "over")
        if not blind(ana):
            await table.stop()
            return False
        move = ana.view.legal[0]
        act = requests.game.Act(id="blind", game=1, ply=ana.view.ply, moves=[move])
        before = ana.box.frames[:]
        store.fails = True
        await answered(table, ana, act)
        assert ana.refused[-1].code == "not_stored"
        assert not any(b"turned_over" in frame for frame in ana.box.frames[len(before) :])
        store.fails = False
        await answered(table, ana, act)
        assert ana.acked[-1] == "blind"
        faces = [e for step in ana.happened for e in step.events if hasattr(e, "fits")]
        await answered(table, ana, act)
        assert faces == [e for step in ana.happened for e in step.events if hasattr(e, "fits")]
        await table.stop()
        return True

    assert any(run(main(seed)) for seed in range(20)), "no game with a blind play was found"


def test_the_secret_is_not_sent_before_the_game_has_ended() -> None:
    async def main() -> None:
        store = MemoryLog()
        table = table_for(store)
        ana = Person("Ana", np.random.default_rng(1))
        await table.create("Ana", "Ana", Settings(edition="mini"), bots=["random"])
        await ana.sit(table)
        await ana.tell(table, requests.host.Start(id="start"))
        await ana.play(table, lambda who: who.table.phase == "over")
        secret = store.finished[0].record.extra["fair"]["secret"].encode()
        told = [index for index, frame in enumerate(ana.box.frames) if secret in frame]
        ended = next(index for index, frame in enumerate(ana.box.frames) if b'"game_over"' in frame)
        assert told and told[0] == ended
        await table.stop()

    run(main())


def test_who_was_kicked_or_replaced_sees_nothing_more() -> None:
    async def main() -> None:
        table = table_for(MemoryLog())
        ana, bo = (Person(name, np.random.default_rng(4)) for name in ("Ana", "Bo"))
        await table.create("Ana", "Ana", Settings(edition="mini"))
        await table.join("Bo", "Bo", invite=table.state.invite)
        for each in (ana, bo):
            await each.sit(table)
        await ana.tell(table, requests.host.Start(id="start"))
        await asyncio.gather(ana.play(table, dealt), bo.play(table, dealt))
        first = bo.box
        await bo.sit(table)
        count = len(first.frames)
        bo.look()
        await answered(table, ana, ana.answer())
        assert len(first.frames) == count
        second, count = bo.box, len(bo.box.frames)
        kick = requests.host.Kick(id="kick", seat=1)
        await ana.tell(table, kick)
        while "kick" not in ana.acked:
            await ana.box.arrived.wait()
            ana.look()
        await ana.play(table, lambda who: who.view.ply > 8)
        assert second.closed == "kicked"
        assert not any(b'"view":{' in frame for frame in second.frames[count + 1 :])
        await table.stop()

    run(main())
