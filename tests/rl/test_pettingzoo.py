"""PettingZoo's own tests, and what an agent is told."""

import warnings

import numpy as np
import pytest
from pettingzoo.test import api_test, render_test, seed_test

from karma import EDITIONS, Game, IllegalMove
from karma.rl import pettingzoo
from karma.rl.observation import parts

TABLES = [("mini", 2), ("classic", 4), ("alternative", 6), ("online", 3)]


@pytest.mark.parametrize(("edition", "players"), TABLES)
def test_pettingzoo_accepts_the_environment(edition, players, capsys):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # it would rather have no masks
        api_test(pettingzoo.env(edition=edition, players=players), num_cycles=300)


def test_pettingzoo_finds_equal_games_for_equal_seeds():
    seed_test(pettingzoo.env, num_cycles=300)


def test_pettingzoo_can_render_it(capsys):
    render_test(pettingzoo.env, custom_tests={"ansi": lambda text: "Draw pile" in text})
    assert "Draw pile" in capsys.readouterr().out


def play(environment, rng, seed):
    """Plays a game, more or less at random; returns the rewards by agent and how it ended."""
    environment.reset(seed=seed)
    rewards, ended = {}, set()
    for agent in environment.agent_iter():
        observation, reward, terminated, truncated, _ = environment.last()
        rewards[agent] = rewards.get(agent, 0) + reward
        action = None
        if terminated or truncated:
            ended.add("terminated" if terminated else "truncated")
        else:
            legal = np.flatnonzero(observation["action_mask"])
            action = int(rng.choice(legal[:3]))  # rarely picks up, so that games come to an end
        environment.step(action)
    return rewards, ended


@pytest.mark.parametrize(("edition", "players"), TABLES)
def test_the_loser_loses_one_and_the_others_share_it(edition, players, rng):
    environment = pettingzoo.env(edition=edition, players=players)
    outcome = None
    while outcome is None or outcome.loser is None:  # a few games of such players stall
        rewards, ended = play(environment, rng, seed=None)
        outcome = environment.unwrapped.game.outcome
    assert ended == {"terminated"}
    for seat in range(players):
        expected = -1 if seat == outcome.loser else 1 / (players - 1)
        assert rewards[f"seat_{seat}"] == pytest.approx(expected)


def test_places_can_be_rewarded(rng):
    environment = pettingzoo.env(edition="classic", players=4, rewards="places")
    rewards, _ = play(environment, rng, seed=3)
    outcome = environment.unwrapped.game.outcome
    order = [*outcome.places, outcome.loser]
    assert [rewards[f"seat_{seat}"] for seat in order] == pytest.approx([1, 1 / 3, -1 / 3, -1])


def test_a_stalled_game_is_worth_nothing(rng):
    environment = pettingzoo.env(rules={"stall_limit": 10})
    for seed in range(200):
        rewards, _ = play(environment, rng, seed)
        if environment.unwrapped.game.outcome.loser is None:
            assert set(rewards.values()) == {0}
            return
    raise AssertionError("no game of random players stalled")


def test_what_comes_before_reset_says_so():
    environment = pettingzoo.env()
    for early in (lambda: environment.agents, environment.last, lambda: environment.step(0)):
        with pytest.raises(AttributeError, match="call reset first: there is no agent"):
            early()


def test_the_limit_truncates(rng):
    environment = pettingzoo.env(limit=20)
    rewards, ended = play(environment, rng, seed=3)
    assert ended == {"truncated"}
    assert set(rewards.values()) == {0}
    assert environment.unwrapped.game.ply == 20


def test_a_seed_deals_as_the_library_does():
    environment = pettingzoo.raw_env(edition="classic", players=3)
    environment.reset(seed=11)
    assert environment.game.deck == Game(EDITIONS["classic"], players=3, seed=11).deck


def test_an_illegal_action_says_why():
    environment = pettingzoo.raw_env()
    environment.reset(seed=1)
    with pytest.raises(IllegalMove, match="Three cards of the six"):
        environment.step(63)


def test_only_the_actor_has_legal_actions():
    environment = pettingzoo.raw_env()
    environment.reset(seed=1)
    assert environment.observe("seat_0")["action_mask"].any()
    assert not environment.observe("seat_1")["action_mask"].any()


def test_a_wrong_argument_says_what_would_be_right():
    with pytest.raises(ValueError, match="they can be loser or places"):
        pettingzoo.env(rewards="points")
    with pytest.raises(ValueError, match="2 to 4 can play"):
        pettingzoo.env(players=5)
    with pytest.raises(ValueError, match="there is no option 'luck'"):
        pettingzoo.env(rules={"luck": 3})


def test_what_is_hidden_does_not_change_the_observation():
    """The other hand and the draw pile are shuffled; nothing that a seat observes may change."""
    game = Game(EDITIONS["mini"], players=2, seed=5)
    hidden = list(game.deck)
    # Face-down cards, the other seat's hand and the draw pile, in the order of the deal.
    places = [*range(6), *range(12, len(hidden))]
    mixed = list(hidden)
    for place, other in zip(places, reversed(places), strict=True):
        mixed[place] = hidden[other]
    environment = pettingzoo.raw_env()
    seen = []
    for deck in (hidden, mixed):
        environment.reset(seed=5)
        environment.game = Game(environment.task.rules, players=2, deck=deck)
        seen.append(environment.observe("seat_0"))
    assert (seen[0]["observation"] == seen[1]["observation"]).all()
    assert parts(2)["hand"].of(seen[0]["observation"]).sum() == 6
