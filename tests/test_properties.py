"""What is true of every game: of random rules, players, decks and moves."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chance import random_move, random_table, values_of
from karma import EDITIONS, Game, IllegalMove, Move, Record, View
from karma.core import VIEW, imagine, look
from karma.core.kernel import random_words
from karma.core.layout import NOBODY
from karma.editions import OPTIONS
from karma.moves import ALL
from karma.packing import new_states


@st.composite
def house_rules(draw):
    """An edition with any options changed."""
    rules = draw(st.sampled_from(list(EDITIONS.values())))
    names = draw(st.sets(st.sampled_from(list(OPTIONS)), max_size=5))
    changes = {name: draw(st.sampled_from(values_of(OPTIONS[name]))) for name in sorted(names)}
    return rules.replace(**changes)


@st.composite
def lines_of_play(draw, longest=250):
    """A fresh game, a generator to play it with, and how far."""
    rules = draw(house_rules())
    players = draw(st.integers(2, rules.most_players))
    dealer = draw(st.integers(0, players - 1))
    game = Game(rules, players, seed=draw(st.integers(0, 2**32 - 1)), dealer=dealer)
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    return game, rng, draw(st.sampled_from(range(longest + 1)))


def positions_of(line):
    """The game at each of its positions, and a random generator."""
    game, rng, plies = line
    yield game, rng
    while not game.over and game.ply < plies:
        game.push(random_move(game, rng))
        yield game, rng


def end_of(line):
    for _ in positions_of(line):
        pass
    return line[:2]


def seats_of(game):
    return (*range(len(game.players)), None)


def state_of(game):
    return game._state.tobytes()


def worlds(game, seat, number, rng):
    states = new_states(game.rules, number)
    hidden = imagine(game.rules.packed, game.view(seat).record, states, random_words(rng))
    return [as_game(game, states[i : i + 1].copy()) for i in range(number)], hidden


def as_game(game, state):
    """The game as it would be if another state were the truth."""
    other = game.copy()
    other._state = state
    other._legal = None
    return other


@settings(max_examples=50)
@given(lines_of_play(longest=500))
def test_no_card_is_lost_or_made(line):
    for game, _ in positions_of(line):
        position = game.position()
        cards = [*position["pile"], *position["draw_pile"], *position["removed"]]
        for zone in ("hands", "face_up", "face_down"):
            cards += [card for row in position[zone] for card in row if card is not None]
        assert sorted(cards) == sorted(game.deck)
        assert "G" not in position["pile"]  # a Give is never in a pile


@settings(max_examples=50)
@given(lines_of_play(longest=500))
def test_cards_only_ever_leave_and_are_only_ever_drawn(line):
    removed, draw_pile = 0, len(line[0].deck)
    for game, _ in positions_of(line):
        view = game.view(None)
        assert len(view.removed) >= removed
        assert view.draw_pile <= draw_pile
        removed, draw_pile = len(view.removed), view.draw_pile


@pytest.mark.parametrize("seed", range(8))
def test_so_with_a_limit_every_game_ends(seed):
    rng = np.random.default_rng(seed)
    game = random_table(rng, stall_limit=10)
    while not game.over:
        game.push(random_move(game, rng, pick_up=0.9))
    assert game.outcome is not None


@settings(max_examples=50)
@given(lines_of_play(longest=500))
def test_only_karma_cards_that_leave_can_bring_it_about_that_nothing_can_be_played(line):
    """Where they stay, nobody has to pick up an empty pile."""
    for game, _ in positions_of(line):
        if game.phase == "play" and not game.view(None).pile and game.rules.karma_stays:
            assert Move("P") not in game.legal


@settings(max_examples=50)
@given(lines_of_play(longest=500))
def test_the_places_the_loser_and_the_holders_agree(line):
    for game, _ in positions_of(line):
        position = game.position()
        holding = [
            seat
            for seat in range(len(game.players))
            if position["hands"][seat]
            or position["face_up"][seat]
            or any(card is not None for card in position["face_down"][seat])
        ]
        acting = {game.actor} if game.phase in ("play", "give", "draw") else set()
        assert set(position["places"]).isdisjoint(holding)
        assert {*position["places"], *holding} | acting == set(range(len(game.players)))
        assert position["loser"] is None or holding == [position["loser"]]
        if not game.over:
            assert game.legal
            assert game.actor is not None


@settings(max_examples=80)
@given(lines_of_play())
def test_every_legal_move_applies_and_every_other_is_refused_without_changing_a_byte(line):
    game, _ = end_of(line)
    before = state_of(game)
    legal = game.legal
    assert list(legal) == sorted(legal)
    for move in ALL:
        if move in legal:
            game.push(move)
            assert state_of(game) != before
            game.pop()
        else:
            with pytest.raises(IllegalMove, match=r" is not legal: \w"):
                game.push(move)
        assert state_of(game) == before
        assert game.legal == legal


@settings(max_examples=40)
@given(lines_of_play())
def test_pop_undoes_push_byte_for_byte(line):
    past = []
    for game, _ in positions_of(line):
        past.append((state_of(game), game.legal))
    moves = list(game.moves)
    past.pop()
    while moves:
        assert game.pop() == moves.pop()
        assert (state_of(game), game.legal) == past.pop()
    assert game == Game(game.rules, game.players, deck=game.deck, dealer=game.dealer)


@settings(max_examples=40)
@given(lines_of_play())
def test_records_round_trip(line):
    game, _ = end_of(line)
    record = Record.of(game, event="at random")
    text = record.dumps()
    assert "\n" not in text
    again = Record.loads(text)
    assert again == record
    assert again.dumps() == text
    replayed = again.replay()
    assert replayed == game
    assert state_of(replayed) == state_of(game)


@pytest.mark.parametrize("move", ALL, ids=str)
def test_the_texts_and_numbers_of_moves_round_trip(move):
    assert Move(str(move)) is Move(move.number) is move


@settings(max_examples=60)
@given(lines_of_play())
def test_views_round_trip_as_json(line):
    game, _ = end_of(line)
    for seat in seats_of(game):
        view = game.view(seat)
        parsed = View.parse(json.loads(json.dumps(view.json())))
        assert parsed == view
        assert json.dumps(parsed.json()) == json.dumps(view.json())


@settings(max_examples=80)
@given(lines_of_play())
def test_a_view_is_the_same_in_every_world_that_its_seat_thinks_possible(line):
    """The leak test and the sampling test in one; the actor's legal moves are in its view."""
    game, rng = end_of(line)
    for seat in seats_of(game):
        possible, _ = worlds(game, seat, 3, rng)
        for world in possible:
            view = np.zeros(1, VIEW)
            look(game.rules.packed, world._state, NOBODY if seat is None else seat, view)
            assert view.tobytes() == game.view(seat).record.tobytes()
            assert world.view(seat).json() == game.view(seat).json()


