"""Shares: whose bot thinks next, where many tables ask the same few processes.

Who has used little goes first: a person with twenty tables gets as much as one with a single table,
and tables that nobody watches get what is left. Waiting is not thinking: no bot fails by it.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable, Collection
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from typing import Any

from karma.moves import Move
from karma.table.bots.port import Thinker
from karma.view import View

HALF_LIFE_SECONDS = 20.0
"""After so long, half of what somebody has used is forgotten."""
UNWATCHED_PART = 0.25
"""The part of the time that tables may have which nobody watches."""
MOST_SECONDS = 20.0
"""Where bots would have to wait for so long, no more of them are seated."""
WATCHED, SPARE, UNWATCHED = range(3)
FIRST_GUESS = 0.05
"""How long a thought takes, before any was thought."""


@dataclass(frozen=True)
class Claim:
    """For whom a table's bots think, and whether anybody looks."""

    person: str
    watched: bool
    address: str = ""
    """Where the person is: who makes many persons there gets no more than so many may have."""
    spare: bool = False
    """It is no bot's move that is asked for, but something that may wait for all of them."""

    @property
    def rank(self) -> int:
        """Who goes first: bots that somebody waits for, what may wait, and then the others."""
        if self.spare:
            return SPARE
        return WATCHED if self.watched else UNWATCHED


class _Waiting:
    """A bot that waits for its turn."""

    def __init__(self, share: "Share", level: str) -> None:
        self.share = share
        self.level = level
        self.turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()


class Shares:
    """The turns of all tables' bots."""

    def __init__(self, thinker: Thinker, processes: int, people_per_address: int = 1) -> None:
        self.thinker = thinker
        self._people = people_per_address
        self._free = processes
        self._processes = processes
        self.elsewhere = 0
        """How many of the processes are on other machines."""
        self._waiting: list[_Waiting] = []
        self._used: dict[str, tuple[float, float]] = {}
        self._mean = FIRST_GUESS
        self._rest_until = 0.0
        self._timer: asyncio.TimerHandle | None = None

    def of(self, table: str, claim: Callable[[], Claim]) -> "Share":
        """A table's share."""
        return Share(self, table, claim)

    def add(self, processes: int) -> None:
        """There are so many more elsewhere now, or fewer: those who think in them go on."""
        self.elsewhere += processes
        self._free += processes
        self._processes += processes
        self._give_turns()

    @property
    def queue(self) -> Counter[str]:
        """How many bots wait, by level."""
        return Counter(each.level for each in self._waiting)

    @property
    def seconds(self) -> float:
        """How long a bot has to wait, about, if everybody's turn comes before."""
        return len(self._waiting) * self._mean / self._processes

    @property
    def crowded(self) -> bool:
        """Whether even bots that somebody waits for have to wait for too long."""
        watched = sum(each.share.claim().rank == WATCHED for each in self._waiting)
        return watched * self._mean / self._processes > MOST_SECONDS

    def too_long(self, person: str, address: str) -> int | None:
        """How many seconds more bots of a person would wait, or wait already; None if that is well.

        Only those count who go before them, and their own and their address's: what others have
        left to play while nobody looks is refused to those others.
        """
        now = asyncio.get_running_loop().time()
        own = self._standing(Claim(person, watched=True, address=address), now)
        before = mine = 0
        for each in self._waiting:
            claim = each.share.claim()
            before += self._standing(claim, now) <= own
            mine += claim.person == person or bool(address and claim.address == address)
        seconds = max(before, mine) * self._mean / self._processes
        return round(seconds) if seconds > MOST_SECONDS else None

    @asynccontextmanager
    async def turn(self, share: "Share", level: str) -> AsyncIterator[None]:
        """Waits until it is this bot's turn, and lets the next one have it afterwards."""
        await self.thinker.prepared(level)  # nobody waits behind a level that cannot think yet
        waiting = _Waiting(share, level)
        self._waiting.append(waiting)
        self._give_turns()
        try:
            await waiting.turn
        except asyncio.CancelledError:
            if waiting in self._waiting:
                self._waiting.remove(waiting)
            else:  # it had just got its turn
                self._end_turn(share, 0.0)
            raise
        loop = asyncio.get_running_loop()
        async with self.thinker.turn(level):
            began = loop.time()
            try:
                yield
            finally:
                self._end_turn(share, loop.time() - began)

    def _give_turns(self) -> None:
        now = asyncio.get_running_loop().time()
        while self._free > 0 and self._waiting:
            ranked = [(*self._rank(each, now), each) for each in self._waiting]
            place, _, _, chosen = min(ranked, key=lambda rank: rank[:3])
            if place == UNWATCHED and now < self._rest_until:
                self._wake_at(self._rest_until)
                return
            self._waiting.remove(chosen)
            if not chosen.turn.done():
                self._free -= 1
                chosen.turn.set_result(None)

    def _rank(self, waiting: _Waiting, now: float) -> tuple[int, float, float]:
        standing = self._standing(waiting.share.claim(), now)
        return *standing, self._usage(f"table {waiting.share.table}", now)

    def _standing(self, claim: Claim, now: float) -> tuple[int, float]:
        """Where among the others somebody's bots are: the lower, the sooner it is their turn."""
        here = self._usage(f"address {claim.address}", now) / self._people if claim.address else 0.0
        return claim.rank, max(self._usage(f"person {claim.person}", now), here)

    def _usage(self, whose: str, now: float) -> float:
        used, at = self._used.get(whose, (0.0, now))
        return float(used * 0.5 ** ((now - at) / HALF_LIFE_SECONDS))

    def _end_turn(self, share: "Share", seconds: float) -> None:
        now = asyncio.get_running_loop().time()
        self._free += 1
        self._mean += (seconds - self._mean) / 20
        claim = share.claim()
        for whose in (
            f"person {claim.person}",
            f"table {share.table}",
            f"address {claim.address}",
        ):
            self._used[whose] = self._usage(whose, now) + seconds, now
        if claim.rank == UNWATCHED:
            self._rest_until = now + seconds * (1 / UNWATCHED_PART - 1)
        if len(self._used) > 10_000:
            self._used = {
                whose: used for whose, used in self._used.items() if self._usage(whose, now) > 0.01
            }
        self._give_turns()

    def _wake_at(self, when: float) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = asyncio.get_running_loop().call_at(when, self._give_turns)


class Share:
    """What a table gets of the time to think: a Thinker, to the table."""

    def __init__(self, shares: Shares, table: str, claim: Callable[[], Claim]) -> None:
        self._shares = shares
        self.table = table
        self.claim = claim

    @property
    def levels(self) -> tuple[str, ...]:
        return self._shares.thinker.levels

    @property
    def preparing(self) -> Collection[str]:
        return self._shares.thinker.preparing

    async def prepared(self, level: str) -> None:
        """Waits until bots of this level can think."""
        await self._shares.thinker.prepared(level)

    def turn(self, level: str) -> AbstractAsyncContextManager[None]:
        """Waits until it is this table's turn."""
        return self._shares.turn(self, level)

    async def choose(self, level: str, view: View, seed: int) -> Move:
        """The move of a bot of this level, in its turn."""
        return await self._shares.thinker.choose(level, view, seed)

    async def work(self, job: Callable[..., Any], *values: Any) -> Any:
        """Something else, in its turn."""
        return await self._shares.thinker.work(job, *values)
