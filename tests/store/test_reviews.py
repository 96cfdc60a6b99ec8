"""Reviews that are kept, and luck that is counted once."""

from pathlib import Path

import pytest

from karma import MINI, Game, Record
from karma.clock import WallClock
from karma.store import Finished
from karma.store.ports import KeptReview, Person
from karma.store.sqlite import SqliteStore


@pytest.fixture
def store(tmp_path: Path):
    store = SqliteStore(tmp_path, WallClock())
    yield store
    store.close()


def finished(number: int, *, complete: bool = True) -> Finished:
    game = Game(MINI, 2, seed=number)
    while not game.over:
        game.push(game.legal[0])
    return Finished(
        game=number,
        record=Record.of(game),
        players=("ana", None),
        rated=False,
        complete=complete,
    )


async def test_luck_is_counted_once(store: SqliteStore) -> None:
    await store.players.add(Person("ana", "Ana", None), b"token")
    await store.log.append("a", 0, [b"1"], [finished(1), finished(2)])
    assert sorted(await store.reviews.uncounted(10)) == [("a", 1), ("a", 2)]
    for _ in range(2):
        await store.reviews.count_luck("a", 1, "mini-2", [0.25, -0.25])
    await store.reviews.count_luck("a", 2, "mini-2", [-0.5, 0.5])
    (life,) = await store.reviews.luck_of("ana")
    assert (life.edition, life.games, life.luck, life.squares) == ("mini", 2, -0.25, 0.3125)
    assert await store.reviews.uncounted(10) == []
    assert await store.reviews.luck_of("bo") == []


async def test_nothing_is_counted_of_practice_and_of_games_given_up(store: SqliteStore) -> None:
    await store.log.append("a", 0, [b"1"], [finished(1), finished(2, complete=False)])
    assert await store.reviews.uncounted(10) == [("a", 1)]
    await store.reviews.count_luck("a", 1, "mini-2", [])
    await store.reviews.count_luck("a", 2, "mini-2", [0.5, -0.5])
    await store.reviews.count_luck("nowhere", 1, "mini-2", [0.5, -0.5])
    assert await store.reviews.luck_of("ana") == []
    assert await store.reviews.uncounted(10) == []


async def test_a_review_is_kept_in_the_place_of_an_older_one(store: SqliteStore) -> None:
    await store.log.append("a", 0, [b"1"], [finished(1)])
    assert await store.reviews.of_game("a", 1) is None
    await store.reviews.count_luck("a", 1, "old", [0.0, 0.0])
    assert await store.reviews.of_game("a", 1) is None
    for judge in ("old", "new"):
        await store.reviews.keep("a", 1, KeptReview(judge, "{}"))
    assert await store.reviews.of_game("a", 1) == KeptReview("new", "{}")


async def test_nothing_is_counted_of_somebody_who_was_forgotten(store: SqliteStore) -> None:
    await store.players.add(Person("ana", "Ana", None), b"token")
    await store.log.append("a", 0, [b"1"], [finished(1), finished(2)])
    await store.reviews.count_luck("a", 1, "mini-2", [0.5, -0.5])
    await store.players.forget("ana")
    await store.reviews.count_luck("a", 2, "mini-2", [0.5, -0.5])
    assert await store.reviews.luck_of("ana") == []
