"""`karma verify`: games without a fair deal are not wrong, broken ones are."""

from karma import EDITIONS, Game, Record


def test_games_without_a_fair_deal_are_not_wrong(karma, tmp_path):
    path = tmp_path / "games.jsonl"
    Record.of(Game(EDITIONS["mini"], seed=3)).dump(path)
    answer = karma("verify", path)
    assert answer.code == 0
    assert answer.out == "game 0: no fair deal\n1 games, 0 wrong\n"


def test_a_fair_deal_that_cannot_be_read_is_wrong(karma, tmp_path):
    path = tmp_path / "games.jsonl"
    Record.of(Game(EDITIONS["mini"], seed=3), fair={}).dump(path)
    answer = karma("verify", path)
    assert answer.code == 1
    assert answer.out == "1 games, 1 wrong\n"
