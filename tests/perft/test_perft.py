"""Perft: how many legal lines of play there are, by depth, compared with the referee's numbers."""

from pathlib import Path

import pytest

from karma import EDITIONS, Game, edition
from karma.editions import parse_options

FILES = sorted(Path(__file__).parent.glob("*.perft"))


def positions(path):
    """The positions of a file: their title, the game, and the numbers by depth."""
    for block in path.read_text(encoding="utf-8").split("\n\n")[1:]:
        title, *lines = block.strip().splitlines()
        values, rules = {}, {}
        for line in lines:
            key, _, value = line.partition(" ")
            if key == "rule":
                name, _, text = value.partition("=")
                rules[name] = text
            else:
                values[key] = value.split()
        game = Game(
            edition(values["edition"][0], **parse_options(rules)),
            int(values["players"][0]),
            dealer=int(values["dealer"][0]),
            deck=values["deck"],
        )
        for move in values["moves"]:
            game.push(move)
        yield title, game, list(map(int, values["lines"]))


def lines_of_play(game, depth):
    """How many lines of so many moves there are."""
    if depth == 1:
        return len(game.legal)
    total = 0
    for move in game.legal:
        game.push(move)
        total += lines_of_play(game, depth - 1)
        game.pop()
    return total


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_there_are_as_many_lines_of_play_as_the_referee_counted(path):
    for title, game, expected in positions(path):
        found = [lines_of_play(game, depth) for depth in range(1, len(expected) + 1)]
        assert found == expected, title


def test_every_edition_and_size_has_perft_positions():
    assert {path.stem for path in FILES} == {*EDITIONS, "house"}
    for path in FILES:
        if path.stem in EDITIONS:
            sizes = {len(game.players) for _, game, _ in positions(path)}
            assert sizes == set(range(2, EDITIONS[path.stem].most_players + 1))
