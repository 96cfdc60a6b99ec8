"""A review made little by little, in another process or not, is the review made at once."""

import json
import pickle

import pytest

from karma import MINI, Game, Record, Rules, edition, make_bot
from karma.review import portions as module
from karma.review.ledger import to_json
from karma.review.lifetime import Lifetime, received
from karma.review.portions import Portions
from karma.review.reviewer import account, review

pytestmark = pytest.mark.timeout(3600)  # the first of them compiles


def played(rules: Rules, players: int, seed: int, **extra: object) -> Record:
    game = Game(rules.for_table(players), players, seed=seed)
    bot = make_bot("greedy", seed=seed)
    while not game.over:
        assert game.actor is not None
        game.push(bot.choose(game.view(game.actor)))
    return Record.of(game, **extra)


@pytest.mark.parametrize("seconds", [0.0, 1000.0])
def test_however_it_is_cut_the_review_is_the_same(
    monkeypatch: pytest.MonkeyPatch, seconds: float
) -> None:
    monkeypatch.setattr(module, "SECONDS", seconds)
    record = played(MINI, 2, 5)
    making = Portions(record, worlds=6)
    steps = []
    while not making.whole:
        job, values = making.next()
        # What goes to another process and comes back is pickled.
        answer = pickle.loads(pickle.dumps(job))(*pickle.loads(pickle.dumps(values)))
        making.take(pickle.loads(pickle.dumps(answer)))
        steps.append(making.done)
    assert steps == sorted(steps) and steps[-1] == making.total
    assert making.review is not None
    whole = review(record, worlds=6)
    told = [json.dumps(to_json(each, 0, 1.0, detail=True)) for each in (making.review, whole)]
    assert told[0] == told[1]


def test_where_no_baseline_is_kept_it_is_found_out_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "SECONDS", 0.0)
    monkeypatch.setattr(module, "deals", lambda players: 4)
    making = Portions(played(edition("mini", max_play=1), 2, 1), worlds=2)
    for _ in range(4):
        assert making.expected is None
        job, values = making.next()
        making.take(job(*values))
    assert making.expected is not None
    assert making.expected.values.sum() == pytest.approx(1)


def test_at_every_table_all_luck_adds_up_to_nothing_and_practice_is_left_out() -> None:
    reviews = [account(played(MINI, 3, seed)) for seed in range(3)]
    names = reviews[0].record.players
    lives = [received(reviews, name) for name in names]
    assert [life.games for life in lives] == [3, 3, 3]
    assert sum(life.luck for life in lives) == pytest.approx(0, abs=1e-9)
    assert received([account(played(MINI, 3, 1, practice=True))], names[0]) == Lifetime()


def test_how_unusual_luck_is_is_told_of_enough_games_only() -> None:
    assert Lifetime(9, 3.0, 1.0).luckier is None
    assert Lifetime(100, 0.0, 4.0).luckier == pytest.approx(0.5)
    assert Lifetime(100, 4.0, 4.0).luckier == pytest.approx(0.977, abs=0.001)
    assert Lifetime(100, -4.0, 4.0).luckier == pytest.approx(0.023, abs=0.001)
