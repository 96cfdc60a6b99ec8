"""The network without torch: what it sees, what it says, and that it cannot peek."""

import json

import numpy as np
import pytest

import karma
from karma.bots import encoding as e
from karma.bots import net
from karma.bots.net import FOLDER, net_for, opinions, without_net
from karma.bots.network import Weights, new_work
from karma.bots.network import add_rows as add_rows_kernel
from karma.bots.network import head as head_kernel
from karma.bots.network import judge as judge_kernel
from karma.bots.network import look_at as look_at_kernel
from karma.bots.network import second_layer as second_layer_kernel
from karma.core import apply, imagine
from karma.core.kernel import entry
from karma.core.layout import KINDS, PICK_UP, TURN_OVER
from karma.events import Drew
from karma.packing import new_states

TABLES = [
    (karma.CLASSIC, 2),
    (karma.CLASSIC, 4),
    (karma.MINI, 2),
    (karma.ALTERNATIVE, 3),
    (karma.ONLINE, 2),
    (karma.edition("mini", drawing="manual", stall_limit=60), 3),
]


@entry
def encode_after(rules, states, move, words):
    """The words after a move of the first state; the second is spare."""
    from_here = states[0]
    states[1] = states[0]
    if TURN_OVER <= move < PICK_UP:
        e.encode(rules[0], from_here, states[1], from_here.actor, 1, words)
    else:
        apply(rules[0], states[1], move, None)
        e.encode(rules[0], from_here, states[1], from_here.actor, 0, words)


@entry
def ask(weights, work, words):
    """Worth and keeps of some words, from scratch."""
    add_rows_kernel(weights, words, work.sums)
    second_layer_kernel(weights, work.sums, work.layer)
    return head_kernel(weights, work.layer, 0), head_kernel(weights, work.layer, 1)


@entry
def judge(rules, states, move, weights, work):
    """The worth of a move, by the incremental way."""
    look_at_kernel(rules[0], states, 0, weights, work)
    return judge_kernel(rules[0], states, 0, 1, move, weights, work)


def random_weights(players, seed=0, units=(16, 8), heads=2):
    chance = np.random.default_rng(seed)
    sizes = [(e.BITS * e.words_for(players), units[0]), units[:1], units, units[1:]]
    sizes += [(heads, units[1]), (heads,)]
    return Weights(*(chance.normal(0, 0.2, size).astype(np.float32) for size in sizes))


def positions(rules, players, seed, every=7):
    """Games of random moves, stopped at some of their positions."""
    game = karma.Game(rules, players=players, seed=seed)
    chance = np.random.default_rng(seed)
    while not game.over and game.ply < 300:
        if game.ply % every == 0:
            yield game
        moves = [m for m in game.legal if str(m) != "P"] or game.legal
        game.push(moves[chance.integers(len(moves))])


def world(view, seed):
    """A state that fits a view, and a spare one."""
    states = new_states(view.rules, 2)
    assert imagine(view.packed_rules, view.record, states[:1], np.array([seed])) >= 0
    return states


def at_least(counts):
    return sum(1 << 3 * k + n for k, number in enumerate(counts) for n in range(min(3, number)))


def steps(number, *levels):
    return (1 << sum(number >= level for level in levels)) - 1


def counts_of(cards):
    numbers = [0] * KINDS
    for card in cards:
        numbers[karma.cards.NUMBER_OF[card]] += 1
    return numbers


def plainly(view, after):
    """Words of zones and of the other seats, computed from the library's views in plain Python.

    `view` is before the move, `after` what the same seat sees after a move that drew nothing.
    """
    seats, seat, rules = len(view.players), view.seat, view.rules
    hidden = view.phase == "choose"
    own_face_up = [card for card in after.face_up[seat] if card is not None]
    whole = [rules.copies * rules.decks] * KINDS
    if not rules.give_cards:
        whole[karma.cards.NUMBER_OF["G"]] = 0
    seen = [*after.hand, *own_face_up, *after.pile, *after.removed]
    words = []
    for turn in range(1, seats):
        other = (seat + turn) % seats
        face_up = [] if hidden else [card for card in after.face_up[other] if card is not None]
        seen += [*face_up, *after.known[other]]
        size = after.hand_sizes[other]
        words.append(at_least(counts_of(after.known[other])))
        words.append(at_least(counts_of(face_up)))
        words.append(
            steps(size, 1, 2, 3, 4, 5, 6, 8, 10, 13, 17, 22, 28)
            | steps(size - len(after.known[other]), 1, 2, 3, 4, 5, 6) << 12
            | steps(sum(after.face_down[other]), 1, 2, 3) << 18
            | (other in after.places) << 21
            | (int(after.record["actor"][0]) == other) << 22
        )
    unseen = [a - b for a, b in zip(whole, counts_of(seen), strict=True)]
    front = [at_least(counts_of(after.hand)), at_least(counts_of(own_face_up)), at_least(unseen)]
    return [*front, at_least(counts_of(after.pile))], words


@pytest.mark.parametrize(("rules", "players"), TABLES)
def test_the_words_of_the_zones_are_what_the_viewer_counts(rules, players):
    """Compares with a plain re-computation wherever the mover draws nothing."""
    compared = 0
    for seed in range(4):
        for game in positions(rules, players, seed):
            view = game.view(game.actor)
            for move in view.legal:
                if TURN_OVER <= move.number < PICK_UP:
                    continue
                future = game.copy()
                events = future.push(move)
                if future.over or any(isinstance(event, Drew) for event in events):
                    continue
                after = future.view(view.seat)
                words = np.zeros(e.words_for(players), np.int64)
                encode_after(view.packed_rules, world(view, 5), move.number, words)
                front, others = plainly(view, after)
                assert words[:4].tolist() == front
                assert words[e.TABLE_WORDS :].tolist() == others
                compared += 1
    assert compared > 100


