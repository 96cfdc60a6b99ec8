"""Thoughts: the decisions that a table's bots are thinking about, and what came of them."""

import asyncio
from collections.abc import Awaitable, Callable

from karma.advice import Reason, reasons
from karma.bots.program import Trouble
from karma.clock import Clock
from karma.game import Game
from karma.moves import InvalidMove, Move
from karma.refusals import IllegalMove, Refusal
from karma.review.hint import Numbers, numbers_if_compiled
from karma.table.bots.foreign_bots import ForeignBots, SeatedBot, happened
from karma.table.bots.moments import Moments
from karma.table.bots.port import Thinker, best, safe_move
from karma.table.deadlines import Terms
from karma.table.log.choices import asking
from karma.table.log.state import TableState
from karma.view import View

Thought = tuple[int, int, int, str]
"""What tells one decision of a seat from every other: game, ply, moves taken back, bot's level."""
Answered = Callable[[int, Thought, list[str], str | None], Awaitable[None]]
"""Takes a seat's moves, or why there are none."""


class Thoughts:
    """What bots think about, one thought a seat, each in a task of its own."""

    def __init__(
        self,
        thinker: Thinker,
        clock: Clock,
        terms: Terms,
        answered: Answered,
        crashed: Callable[[str, BaseException], None],
    ) -> None:
        self._thinker = thinker
        self._clock = clock
        self._terms = terms
        self._answered = answered
        self._crashed = crashed
        self._thoughts: dict[int, tuple[Thought, asyncio.Task[None]]] = {}
        self._advice: set[asyncio.Task[None]] = set()
        self._foreign = ForeignBots(terms.thinking)
        self._moments = Moments(terms.pace)
        self._factor = 1.0

    @property
    def tasks(self) -> list[asyncio.Task[None]]:
        return [task for _, task in self._thoughts.values()] + list(self._advice)

    def change_pace(self, factor: float) -> None:
        """Has bots take so many times as long as usual, for as long as one person plays."""
        self._factor = factor

    def forget(self) -> None:
        """Lets no bot think any more."""
        for _, task in self._thoughts.values():
            task.cancel()
        self._thoughts.clear()

    def end(self) -> None:
        """Lets the bots of other people go, when the table stops."""
        self._foreign.leave()

    def ask(self, state: TableState) -> None:
        """Asks the bots that have to decide, and forgets what others were thinking about."""
        wanted = {
            seat: _thought(state, seat) for seat in state.asked() if state.chairs[seat].moved_by_bot
        }
        for seat, (thought, task) in list(self._thoughts.items()):
            if wanted.get(seat) != thought:
                task.cancel()
                del self._thoughts[seat]
        for seat, thought in wanted.items():
            if seat not in self._thoughts:
                thinking = self._think(state, seat, thought)
                task = asyncio.get_running_loop().create_task(thinking)
                self._thoughts[seat] = thought, task

    def take(self, state: TableState, seat: int, thought: Thought) -> bool:
        """Takes an answer; False if it comes too late to matter."""
        if self._thoughts.get(seat, (None,))[0] != thought:
            return False
        del self._thoughts[seat]
        return seat in state.asked() and _thought(state, seat) == thought

    async def _think(self, state: TableState, seat: int, thought: Thought) -> None:
        """Gets a bot's moves; what goes wrong is told in their place."""
        level = thought[-1]
        view, game = _asked(state, seat)
        moves: list[str] = []
        why = None
        began = self._clock.now()
        try:
            bot = self._foreign.at(seat, (thought[0], state.undone), level, thought[0])
            if bot is None:
                longest = self._terms.thinking * self._terms.starved
                async with self._thinker.turn(level), asyncio.timeout(longest):
                    began = self._clock.now()  # waiting is not thinking
                    chosen = await self._moves(level, thought[0], view, game)
            else:
                await bot.ready()
                began = self._clock.now()
                async with asyncio.timeout(self._terms.thinking):
                    chosen = await _ask(bot, state, view, game)
            moves = [str(move) for move in chosen]
        except TimeoutError:
            why = "hang"
        except (IllegalMove, InvalidMove):
            why = "nonsense"
        except Trouble as trouble:
            self._crashed(f"bot {level}: {trouble}", trouble)
            why = trouble.kind
        except Exception as error:
            self._crashed(f"bot {level} crashed", error)
            why = "crash"
        self._moments.change_pace(self._factor if len(state.people) == 1 else 1.0)
        taken = (self._clock.now() - began) / 1000
        wait = self._moments.wait(thought[0], seat, level, taken, failed=why is not None)
        await self._clock.sleep(wait - (self._clock.now() - began) / 1000)
        await self._answered(seat, thought, moves, why)

    async def _moves(self, level: str, number: int, view: View, game: Game | None) -> list[Move]:
        if game is None:
            move = await self._thinker.choose(level, view, _seed(number, view))
            if move not in view.legal:
                raise InvalidMove(f"the bot answered {move!r}")
            return [move]
        moves: list[Move] = []
        assert view.seat is not None
        while asking(game, view.seat):
            now = game.view(view.seat)
            moves.append(await self._thinker.choose(level, now, _seed(number, now)))
            game.push(moves[-1])
        return moves

    def advise(
        self,
        state: TableState,
        seat: int,
        told: Callable[[int, list[str], list[Reason], Numbers], None],
    ) -> None:
        """Has the best bot think about a seat's view; tells the ply, what it would do, and why.

        One at a time: who asks again before it has answered is refused.
        """
        if self._advice:
            raise Refusal("too_fast", seconds=1)
        view, game = _asked(state, seat)
        safe = safe_moves(state, seat)

        async def advise() -> None:
            level = best(self._thinker.levels)
            moves, numbers = [Move(text) for text in safe], Numbers()
            try:
                async with self._thinker.turn(level), asyncio.timeout(self._terms.thinking):
                    moves = await self._moves(level, state.number, view, game)
                    numbers = await self._thinker.work(numbers_if_compiled, view, moves[0])
            except Exception:
                pass  # then the safe moves are advised, or the move without numbers
            told(view.ply, [str(move) for move in moves], reasons(moves, view), numbers)

        task = asyncio.get_running_loop().create_task(advise())
        self._advice.add(task)
        task.add_done_callback(self._advice.discard)


async def _ask(bot: SeatedBot, state: TableState, view: View, game: Game | None) -> list[Move]:
    """The moves of a bot of other people: one, or all its choices while the table chooses."""
    events = [] if state.game is None else happened(state.game)
    if game is None:
        return [await bot.choose(view, events)]
    assert view.seat is not None
    moves: list[Move] = []
    while asking(game, view.seat):
        moves.append(await bot.choose(game.view(view.seat), events))
        game.push(moves[-1])
    return moves


def safe_moves(state: TableState, seat: int) -> list[str]:
    """The safe move for a seat, or all its choices while the table chooses."""
    view, asked = _asked(state, seat)
    if asked is None:
        return [str(safe_move(view))]
    moves: list[Move] = []
    while asking(asked, seat):
        moves.append(safe_move(asked.view(seat)))
        asked.push(moves[-1])
    return [str(move) for move in moves]


def _asked(state: TableState, seat: int) -> tuple[View, Game | None]:
    """A seat's view and, while the table chooses, a copy of the game to try choices in."""
    view = state.view(seat)
    assert view is not None
    return view, state.choosing.asked(seat) if state.choosing is not None else None


def _thought(state: TableState, seat: int) -> Thought:
    view = state.view(seat)
    assert view is not None
    return state.number, view.ply, state.undone, state.chairs[seat].level


def _seed(number: int, view: View) -> int:
    return number << 20 | view.ply
