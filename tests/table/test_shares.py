"""Whose bot thinks next: nobody waits long because others ask for much, and none fails by it."""

import asyncio
from collections import Counter
from typing import Any

import numpy as np
import pytest

from karma.protocol.state import Settings
from karma.refusals import Refusal
from karma.store.memory import MemoryLog
from karma.table import Terms, requests
from karma.table.bots.port import Inline
from karma.table.bots.shares import MOST_SECONDS, Claim, Share, Shares
from people import FirstBot, Person, table_for
from virtual import run

THOUGHT = 1.0


class Slow(Inline):
    """A thinker whose every thought takes a second, and that counts for whom."""

    levels = ("slow",)

    def __init__(self) -> None:
        self.at_once = self.most_at_once = 0

    async def choose(self, level: str, view: Any, seed: int) -> Any:
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        try:
            await asyncio.sleep(THOUGHT)
        finally:
            self.at_once -= 1
        return view.legal[0] if view is not None else None


def share(shares: Shares, table: str, person: str, *, watched: bool = True) -> Share:
    return shares.of(table, lambda: Claim(person, watched))


async def think(one: Share, done: Counter[str], times: int = 1) -> float:
    """Thinks so often, one after another; the longest wait for a turn."""
    loop, longest = asyncio.get_running_loop(), 0.0
    for _ in range(times):
        asked = loop.time()
        async with one.turn("slow"):
            longest = max(longest, loop.time() - asked)
            await one.choose("slow", None, 0)
        done[one.table] += 1
    return longest


@pytest.mark.parametrize("processes", [1, 2])
def test_a_person_with_many_tables_gets_as_much_as_one_with_a_single_table(processes: int) -> None:
    async def main() -> None:
        thinker, done = Slow(), Counter[str]()
        shares = Shares(thinker, processes)
        greedy = [
            asyncio.create_task(think(share(shares, f"t{number}", "Eve"), done, 50))
            for number in range(40)
        ]
        await asyncio.sleep(10)
        longest = await think(share(shares, "ana", "Ana"), done, 20)
        assert longest <= 2 * THOUGHT
        assert thinker.most_at_once == processes
        for task in greedy:
            task.cancel()

    run(main())


def test_tables_that_nobody_watches_come_last_and_slowest() -> None:
    async def main() -> None:
        done, shares = Counter[str](), Shares(Slow(), 1)
        alone = [
            asyncio.create_task(think(share(shares, "alone", f"p{n}", watched=False), done, 1000))
            for n in range(120)
        ]
        await asyncio.sleep(100)
        assert 20 <= done["alone"] <= 27  # a quarter of the time, though nobody else wants it
        assert await think(share(shares, "ana", "Ana"), done, 30) <= THOUGHT
        before = done["alone"]
        watched = asyncio.create_task(think(share(shares, "bo", "Bo"), done, 40))
        also = asyncio.create_task(think(share(shares, "cy", "Cy"), done, 40))
        await asyncio.gather(watched, also)
        assert done["alone"] - before <= 2
        for task in alone:
            task.cancel()

    run(main())


def test_who_is_watched_while_waiting_does_not_wait_on() -> None:
    async def main() -> None:
        done, shares, watched = Counter[str](), Shares(Slow(), 1), False
        busy = asyncio.create_task(think(share(shares, "bo", "Bo"), done, 1000))
        also = asyncio.create_task(think(share(shares, "cy", "Cy"), done, 1000))
        mine = shares.of("ana", lambda: Claim("Ana", watched))
        waiting = asyncio.create_task(think(mine, done))
        await asyncio.sleep(20)
        assert not waiting.done()
        watched = True
        await asyncio.wait_for(waiting, 3 * THOUGHT)
        for task in (busy, also):
            task.cancel()

    run(main())


def test_who_gives_up_waiting_takes_no_turn_along() -> None:
    async def main() -> None:
        done, shares = Counter[str](), Shares(Slow(), 1)
        for number in range(30):
            tasks = [
                asyncio.create_task(think(share(shares, f"t{n}", "Eve"), done)) for n in range(5)
            ]
            await asyncio.sleep(number / 10)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            assert not shares.queue
            await asyncio.wait_for(think(share(shares, "ana", "Ana"), done), 2 * THOUGHT)

    run(main())


def test_the_queue_is_known_and_too_long_is_said() -> None:
    async def main() -> None:
        done, shares = Counter[str](), Shares(Slow(), 1)
        await think(share(shares, "ana", "Ana"), done, 60)
        assert not shares.crowded
        tasks = [asyncio.create_task(think(share(shares, f"t{n}", "Eve"), done)) for n in range(40)]
        await asyncio.sleep(0.5)
        assert shares.queue == {"slow": 39}
        assert shares.seconds > MOST_SECONDS and shares.crowded
        for task in tasks:
            task.cancel()

    run(main())


