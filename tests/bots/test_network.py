"""The network without torch: what it sees, what it says, and that it cannot peek."""

import msgspec
import numpy as np
import pytest

import karma
from karma.bots import choice, master, net
from karma.bots import encoding as e
from karma.bots.choice import FOLDER, load_net, network_for, player_for
from karma.bots.foresight import search
from karma.bots.master import MasterBot
from karma.bots.memory import new_memory
from karma.bots.net import NetBot, net_for, opinions, without_net
from karma.bots.network import KEEPS, Weights, new_work, quantised
from karma.bots.network import add_rows as add_rows_kernel
from karma.bots.network import head as head_kernel
from karma.bots.network import judge as judge_kernel
from karma.bots.network import look_at as look_at_kernel
from karma.bots.network import second_layer as second_layer_kernel
from karma.bots.strength import Crowd, Fact, Setting
from karma.core import apply, imagine
from karma.core.kernel import entry
from karma.core.layout import KINDS, MOVES, PICK_UP, TURN_OVER
from karma.events import Drew
from karma.packing import new_states
from karma.review.values import judge_for
from karma.train.house import draw_table

TABLES = [
    (karma.CLASSIC, 2),
    (karma.CLASSIC, 4),
    (karma.MINI, 2),
    (karma.ALTERNATIVE, 3),
    (karma.ONLINE, 2),
    (karma.edition("mini", drawing="manual", stall_limit=60), 3),
]
LARGE = [
    (karma.edition("classic", decks=2), 8),
    (karma.edition("classic", decks=2), 12),
    (karma.edition("classic", copies=4, set_counts="top"), 3),
    (karma.edition("online", decks=2, copies=4), 7),
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


def more_than_three(counts):
    return sum(1 << 3 * k + n - 3 for k, number in enumerate(counts) for n in range(3, number))


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
    seat, rules = view.seat, view.rules
    hidden = view.phase == "choose"
    own_face_up = [card for card in after.face_up[seat] if card is not None]
    whole = [rules.copies * rules.decks] * KINDS
    if not rules.give_cards:
        whole[karma.cards.NUMBER_OF["G"]] = 0
    seen = [*after.hand, *own_face_up, *after.pile, *after.removed]
    places = []
    all_known, all_face_up = [], []
    for other in others_of(view):
        words = []
        face_up = [] if hidden else [card for card in after.face_up[other] if card is not None]
        all_known += after.known[other]
        all_face_up += face_up
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
        places.append((other, words))
    seen += all_known + all_face_up
    unseen = [a - b for a, b in zip(whole, counts_of(seen), strict=True)]
    zones = [counts_of(after.hand), counts_of(own_face_up), unseen, counts_of(after.pile)]
    together = [at_least(counts_of(all_known)), at_least(counts_of(all_face_up))]
    more = [more_than_three([min(6, n) for n in zones[i]]) for i in (0, 2, 3)]
    return list(map(at_least, zones)), places, [*more, *together]


def others_of(view):
    """The other seats, clockwise."""
    seats = len(view.players)
    return [(view.seat + turn) % seats for turn in range(1, seats)]


@pytest.mark.parametrize(("rules", "players"), [*TABLES, *LARGE])
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
                words = np.zeros(e.GENERAL_WORDS, np.int64)
                encode_after(view.packed_rules, world(view, 5), move.number, words)
                zones, places, general = plainly(view, after)
                assert words[:4].tolist() == zones
                assert words[e.GENERAL : e.NEXT].tolist() == general
                compared += 1
                holders = [place for place in places if place[0] not in after.places]
                if holders:
                    assert words[e.NEXT : e.REST].tolist() == holders[0][1]
                if players > e.MOST_PLAYERS:  # the next four who hold cards, and the last
                    places = [*holders[:4], *holders[4:][-1:]]
                seats = np.concatenate([place[1] for place in places])
                assert words[e.TABLE_WORDS : e.TABLE_WORDS + len(seats)].tolist() == seats.tolist()
                assert not words[e.TABLE_WORDS + len(seats) : e.GENERAL].any()
                if (rules, players) in TABLES:
                    special = np.zeros(e.words_for(players), np.int64)
                    encode_after(view.packed_rules, world(view, 5), move.number, special)
                    assert special.tolist() == words[: len(special)].tolist()
    assert compared > 100


@pytest.mark.parametrize(("rules", "players"), [*TABLES, *LARGE])
def test_nothing_hidden_is_seen(rules, players):
    """Whatever the hidden cards are, the words of every move are the same."""
    for seed in range(3):
        for game in positions(rules, players, seed):
            view = game.view(game.actor)
            for move in view.legal:
                seen = set()
                for other_world in range(1, 6):
                    words = np.zeros(e.GENERAL_WORDS, np.int64)
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


def test_a_quantised_network_says_nearly_the_same():
    weights = load_net("classic-2")
    rough = quantised(weights)
    work, rough_work = new_work(weights), new_work(rough)
    assert rough.first.dtype == rough_work.sums.dtype == np.int16
    differences = []
    for game in positions(karma.CLASSIC, 2, 3):
        view = game.view(game.actor)
        for move in view.legal:
            words = np.zeros(e.words_for(2), np.int64)
            encode_after(view.packed_rules, world(view, 9), move.number, words)
            one, other = ask(weights, work, words), ask(rough, rough_work, words)
            differences.append(abs(one[0] - other[0]))
    assert 0 < max(differences) < 0.2 and np.mean(differences) < 0.05


def test_a_network_for_two_is_the_front_of_one_for_six():
    assert e.words_for(6) == e.words_for(2) + 4 * e.SEAT_WORDS


def test_opinions_are_chances_for_every_legal_move():
    weights = random_weights(2)
    for game in positions(karma.MINI, 2, 1):
        view = game.view(game.actor)
        thought = opinions(view, weights)
        assert set(thought) == set(view.legal)
        assert all(0 <= value <= 1 for opinion in thought.values() for value in opinion)


@pytest.fixture
def known(monkeypatch):
    """Lets a test say what was measured."""

    def measured(*rows):
        monkeypatch.setattr(choice, "facts", lambda: rows)
        forget()

    def forget():
        for name in ("network_for", "player_for", "mixes", "ends_by_favourites"):
            getattr(choice, name).cache_clear()

    yield measured
    monkeypatch.undo()
    forget()


def row(bot, network, baseline, gain, **where):
    return Fact(bot, network, baseline, gain, 0.01, 100, 0.0, 1, **where)


HOUSE = karma.edition("mini", set_size=3)


def test_a_network_plays_where_it_was_trained_and_elsewhere_what_was_shown_to_be_better(known):
    known()
    assert network_for(karma.edition("mini", stall_limit=50), 2) == "mini-2"
    assert player_for("net", karma.MINI, 2) == player_for("master", karma.MINI, 2) == "mini-2"
    assert network_for(HOUSE, 2) == "house-2"
    assert network_for(karma.edition("classic", decks=2), 12) == "general"
    assert player_for("net", HOUSE, 2) is player_for("master", HOUSE, 2) is None
    known(row("master", "house-2", "expert", 0.1, crowd=Crowd(2, 3)))
    assert player_for("master", HOUSE, 2) == "house-2"
    assert player_for("net", HOUSE, 2) is None
    known(row("net", "house-2", "expert", 0.1, crowd=Crowd(2, 3)))
    assert player_for("net", HOUSE, 2) == player_for("master", HOUSE, 2) == "house-2"


def test_measured_games_decide_which_network_plays(known):
    better = row("net", "mini-2", "house-2", -0.02, place=Setting("mini", 2))
    known(better)
    assert network_for(karma.MINI, 2) == "house-2"
    assert network_for(karma.MINI, 3) == "mini-3-4"
    for gain in (0.02, -0.005):  # the second is within what chance may do
        known(row("net", "mini-2", "house-2", gain, place=Setting("mini", 2)))
        assert network_for(karma.MINI, 2) == "mini-2"


def test_of_several_networks_for_a_table_the_one_that_beat_the_others_plays(known, monkeypatch):
    own = choice._About(choice._Settings([Setting("mini", 2)]))
    every = choice._About(choice._Settings([], general=True))
    trained = {"general": every, "one": own, "two": own}
    monkeypatch.setattr(choice, "_trained", lambda: trained)
    known()
    assert network_for(karma.MINI, 2) == "one"
    known(row("net", "two", "one", 0.02, place=Setting("mini", 2)))
    assert network_for(karma.MINI, 2) == "two"
    known(row("net", "two", "one", -0.02, place=Setting("mini", 2)))
    assert network_for(karma.MINI, 2) == "one"


def test_house_rules_are_for_the_general_network_with_the_fewest_players(known, monkeypatch):
    settings = {"general": 12, "house-2": 2, "house-3-6": 6}
    about = {
        name: choice._About(choice._Settings([], general=True, drawn_players=most))
        for name, most in settings.items()
    }
    monkeypatch.setattr(choice, "_trained", lambda: about)
    known()
    assert network_for(HOUSE, 2) == "house-2"
    assert network_for(HOUSE, 3) == "house-3-6"
    assert network_for(karma.edition("mini", decks=2), 7) == "general"


def test_a_network_has_to_be_better_than_what_master_does_without(known):
    deep = row("deep", "", "expert", 0.1, crowd=Crowd(2, 3))
    known(deep, row("mixed", "house-2", "expert", 0.05, crowd=Crowd(2, 3)))
    assert player_for("master", HOUSE, 2) is None
    known(deep, row("mixed", "house-2", "expert", 0.15, crowd=Crowd(2, 3)))
    assert player_for("master", HOUSE, 2) == "house-2"


def test_all_games_that_measured_the_same_count(known):
    more = Fact("deep", "", "expert", 0.0, 0.02, 300, 0.04, 2, crowd=Crowd(2, 3))
    deep = row("deep", "", "expert", 0.1, crowd=Crowd(2, 3))
    known(deep, more, row("mixed", "house-2", "expert", 0.05, crowd=Crowd(2, 3)))
    together = choice.fact("deep", "", "expert", HOUSE, 2)
    assert (together.games, round(together.gain, 4), round(together.stalled, 4)) == (
        400,
        0.025,
        0.03,
    )
    assert round(together.error, 4) == 0.0152
    assert player_for("master", HOUSE, 2) == "house-2"


def test_chances_are_those_of_a_table_where_they_were_fitted_to_it():
    """The head for the chance not to lose alone: what a network plays is the same."""
    several = load_net("house-3-6")
    own = choice.net_at("house-3-6", karma.CLASSIC, 6)
    assert choice.net_at("house-3-6", karma.CLASSIC, 3) is several
    for name, before, after in zip(several._fields, several, own, strict=True):
        if name in ("heads", "heads_bias"):
            np.testing.assert_array_equal(np.delete(before, KEEPS, 0), np.delete(after, KEEPS, 0))
            assert (before[KEEPS] != after[KEEPS]).all()
        else:
            assert before is after
    judges = {judge_for(karma.CLASSIC, n, 10, seed=0).name for n in (5, 6)}
    assert len(judges) == 2  # what they say is not to be mixed


def test_where_a_network_is_no_better_than_expert_expert_plays(known):
    house = row("master", "house-2", "expert", -0.1, crowd=Crowd(2, 3))
    own = row("master", "house-2", "expert", 0.1, place=Setting("mini", 2, {"set_size": 3}))
    special = row("net", "mini-2", "expert", -0.1, place=Setting("mini", 2))
    known(house, special)
    assert player_for("master", HOUSE, 2) is None
    assert player_for("net", karma.MINI, 2) is None
    assert player_for("master", karma.MINI, 2) == "mini-2"
    known(house, own)  # a table's own games tell more than those of tables like it
    assert player_for("master", HOUSE, 2) == "house-2"
    assert player_for("master", karma.edition("mini", set_size=4), 2) is None
    deep = row("deep", "", "expert", 0.2, crowd=Crowd(2, 3))
    known(own, deep)  # and games of tables like it say nothing against them
    assert player_for("master", HOUSE, 2) == "house-2"
    known(own, row("deep", "", "expert", 0.2, place=Setting("mini", 2, {"set_size": 3})))
    assert player_for("master", HOUSE, 2) is None


def test_rollouts_help_to_judge_where_games_say_that_it_is_better(known):
    mixed = row("mixed", "house-2", "expert", 0.1, crowd=Crowd(2, 3))
    assert not choice.mixes(karma.MINI, 2) and choice.mixes(karma.MINI, 4)
    known(mixed)
    assert player_for("master", HOUSE, 2) == "house-2" and choice.mixes(HOUSE, 2)
    assert player_for("net", HOUSE, 2) is None
    known(mixed, row("master", "house-2", "expert", 0.2, crowd=Crowd(2, 3)))
    assert player_for("master", HOUSE, 2) == "house-2" and not choice.mixes(HOUSE, 2)
    known(row("mixed", "house-2", "expert", -0.1, crowd=Crowd(2, 3)))
    assert player_for("master", HOUSE, 2) is None


def test_rollouts_change_what_the_end_of_a_walk_is_worth():
    game = karma.Game(karma.ONLINE, players=2, seed=4)
    by_word, mixed = (
        MasterBot("master", turns=200, network="online", trust=trust, rollouts=4, haste=60)
        for trust in (100, 50)
    )
    chosen = set()
    while game.actor is not None and game.ply < 60:
        view = game.view(game.actor)
        chosen.add((str(by_word.choose(view)), str(mixed.choose(view))))
        game.push(mixed.choose(view))
    assert any(one != other for one, other in chosen)


def test_what_was_measured_is_about_networks_of_the_package():
    assert choice.facts()
    for fact in choice.facts():
        without = fact.bot == choice.DEEP and fact.network == choice.NO_NET
        assert without or (FOLDER / f"{fact.network}.npz").exists()
        assert (fact.place is None) != (fact.crowd is None)
        assert fact.games >= 2 and abs(fact.gain) <= 1


def test_the_networks_in_the_package_are_small():
    for path in FOLDER.glob("*.npz"):
        assert path.stat().st_size < 1_000_000


def drawn_tables(number):
    chance = np.random.default_rng(31)
    return [(table.rules, table.players) for table in (draw_table(chance) for _ in range(number))]


EVERYWHERE = [*TABLES, *LARGE, *drawn_tables(8)]


@pytest.mark.parametrize("network", ["", "general"])
@pytest.mark.parametrize(("rules", "players"), EVERYWHERE)
def test_net_and_master_move_legally_by_any_rules(network, rules, players, monkeypatch):
    """As they are chosen, or with the general network in any case."""
    monkeypatch.setattr(net, "WITHOUT_NET", "greedy")  # quick; searches have tests of their own
    assert_legal_and_steadfast(NetBot("net", seed=2, network=network), rules, players)
    assert_legal_and_steadfast(MasterBot("master", turns=20, network=network), rules, players)


@pytest.mark.parametrize(("rules", "players"), [(HOUSE, 2), (karma.edition("classic", decks=2), 8)])
def test_another_bot_plays_where_no_network_is_better(rules, players, known, monkeypatch):
    known(row("net", "general", "expert", -0.1, crowd=Crowd(2, 12)))
    assert without_net(1, 0).name == "expert"
    monkeypatch.setattr(net, "WITHOUT_NET", "greedy")
    player, greedy = karma.make_bot("net", seed=2), karma.make_bot("greedy", seed=2)
    for game in positions(rules, players, 9, every=43):
        view = game.view(game.actor)
        assert player.choose(view) == greedy.choose(view)


def test_where_no_network_is_better_master_searches_deeper_than_expert(known):
    known(row("master", "general", "expert", -0.1, crowd=Crowd(2, 12)))
    deeper = karma.make_bot("master:turns=50")._without_net(2)
    assert deeper.name == "expert"
    assert deeper.budget.rollouts == 50 * karma.make_bot("master").deep
    assert karma.make_bot("master")._without_net(2).budget.rollouts > 3000
    assert karma.make_bot("master@2")._without_net(2).budget.rollouts == 3000
    assert_legal_and_steadfast(karma.make_bot("master:turns=50", seed=2), HOUSE, 2)


def test_masters_fifth_version_searches_without_a_network_once_a_game_goes_round(monkeypatch):
    """And before that by the network, as its fourth version does always."""
    monkeypatch.setattr(net, "WITHOUT_NET", "greedy")
    impatient = karma.make_bot("master@5:turns=20,patience=1,deep=0", seed=2)
    patient, greedy = karma.make_bot("master@4:turns=20", seed=2), karma.make_bot("greedy", seed=2)
    assert karma.make_bot("master@5").patience > 0
    differ = 0
    for game in positions(karma.CLASSIC.for_table(2), 2, 9, every=7):
        view = game.view(game.actor)
        other = greedy if view.quiet >= 2 else patient
        assert impatient.choose(view) == other.choose(view)
        differ += view.quiet >= 2 and greedy.choose(view) != patient.choose(view)
    assert differ > 0


def test_the_longer_a_game_goes_round_the_less_master_takes_the_pile():
    """In the end only when nothing fits; and after its patience it makes favourite moves."""
    game = karma.Game(karma.CLASSIC.for_table(2), players=2, seed=1)
    pressing = karma.make_bot("master:turns=60,presses=1,patience=0", seed=2)
    steadfast = karma.make_bot("master@4:turns=60", seed=2)
    impatient = karma.make_bot("master:turns=60,presses=1,patience=2", seed=2)
    favourite = karma.make_bot("net")
    spared = 0
    while not game.over:
        view = game.view(game.actor)
        usual, pressed = str(steadfast.choose(view)), str(pressing.choose(view))
        if view.quiet < 2:
            assert pressed == usual
        elif pressed != usual:
            assert usual == "P"
            spared += 1
        if view.quiet >= 14:
            assert pressed != "P" or len(view.legal) == 1
        if view.quiet >= 4:
            assert impatient.choose(view) == favourite.choose(view)
        game.push(favourite.choose(view))
    assert spared > 0


def test_or_makes_the_networks_favourite_moves_where_that_ends_more_games(known):
    classic = Setting("classic", 2)
    own = [
        msgspec.structs.replace(row(way, "classic-2", "master", 0, place=classic), stalled=stalled)
        for way, stalled in (("master", 0.05), ("favourites", 0.01))
    ]
    rules = karma.CLASSIC.for_table(2)
    for one in own:
        known(one)
        assert not choice.ends_by_favourites(rules, 2)
    known(own[0], msgspec.structs.replace(own[1], stalled=0.05))
    assert not choice.ends_by_favourites(rules, 2)
    known(*own)
    assert not choice.ends_by_favourites(karma.MINI, 2)
    impatient = karma.make_bot("master@5:turns=20,patience=1", seed=2)
    favourite = karma.make_bot("net")
    round_ones = 0
    for game in positions(rules, 2, 9, every=7):
        view = game.view(game.actor)
        if view.quiet >= 2:
            assert impatient.choose(view) == favourite.choose(view)
            round_ones += 1
    assert round_ones > 0


def test_turns_that_cannot_change_the_move_are_not_spent(monkeypatch):
    """Stopping early saves turns, and the move is that of the whole search."""
    spent = []
    monkeypatch.setattr(master, "search", lambda *a: spent.append(a[5]) or search(*a))
    saved = MasterBot("master", seed=4, turns=200)
    whole = MasterBot("master", seed=4, turns=200)
    whole._left = lambda turns, visits: 200 - turns
    fewer = 0
    for game in positions(karma.MINI, 2, 5, every=9):
        view = game.view(game.actor)
        if len(view.legal) > 1:
            spent.clear()
            move = saved.choose(view)
            if sum(spent) < 200:
                fewer += 1
                assert move == whole.choose(view)
    assert fewer > 0


@pytest.mark.parametrize(("rules", "players"), EVERYWHERE)
def test_what_is_remembered_is_what_the_network_would_say_again(rules, players, monkeypatch):
    """The same tree grows where nearly everything is forgotten at once."""
    trees = []
    monkeypatch.setattr(master, "search", lambda *a: search(*a) or trees.append(a[3].copy()))
    player = MasterBot("master", seed=4, turns=100, network=network_for(rules, players))

    def forgetful(turns, choosing):
        memory = new_memory(turns, choosing)
        return memory._replace(thoughts=memory.thoughts[:1], choices=memory.choices[: 2 * MOVES])

    for game in positions(rules, players, 8, every=5):
        view = game.view(game.actor)
        if len(view.legal) > 1:
            grown = []
            for remembers in (new_memory, forgetful):
                monkeypatch.setattr(master, "new_memory", remembers)
                player.choose(view)
                grown.append(trees[-1])
            assert (grown[0] == grown[1]).all()


def assert_legal_and_steadfast(player, rules, players):
    for game in positions(rules, players, 8, every=43):
        view = game.view(game.actor)
        move = player.choose(view)
        assert move in view.legal
        assert player.choose(view) == move


def test_time_in_the_text_of_a_bot_is_used_and_a_limit_is_only_a_limit():
    assert karma.make_bot("master").turns == 1000
    assert karma.make_bot("master", milliseconds=2000).turns == 1000
    assert karma.make_bot("master:milliseconds=2000").turns > 10_000
    assert karma.make_bot("master:milliseconds=2000,turns=50").turns == 50


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
