"""When a bot's move is seen tells nothing of what it thought about, nor for how long."""

import asyncio
from collections import Counter

import numpy as np
import pytest

from karma.moves import Move
from karma.protocol.state import Settings
from karma.store.memory import MemoryLog
from karma.table import Terms, requests
from karma.table.bots.moments import MOST, QUICK, SEARCH
from karma.table.bots.port import Inline, ladder, searches
from karma.table.log.envelope import decode
from karma.table.log.games import Made
from karma.table.log.state import TableState
from karma.view import View
from people import Person, over, table_for
from virtual import run


class HonestBots(Inline):
    """Bots that find a forced move at once, and think about any other for some time."""

    def __init__(self, seed: int, longest: float) -> None:
        super().__init__(ladder())
        self.chance = np.random.default_rng(seed)
        self.longest = longest

    async def choose(self, level: str, view: View, seed: int) -> Move:
        thinking = self.longest * (0.2 + 0.8 * self.chance.random())
        await asyncio.sleep(0.001 if len(view.legal) == 1 else thinking)
        return view.legal[int(self.chance.integers(len(view.legal)))]


def first_wait(level: str, pace: float) -> float:
    return max(pace, SEARCH if searches(level) else QUICK)


def watched(level: str, pace: float, longest: float) -> tuple[list[int], list[bool]]:
    """The times of a game's bots as a spectator has them, and whether each move was forced."""

    async def main() -> MemoryLog:
        store = MemoryLog()
        table = table_for(store, thinker=HonestBots(3, longest), terms=Terms(pace=pace))
        rules = {"stall_limit": 30}
        settings = Settings(edition="mini", rules=rules)
        await table.create("Ana", "Ana", settings, bots=[level] * 3, watch=True)
        ana = Person("Ana", np.random.default_rng(0))
        await ana.sit(table)
        await ana.play(table, over)
        moves = [step for step in ana.happened if step.events]
        assert [step.at for step in moves] == times_of(store)
        await table.stop()
        return store

    store = run(main())
    forced, times, state, before = [], [], TableState("table"), 0
    for line in map(decode, store.logs["table"]):
        if isinstance(line.entry, Made) and state.choosing is None:
            assert state.game is not None
            forced.append(len(state.game.legal) == 1)
            times.append(line.at - before)
        state.apply(line)
        before = line.at
    return times, forced


def times_of(store: MemoryLog) -> list[int]:
    state, times = TableState("table"), []
    for line in map(decode, store.logs["table"]):
        if state.apply(line)[0].events:
            times.append(line.at)
    return times


def guessed(times: list[int], forced: list[bool]) -> float:
    """How often the best rule by time alone is right about which moves were forced."""
    by_time: dict[int, Counter[bool]] = {}
    for time, was in zip(times, forced, strict=True):
        by_time.setdefault(time, Counter())[was] += 1
    return sum(max(counter.values()) for counter in by_time.values()) / len(times)


def blindly(forced: list[bool]) -> float:
    return max(Counter(forced).values()) / len(forced)


@pytest.mark.parametrize("pace", [0.0, 0.7])
@pytest.mark.parametrize("level", ladder())
def test_forced_moves_cannot_be_guessed_from_times(level: str, pace: float) -> None:
    times, forced = watched(level, pace, 0.9 * first_wait(level, pace))
    assert any(forced) and not all(forced)
    assert guessed(times, forced) == blindly(forced)


@pytest.mark.parametrize("pace", [0.0, 0.7])
@pytest.mark.parametrize("level", ["greedy", "master"])
def test_thoughts_that_miss_their_moment_tell_it_once_or_twice(level: str, pace: float) -> None:
    times, forced = watched(level, pace, (MOST - 0.5) * first_wait(level, pace))
    told = (guessed(times, forced) - blindly(forced)) * len(times)
    assert len(set(times)) <= 3
    assert told <= 3 * 2  # three seats, each of which is late twice at most


def test_choices_come_at_fixed_moments_too() -> None:
    async def main() -> None:
        store = MemoryLog()
        table = table_for(store, thinker=HonestBots(3, 0.2), terms=Terms(pace=0.7))
        await table.create("Ana", "Ana", Settings(), bots=["greedy"] * 3)
        ana = Person("Ana", np.random.default_rng(0))
        await ana.sit(table)
        await ana.tell(table, requests.host.Start(id="start"))
        await ana.play(table, lambda who: who.view is not None and who.view.phase != "choose")
        lines = list(map(decode, store.logs["table"]))
        chosen = [
            line.at for line in lines if isinstance(line.entry, Made) and line.entry.by == "bot"
        ]
        assert len(set(chosen[:3])) == 1
        await table.stop()

    run(main())


def test_bots_are_as_quick_as_the_one_person_likes() -> None:
    async def main() -> None:
        async def lasting(pace: str, second: bool) -> int:
            table = table_for(MemoryLog(), thinker=HonestBots(3, 0.001), terms=Terms(pace=1.0))
            await table.create("Ana", "Ana", Settings(edition="mini"), bots=["greedy"] * 2)
            people = [Person("Ana", np.random.default_rng(0))]
            if second:
                people.append(Person("Bo", np.random.default_rng(1)))
                await table.join("Bo", "Bo", invite=table.state.invite)
            for person in people:
                await person.sit(table)
            await people[0].tell(table, requests.game.SetPace(id="pace", pace=pace))
            await people[0].tell(table, requests.host.Start(id="start"))
            await asyncio.gather(*(person.play(table, over) for person in people))
            times = [step.at for step in people[0].happened if step.events]
            await table.stop()
            return times[-1] - times[0]

        quick, usual, slow = [await lasting(pace, False) for pace in ("off", "normal", "slow")]
        assert quick < usual < slow
        assert await lasting("off", True) == await lasting("slow", True)

    run(main())
