"""`karma hint`: a move and its reasons at a moment of a recorded game."""

from pathlib import Path

import pytest

from karma import MINI, Game, Record, make_bot
from karma.texts import LANGUAGES

pytestmark = pytest.mark.timeout(3600)  # the first of them compiles


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("games") / "games.jsonl"
    for seed in range(2):
        game = Game(MINI.for_table(2), 2, seed=seed)
        bot = make_bot("greedy", seed=seed)
        while not game.over:
            assert game.actor is not None
            game.push(bot.choose(game.view(game.actor)))
        Record.of(game).dump(path)
    return path


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_hint_says_what_and_why(karma, games: Path, language: str) -> None:
    answer = karma("hint", games, "--game", "1", "--ply", "9", "--lang", language)
    assert answer.code == 0 and answer.out.splitlines()[0].endswith(".") and ":" in answer.out
    assert karma("hint", games, "--game", "1", "--ply", "9", "--lang", language) == answer


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--game", "2"], "games are 0 to 1"),
        (["--ply", "100000"], "the game is over at ply"),
    ],
)
def test_a_moment_that_is_not_there_is_named(
    karma, games: Path, arguments: list[str], complaint: str
) -> None:
    answer = karma("hint", games, *arguments)
    assert answer.code != 0 and complaint in answer.err and "Traceback" not in answer.err
