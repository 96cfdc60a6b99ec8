"""Whole games, regenerated and compared with what was written down."""

import pytest

from playthroughs.playthrough import HERE, read, wanted, written

FILES = sorted(HERE.glob("*.txt"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_playthrough_is_as_it_was_written_down(path):
    text = path.read_text(encoding="utf-8")
    game, moves = read(text)
    assert written(game, moves) == text, "if that is meant to be so: make playthroughs"
    assert game.over


def test_every_edition_and_size_has_one():
    assert {path.stem for path in FILES} == {name for name, _, _ in wanted()}
    for name, rules, players in wanted():
        game, _ = read((HERE / f"{name}.txt").read_text(encoding="utf-8"))
        assert (game.rules, len(game.players)) == (rules, players)
