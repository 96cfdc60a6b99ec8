"""`master`: the network's best moves, looked at more closely.

Worlds that fit the view are drawn, and in each of them every candidate move is tried: all seats go
on by the network, each from its own knowledge in that world, until the master has decided a few
times more; there the network says what the position is worth. The worlds are the same for every
move, and half of the moves are dropped half-way. No seat ever looks at another's hidden cards, so
nothing is gained by knowing the world.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from karma.bots.chance import words
from karma.bots.net import UNLIMITED, net_for, opinions, without_net
from karma.bots.network import Weights, Work, best_move, certain, chance, first_turning, new_work
from karma.bots.policies import uniform
from karma.core import apply, determinize, legal, prepare
from karma.core.kernel import count, entry
from karma.core.layout import OVER
from karma.core.rules import number_of
from karma.moves import Move
from karma.packing import new_states
from karma.view import View

Array = Any
SHRINK = 0.998  # as in training: sooner wins are worth more
LONGEST = 200  # moves of a trial
BATCH = 16  # worlds between two looks at the clock
CANDIDATES = 4


@entry
def look_ahead(
    rules: Array,
    views: Array,
    states: Array,
    moves: Array,
    worlds: int,
    decisions: int,
    weights: Weights,
    work: Work,
    rng: Array,
    totals: Array,
) -> None:
    """Tries each move in the same worlds, and adds up what the master's position is worth then.

    Of the four states the first is what the view shows, then a world, a trial and a spare.
    """
    pool = np.zeros(200, np.int64)
    view = views[0]
    length = prepare(rules[0], view, states[0], pool)
    for _ in range(worlds):
        states[1] = states[0]
        determinize(view, states[1], pool, length, rng)
        for i in range(len(moves)):
            states[2] = states[1]
            apply(rules[0], states[2], moves[i], None)
            made = 0
            worth = -1.0
            while worth < 0:
                if states[2].phase == OVER:
                    worth = chance(certain(states[2], view.seat))
                    break
                plays, others = legal(rules[0], states[2])
                if count(first_turning(plays)) + count(others) == 1:
                    move = number_of(uniform(plays, others, rng))
                else:
                    move, logit = best_move(rules[0], states, 2, 3, weights, work)
                    if states[2].actor == view.seat:
                        made += 1
                        if made >= decisions or states[2].ply > view.ply + LONGEST:
                            worth = chance(logit)
                apply(rules[0], states[2], move, None)
            totals[i] += worth * SHRINK**made


class MasterBot:
    """The network's best moves, tried out in worlds that fit the view."""

    def __init__(
        self,
        name: str,
        *,
        seed: int = 0,
        worlds: int = 200,
        decisions: int = 2,
        milliseconds: int = UNLIMITED,
    ) -> None:
        self.name = name
        self.seed = seed
        self.worlds = worlds
        self.decisions = decisions
        self.milliseconds = milliseconds

    def choose(self, view: View) -> Move:
        """The candidate that did best; within the time limit, if there is one."""
        begun = time.monotonic()
        weights = net_for(view.rules, len(view.players))
        if weights is None:
            return without_net(self.seed, self.milliseconds).choose(view)
        if len(view.legal) == 1:
            return view.legal[0]
        thought = opinions(view, weights)
        # Face-down cards are all alike: one of them is enough.
        different = {thought[move]: move for move in reversed(view.legal)}.values()
        moves = sorted(different, key=lambda move: (-thought[move].worth, move.number))
        moves = moves[:CANDIDATES]
        totals = np.zeros(len(moves))
        states, work = new_states(view.rules, 4), new_work(weights)
        rng = words(self.seed, view.ply, view.seat)
        done = 0
        while done < self.worlds and len(moves) > 1:
            if self.milliseconds and 1000 * (time.monotonic() - begun) > self.milliseconds:
                break
            if done >= self.worlds // 2 and len(moves) > 2:
                best = np.argsort(-totals, kind="stable")[: (len(moves) + 1) // 2]
                moves, totals = [moves[i] for i in best], totals[best]
            batch = min(BATCH, self.worlds - done)
            look_ahead(
                view.packed_rules,
                view.record,
                states,
                np.array([move.number for move in moves]),
                batch,
                self.decisions,
                weights,
                work,
                rng,
                totals,
            )
            done += batch
        return moves[int(np.argmax(totals))]
