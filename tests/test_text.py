"""The game in words: views, events, moves and refusals, in every language."""

import typing
from typing import get_args

import numpy as np
import pytest

from karma import EDITIONS, Game, Move, edition
from karma.events import (
    AnyEvent,
    BroughtUp,
    CompletedSet,
    Drew,
    Ended,
    Gave,
    PickedUp,
    Played,
    Removed,
    TurnedOver,
    WentOut,
)
from karma.moves import ALL
from karma.refusals import MOVE_CODES, RefusalCode, why_not
from karma.text import (
    card_text,
    cards_text,
    error_text,
    event_text,
    move_text,
    pile_text,
    refusal_text,
    view_text,
)
from karma.texts import LANGUAGES, Texts, catalogue, parameters
from karma.view import Run
from positions import table

ANA_AND_BO = ("Ana", "Bo")
HOUSE_RULES = [
    *EDITIONS.values(),
    edition("classic", drawing="manual", stall_limit=40),
    edition("alternative", decks=2, give_to="active"),
    edition("online", karma_sets=True, max_play=3, set_counts="top"),
]


def random_game(rules, players, seed):
    """The game before each of its moves, the move, and the events after it."""
    rng = np.random.default_rng(seed)
    game = Game(rules, players=players, seed=seed)
    while not game.over and game.ply < 300:
        move = game.legal[rng.integers(len(game.legal))]
        yield game, move
        game.push(move)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("rules", HOUSE_RULES, ids=str)
def test_whole_games_can_be_told(rules, language):
    say = Texts(language)
    for game, move in random_game(rules, 3, seed=5):
        for seat in (None, 0, 1, 2):
            text = view_text(game.view(seat), say)
            lines = 6 + (seat is not None) + (game.view(seat).quiet_left is not None)
            assert "{" not in text and len(text.splitlines()) == lines
        assert move_text(move, game.view(game.actor), say)
        for event in game.copy().push(move):
            for seat in (None, 0):
                assert "{" not in event_text(event, game.players, seat, say)


def test_every_event_has_a_sentence():
    tags = {kind.__struct_config__.tag for kind in typing.get_args(AnyEvent)}
    assert {f"event_{tag}" for tag in tags} <= set(catalogue("en"))


@pytest.mark.parametrize(
    ("event", "told", "told_to_ana"),
    [
        (Played(0, "7", 1, "hand"), "Ana plays 7.", "You play 7."),
        (
            Played(0, "G", 2, "face_up"),
            "Ana plays Give (G) from the table, 2 cards at once.",
            "You play Give (G) from the table, 2 cards at once.",
        ),
        (
            TurnedOver(0, 2, "3", False),
            "Ana turns over a face-down card: 3. It does not fit.",
            "You turn over a face-down card: 3. It does not fit.",
        ),
        (
            PickedUp(0, 0),
            "Ana can play nothing, and there is no pile to pick up.",
            "You can play nothing, and there is no pile to pick up.",
        ),
        (Gave(1, 0, 5), "Bo gives the pile to Ana: 5 cards.", "Bo gives you the pile: 5 cards."),
        (
            CompletedSet(0, "9", 3),
            "Ana completes a set of 9: 3 in a row.",
            "You complete a set of 9: 3 in a row.",
        ),
        (Removed(4, None), "4 cards out of the game.", "4 cards out of the game."),
        (Removed(1, "G"), "1 card out of the game: Give (G).", "1 card out of the game: Give (G)."),
        (
            BroughtUp(0, "2"),
            "2 comes from the bottom of the pile to the top.",
            "2 comes from the bottom of the pile to the top.",
        ),
        (Drew(0, 1), "Ana draws 1 card.", "You draw 1 card."),
        (WentOut(0, 1), "Ana is rid of all cards: place 1.", "You are rid of all cards: place 1."),
        (Ended(0), "The game is over: Ana has lost.", "The game is over: you have lost."),
        (Ended(None), "The game is over, without a loser.", "The game is over, without a loser."),
    ],
)
def test_events_as_sentences(event, told, told_to_ana):
    assert event_text(event, ANA_AND_BO) == told
    assert event_text(event, ANA_AND_BO, seat=0) == told_to_ana


def test_events_in_russian_count_right():
    say = Texts("ru")
    assert event_text(PickedUp(0, 21), ANA_AND_BO, say=say) == "Ana забирает стопку: 21 карта."
    assert event_text(PickedUp(0, 3), ANA_AND_BO, 0, say) == "Вы забираете стопку: 3 карты."
    assert event_text(Gave(1, 0, 12), ANA_AND_BO, 0, say) == "Bo отдаёт вам стопку: 12 карт."


