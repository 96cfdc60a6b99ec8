"""Advice: every decision has reasons, which every language can speak."""

from typing import get_args

import pytest

import karma
from karma.advice import ReasonCode, advice_text, reasons
from karma.texts import LANGUAGES, Texts


@pytest.fixture(scope="module")
def decisions():
    """Views of whole games, each with what a bot does."""
    found = []
    for seed, rules in enumerate(
        (
            karma.edition("classic", stall_limit=20, drawing="manual"),
            karma.edition("mini"),
            karma.edition("alternative", set_size=2),
            karma.edition("online"),
        )
    ):
        game = karma.Game(rules.replace(stall_limit=100), 3, seed=seed)
        bot = karma.make_bot("steady", seed=1)
        while not game.over:
            view = game.view(game.actor)
            found.append((view, bot.choose(view)))
            game.push(found[-1][1])
    return found


def test_every_decision_has_one_to_three_reasons(decisions):
    given = [reasons([move], view) for view, move in decisions]
    assert {len(why) for why in given} <= {1, 2, 3}
    codes = {reason.code for why in given for reason in why}
    assert {"lay", "only", "lowest", "several", "gave", "blind"} <= codes
    assert {view.phase for view, _ in decisions} == {"choose", "play", "give", "draw"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_advice_is_a_sentence_in_every_language(decisions, language):
    say = Texts(language)
    for view, move in decisions[::3]:
        sentence = advice_text([move], reasons([move], view), view, say)
        assert sentence.endswith(".") and "{" not in sentence


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_reason_has_its_text(language):
    assert all(f"advice_why_{code}" in Texts(language) for code in get_args(ReasonCode))
