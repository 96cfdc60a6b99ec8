"""House rules drawn at random: who may sit there, and that a seed draws the same again."""

from __future__ import annotations

import numpy as np
import pytest

from karma.train.house import draw_table


def tables(seed: int, *bounds: int) -> list[object]:
    chance = np.random.default_rng(seed)
    return [draw_table(chance, *bounds) for _ in range(300)]


@pytest.mark.parametrize("most, fewest", [(12, 2), (6, 3), (2, 2), (12, 7)])
def test_as_many_sit_there_as_were_asked_for(most, fewest):
    chance = np.random.default_rng(1)
    seen = set()
    for _ in range(2000):
        table = draw_table(chance, most, fewest)
        assert fewest <= table.players <= min(most, table.rules.most_players)
        seen.add(table.players)
    assert len(seen) == most - fewest + 1


def test_a_seed_draws_the_same_tables_and_another_others():
    assert tables(1) == tables(1)
    assert tables(1) != tables(2)
