"""Facts about a position, counted again from what the seats see."""

from typing import Any

import numpy as np
import pytest

from karma import CLASSIC, Game, make_bot
from karma.core.kernel import entry
from karma.review.decisions import Trials, note_end
from karma.review.facts import FACTS, FactCode
from karma.review.reasons import Contrast, contrasts

pytestmark = pytest.mark.timeout(3600)  # the first of them compiles


@entry
def noted(states: Any, seat: int, facts: Any) -> None:
    note_end(states[0], seat, facts)


def counted(game: Game, seat: int) -> dict[str, float]:
    """The cards of a seat and the mean of the others', as a person would count them."""
    view = game.view(seat)
    assert view.hand is not None
    tables = [len(up) + sum(down) for up, down in zip(view.face_up, view.face_down, strict=True)]
    others = [other for other in range(len(view.players)) if other != seat]
    return {
        "cards_held": len(view.hand),
        "karma_held": sum(card in "GFTB" for card in view.hand),
        "high_held": sum(card.isdigit() and int(card) >= 11 for card in view.hand),
        "table_left": tables[seat],
        "others_held": sum(view.hand_sizes[other] for other in others) / len(others),
        "others_left": sum(tables[other] for other in others) / len(others),
    }


@pytest.mark.parametrize("decks", [1, 2])
def test_cards_held_and_left_are_those_that_people_see(decks: int) -> None:
    game = Game(CLASSIC.replace(decks=decks).for_table(3), 3, seed=5)
    bot = make_bot("greedy", seed=0)
    seen: dict[str, set[float]] = {name: set() for name in counted(game, 0)}
    while not game.over:
        assert game.actor is not None
        game.push(bot.choose(game.view(game.actor)))
        for seat in range(3):
            facts = np.zeros(len(FACTS))
            noted(game._state, seat, facts)
            told: dict[str, float] = dict(zip(FACTS, facts.tolist(), strict=True))
            for name, number in counted(game, seat).items():
                assert told[name] == number, (name, seat, len(game.moves))
                seen[name].add(number)
    assert all(len(numbers) > 2 for numbers in seen.values())


@pytest.mark.parametrize(("fact", "value"), [("i_am_out", 1.0), ("i_lose", 0.0)])
def test_a_sure_end_is_a_reason(fact: FactCode, value: float) -> None:
    facts = np.zeros((2, 20, len(FACTS)))
    end = 0 if value else 1  # the better move is the first
    facts[end, :, FACTS.index(fact)] = 1
    values = np.full((2, 20), 0.5)
    values[end] = value
    assert contrasts(Trials(values, facts)) == [Contrast(fact, 1.0 - end, float(end))]
    assert contrasts(Trials(np.full((2, 20), value), facts)) == []
