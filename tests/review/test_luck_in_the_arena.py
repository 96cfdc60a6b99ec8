"""Scores without luck: surer, and the same on the average."""

import json
import statistics

import numpy as np
import pytest
from typer.testing import CliRunner

from karma import MINI
from karma.arena.blocks import Block, Pairing, play_blocks
from karma.arena.statistics import adjust, row, scores_of
from karma.cli import app


def block(number: int, score: float, luck: float | None) -> Block:
    return Block(number, score, 0, 0, 1, 0.0, luck=luck)


def test_luck_that_explains_the_scores_is_taken_out() -> None:
    blocks = [block(i, 0.6 + 0.1 * (-1) ** (i // 2), 0.1 * (-1) ** (i // 2)) for i in range(40)]
    scores, share = adjust(blocks)
    assert share == pytest.approx(1.0)
    assert scores == pytest.approx([0.6] * 40)


def test_the_share_of_a_block_is_learned_from_others() -> None:
    blocks = [block(i, 0.5 + 0.25 * (i % 3 - 1), 0.2 * (i % 2) - 0.1) for i in range(30)]
    before, _ = adjust(blocks)
    blocks[7] = block(7, 1.0, blocks[7].luck)
    after, _ = adjust(blocks)
    # Its own score moves by what was changed; the share taken from it does not depend on it.
    assert after[7] - before[7] == pytest.approx(0.5 - 0.25 * (7 % 3 - 1))


def test_nothing_is_taken_out_by_a_share_that_nobody_can_know() -> None:
    chance = np.random.default_rng(3)
    scores = chance.choice((0.0, 0.5, 1.0), 30).tolist()
    luck = chance.normal(0, 0.05, 30).tolist()
    luck[8] = 0.9  # what the others seem to say would be multiplied by this
    left, _ = adjust([block(i, scores[i], luck[i]) for i in range(30)])
    assert statistics.variance(left) <= 1.02 * statistics.variance(scores)


def test_without_measured_luck_scores_stay() -> None:
    assert scores_of([block(i, i / 10, None) for i in range(10)]) == [i / 10 for i in range(10)]


def test_a_block_measures_the_candidates_luck() -> None:
    plain = Pairing("greedy", "random", MINI.for_table(2), 2, seed=3)
    lucky = Pairing("greedy", "random", MINI.for_table(2), 2, seed=3, luck=True)
    assert plain.key != lucky.key and Pairing.of(lucky.data()) == lucky
    (one,), (two,) = play_blocks(plain, [0]), play_blocks(lucky, [0])
    assert one.luck is None and two.luck is not None
    assert one.score == two.score


def test_the_command_tells_both_scores() -> None:
    arguments = [
        "arena",
        "steady",
        "greedy",
        "--edition",
        "mini",
        "--games",
        "60",
        "--luck",
        "--workers",
        "1",
    ]
    done = CliRunner().invoke(app, [*arguments, "--json"])
    assert done.exit_code == 0, done.output
    (told,) = json.loads(done.stdout)["rows"]
    assert list(told["adjusted"]) == ["score", "low", "high", "variance_left", "b"]
    assert told["adjusted"]["low"] <= told["high"] and told["low"] <= told["adjusted"]["high"]
    assert "luck" not in row(Pairing("a", "b", MINI, 2, 1), [block(0, 1.0, None)])
