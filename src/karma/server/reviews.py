"""Reviews: finished games gone through in the bots' processes, when no bot needs them.

A review is made little by little: between two portions every bot that waits has its turn. What was
found is kept. Of a game that goes on there is no record, and so no review.
"""

import asyncio
import sys
from collections.abc import Awaitable, Callable

from karma.editions import Rules
from karma.protocol import bodies, encode
from karma.record import Record
from karma.refusals import Refusal
from karma.review.baseline import Baseline
from karma.review.ledger import BLUNDER, Ply, Review
from karma.review.lifetime import Lifetime
from karma.review.portions import Portions
from karma.store.ports import KeptReview, Store
from karma.table.bots.shares import Claim, Share, Shares

MOST_WAITING = 8
"""So many reviews may be in the making; more are refused."""
AT_ONCE = 2
WAIT_SECONDS = 8.0
"""How long an answer waits for more to be there."""
COUNTED = 20
"""So many games' luck is counted at a time."""
BASELINES = 200
PLACES = 4
COMPILE = (
    "import os; from karma.bots.orphans import end_with; end_with(os.getppid()); os.nice(5); "
    "from karma.review.rehearsal import rehearse; rehearse()"
)


class _Making:
    """A review in the making, and the news of it."""

    def __init__(self, game: int, portions: Portions) -> None:
        self.game = game
        self.portions = portions
        self.task: asyncio.Task[None] | None = None
        self.kept: bytes | None = None
        """All of it, once the store has it: nothing is shown before."""
        self._news = asyncio.Event()

    def announce(self) -> None:
        """Wakes those who wait for news."""
        self._news.set()
        self._news = asyncio.Event()

    async def wait(self, *, has_ledger: bool) -> None:
        """Waits until there is more than who asks has, but not for long."""
        try:
            async with asyncio.timeout(WAIT_SECONDS):
                while self.kept is None and (has_ledger or not self.portions.has_ledger):
                    if self.task is not None and self.task.done():
                        self.task.result()  # raises what went wrong
                    await self._news.wait()
        except TimeoutError:
            return


class Reviews:
    """All reviews of a server."""

    def __init__(
        self,
        store: Store,
        shares: Shares,
        report: Callable[[str, BaseException], None],
        prepare: Callable[[], Awaitable[None]],
    ) -> None:
        self._store = store.reviews
        self._games = store.games
        self._shares = shares
        self._report = report
        self._prepare = prepare
        self._ready: asyncio.Task[None] | None = None
        self._making: dict[tuple[str, int], _Making] = {}
        self._turns = asyncio.Semaphore(AT_ONCE)
        self._baselines: dict[tuple[Rules, int], Baseline] = {}

    async def kept(self, table: str, game: int) -> bytes | None:
        """A review that was made before."""
        found = await self._store.of_game(table, game)
        return found.review.encode() if found is not None else None

    def makes(self, table: str, game: int) -> bool:
        """Whether a review is in the making."""
        return (table, game) in self._making

    async def of(
        self, table: str, game: int, record: Record, person: str, *, has_ledger: bool
    ) -> bytes:
        """A review as far as it is there: the ledger, or more if who asks has that already."""
        making = self._making.get((table, game))
        if making is None:
            if len(self._making) >= MOST_WAITING:
                raise Refusal("too_fast", seconds=10)
            making = _Making(game, Portions(record, self._expected(record)))
            share = self._shares.of(table, lambda: Claim(person, watched=False, spare=True))
            self._making[table, game] = making
            making.task = asyncio.create_task(self._make(table, making, share))
        await making.wait(has_ledger=has_ledger)
        if making.kept is not None:
            return making.kept
        return encode(await asyncio.to_thread(told, game, making.portions, whole=False))

    async def _make(self, table: str, making: _Making, share: Share) -> None:
        portions = making.portions
        try:
            async with self._turns:
                while not portions.whole:
                    await self._advance(portions, share)
                    making.announce()
            judge = await self._count(table, making.game, portions)
            text = encode(await asyncio.to_thread(told, making.game, portions, whole=True))
            await self._store.keep(table, making.game, KeptReview(judge, text.decode()))
            making.kept = text
        except Exception as error:
            self._report("a review failed", error)
            raise
        finally:
            del self._making[table, making.game]
            making.announce()

    async def _advance(self, portions: Portions, share: Share) -> None:
        """Has the next portion done, in its turn."""
        if self._ready is None:
            self._ready = asyncio.ensure_future(self._prepare())
        await asyncio.shield(self._ready)
        async with share.turn("review"):
            job, values = portions.next()
            portions.take(await share.work(job, *values))

    def _expected(self, record: Record) -> Baseline | None:
        return self._baselines.get((record.rules, len(record.players)))

    async def _count(self, table: str, game: int, portions: Portions) -> str:
        """Adds the luck of a game to its people's; returns who judged."""
        found, expected = portions.review, portions.expected
        assert found is not None and expected is not None
        if len(self._baselines) >= BASELINES:
            self._baselines.clear()
        self._baselines[found.record.rules, found.players] = expected
        counts = found.result is not None and not found.record.extra.get("practice")
        luck = [sum(found.luck(seat).values()) for seat in range(found.players)]
        await self._store.count_luck(table, game, found.judge, luck if counts else [])
        return found.judge

    async def close(self) -> None:
        """Leaves everything as it is; what was not kept is made again when it is asked for."""
        tasks = [self._ready, *(making.task for making in self._making.values())]
        running = [task for task in tasks if task is not None]
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)

    # ---- what people have received --------------------------------------------------------------

    async def count_some(self) -> None:
        """Counts the luck of some games that nobody has asked about, while no bot waits."""
        for table, game in await self._store.uncounted(COUNTED):
            record = await self._games.record(table, game)
            if record is None or self._shares.crowded:
                return
            portions = Portions(record, self._expected(record))
            share = self._shares.of(table, lambda: Claim("", watched=False))
            while not portions.has_ledger:
                await self._advance(portions, share)
            await self._count(table, game, portions)

    async def luck_of(self, player: str) -> bodies.PlayerLuck:
        """What chance has given a player."""
        totals = await self._store.luck_of(player)
        lives = {each.edition: Lifetime(each.games, each.luck, each.squares) for each in totals}
        total = sum(lives.values(), Lifetime())
        return bodies.PlayerLuck(
            games=total.games,
            luck=total.luck,
            usual=total.usual,
            luckier=total.luckier,
            editions=[
                bodies.ReceivedLuck(
                    edition=edition, games=life.games, luck=life.luck, usual=life.usual
                )
                for edition, life in lives.items()
            ],
        )


