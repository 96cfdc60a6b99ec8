"""How fast the engine is: rates a second of processor time, on one core.

Each measurement is a function that is asked for so many seconds of work and returns rows.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np

from karma.bots.chance import words
from karma.bots.policies import any_play
from karma.core import (
    apply,
    deal,
    fill_deck,
    imagine,
    legal,
    look,
    new_log,
    new_view,
    start,
    step,
)
from karma.core.kernel import entry
from karma.core.layout import OVER
from karma.editions import ALTERNATIVE, CLASSIC, MINI, ONLINE, Rules
from karma.game import Game
from karma.packing import CALLS, new_states, pack_deck
from karma.record import Record
from karma.simulation.lineup import LIMIT, Lineup
from karma.simulation.loop import shuffle

Array = Any
Row = dict[str, Any]
_TABLES: tuple[tuple[Rules, int], ...] = (
    (CLASSIC, 2),
    (CLASSIC, 4),
    (CLASSIC, 6),
    (CLASSIC.replace(decks=2), 8),
    (ALTERNATIVE, 4),
    (MINI, 2),
    (MINI, 4),
    (ONLINE, 2),
    (ONLINE, 3),
)
_USUAL: tuple[Rules, int] = (CLASSIC, 4)


@entry
def playouts(rules: Array, states: Array, seats: int, games: int, rng: Array, limit: int) -> int:
    """Plays random games, picking up only when nothing can be played; returns the moves made."""
    state = states[0]
    steps = 0
    for _ in range(games):
        fill_deck(rules[0], state)
        shuffle(state, rng)
        deal(rules[0], state, seats, seats - 1)
        while state.phase != OVER and state.ply < limit:
            plays, others = legal(rules[0], state)
            apply(rules[0], state, any_play(plays, others, rng), None)
        steps += state.ply
    return steps


def _rate(work: Callable[[], int], seconds: float) -> float:
    """How many units of work a second of processor time; the first call only warms up."""
    work()
    units = 0
    began = time.process_time()
    while (passed := time.process_time() - began) < seconds:
        units += work()
    return units / passed


def _row(name: str, table: tuple[Rules, int] | None, value: float, unit: str) -> Row:
    row: Row = {"name": name}
    if table is not None:
        rules, players = table
        row |= {"edition": rules.edition, "players": players}
        if rules.overrides:
            row["rules"] = rules.overrides
    return row | {"value": value, "unit": unit}


# ---- the measurements ---------------------------------------------------------------------------


def _playouts(seconds: float) -> Iterator[Row]:
    for rules, players in _TABLES:
        states, rng = new_states(rules), words(1, players)

        def play(
            rules: Rules = rules, players: int = players, s: Any = states, r: Any = rng
        ) -> int:
            return playouts(rules.packed, s, players, 500, r, LIMIT)

        yield _row("playouts", (rules, players), _rate(play, seconds), "steps/s")


def _record(table: tuple[Rules, int]) -> Record:
    rules, players = table
    return (
        Lineup(rules, ("beginner@1",) * players, seed=1).play(np.arange(1), record=True).records[0]
    )


def _core_from_python(seconds: float) -> Iterator[Row]:
    rules, players = _USUAL
    record = _record(_USUAL)
    moves = [move.number for move in record.replay().moves]
    packed, states, log = rules.packed, new_states(rules), new_log()
    step = CALLS[states.itemsize].step
    pack_deck(record.deck, states)

    def play() -> int:
        start(packed, states, players, record.dealer)
        for move in moves:
            step(packed, states, move, log)
        return len(moves)

    yield _row("core-from-python", _USUAL, _rate(play, seconds), "steps/s")


def _game_from_python(seconds: float) -> Iterator[Row]:
    record = _record(_USUAL)
    moves = list(record.replay().moves)

    def play() -> int:
        game = Game(record.rules, record.players, deck=record.deck)
        for move in moves:
            game.push(move)
        return len(moves)

    yield _row("game-from-python", _USUAL, _rate(play, seconds), "steps/s")


def _views(seconds: float) -> Iterator[Row]:
    rules, _ = _USUAL
    states, view = _middle(), new_view()
    look = CALLS[states.itemsize].look

    def observe() -> int:
        for _ in range(1000):
            look(rules.packed, states, 1, view)
        return 1000

    yield _row("views", _USUAL, _rate(observe, seconds), "views/s")


def _worlds(seconds: float) -> Iterator[Row]:
    rules, _ = _USUAL
    view, worlds, rng = new_view(), new_states(rules, 1000), words(1)
    look(rules.packed, _middle(), 1, view)

    def sample() -> int:
        imagine(rules.packed, view, worlds, rng)
        return len(worlds)

    yield _row("worlds", _USUAL, _rate(sample, seconds), "worlds/s")


def _middle() -> Array:
    """The state in the middle of a game."""
    rules, players = _USUAL
    record = _record(_USUAL)
    states, log = new_states(rules), new_log()
    pack_deck(record.deck, states)
    start(rules.packed, states, players, record.dealer)
    moves = record.replay().moves
    for move in moves[: len(moves) // 2]:
        step(rules.packed, states, move.number, log)
    return states


def _replay(seconds: float) -> Iterator[Row]:
    line = _record(_USUAL).dumps()

    def replay() -> int:
        Record.loads(line).replay()
        return 1

    yield _row("replay", _USUAL, _rate(replay, seconds), "records/s")


_FIRST_MOVE = "import karma; karma.Game(karma.CLASSIC, 4, seed=1).push('{move}')"


def _import(seconds: float) -> Iterator[Row]:
    yield _row("import", None, _seconds_of("import karma"), "s")


def _first_move(seconds: float) -> Iterator[Row]:
    move = Game(CLASSIC, 4, seed=1).legal[0]
    yield _row("first-move", _USUAL, _seconds_of(_FIRST_MOVE.format(move=move)), "s")


def _seconds_of(script: str) -> float:
    """The time that a fresh Python takes for a script, beyond its own start."""

    def run(text: str) -> float:
        began = time.perf_counter()
        subprocess.run([sys.executable, "-c", text], check=True, env=dict(os.environ))
        return time.perf_counter() - began

    run(script)  # what can be cached, is
    return max(0.0, min(run(script) for _ in range(3)) - min(run("") for _ in range(3)))


def _state_bytes(seconds: float) -> Iterator[Row]:
    for table in (_USUAL, (CLASSIC.replace(decks=2), 8)):
        yield _row("state-bytes", table, new_states(table[0]).itemsize, "bytes")


MEASUREMENTS: dict[str, Callable[[float], Iterator[Row]]] = {
    "playouts": _playouts,
    "core-from-python": _core_from_python,
    "game-from-python": _game_from_python,
    "views": _views,
    "worlds": _worlds,
    "replay": _replay,
    "import": _import,
    "first-move": _first_move,
    "state-bytes": _state_bytes,
}


def bench(names: Iterable[str], seconds: float) -> Iterator[Row]:
    """The rows of these measurements, each of so many seconds."""
    for name in names:
        yield from MEASUREMENTS[name](seconds)
