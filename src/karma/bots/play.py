"""A whole game between bots, move by move."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field

from karma.bots.bot import Bot, Listener
from karma.game import Game


@dataclass
class Effort:
    """What a seat's bot was asked: how many decisions, and the seconds they took.

    Seconds are this process's own, which other programs on the machine do not lengthen; a bot that
    thinks elsewhere says by its `clock` how its time is to be taken.
    """

    moves: list[int] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)


def play(game: Game, bots: Sequence[Bot], limit: int) -> Effort:
    """Plays a game to its end, or until so many moves have been made."""
    effort = Effort([0] * len(bots), [0.0] * len(bots))
    listeners = [bot for bot in bots if isinstance(bot, Listener)]
    while game.actor is not None and game.ply < limit:
        seat = game.actor
        view = game.view(seat)
        clock = getattr(bots[seat], "clock", time.process_time)
        began = clock()
        move = bots[seat].choose(view)
        effort.seconds[seat] += clock() - began
        effort.moves[seat] += 1
        events = game.push(move)
        for listener in listeners:
            listener.hear(events)
    return effort