def test_a_bot_that_waited_is_not_a_bot_that_failed() -> None:
    async def main() -> None:
        done, shares = Counter[str](), Shares(Slow(), 1)
        crowd = [
            asyncio.create_task(think(share(shares, f"t{n}", f"p{n}"), done, 100))
            for n in range(30)
        ]
        table = table_for(
            MemoryLog(), thinker=share(shares, "table", "Ana"), terms=Terms(thinking=5 * THOUGHT)
        )
        ana = Person("Ana", np.random.default_rng(1))
        await table.create("Ana", "Ana", Settings(edition="online"), bots=["slow"], start=True)
        await ana.sit(table)
        await ana.play(table, lambda who: who.view is not None and who.view.ply >= 8)
        assert not any(chair.failed for chair in table.state.chairs)
        for task in crowd:
            task.cancel()
        await table.stop()

    run(main())


def test_one_hint_at_a_time_is_thought_about() -> None:
    async def main() -> None:
        shares = Shares(Slow(), 1)
        table = table_for(MemoryLog(), thinker=share(shares, "table", "Ana"))
        ana = Person("Ana", np.random.default_rng(1))
        await table.create("Ana", "Ana", Settings(edition="online"), bots=["slow"], start=True)
        await ana.sit(table)
        await ana.play(table, lambda who: who.view is not None and bool(who.view.legal))
        for number in range(50):
            await ana.tell(table, requests.game.Hint(id=f"h{number}"))
        await asyncio.sleep(0.5)
        assert shares.queue.total() <= 1  # the other bot may be choosing too
        await asyncio.sleep(100)
        ana.look()
        assert len(ana.advice) == 1
        await table.stop()

    run(main())


def test_many_fresh_persons_of_one_address_get_what_its_people_may_have() -> None:
    """A stranger who makes a new player for every table gets no more by it."""

    async def main() -> None:
        shares = Shares(Slow(), 1, people_per_address=2)
        done: Counter[str] = Counter()
        here = [
            shares.of(f"t{n}", lambda n=n: Claim(f"fresh {n}", True, "192.0.2.1"))
            for n in range(20)
        ]
        there = shares.of("neighbour", lambda: Claim("Ana", True, "192.0.2.2"))
        tasks = [asyncio.create_task(think(each, done, 100)) for each in (*here, there)]
        await asyncio.sleep(90)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        assert done["neighbour"] >= 25  # a third, and not one of twenty-one

    run(main())


def test_where_bots_wait_for_long_no_more_work_is_made_for_them() -> None:
    async def main() -> None:
        crowd: list[int] = []
        table = table_for(
            MemoryLog(), thinker=FirstBot(), crowded=lambda: crowd[0] if crowd else None
        )
        ana = Person("Ana", np.random.default_rng(1))
        await table.create("Ana", "Ana", Settings(edition="mini"), bots=["first"])
        await ana.sit(table)
        crowd.append(25)
        for request in (
            requests.host.Start(id="s"),
            requests.host.AddBot(id="a", level="first"),
        ):
            await ana.tell(table, request)
            while not ana.refused or ana.refused[-1].id != request.id:
                await ana.box.arrived.wait()
                ana.look()
            assert (ana.refused[-1].code, ana.refused[-1].parameters) == (
                "too_fast",
                {"seconds": 25},
            )
        crowd.clear()
        await ana.tell(table, requests.host.Start(id="t"))
        await ana.play(table, lambda who: who.table.phase == "over")
        crowd.append(25)
        with pytest.raises(Refusal, match="Too fast"):
            await table.ask("Ana", requests.game.Rematch(id="r"))
        await table.stop()

    run(main())


def test_what_a_stranger_leaves_to_play_alone_is_refused_to_nobody_else() -> None:
    async def main() -> None:
        done, shares = Counter[str](), Shares(Slow(), 1)
        many = round(3 * MOST_SECONDS / THOUGHT)
        alone = [
            shares.of(f"t{n}", lambda n=n: Claim(f"eve{n % 10}", False, "192.0.2.1"))
            for n in range(many)
        ]
        tasks = [asyncio.create_task(think(each, done, 100)) for each in alone]
        await asyncio.sleep(30)
        assert shares.too_long("ana", "192.0.2.2") is None and not shares.crowded
        assert (shares.too_long("eve0", "192.0.2.1") or 0) > MOST_SECONDS
        assert (shares.too_long("fay", "192.0.2.1") or 0) > MOST_SECONDS  # another name of hers
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    run(main())


def test_what_may_wait_goes_after_bots_that_are_watched_and_is_not_held_up_by_others() -> None:
    async def main() -> None:
        done, shares = Counter[str](), Shares(Slow(), 1)
        spare = shares.of("review", lambda: Claim("ana", watched=False, spare=True))
        nobody = share(shares, "nobody", "zoe", watched=False)
        watched = share(shares, "watched", "bo")
        order: list[str] = []

        async def once(one: Share) -> None:
            await think(one, done)
            order.append(one.table)

        await asyncio.gather(once(watched), once(nobody), once(spare), once(watched))
        assert order == ["watched", "watched", "review", "nobody"]
        loop = asyncio.get_running_loop()
        began = loop.time()
        await think(nobody, done)
        assert loop.time() - began > THOUGHT  # nobody watches: it has to rest
        began = loop.time()
        await think(spare, done, times=3)
        assert loop.time() - began == pytest.approx(3 * THOUGHT)  # somebody waits for this one

    run(main())
