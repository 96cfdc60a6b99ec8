"""What all searches share: the view they start from, their chance, their threads and their time."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple, TypeVar

import numpy as np

from karma.bots.bot import check_turn
from karma.bots.chance import word
from karma.moves import Move
from karma.packing import new_states
from karma.view import View

Array = Any
T = TypeVar("T")


class Question:
    """A decision to be made: the records that kernels take, and when an answer is due."""

    def __init__(self, view: View, seed: int, milliseconds: int, remembers: bool = True) -> None:
        self.rules = view.packed_rules
        self.view = view.record if remembers else _forgetful(view)
        self.moves = np.array([move.number for move in view.legal], np.int64)
        self._layout = view.rules
        self._chance = (seed, view.ply, view.seat)
        self._due = time.perf_counter() + milliseconds / 1000 if milliseconds else None

    def states(self, number: int) -> Array:
        """Room for states, of the layout that the rules need."""
        return new_states(self._layout, number)

    def chance(self, *numbers: int) -> Array:
        """A word of chance for a part of the work, the same whenever it is asked again."""
        seed, ply, seat = self._chance
        return word(seed, ply, seat, *numbers)

    @property
    def late(self) -> bool:
        """Is the answer due?"""
        return self._due is not None and time.perf_counter() >= self._due

    def spend(self, turns: int, chunk: int, work: Callable[[int], None]) -> None:
        """Does so many turns of work; looks at the clock after each chunk if there is a limit."""
        while turns > 0:
            step = turns if self._due is None else min(turns, chunk)
            work(step)
            turns -= step
            if self.late:
                break


def _forgetful(view: View) -> Array:
    """The view of someone who does not remember which cards others took."""
    record = view.record.copy()
    for seat in range(len(view.players)):
        if seat != view.seat:
            record["known"][0, seat] = 0
    return record


class Budget(NamedTuple):
    """How many rollouts a decision is worth, of which style, and what others are thought to do."""

    rollouts: int
    style: int
    model: int = 0  # of 16 moves of others in a tree, so many are the rollouts' own

    def at(self, view: View, crowd: int, style: int) -> Budget:
        """This budget, or what suits three or more players: `crowd` per cent of it, in a style.

        Steady's rules are for two: at larger tables they choose nearly as greedy does, at twice the
        price. And there a tree grows too slowly to find out what each of the others will do: half
        of the time they are thought to play as in the rollouts.
        """
        if crowd == 0 or len(view.players) == 2:
            return self
        return Budget(self.rollouts * crowd // 100, style, 8)


class Workers:
    """Does parts of the work one after another, or at once on several threads.

    Kernels let one another run, and parts share nothing: the answers are the same either way.
    """

    def __init__(self, threads: int) -> None:
        self._pool = ThreadPoolExecutor(threads) if threads > 1 else None

    def map(self, work: Callable[[int], T], parts: Sequence[int]) -> list[T]:
        """The answers of all parts, in order."""
        if self._pool is None:
            return [work(part) for part in parts]
        return list(self._pool.map(work, parts))


def only_move(view: View) -> Move | None:
    """The move of a view that leaves no choice."""
    check_turn(view)
    return view.legal[0] if len(view.legal) == 1 else None
