"""Chaos: seeded schedules of people who are slow, vanish, repeat themselves, and tables that crash.

After each, the checker: every acknowledged action is in the log exactly once, everybody's last view
is the one that the log gives, no card was lost or made, every deal verifies.
"""

import asyncio
import gc
import hashlib
import sys
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import Any

import numpy as np

from karma import fair
from karma.moves import Move
from karma.protocol.state import Settings
from karma.refusals import Refusal
from karma.store import StoreError
from karma.store.memory import MemoryLog
from karma.table import Inline, Table, requests
from karma.table.clients.sight import show_view
from karma.table.log.envelope import decode
from karma.table.log.state import TableState
from karma.view import View
from people import Person, bytes_from, table_for
from virtual import run

CLOCKS = ("none", "relaxed", "fast")
WHOLE_GAME = 1 << 30
AT_ONCE = 50
YOUNG_OBJECTS = 50_000
"""So many before Python's collector looks at them: an eighth less time in all."""
EDITIONS = (("mini", 4), ("online", 3), ("classic", 6), ("alternative", 6))


class SlowStore(MemoryLog):
    """A store that takes its time before and after it writes, and sometimes cannot."""

    def __init__(self, chance: np.random.Generator) -> None:
        super().__init__()
        self.chance = chance
        self.faulty = True

    async def append(self, table: str, after: int, entries: Sequence[bytes], *more: Any) -> None:
        await asyncio.sleep(self.chance.exponential(0.02))
        if self.faulty and self.chance.random() < 0.01:
            raise StoreError("the disk is full")
        await super().append(table, after, entries, *more)
        await asyncio.sleep(self.chance.exponential(0.02))


class MoodyBots(Inline):
    """Bots that think, and now and then hang, crash or talk nonsense."""

    levels = ("moody",)

    def __init__(self, chance: np.random.Generator) -> None:
        self.chance = chance

    async def choose(self, level: str, view: View, seed: int) -> Any:
        mood = self.chance.random()
        await asyncio.sleep(100 if mood < 0.01 else self.chance.exponential(0.3))
        if 0.01 < mood < 0.02:
            raise RuntimeError("moody")
        if 0.02 < mood < 0.03:
            return Move("N")
        return view.legal[int(self.chance.integers(len(view.legal)))]


