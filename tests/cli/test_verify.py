"""`karma verify`: games without a fair deal are not wrong, broken ones are."""

from karma import EDITIONS, Game, Record, fair


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


def test_a_promised_seed_that_was_left_out_is_wrong_unless_accepted(karma, tmp_path):
    rules, secret = EDITIONS["mini"], bytes(range(64))
    promised = [fair.seed_commitment("table", 1, seat, bytes([7] * 32)).hex() for seat in (0, 1)]
    seeds = [bytes([7] * 32), fair.ZERO_SEED, fair.ZERO_SEED]
    game = Game(rules, ["Ana", "Bo", "Cy"], deck=fair.deal(rules, "table", 1, secret, seeds))
    parts = [
        {"commitment": promise, "seed": seed.hex(), "missing": seed == fair.ZERO_SEED}
        for promise, seed in zip([*promised, None], seeds, strict=True)
    ]
    commitment = fair.secret_commitment("table", 1, secret).hex()
    deal = {"version": 1, "table": "table", "game": 1, "commitment": commitment}
    record = Record.of(game, fair={**deal, "secret": secret.hex(), "seats": parts})
    path = tmp_path / "games.jsonl"
    record.dump(path)
    answer = karma("verify", path)
    assert (answer.code, answer.out) == (1, "1 games, 1 wrong\n")
    assert "the promised seeds of Bo" in answer.err and "2 decks" in answer.err
    answer = karma("verify", "--accept-missing", path)
    assert answer.code == 0
    assert "left out: Bo) (no seed promised by Cy)" in answer.out


def test_what_is_no_record_is_one_line_each(karma, tmp_path):
    path = tmp_path / "games.jsonl"
    line = Record.of(Game(EDITIONS["mini"], seed=3)).dumps()
    long = line.replace('"edition": "mini"', f'"edition": "{"x" * 100_000}"').encode()
    path.write_bytes(b"\n".join([line.encode(), b"\xff\xfe", line.encode("utf-16"), long]))
    answer = karma("verify", path)
    assert (answer.code, answer.out.splitlines()[-1]) == (1, "1 games, 3 wrong")
    assert all("line" in each and len(each) < 1000 for each in answer.err.splitlines())
    assert answer.err.count("not UTF-8") == 2 and "there is no edition 'xxx" in answer.err
