"""`master`: looks ahead in worlds that fit the view, and a network judges what it sees there."""

from __future__ import annotations

from typing import Any

import numpy as np

from karma.bots.bot import Bot
from karma.bots.choice import ends_by_favourites, load_net, mixes, player_for
from karma.bots.foresight import NODE, STATES, Leaves, search
from karma.bots.memory import new_memory
from karma.bots.net import UNLIMITED, favourite, without_net
from karma.bots.network import Weights, new_work
from karma.bots.nodes import count_visits, new_tree
from karma.bots.rollouts import GREEDY, STEADY
from karma.bots.search import Question, only_move
from karma.core.layout import MOVES, PICK_UP
from karma.moves import Move
from karma.view import View

Array = Any
CHUNK = 50  # turns of the search between two looks at the tree, and at the clock
NODES = 8  # for each turn: where moves are judged, all of them get one
#: Plies in rollouts for each turn where no network plays, for two players and for more: 60 µs.
PLIES = (600, 900)
ROOM = 100_000  # rollouts of such a search, at most
NEVER = 60  # halvings of a number of turns, which leave nothing of it
CLOSE = 0.6  # the second move is close if it was made so much as often as the first


class MasterBot:
    """A search with a network's judgement; where that is no better, the best search without."""

    def __init__(
        self,
        name: str,
        *,
        seed: int = 0,
        turns: int = 1000,
        more: int = 130,
        explore: int = 50,
        trust: int = 100,
        rollouts: int = 0,
        deep: int = 0,
        haste: int = 0,
        presses: int = 0,
        patience: int = 0,
        milliseconds: int = UNLIMITED,
        network: str | Weights | None = None,
        favourites: int = 0,
    ) -> None:
        """`network` plays, or none if it is empty; unless it is given, what was measured decides.
        It is one of the package by its name, or any other.

        `more` per cent of the turns are spent where moves are close.

        Where games have shown that it is better, `trust` per cent of the judgement at the ends of
        walks are the network's, and the rest comes from `rollouts`. Where no network plays, there
        are `deep` rollouts for each turn, or, if that is zero, as many as expert has; and with
        `haste` games that go on are worth less the longer nothing has happened.

        A search by a network goes round: two such players take the pile in turn, since whoever
        plays on first is worse off. After so many quiet turns for each player as `presses` says,
        taking the pile counts less and less; after `patience` turns the network's favourite moves
        are made. Without `presses` such games are played in haste, without a network; or by
        `favourites`, where that ends more of them.
        """
        self.name = name
        self.seed = seed
        self.turns = turns
        self.more = more * turns // 100
        self.explore = explore / 100
        self.trust = trust / 100
        self.rollouts = rollouts
        self.deep = deep
        self.haste = haste
        self.presses = presses
        self.patience = patience
        self.milliseconds = milliseconds
        self.network = network
        self.favourites = favourites

    def choose(self, view: View) -> Move:
        """The move that was made most often; within the time limit, if there is one."""
        if (only := only_move(view)) is not None:
            return only
        rules, players = view.rules, len(view.players)
        net = player_for("master", rules, players) if self.network is None else self.network
        if not net:
            return self._without_net(players).choose(view)
        weights = load_net(net) if isinstance(net, str) else net
        if 0 < self.patience * players <= view.quiet:
            if self._makes_favourites(view):
                return favourite(view, weights)
            return self._without_net(players).choose(view)
        question = Question(view, self.seed, self.milliseconds)
        nodes, size = new_tree(NODE, NODES * self.more + 64)
        memory = new_memory(self.more, view.phase == "choose")
        states, work, rng = question.states(STATES), new_work(weights), question.chance(0)
        trust = self.trust if self.network or mixes(rules, players) else 1.0
        style = STEADY if players == 2 else GREEDY
        leaves = Leaves(trust, self.rollouts, style, self.haste)
        visits = np.zeros(MOVES, np.int64)
        turns = 0
        chunk = CHUNK if self.more > self.turns or self.milliseconds else self.turns
        while not question.late and (left := self._left(turns, visits)) > 0:
            step = min(left, chunk)
            search(
                question.rules,
                question.view,
                states,
                nodes,
                size,
                step,
                self.explore,
                leaves,
                weights,
                work,
                memory,
                rng,
            )
            turns += step
            visits[:] = 0
            count_visits(nodes, visits)
        visits[PICK_UP] >>= self._pressure(view)
        # Face-down cards are all alike, and only the first is looked at.
        return max(view.legal, key=lambda move: (visits[move.number], -move.number))

    def _pressure(self, view: View) -> int:
        """How often the turns in which the pile was taken are halved: once for each quiet turn."""
        beyond = view.quiet // len(view.players) - self.presses
        return min(1 + beyond, NEVER) if self.presses and beyond >= 0 else 0

    def _makes_favourites(self, view: View) -> bool:
        """Whoever presses does; or as it was told with a network; or measured games decide."""
        if self.presses:
            return True
        if self.network is not None:
            return self.favourites > 0
        return ends_by_favourites(view.rules, len(view.players))

    def _without_net(self, players: int) -> Bot:
        """The search without a network, which may take as long as one with it."""
        if not self.deep:
            return without_net(self.seed, self.milliseconds)
        return without_net(
            self.seed,
            self.milliseconds,
            rollouts=min(self.deep * self.turns, ROOM),
            plies=PLIES[players > 2] * self.turns,
            haste=self.haste,
        )

    def _left(self, turns: int, visits: Array) -> int:
        """How many turns are worth spending: none where no other move can become the first."""
        second, first = np.sort(visits)[-2:].tolist()
        close = turns >= self.turns and second >= CLOSE * first
        left = (self.more if close else self.turns) - turns
        return left if left >= first - second else 0
