"""A thousand seeded evenings in virtual time: delays, take-overs, time-outs, repeats, crashes."""

import pytest

from chaos import Chaos, evening
from virtual import run

BATCHES, BATCH = 40, 25


@pytest.mark.parametrize("batch", range(BATCHES))
def test_nothing_acknowledged_is_lost_and_nothing_happens_twice(batch: int) -> None:
    for seed in range(batch * BATCH, (batch + 1) * BATCH):

        async def played(seed: int = seed) -> str:
            return await Chaos(seed).run()

        try:
            run(played())
        except BaseException as error:
            error.add_note(f"the evening with seed {seed}")
            raise


def test_the_same_seed_gives_the_same_log() -> None:
    async def played() -> str:
        return await Chaos(5).run()

    assert run(played()) == run(played())


def test_many_tables_at_once_play_a_game_each_and_the_same_again() -> None:
    """In small; `make simulation` is the whole of it."""
    assert evening(range(5000, 5004)) == evening(range(5000, 5004))
