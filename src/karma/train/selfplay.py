"""Games for learning, played by the compiled core: positions after moves, and what came of them.

Each seat is played by the network that learns, by an older network, or by one of the policies. The
decisions of the learning seats become samples. A sample's worth is what the game brought, shrunk a
little by each decision still to come, and blended with what the network itself thought later
(Watkins's Q(lambda): the blend ends where a move was made only to explore).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from karma.bots.encoding import encode
from karma.bots.network import Weights, Work, best_move, chance, first_turning
from karma.bots.policies import policy, uniform
from karma.core import apply, deal, fill_deck, legal
from karma.core.kernel import below, count, entry, kernel
from karma.core.layout import NOBODY, OVER, PICK_UP, TURN_OVER, Record
from karma.core.rules import number_of

Array = Any
#: Who sits in a seat: the learner, an older network, or OTHERS + the number of a policy.
LEARNER, OLDER, OTHERS = 0, 1, 2
MOST_MOVES = 1500  # then a game counts as stalled

#: What is remembered of a decision until the game is over.
SAMPLE = np.dtype(
    [
        ("seat", "i4"),
        ("decision", "i4"),  # the seat's decisions before this one
        ("explores", "i4"),
        ("place", "i4"),  # in the end: 0 is the first to go out, n - 1 the loser, -1 nobody lost
        ("thought", "f4"),  # the worth of the best move
        ("worth", "f4"),
        ("keeps", "f4"),  # in the end: did not lose
    ],
    align=True,
)


@kernel
def shuffle_and_deal(rules: Record, state: Record, seats: int, dealer: int, rng: Array) -> None:
    fill_deck(rules, state)
    for i in range(state.deck_size - 1, 0, -1):
        j = below(rng, i + 1)
        state.deck[i], state.deck[j] = state.deck[j], state.deck[i]
    deal(rules, state, seats, dealer)


@kernel
def place_of(state: Record, seat: int) -> int:
    """The place a seat ended in, the loser last; -1 if nobody lost and it still holds cards."""
    for place in range(state.out):
        if state.places[place] == seat:
            return place
    return state.seats - 1 if state.loser == seat else NOBODY  # type: ignore[no-any-return]


@kernel
def settle(
    state: Record,
    samples: Array,
    start: int,
    end: int,
    made: Array,
    shrink: float,
    blend: float,
    stalled: float,
) -> None:
    """Writes what came of a game's decisions; `made` is how many each seat made."""
    for seat in range(state.seats):
        result = 1.0 if state.loser != seat else 0.0
        later = result  # what the seat's later decisions brought
        if state.loser == NOBODY:
            result = 1.0 - 1.0 / state.seats
            later = stalled * result
        place = place_of(state, seat)
        decision = np.int64(made[seat])
        for i in range(end - 1, start - 1, -1):
            sample = samples[i]
            if sample.seat == seat:
                sample.worth = later * shrink ** (decision - sample.decision - 1)
                sample.keeps = result
                sample.place = place
                decision = np.int64(sample.decision)
                if sample.explores:
                    later = np.float64(sample.thought)
                else:
                    later = blend * sample.worth + (1 - blend) * sample.thought
                later *= shrink


@entry
def generate(
    rules: Array,
    states: Array,
    lineup: Array,
    learner: Weights,
    older: Weights,
    work: Work,
    teacher: int,
    explore: float,
    shrink: float,
    blend: float,
    stalled: float,
    rng: Array,
    words: Array,
    samples: Array,
    results: Array,
) -> int:
    """Plays games until there is no room for one more; returns how many samples they gave.

    `lineup` says who sits where, a row for each game in turn. With a teacher, the number of a
    policy, that policy decides for the learner. `stalled` is what a stalled game is worth, of the
    even share. `results` counts games, stalled ones, and moves.
    """
    seats = lineup.shape[1]
    made = np.zeros(seats, np.int64)
    length = 0
    while length + MOST_MOVES <= len(samples):
        row = lineup[results[0] % len(lineup)]
        shuffle_and_deal(rules[0], states[0], seats, below(rng, seats), rng)
        start = length
        made[:] = 0
        while states[0].phase != OVER and states[0].ply < MOST_MOVES:
            seat = states[0].actor
            who = row[seat]
            plays, others = legal(rules[0], states[0])
            thought = 0.5
            explores = below(rng, 1000000) < explore * 1000000
            several = count(first_turning(plays)) + count(others) > 1
            if not several or (who == LEARNER and explores and teacher != NOBODY):
                move = number_of(uniform(plays, others, rng))
            elif who >= OTHERS or teacher != NOBODY:
                which = who - OTHERS if who >= OTHERS else teacher
                move = number_of(policy(which, rules[0], states[0], plays, others, rng))
            else:
                weights = learner if who == LEARNER else older
                move, logit = best_move(rules[0], states, 0, 1, weights, work)
                thought = chance(logit)
                if who == LEARNER and explores:
                    move = number_of(uniform(plays, others, rng))
            if several and who == LEARNER:
                sample = samples[length]
                sample.seat = seat
                sample.decision = made[seat]
                sample.explores = explores and teacher == NOBODY
                sample.thought = thought
                if TURN_OVER <= move < PICK_UP:
                    encode(rules[0], states[0], states[0], seat, 1, words[length])
                else:
                    states[1] = states[0]
                    apply(rules[0], states[1], move, None)
                    encode(rules[0], states[0], states[1], seat, 0, words[length])
                length += 1
            made[seat] += 1
            apply(rules[0], states[0], move, None)
        settle(states[0], samples, start, length, made, shrink, blend, stalled)
        results[0] += 1
        results[1] += states[0].loser == NOBODY
        results[2] += states[0].ply
    return length


@entry
def play_blocks(
    rules: Array,
    states: Array,
    seats: int,
    opponent: int,
    candidate: Weights,
    older: Weights,
    work: Work,
    older_work: Work,
    seeds: Array,
    scores: Array,
) -> int:
    """Plays mirrored blocks: a deck order for each seed, the candidate once in every seat.

    The other seats are the opponent's: OLDER, or OTHERS + a policy. Writes each block's share of
    games that the candidate did not lose; returns how many games stalled.
    """
    rng = np.zeros(1, np.int64)
    stalled = 0
    for block in range(len(seeds)):
        total = 0.0
        for chair in range(seats):
            rng[0] = seeds[block]
            shuffle_and_deal(rules[0], states[0], seats, 0, rng)
            while states[0].phase != OVER and states[0].ply < MOST_MOVES:
                plays, others = legal(rules[0], states[0])
                mine = states[0].actor == chair
                if count(first_turning(plays)) + count(others) == 1:
                    move = number_of(uniform(plays, others, rng))
                elif opponent >= OTHERS and not mine:
                    move = number_of(
                        policy(opponent - OTHERS, rules[0], states[0], plays, others, rng)
                    )
                elif mine:
                    move, _ = best_move(rules[0], states, 0, 1, candidate, work)
                else:
                    move, _ = best_move(rules[0], states, 0, 1, older, older_work)
                apply(rules[0], states[0], move, None)
            if states[0].loser == NOBODY:
                total += 1.0 - 1.0 / seats
                stalled += 1
            elif states[0].loser != chair:
                total += 1.0
        scores[block] = total / seats
    return stalled
