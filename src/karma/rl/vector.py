"""Many games at once for Gymnasium: a batch of games steps in compiled code, on all cores.

In each game the learner has one seat, and quick policies or the trained network play the others:
nothing goes through Python between two decisions of the learner. A game that is over is followed by
the next one in the same step.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np
from gymnasium.spaces import Discrete
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from karma.bots.net import net_for
from karma.bots.network import new_work
from karma.bots.policies import POLICIES
from karma.core.layout import MOVES
from karma.packing import new_states
from karma.rl.batch import (
    ANY_SEAT,
    NET,
    Batch,
    Buffers,
    deal_games,
    step_games,
)
from karma.rl.gymnasium import observation_space, opponents_of
from karma.rl.task import Task
from karma.simulation import cores
from karma.simulation.lineup import LIMIT

Array = Any


def new_buffers(games: int, size: int) -> Buffers:
    """Buffers for so many games."""
    return Buffers(
        np.zeros((games, size), np.int8),
        np.zeros((games, MOVES), np.int8),
        np.zeros(games, np.float32),
        np.zeros(games, np.bool_),
        np.zeros(games, np.bool_),
        np.zeros((games, size), np.int8),
    )


class VectorKarma(VectorEnv):
    """A batch of games, each with one seat for the learner; compiled, on all cores.

    `opponents` are names of quick policies or ``net``, one for all or one for each. The same seed
    gives the same games, however many threads there are. An illegal action loses the game.

    >>> batch = VectorKarma(64, edition="mini", opponents="greedy")
    >>> observations, infos = batch.reset(seed=1)
    >>> observations.shape, infos["action_mask"].shape
    ((64, 282), (64, 98))
    """

    metadata: ClassVar[dict[str, Any]] = {"autoreset_mode": AutoresetMode.SAME_STEP}

    def __init__(
        self,
        num_envs: int = 1,
        edition: str = "mini",
        players: int = 2,
        rules: Mapping[str, Any] | None = None,
        opponents: str | Sequence[str] = "greedy",
        seat: int | None = None,
        rewards: str = "loser",
        limit: int = LIMIT,
        threads: int | None = None,
    ) -> None:
        self.task = Task(edition, players, rules, rewards, limit)
        self.num_envs = num_envs
        self.single_observation_space = observation_space(players)
        self.single_action_space = Discrete(MOVES)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.buffers = new_buffers(num_envs, self.single_observation_space.shape[0])
        if seat is not None and not 0 <= seat < players:
            raise ValueError(f"there is no seat {seat}; seats are 0 to {players - 1}")
        self._rngs = np.zeros(num_envs, np.int64)
        self._dealt = False
        threads = max(1, min(cores() if threads is None else threads, num_envs))
        edges = [num_envs * part // threads for part in range(threads + 1)]
        self._parts = [slice(first, last) for first, last in pairwise(edges)]
        self._batches = [
            self._batch(part, opponents_of(opponents, players), seat) for part in self._parts
        ]
        self._pool = ThreadPoolExecutor(threads - 1) if threads > 1 else None

    def _batch(self, part: slice, opponents: list[str], seat: int | None) -> Batch:
        """The games of one thread."""
        weights = net_for(self.task.rules, self.task.players) if "net" in opponents else None
        if "net" in opponents and weights is None:
            raise ValueError(f"no network plays {self.task.rules} for {self.task.players}")
        games = part.stop - part.start
        return Batch(
            states=new_states(self.task.rules, games + 1),
            seats=np.zeros(games, np.int64),
            seat=ANY_SEAT if seat is None else seat,
            rngs=self._rngs[part],
            opponents=np.array([_number_of(name) for name in opponents]),
            limit=self.task.limit,
            by_place=np.array(self.task.by_place),
            weights=weights,
            work=None if weights is None else new_work(weights),
        )

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: Mapping[str, Any] | None = None,
    ) -> tuple[Any, dict[str, Any]]:
        """Deals every game, or those of ``options["reset_mask"]``."""
        self.reset_into(self.buffers, seed=seed, chosen=(options or {}).get("reset_mask"))
        return self.buffers.observations.copy(), {"action_mask": self.buffers.masks.copy()}

    def step(self, actions: Array) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """Steps every game; the arrays that come back are the caller's own."""
        self.step_into(actions, self.buffers)
        buffers = Buffers(*(buffer.copy() for buffer in self.buffers))
        infos: dict[str, Any] = {"action_mask": buffers.masks}
        ended = buffers.terminations | buffers.truncations
        if ended.any():
            infos |= {"final_obs": buffers.final_observations, "_final_obs": ended}
        return (
            buffers.observations,
            buffers.rewards,
            buffers.terminations,
            buffers.truncations,
            infos,
        )

    def reset_into(
        self,
        buffers: Buffers,
        *,
        seed: int | Sequence[int | None] | None = None,
        chosen: Array | None = None,
    ) -> None:
        """Deals games, all or the chosen ones, and writes into the learner's buffers."""
        if chosen is None or not self._dealt:
            chosen = np.ones(self.num_envs, np.bool_)
        self._seed(seed)
        self._dealt = True
        self._run(deal_games, buffers, chosen)

    def step_into(self, actions: Array, buffers: Buffers) -> None:
        """Steps every game, and writes what comes of it into the learner's buffers."""
        if not self._dealt:
            raise ValueError("call reset before step: no game is dealt yet")
        actions = np.asarray(actions, np.int64)
        if actions.shape != (self.num_envs,):
            raise ValueError(f"actions of shape {actions.shape} for {self.num_envs} games")
        self._run(step_games, buffers, actions)

    def _run(self, work: Any, buffers: Buffers, array: Array) -> None:
        """Runs compiled code for each thread's games, the first of them in this thread."""
        calls = [
            (self.task.rules.packed, batch, array[part], Buffers(*(b[part] for b in buffers)))
            for part, batch in zip(self._parts, self._batches, strict=True)
        ]
        later = [self._pool.submit(work, *call) for call in calls[1:]] if self._pool else []
        work(*calls[0])
        for future in later:
            future.result()

    def _seed(self, seed: int | Sequence[int | None] | None) -> None:
        """Gives each game a word of chance; without a seed, a game goes on with the one it has."""
        if isinstance(seed, Sequence):
            for game, number in enumerate(seed):
                if number is not None or not self._dealt:
                    self._rngs[game] = np.random.default_rng(number).integers(1, 2**63 - 1)
        elif seed is not None or not self._dealt:
            self._rngs[:] = np.random.default_rng(seed).integers(1, 2**63 - 1, self.num_envs)

    def close_extras(self, **_: Any) -> None:
        """Ends the threads."""
        if self._pool is not None:
            self._pool.shutdown()


def _number_of(opponent: str) -> int:
    if opponent == "net":
        return NET
    if opponent not in POLICIES:
        raise ValueError(
            f"{opponent!r} cannot play in compiled code; {', '.join(POLICIES)} and net can"
        )
    return POLICIES.index(opponent)