@pytest.mark.parametrize(("rules", "players"), TABLES)
def test_nothing_hidden_is_seen(rules, players):
    """Whatever the hidden cards are, the words of every move are the same."""
    for seed in range(3):
        for game in positions(rules, players, seed):
            view = game.view(game.actor)
            for move in view.legal:
                seen = set()
                for other_world in range(1, 6):
                    words = np.zeros(e.words_for(players), np.int64)
                    encode_after(view.packed_rules, world(view, other_world), move.number, words)
                    seen.add(words.tobytes())
                assert len(seen) == 1, (view, move)


@pytest.mark.parametrize(("rules", "players"), TABLES[:4])
def test_the_incremental_layer_equals_a_plain_product(rules, players):
    weights = random_weights(players)
    work = new_work(weights)
    for game in positions(rules, players, 3):
        view = game.view(game.actor)
        for move in view.legal:
            future = game.copy()
            future.push(move)
            if future.over:
                continue
            states = world(view, 9)
            words = np.zeros(e.words_for(players), np.int64)
            encode_after(view.packed_rules, states, move.number, words)
            bits = np.unpackbits(words.view(np.uint8), bitorder="little").astype(np.float32)
            one = np.maximum(bits @ weights.first + weights.first_bias, 0)
            two = np.maximum(one @ weights.second + weights.second_bias, 0)
            said = weights.heads @ two + weights.heads_bias
            np.testing.assert_allclose(ask(weights, work, words), said, atol=1e-4)
            logit = judge(view.packed_rules, states, move.number, weights, work)
            assert logit == pytest.approx(float(said[0]), abs=1e-4)


def test_a_network_for_two_is_the_front_of_one_for_six():
    assert e.words_for(6) == e.words_for(2) + 4 * e.SEAT_WORDS


def test_opinions_are_chances_for_every_legal_move():
    weights = random_weights(2)
    for game in positions(karma.MINI, 2, 1):
        view = game.view(game.actor)
        thought = opinions(view, weights)
        assert set(thought) == set(view.legal)
        assert all(0 <= value <= 1 for opinion in thought.values() for value in opinion)


def test_a_network_is_used_only_where_it_was_trained():
    assert net_for(karma.edition("mini", set_size=3), 2) is None
    for path in FOLDER.glob("*.json"):
        for table in json.loads(path.read_text())["config"]["tables"]:
            rules = karma.edition(table["edition"], stall_limit=50)
            assert net_for(rules, table["players"]) is not None


def test_the_networks_in_the_package_are_small():
    for path in FOLDER.glob("*.npz"):
        assert path.stat().st_size < 1_000_000


def tables_of_networks():
    for path in sorted(FOLDER.glob("*.json")):
        for table in json.loads(path.read_text())["config"]["tables"]:
            yield karma.edition(table["edition"]), table["players"]


@pytest.mark.parametrize("bot", ["net", "master:turns=50"])
@pytest.mark.parametrize(("rules", "players"), list(tables_of_networks()))
def test_net_and_master_move_legally_where_they_were_trained(bot, rules, players):
    assert_legal_and_steadfast(karma.make_bot(bot, seed=2), rules, players)


@pytest.mark.parametrize("bot", ["net", "master"])
@pytest.mark.parametrize(
    ("rules", "players"),
    [
        (karma.edition("classic", set_size=2), 2),
        (karma.edition("mini", drawing="manual", stall_limit=60), 3),
        (karma.edition("online", give_to="anyone", copies=3), 4),
        (karma.edition("classic", copies=4), 4),
        (karma.edition("classic", decks=2), 8),
    ],
)
def test_where_no_network_was_trained_another_bot_plays(bot, rules, players, monkeypatch):
    """A quick bot here: that searches move legally by any rules is a test of their own."""
    assert net_for(rules, players) is None
    assert without_net(1, 0).name == "expert"
    monkeypatch.setattr(net, "WITHOUT_NET", ("no such bot", "greedy"))
    player, greedy = karma.make_bot(bot, seed=2), karma.make_bot("greedy", seed=2)
    assert_legal_and_steadfast(player, rules, players)
    for game in positions(rules, players, 9, every=43):
        view = game.view(game.actor)
        assert player.choose(view) == greedy.choose(view)


def assert_legal_and_steadfast(player, rules, players):
    for game in positions(rules, players, 8, every=43):
        view = game.view(game.actor)
        move = player.choose(view)
        assert move in view.legal
        assert player.choose(view) == move


def test_master_keeps_to_its_time():
    """What there is no time for is left out, and there is always an answer."""
    game = karma.Game(karma.edition("mini", stall_limit=80), players=2, seed=3)
    view = game.view(game.actor)
    hurried = karma.make_bot("master:turns=100000", seed=1, milliseconds=20)
    assert hurried.choose(view) in view.legal


@pytest.mark.parametrize("bot", ["net", "master:turns=50"])
@pytest.mark.parametrize(("rules", "players"), TABLES[:3])
def test_blindfold_where_networks_play(bot, rules, players):
    """Everything hidden from the mover is dealt anew: the same move, and the same opinions."""
    weights = net_for(rules, players)
    assert weights is not None
    player = karma.make_bot(bot, seed=6)
    for game in positions(rules, players, 4, every=11):
        view = game.view(game.actor)
        chosen, thought = player.choose(view), opinions(view, weights)
        for seed in range(1, 4):
            other = game.copy()
            other._state = world(view, seed)[:1].copy()
            seen = other.view(view.seat)
            assert seen == view
            assert player.choose(seen) == chosen
            assert opinions(seen, weights) == thought