@settings(max_examples=60)
@given(lines_of_play())
def test_as_many_cards_are_hidden_as_there_are_places_for_them(line):
    for game, rng in positions_of(line):
        if game.ply % 5:
            continue
        for seat in seats_of(game):
            view = game.view(seat)
            places = view.draw_pile + sum(map(sum, view.face_down))
            for other in range(len(game.players)):
                if other != seat:
                    places += view.hand_sizes[other] - len(view.known[other])
                    places += view.face_up[other].count(None)
            assert worlds(game, seat, 1, rng)[1] == places


@settings(max_examples=80)
@given(lines_of_play())
def test_a_view_shows_nothing_of_cards_that_trade_places(line):
    """Two hidden cards change places: whoever saw neither of them sees the same as before."""
    game, rng = end_of(line)
    for seat in seats_of(game):
        other = as_game(game, game._state.copy())
        places = hidden_places(other, seat)
        if len(places) < 2:
            continue
        first, second = (places[i] for i in rng.choice(len(places), 2, replace=False))
        swap(other._state[0], first, second)
        assert other.view(seat).json() == game.view(seat).json()
        assert other.view(seat) == game.view(seat)


def hidden_places(game, seat):
    """Where the cards lie that a seat has not seen: zones, and cards or indices in them."""
    state = game._state[0]
    places = [("deck", i) for i in range(int(state["drawn"]), int(state["deck_size"]))]
    for owner in range(len(game.players)):
        for place in range(3):
            if int(state["covered"][owner]) >> place & 1:
                places.append(("face_down", (owner, place)))
        if owner == seat:
            continue
        zones = ["hand", "face_up"] if game.phase == "choose" else ["hand"]
        for zone in zones:
            for word, cards in enumerate(state[zone][owner].tolist()):
                if zone == "hand":
                    cards &= ~int(state["seen"][owner, word])
                bits = [bit for bit in range(60) if cards >> bit & 1]
                places += [(zone, (owner, 64 * word + bit)) for bit in bits]
    return places


def swap(state, first, second):
    def card_at(zone, where):
        return where[1] if zone in ("hand", "face_up") else int(state[zone][where])

    def put(zone, where, card):
        if zone in ("hand", "face_up"):
            owner, _ = where
            state[zone][owner, card // 64] |= 1 << card % 64
        else:
            state[zone][where] = card

    def lift(zone, where):
        if zone in ("hand", "face_up"):
            owner, card = where
            state[zone][owner, card // 64] &= ~(1 << card % 64)

    cards = card_at(*first), card_at(*second)
    lift(*first)
    lift(*second)
    put(*first, cards[1])
    put(*second, cards[0])


@settings(max_examples=80)
@given(lines_of_play())
def test_events_are_public(line):
    """A move has the same events in every world that agrees, up to a card that it turns over."""
    game, rng = end_of(line)
    if game.over:
        return
    possible, _ = worlds(game, game.actor, 4, rng)
    for move in game.legal:
        told = game.copy().push(move)
        if game.phase == "choose":
            assert told == game.copy().push(game.legal[0])
        for world in possible:
            if move.text[0] == "?":
                place = int(move.text[1])
                turned = [w.position()["face_down"][w.actor][place] for w in (game, world)]
                if turned[0] != turned[1]:
                    continue
            assert world.copy().push(move) == told
