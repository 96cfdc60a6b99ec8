"""The numbers of a hint: only what the evidence shows, by what the seat knows."""

import pytest

from karma import MINI, Game, edition, make_bot
from karma.bots.chance import word
from karma.core import imagine
from karma.packing import new_states
from karma.review.facts import FACTS, facts_text
from karma.review.hint import Numbers, numbers
from karma.review.values import seen_by
from karma.texts import LANGUAGES, Texts
from karma.view import View

pytestmark = pytest.mark.timeout(3600)  # the first of them compiles


def hinted(players: int, seed: int) -> list[tuple[View, Numbers]]:
    """All hints of a game that its best player might have asked for."""
    game = Game(MINI.for_table(players), players, seed=seed)
    bot = make_bot("net", seed=0)
    found = []
    while not game.over:
        assert game.actor is not None
        view = game.view(game.actor)
        move = bot.choose(view)
        found.append((view, numbers(view, move)))
        game.push(move)
    return found


def test_at_most_two_facts_are_told_and_each_with_two_numbers_that_differ() -> None:
    told = [(view, found) for view, found in hinted(2, 3) if found.instead is not None]
    assert told
    for view, found in told:
        assert found.instead in view.legal
        assert 1 <= len(found.facts) <= 2
        assert all(each.fact in FACTS and each.best != each.made for each in found.facts)


def test_hidden_cards_change_no_number() -> None:
    compared = 0
    for number, (view, found) in enumerate(hinted(2, 3)):
        if found.instead is None:
            continue
        assert view.seat is not None
        state = new_states(view.rules)
        imagine(view.packed_rules, view.record, state, word(9, number))
        other = seen_by(state, view.seat, view.rules, view.players)
        move = make_bot("net", seed=0).choose(other)
        assert numbers(other, move) == found
        compared += 1
    assert compared > 3


def test_nothing_is_told_of_the_move_that_a_quick_player_makes_too() -> None:
    game = Game(edition("mini", face_up="dealt").for_table(2), 2, seed=1)
    assert game.actor is not None
    view = game.view(game.actor)
    assert numbers(view, make_bot("greedy", seed=0).choose(view)) == Numbers()


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_numbers_are_told_in_every_language(language: str) -> None:
    view, found = next(each for each in hinted(2, 3) if each[1].facts)
    assert found.instead is not None
    text = facts_text(found.instead, found.facts, view, Texts(language))
    assert any(character.isdigit() for character in text) and "{" not in text
