"""Games for learning, trials and configurations: all of training that needs no torch."""

import numpy as np
import pytest

from karma.bots.choice import FOLDER
from karma.bots.encoding import BITS
from karma.bots.network import PLACES, Weights
from karma.bots.weights import load as load_weights
from karma.bots.weights import save
from karma.train.calibration import calibrate, fit, forward
from karma.train.config import Config, ConfigError, League, TrainingTable, load
from karma.train.generator import make_chunk
from karma.train.sparse import add_all, share_out
from karma.train.trial import BOUND, challenge, log_likelihood_ratio, measure
from workshop.pictures import predictions

MINI = TrainingTable("mini", 2)
CLASSIC = TrainingTable("classic", 3)


def small(**changes):
    plain = {"name": "small", "tables": [MINI, CLASSIC], "units": (16, 8), "chunk": 6000}
    return Config(**{**plain, **changes})


def random_weights(config, seed=0):
    chance = np.random.default_rng(seed)
    one, two = config.units
    heads = PLACES + 3
    sizes = [(BITS * config.words, one), (one,), (one, two), (two,), (heads, two), (heads,)]
    return Weights(*(chance.normal(0, 0.2, size).astype(np.float32) for size in sizes))


@pytest.mark.parametrize("warm", [True, False])
def test_the_same_number_gives_the_same_games(warm):
    config = small()
    weights = random_weights(config)
    first, second = (make_chunk(config, 3, weights, weights, 0.1, warm) for _ in range(2))
    assert first.words.tobytes() == second.words.tobytes()
    assert first.samples.tobytes() == second.samples.tobytes()
    assert make_chunk(config, 4, weights, weights, 0.1, warm).words.tobytes() != (
        first.words.tobytes()
    )


def test_worth_is_the_result_shrunk_by_the_decisions_still_to_come():
    config = small(tables=[MINI], shrink=0.99, blend=1.0, league=League(0.0, {"greedy": 0.5}))
    weights = random_weights(config)
    samples = make_chunk(config, 1, weights, weights, 0.0, warm=False).samples
    assert set(np.unique(samples["keeps"])) <= {0.0, 0.5, 1.0}
    assert (samples["worth"] <= samples["keeps"]).all()
    assert samples["worth"][samples["keeps"] == 0].max() == 0
    steps = np.log(samples["worth"][samples["keeps"] == 1]) / np.log(0.99)
    np.testing.assert_allclose(steps, np.round(steps), atol=1e-3)
    assert steps.min() == pytest.approx(0, abs=1e-3)  # the winning move itself


def test_a_stalled_game_is_worth_what_the_configuration_says():
    tight = TrainingTable("mini", 2, {"stall_limit": 10})
    config = small(tables=[tight], shrink=1.0, blend=1.0, stalled=0.5)
    weights = random_weights(config)
    samples = make_chunk(config, 1, weights, weights, 0.0, warm=False).samples
    stalled = samples["keeps"] == 0.5
    assert 0 < stalled.sum() < len(samples)
    assert set(samples["worth"][stalled]) == {0.25}
    assert (samples["worth"][~stalled] == samples["keeps"][~stalled]).all()


