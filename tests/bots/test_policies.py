"""The quick bots: legal everywhere, blind to what they may not know, the same for the same seed."""

import pytest

import karma
from karma.bots.tree import TreeBot

QUICK = ("random", "beginner", "casual", "regular", "greedy", "steady")


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
        plays = sorted((m for m in view.legal if m.count), key=lambda m: m.number)
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
    with pytest.raises(karma.BotError, match="there is no version 9 of greedy; there is 1"):
        karma.make_bot("greedy@9")
    with pytest.raises(karma.BotError, match="there is no version 9 of expert; there is 1 and 2"):
        karma.make_bot("expert@9")


#: What old versions answered when they were frozen, at positions along a game of greedy bots.
FROZEN = {
    ("beginner@1", 3): "^B ^12 7 >2 11 10 4 15 T 9x2 5 F ?2 T 10 13",
    ("casual@1", 3): "^B ^12 7x2 >2 15 1 2 4 16 4x2 15 F ?2 T 10 13",
    ("careful@1", 2): "^16 P 15 11 P 10 P P 3 5 1 F 6",
    ("careful@1", 4): "^8 ^11 7 P 6 P >2 P 11x2 T 7x2 >3 ?2 P 6 16 8 1 T P",
    ("careful@2", 2): "^16 P P P P 10 P 15 1 5 1 F 6",
    ("careful@2", 4): "^T ^11 P P 12 8 >1 5 15 8 7x2 >1 ?2 14 6 7x3 8 1 11 P",
    ("sharp@1", 2): "^14 P P 12 Gx2 10 12x2 B 6 6 8 16 6x2",
    ("sharp@1", 4): "^B ^G 7 12 6 7 >3 5 11x2 8 7x2 >3 ?0 F 6 7x3 8 1 14 ?2",
    ("sharp@2", 4): "^B ^G 7 12 G 6 >3 8 15 T 7x2 >3 ?0 15 6 7x3 8 1 14 ?2",
    ("sharp@3", 4): "^T ^G 7 B 12 8 >1 8 11 T 7x2 >3 ?1 F 6 5 8 1 T ?2",
    ("expert@1:rollouts=1000", 2): "^16 8 P 8 G 10 12x2 B 1 6 1 F 6x2",
    ("expert@1:rollouts=1000", 4): "^B ^15 7 12 6 7 >2 5 11 8 7x2 >3 ?0 F 6 7x3 8 1 14 ?2",
    ("expert@2:rollouts=1000", 4): "^B ^G 7 12 G 8 >3 8 15 8 7x2 >3 ?0 F 6 7x3 8 1 14 ?2",
}


@pytest.mark.parametrize(("spec", "players"), FROZEN)
def test_an_old_version_plays_as_it_did(spec: str, players: int) -> None:
    game = karma.Game(karma.CLASSIC, players=players, seed=5)
    quick, old = karma.make_bot("greedy"), karma.make_bot(spec, seed=3)
    answers = []
    while game.actor is not None:
        view = game.view(game.actor)
        if game.ply % 7 == 0 and len(view.legal) > 1:
            answers.append(str(old.choose(view)))
        game.push(quick.choose(view))
    assert " ".join(answers) == FROZEN[spec, players]


@pytest.mark.parametrize(("rules", "players"), [(karma.MINI, 2), (karma.CLASSIC, 4)])
def test_the_move_that_steady_likes_best_needs_less_to_be_made(
    rules: karma.Rules, players: int
) -> None:
    """All of a win in favour, and nothing is preferred to it; none, and much is."""
    steady, all_favour, none = (
        karma.make_bot(spec, seed=3)
        for spec in ("steady", "careful:favour=100,memory=1", "careful@2")
    )
    game = karma.Game(rules, players=players, seed=5)
    differ = 0
    while game.actor is not None:
        view = game.view(game.actor)
        if game.ply % 3 == 0 and len(view.legal) > 1:
            assert all_favour.choose(view) == steady.choose(view)
            differ += none.choose(view) != steady.choose(view)
        game.push(steady.choose(view))
    assert differ > 0


@pytest.mark.parametrize("rules", [karma.MINI, karma.ONLINE, karma.CLASSIC, karma.ALTERNATIVE])
@pytest.mark.parametrize("name", ["sharp", "expert"])
def test_new_versions_of_trees_differ_only_where_three_or_more_play(
    rules: karma.Rules, name: str
) -> None:
    versions = [karma.make_bot(f"{name}@{n}:rollouts=300", seed=3) for n in (1, 2, 3)]
    for players in (2, 3):
        game, quick = karma.Game(rules, players=players, seed=5), karma.make_bot("greedy")
        answers: list[set[tuple[int, ...]]] = []
        while game.actor is not None:
            view = game.view(game.actor)
            if game.ply % 9 == 0 and len(view.legal) > 1:
                answers.append({tuple(bot.visits(view)) for bot in versions})  # type: ignore[attr-defined]
            game.push(quick.choose(view))
        assert (max(map(len, answers)) == 1) == (players == 2)


@pytest.mark.parametrize(("rules", "players"), [(karma.MINI, 2), (karma.CLASSIC, 4)])
def test_turns_that_cannot_change_the_move_are_not_searched(
    rules: karma.Rules, players: int
) -> None:
    """The move is that of the whole search; what may be played in the worlds is limited too."""
    bot = TreeBot("expert", seed=3, rollouts=1500, likely=2, explore=100)
    short = TreeBot("expert", seed=3, rollouts=1500, likely=2, explore=100, plies=5000)
    game = karma.Game(rules, players=players, seed=5)
    quick = karma.make_bot("greedy")
    fewer = 0
    while game.actor is not None:
        view = game.view(game.actor)
        if game.ply % 9 == 0 and len(view.legal) > 1:
            whole, enough = bot.visits(view), bot.visits(view, whole=False)
            assert whole.sum() == 1500
            assert whole.argmax() == enough.argmax() == bot.choose(view).number
            fewer += enough.sum() < 1500
            assert 0 < short.visits(view).sum() < 1500
        game.push(quick.choose(view))
    assert fewer > 0


@pytest.mark.parametrize("limit", [80, 0])
def test_haste_makes_long_games_worth_less_when_nothing_happens(limit: int) -> None:
    """Games that may go on for ever, too."""
    game = karma.Game(karma.edition("mini", stall_limit=limit), players=2, seed=5)
    calm, hasty = (TreeBot("expert", seed=3, rollouts=300, haste=haste) for haste in (0, 50))
    view = game.view(game.actor)
    assert list(calm.visits(view)) == list(hasty.visits(view))
    view.record["quiet"] = 60
    assert list(calm.visits(view)) != list(hasty.visits(view))
