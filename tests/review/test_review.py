"""The review of a game: accounts add up, luck is fair, hidden cards are nobody's fault."""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from karma import CLASSIC, MINI, Game, Move, Record, Rules, edition, make_bot
from karma.cli import app
from karma.cli.errors import Failure, Misuse
from karma.editions import EDITIONS
from karma.review import baseline as baseline_module
from karma.review import reviewer as reviewer_module
from karma.review.audit import Audit
from karma.review.decisions import decide, different
from karma.review.ledger import Review, to_json
from karma.review.luck import shown
from karma.review.reasons import contrasts
from karma.review.reviewer import account, judge_decisions, review
from karma.review.story import chance_line, story
from karma.review.values import Judge, NetJudge, dealt, judge_for, moved, values
from karma.texts import LANGUAGES, Texts

pytestmark = pytest.mark.timeout(3600)  # the first of them compiles

TABLES = [
    (MINI, 2),
    (CLASSIC, 4),
    (edition("online"), 3),
    (edition("classic", decks=2, drawing="manual"), 7),  # no network: rollouts
    (edition("mini", drawing="when-empty", set_effect="give-rest"), 3),
]


def played(rules: Rules, names: Sequence[str], seed: int) -> Record:
    game = Game(rules.for_table(len(names)), len(names), seed=seed)
    bots = [make_bot(name, seed=seed) for name in names]
    while not game.over and game.ply < 400:
        assert game.actor is not None
        game.push(bots[game.actor].choose(game.view(game.actor)))
    return Record.of(game)


@pytest.mark.parametrize(("rules", "players"), TABLES)
def test_every_account_adds_up_and_luck_is_zero_sum(rules: Rules, players: int) -> None:
    audit = Audit()
    for seed in range(2):
        audit.add(account(played(rules, ["greedy"] * players, seed)))
    assert audit.worst_identity <= 1e-6
    assert audit.worst_sum <= 1e-9
    assert audit.unfinished < audit.games


def test_a_ledger_is_the_result_in_parts() -> None:
    found = review(played(MINI, ["steady", "greedy"], 1), worlds=8)
    assert found.result is not None
    for seat, told in enumerate(to_json(found, 0, 0.9)["seats"]):
        parts = told["baseline"] + sum(told["luck"].values()) + told["losses"] + told["rest"]
        assert parts == pytest.approx(told["result"], abs=1e-9)
        assert told["rest"] == pytest.approx(found.rest_by_steps(seat), abs=1e-6)
        assert told["adjusted"] == pytest.approx(told["result"] - 0.9 * sum(told["luck"].values()))


@pytest.mark.parametrize("rules", [MINI, edition("online")])
def test_over_all_cards_that_might_have_come_luck_has_mean_zero(rules: Rules) -> None:
    """Every unseen card is put where chance takes the next one, and the luck is added up."""
    record = played(rules, ["greedy", "greedy"], 3)
    judge = judge_for(record.rules, 2, 8, seed=5)
    state = dealt(record.rules, 2, record.deck, record.dealer)
    looked = 0
    for text in record.moves:
        number = Move(text).number
        cards = shown(judge, state, number, record.rules, record.players)
        if cards and cards[0].what == "draw" and looked < 3:
            looked += 1
            place = int(state["drawn"][0])
            hidden = [("deck", place + i) for i in range(len(record.deck) - place)]
            total = np.zeros(2)
            for _, other in hidden:
                trial = state.copy()
                deck = trial["deck"][0]
                deck[place], deck[other] = int(deck[other]), int(deck[place])
                (first, *_) = shown(judge, trial, number, record.rules, record.players)
                assert first.unseen == cards[0].unseen
                total += first.luck
            for seat in range(2):
                for covered in range(3):
                    if state["covered"][0, seat] >> covered & 1:
                        trial = state.copy()
                        deck, down = trial["deck"][0], trial["face_down"][0, seat]
                        deck[place], down[covered] = int(down[covered]), int(deck[place])
                        (first, *_) = shown(judge, trial, number, record.rules, record.players)
                        total += first.luck
            assert np.abs(total).max() < 1e-9
        state = moved(state, number, record.rules)
    assert looked == 3


def test_values_of_all_seats_add_up_to_one_loser() -> None:
    for rules, players in TABLES:
        record = played(rules, ["greedy"] * players, 7)
        judge = judge_for(record.rules, players, 4, seed=1)
        state = dealt(record.rules, players, record.deck, record.dealer)
        for text in record.moves[:40]:
            found = values(judge, state, record.rules, record.players)
            assert found.sum() == pytest.approx(players - 1)
            assert (found > 0).all() and (found < 1).all()
            state = moved(state, Move(text).number, record.rules)


