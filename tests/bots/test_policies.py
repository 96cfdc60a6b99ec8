"""The quick bots: legal everywhere, blind to what they may not know, the same for the same seed."""

import pytest

import karma

QUICK = ("random", "beginner", "casual", "greedy", "steady")


def finish(game: karma.Game, name: str, seed: int = 1, limit: int = 3000) -> karma.Game:
    bot = karma.make_bot(name, seed=seed)
    while not game.over and game.ply < limit:
        game.push(bot.choose(game.view(game.actor)))
    return game


@pytest.mark.parametrize("name", QUICK)
@pytest.mark.parametrize("edition", karma.EDITIONS)
def test_plays_a_game_of_every_edition(name: str, edition: str) -> None:
    game = finish(karma.Game(karma.edition(edition, stall_limit=80), 3, seed=5), name)
    assert game.over


@pytest.mark.parametrize("name", QUICK)
def test_plays_with_two_decks_and_twelve_players(name: str) -> None:
    game = finish(karma.Game(karma.edition("classic", decks=2, stall_limit=200), 12, seed=5), name)
    assert game.over


@pytest.mark.parametrize("name", QUICK)
def test_same_seed_gives_the_same_game(name: str) -> None:
    games = [finish(karma.Game(karma.MINI, 2, seed=3), name, seed=7) for _ in range(2)]
    assert games[0].moves == games[1].moves


def test_greedy_plays_all_copies_of_the_lowest_number() -> None:
    game = karma.Game(karma.MINI, 2, seed=1)
    bot = karma.make_bot("greedy")
    while not game.over:
        view = game.view(game.actor)
        move = bot.choose(view)
        plays = [m for m in view.legal if m.count]
        if plays:
            assert move.kind == plays[0].kind
            assert move.count == max(m.count for m in plays if m.kind == move.kind)
        game.push(move)


def test_an_unknown_bot_is_refused_with_the_names_that_exist() -> None:
    with pytest.raises(karma.BotError, match="there is no bot 'gready'; there are random, "):
        karma.make_bot("gready")


def test_an_unknown_option_is_refused() -> None:
    with pytest.raises(karma.BotError, match="greedy has no option 'depth'"):
        karma.make_bot("greedy:depth=3")


def test_an_unknown_version_is_refused() -> None:
    with pytest.raises(karma.BotError, match="there is no version 9 of greedy"):
        karma.make_bot("greedy@9")