def test_a_view_tells_a_seat_its_own_hand_and_nobody_elses():
    game = Game(EDITIONS["mini"], players=list(ANA_AND_BO), seed=7)
    ours, theirs = view_text(game.view(0)), view_text(game.view(1))
    assert f"Your hand: {cards_text(game.view(0).hand)}." in ours
    assert cards_text(game.view(0).hand) not in theirs
    assert "\nYou: in hand 6" in ours and "\nBo: in hand 6" in ours
    assert "\nAna: in hand 6" in theirs and "\nYou: in hand 6" in theirs
    assert "Your hand" not in view_text(game.view(None))


def test_a_chosen_card_is_hidden_until_all_have_chosen():
    game = Game(EDITIONS["mini"], players=list(ANA_AND_BO), seed=7)
    game.push(game.legal[0])
    assert "face up hidden" in view_text(game.view(1))


def test_a_view_and_a_game_print_themselves():
    game = Game(EDITIONS["mini"], players=list(ANA_AND_BO), seed=7)
    assert str(game.view(1)) == view_text(game.view(1))
    assert str(game) == view_text(game.view(None))


def test_the_end_is_told():
    game, move = list(random_game(EDITIONS["mini"], 2, seed=1))[-1]
    assert game.over and move
    loser = game.players[game.outcome.loser]
    assert view_text(game.view(None)).startswith(f"The game is over: {loser} has lost.")
    assert "out, place 1." in view_text(game.view(None))


def test_every_refusal_has_a_sentence():
    seen = set()
    for rules in HOUSE_RULES:
        for game, _ in random_game(rules, 3, seed=3):
            view = game.view(game.ply % 3)
            for move in set(ALL) - set(view.legal):
                refusal = why_not(view, move)
                if refusal.code not in seen:
                    seen.add(refusal.code)
                    for language in LANGUAGES:
                        assert "{" not in refusal_text(refusal, Texts(language))
    assert len(seen) > len(MOVE_CODES) // 2


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_code_of_a_refusal_has_a_sentence_in_every_language(language):
    assert {f"error_{code}" for code in get_args(RefusalCode)} <= set(catalogue(language))


def test_a_refusal_names_the_card():
    game = Game(EDITIONS["mini"], players=list(ANA_AND_BO), seed=7)
    missing = next(kind for kind in ("G", "F", "T", "B") if kind not in game.view(0).hand)
    sentence = refusal_text(why_not(game.view(0), Move(f"^{missing}")))
    assert sentence == f"You have no {card_text(missing)} in your hand."


@pytest.mark.parametrize("language", LANGUAGES)
def test_one_card_is_not_counted(language):
    """No "1 asked for", no "at most 1": one card has words of its own."""
    say = Texts(language)
    for code, values in [
        ("not_in_hand", {"kind": "7", "count": 1}),
        ("not_face_up", {"kind": "7", "count": 1}),
        ("too_many", {"most": 1}),
    ]:
        assert "1" not in error_text(code, values, say), code
        two = {name: 2 if value == 1 else value for name, value in values.items()}
        assert "2" in error_text(code, two, say), code


def test_what_cannot_become_a_set_is_not_counted_as_one():
    two_in_a_row = {"pile": "3 7 7"}
    assert "make a set" in pile_text(table(EDITIONS["classic"], "8", "9", **two_in_a_row).view(0))
    never = edition("mini", set_size=3)
    assert "make a set" not in pile_text(table(never, "8", "9", **two_in_a_row).view(0))
    karma = {"pile": "3 T T", "run": ("T", 2)}
    numbers = edition("classic", karma_sets=False)
    assert "make a set" not in pile_text(table(numbers, "8", "9", **karma).view(0))


def test_where_it_is_to_be_remembered_nobody_is_told_what_was_seen():
    game = table(EDITIONS["classic"], "8", "9", pile="3 16")
    game.push("P")
    assert "(seen: 3 16)" in view_text(game.view(1))
    assert "seen" not in view_text(game.view(1), known=False)
    assert "in hand 3" in view_text(game.view(1), known=False)


def test_by_the_eye_what_lies_on_top_is_counted():
    brought_up = {"pile": "3 7 B 7", "run": ("B", 1)}
    rules = EDITIONS["classic"]
    assert table(rules, "8", "9", **brought_up).view(0).in_a_row == Run("B", 1)
    top = rules.replace(set_counts="top")
    assert table(top, "8", "9", **brought_up).view(0).in_a_row == Run("7", 1)
    assert table(top, "8", "9", pile="7 7", run=("7", 1)).view(0).in_a_row == Run("7", 2)


def test_karma_cards_have_names_in_every_language():
    assert [card_text(kind) for kind in "GFTB"] == [
        "Give (G)",
        "Five (F)",
        "Table (T)",
        "Bottoms (B)",
    ]
    assert card_text("B", Texts("ru")) == "«Снизу» (B)"
    assert parameters(catalogue("ru")["card_karma"]) == {"name", "letter"}
