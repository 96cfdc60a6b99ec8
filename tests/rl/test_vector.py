"""The vector environment: it plays the game that the single one plays, on any number of threads."""

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

import karma.rl  # noqa: F401 - registers the environments
from karma import View
from karma.rl import observation
from karma.rl.vector import VectorKarma, new_buffers


def pick(masks):
    """An action for each game: the first legal one or the last, in turn."""
    first, last = masks.argmax(1), 97 - masks[:, ::-1].argmax(1)
    return np.where(np.arange(len(masks)) % 2, last, first)


def run(batch, steps, seed=1):
    """All that a batch tells in some steps, as one list of arrays."""
    observations, infos = batch.reset(seed=seed)
    told = [observations, infos["action_mask"]]
    for _ in range(steps):
        *arrays, infos = batch.step(pick(infos["action_mask"]))
        told += [*arrays, infos["action_mask"]]
    return told


@pytest.mark.parametrize(
    ("edition", "players", "opponents"),
    [("mini", 2, "greedy"), ("classic", 4, ["random", "steady", "casual"])],
)
def test_the_number_of_threads_changes_nothing(edition, players, opponents):
    one, two = (
        run(VectorKarma(7, edition, players, opponents=opponents, threads=threads), 60)
        for threads in (1, 2)
    )
    assert all((a == b).all() for a, b in zip(one, two, strict=True))


def test_games_end_are_rewarded_and_followed_by_the_next():
    batch = VectorKarma(32, "classic", players=3, rewards="places", opponents="beginner")
    _, infos = batch.reset(seed=2)
    rewards = []
    for _ in range(400):
        _, reward, terminated, truncated, infos = batch.step(pick(infos["action_mask"]))
        ended = terminated | truncated
        assert (reward[~terminated] == 0).all()
        assert infos["action_mask"].any(1).all()
        assert ("final_obs" in infos) == ended.any()
        if ended.any():
            assert (infos["_final_obs"] == ended).all()
            phase = observation.parts(3)["phase"].of(infos["final_obs"])
            assert (phase[terminated, -1] == 1).all()
        rewards += reward[terminated].tolist()
    assert set(rewards) == {1.0, 0.0, -1.0}


def test_the_limit_truncates():
    batch = VectorKarma(8, limit=12)
    _, infos = batch.reset(seed=1)
    for _ in range(12):
        _, reward, _, truncated, infos = batch.step(pick(infos["action_mask"]))
        assert not reward.any()
        if truncated.any():
            return
    raise AssertionError("no game was cut short")


def test_it_writes_into_the_learners_own_arrays():
    batch = VectorKarma(4, threads=2)
    story = [new_buffers(4, batch.single_observation_space.shape[0]) for _ in range(3)]
    batch.reset_into(story[0], seed=1)
    batch.step_into(pick(story[0].masks), story[1])
    batch.step_into(pick(story[1].masks), story[2])
    told = run(VectorKarma(4), 2)
    for buffers, (observations, masks) in zip(
        story, ((told[0], told[1]), (told[2], told[6]), (told[7], told[11])), strict=True
    ):
        assert (buffers.observations == observations).all()
        assert (buffers.masks == masks).all()


def test_an_observation_is_that_of_the_seats_view(monkeypatch):
    """What compiled code writes is what `observe` makes of the View that a bot would get."""
    batch = VectorKarma(16, "mini", threads=1)
    observations, infos = batch.reset(seed=4)
    from karma.core import VIEW, look

    games = batch._batches[0]
    for _ in range(30):
        for i in range(16):
            record = np.zeros(1, VIEW)
            look(batch.task.rules.packed, games.states[i : i + 1], games.seats[i], record)
            row, mask = observation.observe(View(record, batch.task.rules, ("a", "b")))
            assert (row == observations[i]).all()
            assert (mask == infos["action_mask"][i]).all()
        observations, *_, infos = batch.step(pick(infos["action_mask"]))


def test_the_network_can_be_the_opponent():
    batch = VectorKarma(8, "mini", opponents="net")
    _, infos = batch.reset(seed=1)
    losses = ended = 0
    for _ in range(150):
        _, reward, terminated, _, infos = batch.step(infos["action_mask"].argmax(1))
        losses += (reward < 0).sum()
        ended += terminated.sum()
    assert losses > 0.6 * ended > 6


def test_gymnasium_makes_it():
    batch = gymnasium.make_vec("karma/Classic-v1", num_envs=5, players=3)
    assert isinstance(batch, VectorKarma)
    assert batch.metadata["autoreset_mode"] == AutoresetMode.SAME_STEP
    observations, infos = batch.reset(seed=[1, 2, 3, 1, 2])
    assert observations in batch.observation_space
    assert (observations[0] == observations[3]).all()
    assert batch.step(pick(infos["action_mask"]))[0] in batch.observation_space
    batch.close()


def test_chosen_games_can_be_dealt_anew():
    batch = VectorKarma(4)
    before, _ = batch.reset(seed=1)
    after, _ = batch.reset(options={"reset_mask": np.array([True, False, False, True])})
    assert (after[1:3] == before[1:3]).all()
    assert (after[[0, 3]] != before[[0, 3]]).any()


def test_wrong_uses_say_what_would_be_right():
    with pytest.raises(ValueError, match="'expert' cannot play in compiled code; random, "):
        VectorKarma(4, opponents="expert")
    with pytest.raises(ValueError, match=r"no network plays mini .*set_size=3"):
        VectorKarma(4, opponents="net", rules={"set_size": 3})
    with pytest.raises(ValueError, match="there is no seat 2; seats are 0 to 1"):
        VectorKarma(4, seat=2)
    batch = VectorKarma(4)
    with pytest.raises(ValueError, match="call reset before step"):
        batch.step(np.zeros(4, np.int64))
    batch.reset(seed=1)
    with pytest.raises(ValueError, match=r"for 4 games"):
        batch.step(np.zeros(3, np.int64))


def test_an_illegal_action_loses_that_game_and_no_other():
    batch = VectorKarma(4)
    _, infos = batch.reset(seed=1)
    for wrong in (63, 98, -1):
        actions = pick(infos["action_mask"])
        actions[2] = wrong
        _, reward, terminated, _, infos = batch.step(actions)
        assert reward.tolist() == [0, 0, -1, 0]
        assert terminated.tolist() == [False, False, True, False]
