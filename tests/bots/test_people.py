"""Bots of the first levels: mistakes that people make, and each level clear of the one below."""

from collections.abc import Iterator

import numpy as np
import pytest

import karma
from karma.arena.account import account
from karma.arena.blocks import Pairing
from karma.arena.results import ArenaResults
from karma.arena.runner import run
from karma.bots.registry import STYLES, at_level
from karma.view import View

PEOPLE = ("beginner", "casual", "regular")
LADDER = ("random", *PEOPLE, "greedy")


def views(seed: int) -> Iterator[View]:
    """Positions with a choice, from games that go all sorts of ways."""
    chance = np.random.default_rng(seed)
    game = karma.Game(karma.edition("classic", stall_limit=80), players=3, seed=seed)
    while game.actor is not None:
        view = game.view(game.actor)
        if len(view.legal) > 1:
            yield view
        game.push(view.legal[chance.integers(len(view.legal))])


def what_happened(view: View, move: karma.Move) -> str:
    """The name of the mistake, or that there is none; KeyError where nobody would understand it."""
    best = karma.make_bot("greedy").choose(view)
    if move == best:
        return "none"
    if view.phase in ("choose", "give"):
        return "forgetful"
    numbers = [play for play in view.legal if play.count and play.kind.isdigit()]
    pile = len(view.pile)
    if str(move) == "P":
        return {(True, True): "hoarding"}[not numbers, pile <= 4]
    if move.kind.isdigit() and move in numbers and int(move.kind) >= int(best.kind):
        highest = max(int(play.kind) for play in numbers)
        return "nervous" if pile >= 8 and int(move.kind) == highest else "forgetful"
    return {True: "nervous"}[pile >= 8]


@pytest.mark.parametrize("style", STYLES)
def test_people_make_mistakes_of_people_and_no_others(style: str) -> None:
    made = {mistake: 0 for mistake in ("none", *STYLES)}
    for seed in range(12):
        bot = karma.make_bot(f"beginner:style={style}", seed=seed)
        for view in views(seed):
            made[what_happened(view, bot.choose(view))] += 1
    assert all(made[mistake] > 0 for mistake in ("none", "forgetful", "hoarding", "nervous"))


def test_a_style_has_more_of_its_own_mistakes() -> None:
    counts = {}
    for style in STYLES:
        happened = [
            what_happened(view, karma.make_bot(f"casual:style={style}", seed=seed).choose(view))
            for seed in range(12)
            for view in views(seed)
        ]
        counts[style] = {mistake: happened.count(mistake) for mistake in STYLES}
    for style in STYLES[1:]:
        assert counts[style][style] > counts["everyday"][style]


@pytest.mark.parametrize(
    ("edition", "players"), [("classic", 2), ("classic", 6), ("mini", 4), ("online", 3)]
)
def test_each_level_is_clear_of_the_one_below(edition: str, players: int) -> None:
    rules = karma.edition(edition).for_table(players)
    pairs = [Pairing(LADDER[i + 1], LADDER[i], rules, players, seed=11) for i in range(4)]
    kept = ArenaResults()
    run(pairs, 1000, kept, workers=1)
    for row in account(pairs, kept)["rows"]:
        assert row["low"] > 1 - 1 / players, row


def test_a_level_is_a_bot_and_a_style_is_for_people() -> None:
    names = [at_level(level) for level in range(1, 10)]
    assert names[:4] == [*PEOPLE, "greedy"] and names[-2:] == ["expert", "master"]
    assert at_level(2, "hoarding") == "casual:style=hoarding"
    with pytest.raises(karma.BotError, match="expert makes no mistakes to choose from; levels 1, "):
        at_level(8, "hoarding")
    with pytest.raises(karma.BotError, match="casual has no style 'silly'; there are everyday, "):
        karma.make_bot("casual:style=silly")
