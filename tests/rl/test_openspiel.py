"""OpenSpiel's own tests on the game, and its search playing it."""

import pickle

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms import ismcts, mcts
from open_spiel.python.observation import make_observation

import karma.rl.openspiel  # noqa: F401 - registers the game
from karma.rl.observation import parts, size

GAMES = ["python_karma", "python_karma(edition=classic,players=4)", "python_karma(edition=online)"]


def played(game, moves, seed):
    """A state after some random moves."""
    state, rng = game.new_initial_state(), np.random.default_rng(seed)
    while moves and not state.is_terminal():
        moves -= not state.is_chance_node()
        state.apply_action(int(rng.choice(state.legal_actions())))
    return state


@pytest.mark.parametrize("text", GAMES)
def test_openspiel_plays_and_checks_it(text):
    pyspiel.random_sim_test(pyspiel.load_game(text), num_sims=2, serialize=True, verbose=False)


def test_the_game_and_its_states_can_be_kept():
    game = pyspiel.load_game("python_karma", {"edition": "mini", "players": 3})
    state = played(game, 25, seed=1)
    assert str(pickle.loads(pickle.dumps(game))) == str(game)
    again = game.deserialize_state(state.serialize())
    for other in (again, state.clone()):
        assert str(other) == str(state)
        assert other.legal_actions() == state.legal_actions()


def test_the_tensor_has_the_named_slices_of_the_observation():
    game = pyspiel.load_game("python_karma")
    state = played(game, 20, seed=2)
    observation = make_observation(game)
    observation.set_from(state, player=0)
    assert set(observation.dict) == set(parts(2))
    assert observation.dict["hand"].sum() == len(state.view(0).hand)
    assert len(state.information_state_tensor(0)) == size(2)


def test_another_world_is_the_same_to_the_player_and_not_to_the_others():
    game = pyspiel.load_game("python_karma(edition=classic,players=3)")
    state = played(game, 30, seed=3)
    sampler = pyspiel.UniformProbabilitySampler(0.0, 1.0)
    different = 0
    for _ in range(10):
        world = state.resample_from_infostate(1, sampler)
        assert world.information_state_string(1) == state.information_state_string(1)
        assert world.observation_tensor(1) == state.observation_tensor(1)
        different += world.information_state_string(0) != state.information_state_string(0)
    assert different


def test_the_story_hides_what_others_chose():
    game = pyspiel.load_game("python_karma")
    state = played(game, 3, seed=4)
    assert state.information_state_string(1).endswith(" 0^ 0^ 0^")


def test_openspiels_search_plays_it_and_beats_chance():
    game = pyspiel.load_game("python_karma")
    rng = np.random.RandomState(1)
    results = []
    for number in range(4):
        search = ismcts.ISMCTSBot(
            game=game,
            uct_c=1.0,
            max_simulations=8,
            evaluator=mcts.RandomRolloutEvaluator(n_rollouts=1, random_state=rng),
            random_state=rng,
            max_world_samples=ismcts.UNLIMITED_NUM_WORLD_SAMPLES,
        )
        state, seat = game.new_initial_state(), number % 2
        while not state.is_terminal():
            if state.current_player() == seat:
                action = search.step(state)
            else:
                action = int(rng.choice(state.legal_actions()))
            state.apply_action(action)
        results.append(state.returns()[seat])
    assert sum(results) >= 0


def test_wrong_parameters_say_what_would_be_right():
    with pytest.raises(ValueError, match="there is no edition 'maxi'"):
        pyspiel.load_game("python_karma(edition=maxi)")
    with pytest.raises(ValueError, match="there is no option 'luck'"):
        pyspiel.load_game("python_karma", {"rules": "luck=3"})
