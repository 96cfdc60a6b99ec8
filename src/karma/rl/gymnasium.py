"""Karma for Gymnasium: one seat against bots.

>>> import gymnasium, karma.rl
>>> environment = gymnasium.make("karma/Mini-v1", opponents="greedy")
>>> observation, info = environment.reset(seed=7)
>>> action = info["action_mask"].nonzero()[0][0]
>>> observation, reward, terminated, truncated, info = environment.step(action)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete

from karma.bots import make_bot
from karma.bots.bot import Bot, Listener
from karma.core.layout import MOVES
from karma.editions import EDITIONS
from karma.events import Event
from karma.game import Game
from karma.moves import ALL
from karma.refusals import IllegalMove
from karma.rl import observation
from karma.rl.picture import draw
from karma.rl.task import Task
from karma.simulation.lineup import LIMIT


def register() -> None:
    """Makes ``karma/Mini-v1`` and the other editions known to Gymnasium."""
    for name in EDITIONS:
        gymnasium.register(
            f"karma/{name.capitalize()}-v1",
            entry_point="karma.rl.gymnasium:KarmaEnv",
            vector_entry_point="karma.rl.vector:VectorKarma",
            kwargs={"edition": name},
            order_enforce=False,  # it says so itself
        )


def observation_space(players: int) -> Box:
    """The space of the observations for so many players."""
    return Box(0, observation.MOST, (observation.size(players),), np.int8)


def opponents_of(opponents: str | Sequence[str], players: int) -> list[str]:
    """The opponents in the order of their turns after the learner's: one name stands for all."""
    names = [opponents] * (players - 1) if isinstance(opponents, str) else list(opponents)
    if len(names) != players - 1:
        raise ValueError(
            f"{len(names)} opponents for {players} players; give one, or {players - 1}"
        )
    return names


class KarmaEnv(gymnasium.Env):
    """A seat of a game against bots; `info["action_mask"]` has the legal actions.

    The seat is drawn for every game unless it is given. An illegal action loses the game, and
    `info["illegal"]` says why it is none.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "render_modes": ["human", "ansi", "rgb_array"],
        "render_fps": 2,
    }

    def __init__(
        self,
        edition: str = "mini",
        players: int = 2,
        rules: Mapping[str, Any] | None = None,
        opponents: str | Sequence[str] = "greedy",
        seat: int | None = None,
        rewards: str = "loser",
        limit: int = LIMIT,
        render_mode: str | None = None,
    ) -> None:
        self.task = Task(edition, players, rules, rewards, limit)
        self.opponents = opponents_of(opponents, players)
        for name in self.opponents:
            make_bot(name)
        if seat is not None and not 0 <= seat < players:
            raise ValueError(f"there is no seat {seat}; seats are 0 to {players - 1}")
        self.seat = 0 if seat is None else seat
        self._fixed = seat is not None
        self.render_mode = render_mode
        self.observation_space = observation_space(players)
        self.action_space = Discrete(MOVES)
        self.game: Game | None = None

    def reset(
        self, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Deals, and has the bots play until it is the learner's turn."""
        super().reset(seed=seed)
        if not self._fixed:
            self.seat = int(self.np_random.integers(self.task.players))
        names = ["learner"] * self.task.players
        self._bots: dict[int, Bot] = {}
        for turn, name in enumerate(self.opponents, start=1):
            seat = (self.seat + turn) % self.task.players
            self._bots[seat] = make_bot(name, seed=int(self.np_random.integers(2**31)))
            names[seat] = name
        self.game = Game(self.task.rules, names, seed=self.np_random)
        self._advance(self.game)
        return self._observe(self.game)

    def step(self, action: int) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Makes a move, and has the bots play until it is the learner's turn again."""
        if self.game is None:
            raise gymnasium.error.ResetNeeded("call reset before step: no game is dealt yet")
        try:
            self._push(self.game, int(action))
        except IllegalMove as error:
            observed, info = self._observe(self.game)
            return observed, self.task.by_place[-1], True, False, {**info, "illegal": str(error)}
        self._advance(self.game)
        outcome = self.game.outcome
        reward = 0.0 if outcome is None else self.task.rewards_of(outcome)[self.seat]
        truncated = outcome is None and self.game.ply >= self.task.limit
        observed, info = self._observe(self.game)
        if self.render_mode == "human":
            self.render()
        return observed, reward, outcome is not None, truncated, info

    def action_masks(self) -> Any:
        """Which actions are legal, as sb3-contrib asks for it."""
        assert self.game is not None
        return observation.observe(self.game.view(self.seat))[1].astype(bool)

    def _advance(self, game: Game) -> None:
        while game.actor not in (None, self.seat) and game.ply < self.task.limit:
            assert game.actor is not None
            move = self._bots[game.actor].choose(game.view(game.actor))
            self._push(game, move.number)

    def _push(self, game: Game, move: int) -> None:
        events: list[Event] = game.push(ALL[move])
        for bot in self._bots.values():
            if isinstance(bot, Listener):
                bot.hear(events)

    def _observe(self, game: Game) -> tuple[Any, dict[str, Any]]:
        row, mask = observation.observe(game.view(self.seat))
        return row, {"action_mask": mask}

    def render(self) -> Any:
        """The table as the learner's seat sees it: printed, as text, or as a picture."""
        assert self.game is not None
        view = self.game.view(self.seat)
        if self.render_mode == "rgb_array":
            return draw(view)
        if self.render_mode == "human":
            print(view)
            return None
        return str(view)