def test_with_lambda_nought_a_worth_is_the_next_thought():
    config = small(tables=[MINI], shrink=1.0, blend=0.0, league=League(0.0, {"greedy": 0.5}))
    weights = random_weights(config)
    samples = make_chunk(config, 1, weights, weights, 0.0, warm=False).samples
    same_game = np.flatnonzero(
        (samples["seat"][1:] == samples["seat"][:-1])
        & (samples["decision"][1:] > samples["decision"][:-1])
        & (samples["keeps"][1:] == samples["keeps"][:-1])
    )
    against_greedy = same_game[same_game > len(samples) * 3 // 4]
    np.testing.assert_allclose(
        samples["worth"][against_greedy], samples["thought"][against_greedy + 1], rtol=1e-5
    )


def test_places_are_those_of_the_seats():
    config = small(tables=[CLASSIC])
    weights = random_weights(config)
    samples = make_chunk(config, 1, weights, weights, 0.1, warm=True).samples
    assert set(np.unique(samples["place"])) == {0, 1, 2}
    assert ((samples["place"] == 2) == (samples["keeps"] == 0)).all()


def test_the_sparse_layer_equals_a_dense_product():
    config = small()
    weights = random_weights(config)
    words = make_chunk(config, 1, weights, weights, 0.1, warm=True).words[:200]
    bits = np.unpackbits(words.view(np.uint8), axis=1, bitorder="little").astype(np.float32)
    sums = np.zeros((200, 16), np.float32)
    add_all(words, weights.first, weights.first_bias, sums)
    np.testing.assert_allclose(sums, bits @ weights.first + weights.first_bias, atol=1e-4)
    slopes = np.zeros_like(weights.first)
    share_out(words, sums, slopes)
    np.testing.assert_allclose(slopes, bits.T @ sums, atol=1e-3)


def test_a_network_against_itself_is_even_in_every_block():
    config = small()
    weights = random_weights(config)
    for table in config.tables:
        score = measure(table, weights, weights, 20, seed=5)
        assert score.share == pytest.approx(1 - 1 / table.players)
        assert score.error == pytest.approx(0)


def test_a_bad_network_loses_to_greedy_and_is_no_champion():
    config = small()
    weights = random_weights(config)
    assert measure(MINI, weights, "greedy", 50, seed=5).share < 0.4
    verdict = challenge([MINI], weights, weights, 500, 0.02, seed=1)
    assert verdict.better is False and verdict.score.blocks < 500  # it need not play them all


@pytest.mark.parametrize(("players", "better"), [(2, False), (8, True)])
def test_a_champion_need_not_gain_as_much_where_less_is_to_be_had(monkeypatch, players, better):
    def play(table, weights, opponent, blocks, seed):
        noise = np.random.default_rng(seed).normal(0, 0.05, blocks)
        return 1 - 1 / table.players + 0.006 + noise, 0

    monkeypatch.setattr("karma.train.trial.trial", play)
    table = TrainingTable("classic", players, {"decks": 2})
    weights = random_weights(small())
    assert challenge([table], weights, weights, 5000, 0.02, seed=1).better is better


def test_the_sequential_test_weighs_the_scores():
    better = np.tile([1.0, 0.5, 0.5, 1.0, 0.0, 1.0], 500)
    assert log_likelihood_ratio(better, 0.5, 0.52) > BOUND
    assert log_likelihood_ratio(1 - better, 0.5, 0.52) < -BOUND


def test_predictions_are_those_of_the_weights():
    config = small()
    weights = random_weights(config)
    said, samples = predictions(CLASSIC, weights, 4000)
    assert said.shape == (len(samples), PLACES + 3)
    assert forward(weights, np.zeros((1, config.words), np.int64)).shape == (1, PLACES + 3)


def test_a_fit_finds_the_chances_behind_the_results():
    chance = np.random.default_rng(1)
    inputs = chance.normal(size=(20000, 3)).astype(np.float32)
    rows, bias = np.array([[0, 0, 0], [1, 0, -1], [0, 2, 0]]), np.array([0, 0.5, -0.5])
    logits = inputs @ rows.T + bias
    chances = np.exp(logits) / np.exp(logits).sum(1, keepdims=True)
    happened = (chance.random((20000, 1)) > chances.cumsum(1)).sum(1)
    found, found_bias = fit(inputs, np.eye(3)[happened], np.zeros((3, 3)), np.zeros(3))
    # Only differences between the classes matter.
    np.testing.assert_allclose(found - found[0], rows, atol=0.1)
    np.testing.assert_allclose(found_bias - found_bias[0], bias, atol=0.1)


def test_calibrated_chances_are_those_of_unseen_games_and_the_moves_stay():
    table = TrainingTable("mini", 3)
    weights = load_weights(FOLDER / "three-four.npz")
    wrong = weights.heads_bias + np.array([0, 2, 1, 0, -1, 0], np.float32)
    honest = calibrate([table], weights._replace(heads_bias=wrong), 20000)
    assert (honest.heads[0] == weights.heads[0]).all() and honest.heads_bias[0] == wrong[0]
    said, samples = predictions(table, honest, 20000)
    keeps = 1 / (1 + np.exp(-said[:, 1]))
    assert keeps.mean() == pytest.approx(samples["keeps"].mean(), abs=0.03)
    places = np.exp(said[:, PLACES : PLACES + 3])
    places /= places.sum(1, keepdims=True)
    known = samples["place"] >= 0
    for place in range(3):
        happened = (samples["place"][known] == place).mean()
        assert places[known, place].mean() == pytest.approx(happened, abs=0.03)


def test_a_network_survives_its_file(tmp_path):
    weights = random_weights(small())
    save(tmp_path / "net.npz", weights)
    again = load_weights(tmp_path / "net.npz")
    for old, new in zip(weights, again, strict=True):
        np.testing.assert_allclose(old, new, atol=1e-3)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("name = 'x'", "tables"),
        ("name = 'x'\ntables = [{ edition = 'maxi', players = 2 }]", "no edition 'maxi'"),
        ("name = 'x'\ntables = [{ edition = 'mini', players = 5 }]", "cannot be trained for 5"),
        ("name = 'x'\ntables = []\nspeed = 3", "speed"),
        ("name = 'x'\ntables = []\nbegin_as = 'nobody'", "no network 'nobody'"),
        ("name = 'x'\ntables = []\nleague = { members = ['nobody'] }", "'nobody' is no network"),
    ],
)
def test_a_wrong_configuration_is_refused_with_the_reason(tmp_path, text, reason):
    (tmp_path / "config.toml").write_text(text)
    with pytest.raises(ConfigError, match=reason):
        load(tmp_path / "config.toml")
