"""The compiled loop: games between the quick policies, and what happened in each, as numbers."""

from __future__ import annotations

from typing import Any

from karma.bots.policies import policy
from karma.core import apply, deal, fill_deck, legal
from karma.core.kernel import below, entry, kernel
from karma.core.layout import (
    CAME_BACK,
    COMPLETED_SET,
    GAVE,
    NOBODY,
    OVER,
    PICKED_UP,
    Record,
)
from karma.core.rules import kind_of

Array = Any
LOSER, ENDED, PLIES, SETS, PICK_UPS, GIVES, COMEBACKS, COLUMNS = range(8)  # of a game's result
LOST, STALLED, UNFINISHED = range(3)  # how a game ended


@kernel
def shuffle(state: Record, rng: Array) -> None:
    """Puts the deck into a random order."""
    for i in range(state.deck_size - 1, 0, -1):
        j = below(rng, i + 1)
        state.deck[i], state.deck[j] = state.deck[j], state.deck[i]


@kernel
def make(rules: Record, state: Record, move: int, log: Array, result: Array) -> None:
    """Makes a move, and counts what it did."""
    log[0] = 0
    apply(rules, state, move, log)
    for i in range(1, 1 + log[0]):
        what = log[i] & 255
        if what == COMPLETED_SET:
            result[SETS] += 1
        elif what == PICKED_UP:
            result[PICK_UPS] += 1
        elif what == GAVE:
            result[GIVES] += 1
        elif what == CAME_BACK:
            result[COMEBACKS] += 1


@kernel
def finish(state: Record, result: Array) -> None:
    """Writes down how a game ended."""
    result[LOSER] = state.loser
    result[PLIES] = state.ply
    if state.phase != OVER:
        result[ENDED] = UNFINISHED
    elif state.loser == NOBODY:
        result[ENDED] = STALLED


@entry
def shuffled_deck(rules: Array, states: Array, rng: Array, kinds: Array) -> int:
    """Writes the kinds of a shuffled deck down; returns how many cards it has."""
    state = states[0]
    fill_deck(rules[0], state)
    shuffle(state, rng)
    for place in range(state.deck_size):
        kinds[place] = kind_of(state.deck[place])
    return state.deck_size  # type: ignore[no-any-return]


@entry
def play_games(
    rules: Array,
    states: Array,
    lineups: Array,
    decks: Array,
    chances: Array,
    limit: int,
    log: Array,
    results: Array,
    moves: Array,
) -> None:
    """Plays one game for each line-up of policies, from a word for the deck and one for chance.

    Moves are written down as far as there are rows for them.
    """
    state = states[0]
    for game in range(len(lineups)):
        fill_deck(rules[0], state)
        shuffle(state, decks[game : game + 1])
        deal(rules[0], state, lineups.shape[1], lineups.shape[1] - 1)
        rng = chances[game : game + 1]
        while state.phase != OVER and state.ply < limit:
            plays, others = legal(rules[0], state)
            move = policy(lineups[game, state.actor], rules[0], state, plays, others, rng)
            if game < len(moves):
                moves[game, state.ply] = move
            make(rules[0], state, move, log, results[game])
        finish(state, results[game])


@entry
def count_game(
    rules: Array, states: Array, seats: int, deck: Array, moves: Array, log: Array, result: Array
) -> None:
    """Counts what happened in a game that was played move by move, from the word of its deck."""
    state = states[0]
    fill_deck(rules[0], state)
    shuffle(state, deck)
    deal(rules[0], state, seats, seats - 1)
    for move in moves:
        make(rules[0], state, move, log, result)
    finish(state, result)
