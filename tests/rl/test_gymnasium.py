"""Gymnasium's own checker, and one seat against bots."""

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import karma.rl  # noqa: F401 - registers the environments
from karma.bots import BotError

IDS = ["karma/Mini-v1", "karma/Classic-v1", "karma/Alternative-v1", "karma/Online-v1"]


@pytest.mark.parametrize("name", IDS)
def test_gymnasium_accepts_the_environment(name, capsys):
    check_env(gymnasium.make(name, render_mode="ansi").unwrapped)


def play(environment, seed, choose):
    """Plays a game; returns the sum of the rewards, and how it ended."""
    _, info = environment.reset(seed=seed)
    total, terminated, truncated = 0, False, False
    while not (terminated or truncated):
        action = choose(np.flatnonzero(info["action_mask"]))
        _, reward, terminated, truncated, info = environment.step(action)
        total += reward
    return total, terminated


def test_a_seat_plays_whole_games_against_bots(rng):
    environment = gymnasium.make("karma/Classic-v1", players=3, opponents=["greedy", "casual"])
    results = [play(environment, seed, lambda legal: legal[0]) for seed in range(5)]
    assert all(terminated for _, terminated in results)
    assert {total for total, _ in results} <= {0.5, 0.0, -1.0}


def test_the_same_seed_gives_the_same_game():
    def story():
        environment = gymnasium.make("karma/Mini-v1", opponents="casual")
        observation, info = environment.reset(seed=3)
        rows = [observation]
        for _ in range(10):
            observation, _, _, _, info = environment.step(np.flatnonzero(info["action_mask"])[0])
            rows.append(observation)
        return np.stack(rows)

    assert (story() == story()).all()


def test_the_seat_is_drawn_or_given():
    drawn = gymnasium.make("karma/Classic-v1", players=4).unwrapped
    seats = set()
    for seed in range(20):
        drawn.reset(seed=seed)
        seats.add(drawn.seat)
    assert seats == {0, 1, 2, 3}
    given = gymnasium.make("karma/Classic-v1", players=4, seat=2).unwrapped
    given.reset(seed=1)
    assert given.game.players == ("greedy", "greedy", "learner", "greedy")


def test_pictures_and_texts():
    for mode, kind in (("rgb_array", np.ndarray), ("ansi", str)):
        environment = gymnasium.make("karma/Mini-v1", render_mode=mode)
        environment.reset(seed=1)
        assert isinstance(environment.render(), kind)


def test_an_illegal_action_loses_and_says_why():
    environment = gymnasium.make("karma/Mini-v1", disable_env_checker=True)
    environment.reset(seed=1)
    _, reward, terminated, truncated, info = environment.step(63)
    assert (reward, terminated, truncated) == (-1, True, False)
    assert "Three cards of the six" in info["illegal"]


def test_wrong_uses_say_what_would_be_right():
    environment = gymnasium.make("karma/Mini-v1").unwrapped
    with pytest.raises(gymnasium.error.ResetNeeded, match="call reset before step"):
        environment.step(0)
    environment.reset(seed=1)
    with pytest.raises(ValueError, match="3 opponents for 2 players; give one"):
        gymnasium.make("karma/Mini-v1", opponents=["greedy"] * 3)
    with pytest.raises(BotError, match="there is no bot 'gready'"):
        gymnasium.make("karma/Mini-v1", opponents="gready")
