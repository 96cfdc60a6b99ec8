"""Every bot: blind to what it may not know, legal on odd positions, the same for the same seed."""

import numpy as np
import pytest

import karma
from karma.bots import BOTS
from karma.bots.chance import words
from karma.core import imagine
from karma.core.layout import NOBODY
from karma.editions import OPTIONS, Rules, RulesError
from karma.packing import new_states
from karma.view import View

#: Every bot, those that search with few rollouts: the code is the same.
SPECS = [f"{name}:rollouts=60" if "rollouts" in BOTS[name].options else name for name in BOTS]
#: Those whose search takes a time limit and several threads.
LIMITED = [
    f"{name}:rollouts=60"
    for name in BOTS
    if {"milliseconds", "threads", "rollouts"} <= {*BOTS[name].options}
]


def house_rules(generator: np.random.Generator) -> Rules:
    """Rules that some family may play."""
    while True:
        chosen = {}
        for name, option in OPTIONS.items():
            if name != "stall_limit" and generator.random() < 0.5:
                chosen[name] = option.values[int(generator.integers(len(option.values)))]
        try:
            rules = karma.edition(str(generator.choice(list(karma.EDITIONS))), **chosen)
            rules.check_players(2)
        except RulesError:
            continue
        return rules.replace(stall_limit=200)


def positions(seed: int, number: int) -> list[karma.Game]:
    """Games of random rules, stopped somewhere where there is something to decide."""
    generator = np.random.default_rng(seed)
    found: list[karma.Game] = []
    while len(found) < number:
        rules = house_rules(generator)
        players = int(generator.integers(2, rules.most_players + 1))
        game = karma.Game(rules, players, seed=int(generator.integers(2**31)))
        for _ in range(int(generator.integers(150))):
            if not game.over:
                game.push(game.legal[int(generator.integers(len(game.legal)))])
        while not game.over and len(game.legal) == 1:
            game.push(game.legal[0])
        if not game.over:
            found.append(game)
    return found


@pytest.mark.parametrize("spec", SPECS)
def test_legal_on_random_positions_of_random_house_rules(spec: str) -> None:
    bot = karma.make_bot(spec, seed=3)
    for game in positions(seed=1, number=40):
        assert bot.choose(game.view(game.actor)) in game.legal


@pytest.mark.parametrize("spec", SPECS)
def test_blindfold_nothing_hidden_makes_a_difference(spec: str) -> None:
    """Everything hidden from the mover is dealt anew: the same seed gives the same move."""
    bot = karma.make_bot(spec, seed=5)
    for number, game in enumerate(positions(seed=2, number=15)):
        seat = game.actor
        assert seat is not None
        view = game.view(seat)
        chosen = bot.choose(view)
        states = new_states(game.rules, 3)
        assert imagine(game.rules.packed, view.record, states, words(number)) >= 0
        for world in states:
            other = game.copy()
            other._state = world.reshape(1).copy()
            assert other.view(seat) == view
            assert bot.choose(other.view(seat)) == chosen


@pytest.mark.parametrize("spec", SPECS)
def test_asking_twice_gives_the_same_move(spec: str) -> None:
    for game in positions(seed=3, number=10):
        view = game.view(game.actor)
        moves = {karma.make_bot(spec, seed=9).choose(view) for _ in range(2)}
        assert len(moves) == 1


@pytest.mark.parametrize("spec", LIMITED)
def test_threads_do_not_change_the_move(spec: str) -> None:
    for game in positions(seed=4, number=6):
        view = game.view(game.actor)
        assert karma.make_bot(f"{spec},threads=3", seed=9).choose(view) == karma.make_bot(
            spec, seed=9
        ).choose(view)


@pytest.mark.parametrize("spec", LIMITED)
def test_a_time_limit_is_kept_by_giving_up_rollouts(spec: str) -> None:
    name = spec.partition(":")[0]
    bot = karma.make_bot(f"{name}:rollouts=1000000000,milliseconds=20", seed=1)
    game = karma.Game(karma.CLASSIC, 2, seed=1)
    assert bot.choose(game.view(0)) in game.legal


@pytest.mark.parametrize("spec", SPECS)
def test_a_view_that_came_as_json_will_do(spec: str) -> None:
    bot = karma.make_bot(spec, seed=2)
    for game in positions(seed=6, number=10):
        view = View.parse(game.view(game.actor).json())
        assert view.record["seat"][0] != NOBODY
        assert bot.choose(view) in game.legal