async def compile_reviews() -> None:
    """Has all that reviews need compiled, in a process that keeps no bot waiting."""
    process = await asyncio.create_subprocess_exec(sys.executable, "-c", COMPILE)
    try:
        await process.wait()
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


# ---- as it is shown -----------------------------------------------------------------------------


def told(game: int, portions: Portions, *, whole: bool) -> bodies.GameReview:
    """What there is of a review, as people are shown it; mistakes only if it is whole."""
    found = portions.review
    begun = bodies.GameReview(
        game=game,
        done=portions.done,
        total=portions.total,
        players=list(portions.record.players),
    )
    if found is None or not portions.has_ledger:
        return begun
    ends = [list(map(_rounded, ply.values)) for ply in found.plies]
    if found.plies:
        ends.append(list(map(_rounded, found.plies[-1].after)))
    return bodies.GameReview(
        game=game,
        done=portions.done,
        total=portions.total,
        players=list(found.record.players),
        judge=found.judge,
        worlds=found.worlds,
        seats=_ledgers(found),
        values=ends,
        deal=list(map(_rounded, found.deal)),
        chance=[
            bodies.ShownCard(
                ply=card.ply,
                what=card.what,
                seat=card.seat,
                kind=card.kind,
                luck=list(map(_rounded, card.luck)),
            )
            for card in found.cards
        ],
        movers=[ply.seat for ply in found.plies],
        mistakes=list(map(_mistake, found.mistakes)) if whole else None,
    )


def _ledgers(found: Review) -> list[bodies.SeatLedger] | None:
    if found.result is None:
        return None
    return [
        bodies.SeatLedger(
            result=found.result[seat],
            baseline=_rounded(found.baseline[seat]),
            luck={kind: _rounded(given) for kind, given in found.luck(seat).items()},
            losses=_rounded(-found.loss(seat)),
            rest=_rounded(found.rest(seat)),
        )
        for seat in range(found.players)
    ]


def _mistake(ply: Ply) -> bodies.Mistake:
    decision = ply.decision
    assert decision is not None
    reply = decision.reply
    return bodies.Mistake(
        ply=ply.ply,
        seat=ply.seat,
        move=str(ply.move),
        best=str(decision.best),
        loss=_rounded(decision.loss),
        error=_rounded(decision.error),
        blunder=decision.sure_loss >= BLUNDER,
        reasons=[
            bodies.ReviewedFact(fact=fact, best=_rounded(best), made=_rounded(made))
            for fact, best, made in decision.reasons
        ],
        reply=None
        if reply is None
        else bodies.PunishingReply(
            seat=reply.seat, move=str(reply.move), share=_rounded(reply.share)
        ),
        losses={str(move): _rounded(loss) for move, loss in decision.losses},
    )


def _rounded(share: float) -> float:
    return round(share, PLACES)
