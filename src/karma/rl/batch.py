"""A batch of games that steps in compiled code: the learner's move, the others', the next game."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from karma.bots.network import best_move
from karma.bots.policies import POLICIES, policy
from karma.core import VIEW, apply, deal, fill_deck, is_legal, legal, observe
from karma.core.kernel import below, entry, kernel
from karma.core.layout import MOVES, NOBODY, OVER, Record
from karma.rl.observation import write_mask, write_observation
from karma.simulation.loop import shuffle

Array = Any
NET = len(POLICIES)  # the number of the opponent that follows the network
ANY_SEAT = -1


class Batch(NamedTuple):
    """Games, and who plays in them."""

    states: Array  # one more than there are games: room to try a move in
    seats: Array  # the learner's, in each game
    seat: int  # the learner's in every game, or ANY_SEAT
    rngs: Array  # a word of chance for each game
    opponents: Array  # numbers of policies, in the order of their turns after the learner's
    limit: int  # moves until a game is cut short
    by_place: Array  # rewards, the loser's last
    weights: Any  # the network's, or None
    work: Any  # its room


class Buffers(NamedTuple):
    """Where a batch writes: an element, or a row, for each game.

    The learner may own them: any arrays of these types and shapes will do, parts of larger ones
    too.
    """

    observations: Array  # int8, games by size
    masks: Array  # int8, games by 98
    rewards: Array  # float32
    terminations: Array  # bool
    truncations: Array  # bool
    final_observations: Array  # int8, games by size: the last one of a game, where one ended


@kernel
def opponent_move(rules: Record, batch: Batch, i: int, which: int, weights: Any) -> int:
    """The move of an opponent; without a network, the compiler leaves it out."""
    if weights is not None:  # noqa: SIM102 - what the compiler has to see by itself
        if which == NET:
            spare = len(batch.states) - 1
            return best_move(rules, batch.states, i, spare, weights, batch.work)[0]
    plays, others = legal(rules, batch.states[i])
    return policy(which, rules, batch.states[i], plays, others, batch.rngs[i : i + 1])


@kernel
def play_opponents(rules: Record, batch: Batch, i: int) -> None:
    """Has the others play until it is the learner's turn, or the end."""
    state, seat = batch.states[i], batch.seats[i]
    while state.phase != OVER and state.actor != seat and state.ply < batch.limit:
        which = batch.opponents[(state.actor - seat) % state.seats - 1]
        apply(rules, state, opponent_move(rules, batch, i, which, batch.weights), None)


@kernel
def deal_game(rules: Record, batch: Batch, i: int) -> None:
    """Deals a game, and comes to the learner's first turn."""
    rng, players = batch.rngs[i : i + 1], len(batch.opponents) + 1
    fill_deck(rules, batch.states[i])
    shuffle(batch.states[i], rng)
    deal(rules, batch.states[i], players, players - 1)
    batch.seats[i] = below(rng, players) if batch.seat == ANY_SEAT else batch.seat
    play_opponents(rules, batch, i)


@kernel
def reward_of(batch: Batch, i: int, allowed: bool) -> float:
    """The learner's reward in a game that is over: by its rules, or by an illegal action."""
    state = batch.states[i]
    if not allowed:
        return batch.by_place[len(batch.by_place) - 1]  # type: ignore[no-any-return]
    if state.loser == NOBODY:
        return 0.0
    for place in range(state.out):
        if state.places[place] == batch.seats[i]:
            return batch.by_place[place]  # type: ignore[no-any-return]
    return batch.by_place[len(batch.by_place) - 1]  # type: ignore[no-any-return]


@kernel
def write_game(rules: Record, batch: Batch, i: int, view: Record, row: Array, mask: Array) -> None:
    """Writes what the learner is told of a game."""
    observe(rules, batch.states[i], batch.seats[i], view)
    write_observation(rules, view, row)
    write_mask(view.plays, view.others, mask)


@entry
def deal_games(rules: Array, batch: Batch, chosen: Array, buffers: Buffers) -> None:
    """Deals the chosen games, and writes what the learner is told of all."""
    views, masks = np.zeros(1, VIEW), buffers.masks
    for i in range(len(batch.seats)):
        if chosen[i]:
            deal_game(rules[0], batch, i)
        write_game(rules[0], batch, i, views[0], buffers.observations[i], masks[i])
        buffers.rewards[i] = 0.0
        buffers.terminations[i] = buffers.truncations[i] = False


@entry
def step_games(rules: Array, batch: Batch, actions: Array, buffers: Buffers) -> None:
    """Steps every game; where one ends, the next one is dealt. An illegal action loses the game."""
    views, no_mask = np.zeros(1, VIEW), np.zeros(MOVES, np.int8)
    for i in range(len(batch.seats)):
        state = batch.states[i]
        plays, others = legal(rules[0], state)
        allowed = 0 <= actions[i] < MOVES and is_legal(plays, others, actions[i])
        if allowed:
            apply(rules[0], state, actions[i], None)
            play_opponents(rules[0], batch, i)
        over = not allowed or state.phase == OVER
        cut_short = not over and state.ply >= batch.limit
        buffers.rewards[i] = reward_of(batch, i, allowed) if over else 0.0
        buffers.terminations[i] = over
        buffers.truncations[i] = cut_short
        if over or cut_short:
            write_game(rules[0], batch, i, views[0], buffers.final_observations[i], no_mask)
            deal_game(rules[0], batch, i)
        write_game(rules[0], batch, i, views[0], buffers.observations[i], buffers.masks[i])
