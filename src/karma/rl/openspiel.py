"""Karma for OpenSpiel: importing this registers ``python_karma`` with pyspiel.

>>> import pyspiel, karma.rl.openspiel
>>> game = pyspiel.load_game("python_karma(edition=classic,players=3)")
>>> state = game.new_initial_state()
>>> state.is_chance_node()
True

The deck is a sample: six chance nodes at the beginning, of 32 outcomes each, choose one of 2^30
shuffled decks, and what follows is deterministic, as in the rules' core. So a history says all of a
game, and it can be serialized, which pyspiel allows no game in Python whose type says that its
chance is sampled. `rules` are options, as in ``set_size=3;stall_limit=0``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pyspiel

from karma.cards import KINDS
from karma.core import (
    REFUSED,
    imagine,
    layout,
    legal_moves,
    new_log,
    new_view,
    start,
)
from karma.editions import parse_options
from karma.game import shuffled
from karma.moves import TEXTS, from_words
from karma.packing import CALLS, new_states, pack_deck
from karma.rl import observation
from karma.rl.task import Task
from karma.view import View

DRAWS, OUTCOMES = 6, 32  # chance nodes that choose the deck, and what each can draw
MOST_PLAYERS = 12

GAME_TYPE = pyspiel.GameType(
    short_name="python_karma",
    long_name="Karma",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=MOST_PLAYERS,
    min_num_players=2,
    provides_information_state_string=True,
    provides_information_state_tensor=True,
    provides_observation_string=True,
    provides_observation_tensor=True,
    provides_factored_observation_string=False,
    parameter_specification={"edition": "mini", "players": 2, "rules": ""},
)


class KarmaGame(pyspiel.Game):
    """A game of Karma, by an edition and options of its rules."""

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        given = {**GAME_TYPE.parameter_specification, **(params or {})}
        options = dict(option.split("=", 1) for option in given["rules"].split(";") if option)
        self.task = Task(given["edition"], given["players"], parse_options(options))
        info = pyspiel.GameInfo(
            num_distinct_actions=layout.MOVES,
            max_chance_outcomes=OUTCOMES,
            num_players=self.task.players,
            min_utility=-1.0,
            max_utility=1 / (self.task.players - 1),
            utility_sum=0.0,
            max_game_length=self.task.limit,
        )
        super().__init__(GAME_TYPE, info, params or {})

    def new_initial_state(self) -> KarmaState:
        return KarmaState(self)

    def max_chance_nodes_in_history(self) -> int:
        return DRAWS

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> KarmaObserver:
        recall = iig_obs_type is not None and iig_obs_type.perfect_recall
        return KarmaObserver(self.task.players, recall)


class KarmaState(pyspiel.State):
    """A position: the core's record of it, and the public story that led there."""

    def __init__(self, game: KarmaGame) -> None:
        super().__init__(game)
        self._states = new_states(game.task.rules)
        self._draws = 0
        self._deck = 0  # the number of the deck, as far as it is drawn
        self._story = ""

    @property
    def _task(self) -> Task:
        return self.get_game().task  # type: ignore[no-any-return]

    @property
    def dealt(self) -> bool:
        """Is the deck drawn, and the game begun?"""
        return self._draws == DRAWS

    def current_player(self) -> int:
        if not self.dealt:
            return pyspiel.PlayerId.CHANCE  # type: ignore[no-any-return]
        if self.is_terminal():
            return pyspiel.PlayerId.TERMINAL  # type: ignore[no-any-return]
        return int(self._states["actor"][0])

    def is_terminal(self) -> bool:
        over = self._states["phase"][0] == layout.OVER or self._states["ply"][0] >= self._task.limit
        return self.dealt and bool(over)

    def returns(self) -> list[float]:
        """The loser's -1, which the others share; nothing for a game without a loser."""
        rewards = [0.0] * self._task.players
        loser = int(self._states["loser"][0])
        if self.is_terminal() and loser != layout.NOBODY:
            rewards = [1 / (self._task.players - 1)] * self._task.players
            rewards[loser] = -1.0
        return rewards

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return [(outcome, 1 / OUTCOMES) for outcome in range(OUTCOMES)]

    def _legal_actions(self, player: int) -> list[int]:
        if player != self.current_player():
            return []
        words = legal_moves(self._task.rules.packed, self._states)
        return [move.number for move in from_words(*words)]

    def _apply_action(self, action: int) -> None:
        if not self.dealt:
            self._draw(action)
            return
        actor = self.current_player()
        log, step = new_log(), CALLS[self._states.itemsize].step
        if step(self._task.rules.packed, self._states, action, log)[0] == REFUSED:
            raise ValueError(f"{TEXTS[action]} is not legal")
        self._story += f" {actor}{_told(action, log)}"

    def _draw(self, outcome: int) -> None:
        """Takes one draw of chance; the last one deals."""
        self._deck = OUTCOMES * self._deck + outcome
        self._draws += 1
        if self.dealt:
            rules, players = self._task.rules, self._task.players
            pack_deck(shuffled(rules, self._deck), self._states)
            start(rules.packed, self._states, players, players - 1)

    def _action_to_string(self, player: int, action: int) -> str:
        return f"draw {action}" if player == pyspiel.PlayerId.CHANCE else TEXTS[action]

    def __str__(self) -> str:
        return str(self.view(None)) if self.dealt else f"not dealt yet: {self._deck}"

    def view(self, player: int | None) -> View:
        """What a player knows: all that bots of this package are given."""
        record, look = new_view(), CALLS[self._states.itemsize].look
        seat = layout.NOBODY if player is None else player
        look(self._task.rules.packed, self._states, seat, record)
        return View(record, self._task.rules, tuple(map(str, range(self._task.players))))

    def resample_from_infostate(
        self, player: int, probability_sampler: Callable[[], float]
    ) -> KarmaState:
        """A state with the same story, in which all that the player does not know is drawn anew."""
        world = self.clone()
        words = np.array([int(probability_sampler() * 2**62) | 1], np.int64)
        imagine(self._task.rules.packed, self.view(player).record, world._states, words)
        return world  # type: ignore[no-any-return]


class KarmaObserver:
    """Observations as tensors, in the named slices of the other environments, and as strings.

    A view remembers all that is public, so that the tensor is the same with and without perfect
    recall; the string with perfect recall tells the public story too.
    """

    def __init__(self, players: int, perfect_recall: bool) -> None:
        self._perfect_recall = perfect_recall
        self.tensor = np.zeros(observation.size(players), np.float32)
        self.dict = {
            name: part.of(self.tensor) for name, part in observation.parts(players).items()
        }

    def set_from(self, state: KarmaState, player: int) -> None:
        """Writes the tensor for a player."""
        if not state.dealt:
            self.tensor[:] = 0
        else:
            self.tensor[:] = observation.observe(state.view(player))[0]

    def string_from(self, state: KarmaState, player: int) -> str:
        """What a player knows, as text."""
        if not state.dealt:
            return f"{player}: not dealt yet"
        row = observation.observe(state.view(player))[0]
        story = state._story if self._perfect_recall else ""
        return f"{player}: {row.tobytes().hex()}{story}"


def _told(action: int, log: Any) -> str:
    """A move as everybody sees it: a chosen card is hidden, a card turned over is not."""
    if action >= layout.FACE_UP:
        return "^"
    if not layout.TURN_OVER <= action < layout.PICK_UP:
        return TEXTS[action]
    return f"{TEXTS[action]}={KINDS[layout.unpacked(int(log[1]))[2]]}"


pyspiel.register_game(GAME_TYPE, KarmaGame)