def test_hidden_cards_change_no_verdict() -> None:
    """Two games that differ only in cards nobody has seen: the same losses and reasons."""
    record = played(MINI, ["greedy", "greedy"], 11)
    deck = list(record.deck)
    # The last card of the draw pile, and a face-down card of the second seat (dealt as its first).
    last, covered = len(deck) - 1, 3
    assert deck[last] != deck[covered]
    deck[last], deck[covered] = deck[covered], deck[last]
    other = replace(record, deck=tuple(deck))
    judge = judge_for(record.rules, 2, 8, seed=1)
    first, second = record.deal(), other.deal()
    compared = 0
    for text in record.moves[:24]:
        move = Move(text)
        assert first.actor is not None
        one, two = first.view(first.actor), second.view(first.actor)
        if len(different(one)) > 1:
            left, right = decide(one, move, judge, 20, 1), decide(two, move, judge, 20, 1)
            assert left[:4] == right[:4]
            assert contrasts(left.trials) == contrasts(right.trials)
            compared += 1
        first.push(move)
        second.push(move)
    assert compared > 10


def test_a_planted_blunder_is_found_out() -> None:
    from karma.bots.net import net_for, opinions

    game = Game(MINI.for_table(2), 2, seed=2)
    bot = make_bot("net", seed=0)
    weights = net_for(game.rules, 2)
    assert weights is not None
    planted = None
    while not game.over:
        assert game.actor is not None
        view = game.view(game.actor)
        move = bot.choose(view)
        if planted is None and game.phase == "play":
            thought = opinions(view, weights)
            worst = min(thought, key=lambda each: thought[each].keeps)
            if thought[move].keeps - thought[worst].keeps > 0.3:
                planted, move = game.ply, worst
        game.push(move)
    assert planted is not None
    found = review(Record.of(game), worlds=60)
    losses = {ply.ply: ply.decision.loss for ply in found.plies if ply.decision is not None}
    assert max(losses, key=losses.__getitem__) == planted
    assert losses[planted] > 0.15
    assert all(loss == 0 for ply, loss in losses.items() if ply != planted)


def test_a_game_lost_by_cards_alone_blames_nobody() -> None:
    """Both play as well as the judge can tell; one of them gets all the bad cards."""
    found = review(played(MINI, ["net", "net"], 21), worlds=20)
    assert found.result is not None
    loser = found.result.index(0)
    assert sum(found.luck(loser).values()) < -0.5
    assert found.mistakes == [] and found.loss(0) == found.loss(1) == 0
    told = list(story(found, range(2), Texts("en")))
    assert Texts("en")("review_no_mistakes") in told
    assert any("lost" in line and "luck −" in line and "play 0" in line for line in told)


def test_a_line_of_chances_ends_with_the_result_and_equal_names_are_told_apart() -> None:
    record = played(CLASSIC, ["greedy"] * 3, 3)
    found = account(replace(record, players=("greedy", "greedy", "steady")))
    assert found.names == ("greedy", "greedy 2", "steady")
    found.result = (0.0, 0.0, 0.0)  # other than the chances before, whoever lost
    for number in (61, 60):  # of more than sixty values some are left out
        found.plies = found.plies[:number]
        assert {chance_line(found, seat)[-1] for seat in range(3)} == {"▁"}


def test_a_decision_judged_again_says_the_same() -> None:
    record = played(edition("online"), ["random", "greedy"], 4)
    texts = []
    for _ in range(2):
        found: Review = account(record)
        found.worlds = 6
        judge_decisions(found)
        texts.append(json.dumps(to_json(found, 0, 1.0, detail=True)))
    assert texts[0] == texts[1]


# ---- the command --------------------------------------------------------------------------------


@pytest.fixture
def games(tmp_path: Path) -> Path:
    path = tmp_path / "games.jsonl"
    for seed in range(2):
        played(MINI, ["steady", "greedy"], seed).dump(path)
    return path


def karma(*arguments: object) -> str:
    done = CliRunner().invoke(app, ["review", *map(str, arguments)])
    assert done.exit_code == 0, done.output
    return done.output


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_review_is_told_in_every_language(games: Path, language: str) -> None:
    told = karma(games, "--worlds", 8, "--lang", language)
    assert "mini-2" in told and "seat 0" in told and "█" in told


