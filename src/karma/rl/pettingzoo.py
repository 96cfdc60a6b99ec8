"""Karma for PettingZoo: every seat is an agent, and they act in turn (AEC).

>>> from karma.rl import pettingzoo
>>> environment = pettingzoo.env(edition="mini", players=2)
>>> environment.reset(seed=7)
>>> observation, reward, termination, truncation, info = environment.last()
>>> environment.agent_selection, observation["action_mask"].nonzero()[0].tolist()
('seat_0', [82, 84, 85, 87, 89, 94])
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete
from pettingzoo import AECEnv

from karma.core.layout import MOVES
from karma.game import Game
from karma.moves import ALL
from karma.rl import observation
from karma.rl.picture import draw
from karma.rl.task import Task
from karma.simulation.lineup import LIMIT

AFTER_RESET = (
    "agents",
    "agent_selection",
    "rewards",
    "terminations",
    "truncations",
    "infos",
    "game",
)


def env(**arguments: Any) -> raw_env:
    """The environment; see `raw_env`. It needs no wrappers, which would take half of the time."""
    return raw_env(**arguments)


class raw_env(AECEnv):
    """A game of Karma between agents; an illegal action is an error, and says why."""

    metadata: ClassVar[dict[str, Any]] = {
        "name": "karma_v1",
        "render_modes": ["human", "ansi", "rgb_array"],
        "is_parallelizable": False,
        "render_fps": 2,
    }

    def __init__(
        self,
        edition: str = "mini",
        players: int = 2,
        rules: Mapping[str, Any] | None = None,
        rewards: str = "loser",
        limit: int = LIMIT,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        self.task = Task(edition, players, rules, rewards, limit)
        self.render_mode = render_mode
        self.possible_agents = [f"seat_{seat}" for seat in range(players)]
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._random = np.random.default_rng()
        self.observation_spaces = {agent: self._space() for agent in self.possible_agents}
        self.action_spaces = {agent: Discrete(MOVES) for agent in self.possible_agents}

    def __getattr__(self, name: str) -> Any:
        """Says what is missing before the first `reset`."""
        if name in AFTER_RESET:
            raise AttributeError(f"call reset first: there is no {name} before a game is dealt")
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def _space(self) -> Dict:
        size = observation.size(self.task.players)
        return Dict(
            {
                "observation": Box(0, observation.MOST, (size,), np.int8),
                "action_mask": Box(0, 1, (MOVES,), np.int8),
            }
        )

    def observation_space(self, agent: str) -> Dict:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Discrete:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Deals; the same seed deals the cards that `karma.Game` deals with it."""
        if seed is not None:
            self._random = np.random.default_rng(seed)
        dealt = self._random if seed is None else seed
        self.game = Game(self.task.rules, self.possible_agents, seed=dealt)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[self.game.actor or 0]

    def observe(self, agent: str) -> dict[str, Any]:
        """What a seat knows, and which of its actions are legal: none while it does not act."""
        row, mask = observation.observe(self.game.view(self._seats[agent]))
        return {"observation": row, "action_mask": mask}

    def step(self, action: int | None) -> None:
        """Makes the move with this number for the agent whose turn it is."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        game = self.game
        game.push(ALL[action])  # type: ignore[index]
        self._cumulative_rewards[agent] = 0.0
        actor = game.actor
        if actor is None:
            assert game.outcome is not None
            self.rewards = dict(zip(self.agents, self.task.rewards_of(game.outcome), strict=True))
            self.terminations = dict.fromkeys(self.agents, True)
            self._accumulate_rewards()
            self._deads_step_first()
        elif game.ply >= self.task.limit:
            self.truncations = dict.fromkeys(self.agents, True)
            self._deads_step_first()
        else:
            self.agent_selection = self.agents[actor]
        if self.render_mode == "human":
            self.render()

    def render(self) -> Any:
        """The table as the acting seat sees it: printed, as text, or as a picture."""
        view = self.game.view(self._seats[self.agent_selection])
        if self.render_mode == "rgb_array":
            return draw(view)
        if self.render_mode == "human":
            print(view)
            return None
        return str(view)

    def close(self) -> None:
        """Nothing was opened."""