class Chaos:
    """One seeded evening at one table."""

    def __init__(self, seed: int, plies: int = 30) -> None:
        self.chance = np.random.default_rng([7, seed])
        self.plies = plies
        self.store = SlowStore(self.chance)
        edition, most = EDITIONS[int(self.chance.integers(len(EDITIONS)))]
        people = int(self.chance.integers(1, 4))
        bots = int(self.chance.integers(2 - min(people, 2), max(1, min(most, 4) - people) + 1))
        self.bots = min(bots, most - people)
        if people + self.bots < 2:
            self.bots = 1
        self.settings = Settings(
            edition=edition,
            clock=CLOCKS[int(self.chance.integers(3))],
            spectators="live",
            rules={"stall_limit": 30},
        )
        self.people = [Person(f"p{i}", np.random.default_rng([seed, i])) for i in range(people)]
        self.watcher = Person("watcher", np.random.default_rng([seed, 99]))
        self.crashes = 0
        self.table = self._new_table()

    def _new_table(self) -> Table:
        return table_for(
            self.store,
            secret=bytes_from(self.chance),
            thinker=MoodyBots(self.chance),
            report=self._report,
        )

    def _report(self, what: str, error: BaseException) -> None:
        assert "crashed" in what and isinstance(error, RuntimeError), what

    @property
    def done(self) -> bool:
        state = self.table.state
        return (
            state.phase in ("over", "closed")
            or (state.phase == "playing" and state.ply >= self.plies)
            or asyncio.get_running_loop().time() > 3000
        )

    async def run(self) -> str:
        """Plays the evening, checks it, and returns the log's hash."""
        host = self.people[0]
        self.store.faulty = False
        await self.table.create(host.player, host.player, self.settings, bots=["moody"] * self.bots)
        for other in self.people[1:]:
            await self.table.join(other.player, other.player, invite=self.table.state.invite)
        await self.table.join("watcher", "watcher", invite=self.table.state.invite, spectate=True)
        for each in self.people:
            await each.sit(self.table)
        await host.tell(self.table, requests.host.Start(id="start"))
        while "start" not in host.acked:
            await host.box.arrived.wait()
            host.look()
        self.store.faulty = True
        await asyncio.gather(
            self._crash_now_and_then(),
            self._live(self.watcher),
            *(self._live(each) for each in self.people),
        )
        await self._check()
        digest = hashlib.sha256(b"\n".join(self.store.logs["table"])).hexdigest()
        await self.table.stop()
        return digest

    async def _crash_now_and_then(self) -> None:
        while not self.done:
            await asyncio.sleep(self.chance.exponential(20))
            if self.done:
                return
            await self._crash()

    async def _crash(self) -> None:
        self.crashes += 1
        old, self.table = self.table, self._new_table()
        await old.stop()
        for each in (*self.people, self.watcher):
            each.box.close("stopping")
        await self.table.load()

    async def _live(self, who: Person) -> None:
        """One person's evening: answers in time or not, twice, or from a lost connection."""
        pending: requests.Request | None = None
        while not self.done:
            table = self.table
            try:
                if who.client is None or who.box.closed:
                    await who.sit(table)
                    if pending is not None:
                        await who.tell(table, pending)
                elif who.chance.random() < 0.03:
                    await table.disconnect(who.client)
                    await asyncio.sleep(who.chance.exponential(20))
                    who.client = None
                    continue
            except Refusal as refusal:
                assert refusal.code in ("stopping", "not_stored", "closed"), refusal
                await asyncio.sleep(1)
                continue
            await self._nap(who)
            who.look()
            if pending is not None and pending.id not in who.acked and not _refused(who, pending):
                if who.chance.random() < 0.5 and not who.box.closed:
                    await who.tell(table, pending)
                continue
            pending = self._wish(who)
            if pending is not None and not who.box.closed:
                for _ in range(1 + (who.chance.random() < 0.2)):
                    await who.tell(table, pending)

    async def _nap(self, who: Person) -> None:
        """Waits for news, or just waits: sometimes longer than the clocks do."""
        long = who.chance.random() < 0.02
        delay = who.chance.exponential(40.0 if long else 0.4)
        bored = asyncio.get_running_loop().call_later(delay, who.box.arrived.set)
        await who.box.arrived.wait()
        bored.cancel()
        await asyncio.sleep(0.01)

    def _wish(self, who: Person) -> Any:
        whim = who.chance.random()
        seated = who.you is not None and who.you.seat is not None
        if seated and whim < 0.01:
            return self._unkept(who, requests.seats.StepAway(id=who.next_id()))
        if seated and whim < 0.05 and who.seats[who.you.seat].covered:
            return requests.seats.TakeBack(id=who.next_id())
        if seated and who.table is not None and who.table.paused:
            return requests.host.Resume(id=who.next_id())
        if whim < 0.06:
            return requests.host.Pause(id=who.next_id())
        if whim < 0.07:
            return requests.host.Rotate(id=who.next_id())
        if whim < 0.08:
            return self._unkept(who, requests.talk.Say(id=who.next_id(), phrase="ouch"))
        if whim < 0.10 and who.view is not None:
            ply = max(0, who.view.ply - 1)
            return requests.game.Act(id=who.next_id(), game=1, ply=ply, moves=["P"])
        if seated and who.seats[who.you.seat].covered == "asked":
            return requests.seats.TakeBack(id=who.next_id())
        return who.answer()

    def _unkept(self, who: Person, message: requests.Request) -> requests.Request:
        """An action that may be acknowledged without being kept: talk, or what is so already."""
        who.talk.add(message.id)
        return message

    # ---- the checker ----------------------------------------------------------------------------

    async def _check(self) -> None:
        self.store.faulty = False
        log = self.store.logs["table"]
        lines = [decode(line) for line in log]
        actions = Counter((line.player, line.action) for line in lines if line.action)
        assert not [action for action, times in actions.items() if times > 1]
        for each in (*self.people, self.watcher):
            each.look()
            for action in each.acked:
                kept = actions[each.player, action]
                assert kept == 1 or action in each.talk, f"{action} was lost"
        replayed = TableState("table")
        for line in lines:
            replayed.apply(line)
        assert replayed.game is not None
        _count_cards(replayed)
        for each in (*self.people, self.watcher):
            await self._sees_what_the_log_gives(each)
        for finished in self.store.finished:
            finished.record.replay()
            fair.check(finished.record)

    async def _sees_what_the_log_gives(self, who: Person) -> None:
        if not self.table.has(who.player) or self.table.state.phase == "closed":
            return
        await who.sit(self.table)
        who.look()
        replayed = TableState("table")
        for line in self.store.logs["table"]:
            replayed.apply(decode(line))
        shown = show_view(replayed, replayed.seat_of(who.player))
        assert shown is not None
        if who.version == replayed.version:
            assert who.view == shown
        else:  # somebody has moved since
            assert who.version is not None and who.version < replayed.version


def _refused(who: Person, message: requests.Request) -> bool:
    return any(refused.id == message.id for refused in who.refused)


def _count_cards(state: TableState) -> None:
    game = state.game
    assert game is not None
    position = game.position()
    cards = [
        *(card for zone in ("hands", "face_up", "face_down") for s in position[zone] for card in s),
        *position["pile"],
        *position["draw_pile"],
        *position["removed"],
    ]
    assert Counter(card for card in cards if card) == Counter(game.rules.full_deck)


async def _one(seed: int, plies: int) -> str:
    try:
        return await Chaos(seed, plies).run()
    except BaseException as error:
        error.add_note(f"tests/chaos.py 1 {seed} plays this table again")
        raise


async def _all(seeds: range, plies: int) -> list[str]:
    return await asyncio.gather(*(_one(seed, plies) for seed in seeds))


def evening(seeds: range, plies: int = WHOLE_GAME) -> list[str]:
    """A table for each seed, a game each, all of them in one virtual time; their logs' hashes."""
    return run(_all(seeds, plies))


def main() -> None:
    """`tests/chaos.py TABLES [SEED [DONE]]`: so many tables from a seed, on all processors.

    Who has stopped it goes on behind those that were done.
    """
    tables, seed, first = (*map(int, sys.argv[1:]), 0, 0)[:3]
    print(f"seed {seed}", flush=True)
    every = range(seed * tables, (seed + 1) * tables)
    evenings = [every[start : start + AT_ONCE] for start in range(first, tables, AT_ONCE)]
    digest, done = hashlib.sha256(), first
    gc.freeze()
    with ProcessPoolExecutor(initializer=gc.set_threshold, initargs=(YOUNG_OBJECTS,)) as processes:
        for hashes in processes.map(evening, evenings):
            digest.update("".join(hashes).encode())
            done += len(hashes)
            print(f"{done} of {tables} tables", file=sys.stderr, flush=True)
    played = f"{tables - first} games, nothing lost, doubled or made"
    print(f"{played}; the logs' hash is {digest.hexdigest()}")


if __name__ == "__main__":
    main()