def test_json_has_the_keys_of_the_records_page_and_is_the_same_again(games: Path) -> None:
    first = karma(games, "--worlds", 8, "--json", "--detail", "--seat", 0)
    assert karma(games, "--worlds", 8, "--json", "--detail", "--seat", 0) == first
    data = json.loads(first.splitlines()[0])
    keys = "review judge seats game seed worlds b plies chance"
    assert list(data) == keys.split()
    assert data["chance"][0]["what"] == "deal" and data["chance"][0]["kind"] is None
    for seat in data["seats"]:
        flips = [card["luck"][seat["seat"]] for card in data["chance"] if card["what"] == "flip"]
        assert seat["luck"]["flips"] == pytest.approx(sum(flips))
    assert all(ply["loss"] is None for ply in data["plies"] if ply["seat"] == 1)


def test_a_cap_on_seconds_names_the_worlds_reached(games: Path) -> None:
    data = json.loads(karma(games, "--json", "--seconds", 0).splitlines()[0])
    assert data["worlds"] == 10


def test_the_check_says_that_all_adds_up(games: Path) -> None:
    assert "all accounts add up" in karma(games, "--check")


def test_a_picture_is_drawn(games: Path, tmp_path: Path) -> None:
    karma(games, "--worlds", 4, "--picture", tmp_path / "line.png")
    assert (tmp_path / "line.png").read_bytes().startswith(b"\x89PNG")


def test_an_unfinished_game_has_chances_but_no_ledger(tmp_path: Path) -> None:
    path = tmp_path / "half.jsonl"
    game = Game(MINI, 2, seed=1)
    for _ in range(12):
        game.push(game.legal[0])
    Record.of(game).dump(path)
    data = json.loads(karma(path, "--json", "--worlds", 4))
    assert data["seats"] == [{"seat": 0, "result": None}, {"seat": 1, "result": None}]
    assert len(data["plies"]) == 12
    assert "not finished" in karma(path, "--worlds", 4)


def test_what_is_no_game_is_refused_in_one_line(games: Path, tmp_path: Path) -> None:
    good = games.read_text().splitlines()[0]
    path = tmp_path / "bad.jsonl"
    path.write_text(good.replace('"moves": ["', '"moves": ["?0", "') + "\nnot json\n" + good + "\n")
    done = CliRunner().invoke(app, ["review", str(path), "--worlds", "4"])
    assert done.exit_code == 1
    assert "line 1" in done.stderr and "line 2" in done.stderr
    assert "Traceback" not in done.output and "mini-2" in done.stdout


@pytest.mark.parametrize("options", [(), ("--check",), ("--json",)])
def test_a_file_without_games_is_said_to_have_none(tmp_path: Path, options: Sequence[str]) -> None:
    path = tmp_path / "empty.jsonl"
    path.write_text("\n")
    with pytest.raises(Failure, match=r"there is no game in .*empty\.jsonl"):
        app(["review", str(path), *options], standalone_mode=False)


def test_a_seat_that_is_not_there_is_refused(games: Path) -> None:
    with pytest.raises(Misuse, match="seats are 0 to 1"):
        app(["review", str(games), "--seat", "5"], standalone_mode=False)


@pytest.mark.parametrize("name", EDITIONS)
def test_every_printed_table_is_judged_by_a_network_and_its_baseline_is_kept(name: str) -> None:
    """Whoever plays there: in online the network's first thought loses to a search."""
    rules = EDITIONS[name]
    for players in range(2, rules.most_players + 1):
        assert isinstance(judge_for(rules, players, rollouts=1, seed=0), NetJudge)
        assert baseline_module.kept(rules, players) is not None


def test_games_without_a_network_share_no_chance(monkeypatch: pytest.MonkeyPatch) -> None:
    """By one chance for all, what rollouts happen to do at a deal would pass for luck."""
    seeds: list[int] = []

    def noting(rules: Rules, players: int, rollouts: int, seed: int) -> Judge:
        seeds.append(seed)
        return judge_for(rules, players, rollouts, seed)

    for module in (baseline_module, reviewer_module):
        monkeypatch.setattr(module, "judge_for", noting)
    monkeypatch.setattr(baseline_module, "DEALS", 20)
    rules = edition("online", set_counts="top", max_play=3).for_table(2)
    baseline_module.baseline(rules, 2)
    assert len(set(seeds)) == 20
    own = []
    for number in (0, 1, 0):
        seeds.clear()
        account(Record.of(Game(rules, ["Ana", "Bo"], seed=number)))
        own.append(set(seeds) - {0})  # by 0 only the judge's name is asked for
    assert own[0] == own[2] != own[1] and len(own[0]) == len(own[1]) == 1
