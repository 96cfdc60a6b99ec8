"""The kernels from inside a kernel: whole games without a log are the same games."""

import numpy as np
import pytest

from karma import CLASSIC, EDITIONS, ONLINE, Game
from karma.core import apply, deal, fill_deck, legal
from karma.core.kernel import below, count, entry, nth, random_words
from karma.core.layout import OVER, PICK_UP
from karma.moves import Move
from karma.packing import new_states, pack_deck

PLIES = 300
HOUSES = [
    *EDITIONS.values(),
    CLASSIC.replace(drawing="manual", set_effect="give-rest", stall_limit=40),
    CLASSIC.replace(decks=2, copies=4, set_counts="top", karma_sets=False),
    ONLINE.replace(decks=2, stall_limit=10, set_effect="give-rest", give_to="anyone"),
]


@entry
def fill(rules, states):
    fill_deck(rules[0], states[0])


@entry
def playout(rules, states, seats, dealer, rng, moves):
    """Plays at random without a log; writes the moves down and returns how many."""
    deal(rules[0], states[0], seats, dealer)
    for ply in range(len(moves)):
        if states[0].phase == OVER:
            return ply
        plays, others = legal(rules[0], states[0])
        if plays != 0 and others == 1:
            others ^= others  # picks up only when forced
        n = below(rng, count(plays) + count(others))
        move = nth(plays, n) if n < count(plays) else PICK_UP + nth(others, n - count(plays))
        moves[ply] = move
        apply(rules[0], states[0], move, None)
    return len(moves)


@pytest.mark.parametrize("rules", HOUSES, ids=str)
def test_the_deck_is_filled_with_the_cards_of_the_game(rules):
    filled, packed = new_states(rules), new_states(rules)
    fill(rules.packed, filled)
    pack_deck(rules.full_deck, packed)
    size = len(rules.full_deck)
    assert filled["deck_size"][0] == packed["deck_size"][0] == size
    assert filled["deck"][0, :size].tolist() == packed["deck"][0, :size].tolist()


@pytest.mark.parametrize("rules", HOUSES, ids=str)
def test_a_game_without_a_log_is_the_same_game(rules, rng):
    for players in {2, rules.most_players}:
        game = Game(rules, players, seed=players, dealer=0)
        states = new_states(rules)
        pack_deck(game.deck, states)
        moves = np.zeros(PLIES, np.int64)
        plies = playout(rules.packed, states, players, 0, random_words(rng), moves)
        for number in moves[:plies].tolist():
            game.push(Move(number))
        assert game._state.tobytes() == states.tobytes()
        assert game.over or plies == PLIES
