"""`karma play` in plain text: whole games by pipe, nonsense at every prompt, the record kept."""

import itertools
import sys
import threading

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from karma import EDITIONS, Game, Move, Record, edition
from karma.bots import make_bot
from karma.cli.plain_table import LETTERS, PlainGame, Quit, read_move
from karma.cli.play import numbered, preparing
from karma.moves import ALL
from karma.texts import LANGUAGES, Texts

NONSENSE = [
    "7x1",
    "0",
    "17",
    "xyzzy",
    "P P",
    "-1",
    ">99",
    "^",
    "?9",
    "💥",
    "a" * 500,
    "7;q",
    "\x07",
]
EVERY_MOVE = [move.text for move in ALL if move.text[0] not in "PN"] + ["P"]
RULES = [
    *EDITIONS.values(),
    edition("classic", drawing="manual", decks=2),
    edition("alternative", give_to="active", set_size=2),
]


class Typist:
    """Types nonsense, every command, and only then a legal move."""

    def __init__(self, game, seed):
        self.game = game
        self.rng = np.random.default_rng(seed)
        self.written = []
        self.entries = self._entries()

    def _entries(self):
        commands = [letter for letter in LETTERS if letter != "q"]
        for turn in itertools.count():
            yield NONSENSE[turn % len(NONSENSE)]
            yield commands[turn % len(commands)]
            legal = self.game.legal
            yield legal[self.rng.integers(len(legal))].text

    def read(self):
        return next(self.entries)


def table(rules, seed, language="en", players=3):
    game = Game(rules.replace(stall_limit=100), players=players, seed=seed)
    bots = {seat: make_bot("greedy", seed=seat) for seat in range(1, players)}
    typist = Typist(game, seed)
    return PlainGame(game, bots, Texts(language), typist.read, typist.written.append), typist


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("rules", RULES, ids=str)
def test_whole_games_with_nonsense_at_every_prompt(rules, language):
    plain, typist = table(rules, seed=11, language=language)
    plain.play()
    assert plain.game.over
    assert not any("{" in line for line in typist.written)


@pytest.mark.parametrize("entry", NONSENSE)
@pytest.mark.parametrize("language", LANGUAGES)
def test_nonsense_gets_one_line_that_says_what_is_possible(entry, language):
    view = Game(EDITIONS["mini"], players=2, seed=7).view(0)
    answer = read_move(entry, view, Texts(language))
    assert isinstance(answer, str)
    assert "\n" not in answer and len(answer) < 200


@pytest.mark.parametrize("rules", RULES, ids=str)
@given(seed=st.integers(0, 2**32), language=st.sampled_from(LANGUAGES))
@settings(max_examples=10, deadline=None)
def test_every_legal_text_is_the_move_however_it_is_typed(rules, seed, language):
    """No command is in the way of a move, in either case."""
    plain, typist = table(rules, seed, language)
    game, typed = plain.game, []
    plain._read = lambda: typed.pop()
    while not game.over:
        view = game.view(game.actor)
        for move in view.legal:
            for text in (move.text, move.text.lower()):
                typed.append(text)
                assert plain._ask(view) == move
        game.push(view.legal[typist.rng.integers(len(view.legal))])


def test_a_table_card_is_played_by_its_letter(karma, tmp_path):
    answer = karma(
        *("play", "--plain", "--edition", "mini", "--players", 2, "--seed", 2),
        *("--record", tmp_path / "games.jsonl"),
        stdin="T\nq\n",
    )
    assert "You put a card face up" in answer.out


def choosing():
    return Game(EDITIONS["mini"], players=["Ana", "Bo", "Cy"], seed=7)


def giving():
    """The first moment of some game when a pile is given away."""
    for seed in itertools.count():
        game = Game(EDITIONS["classic"], players=["Ana", "Bo", "Cy"], seed=seed)
        while not game.over and game.ply < 100:
            gives = [move for move in game.legal if move.kind == "G"]
            game.push(gives[0] if gives else game.legal[0])
            if game.phase == "give":
                return game


def test_marks_may_be_left_out_and_players_named():
    say = Texts("en")
    view = choosing().view(0)
    assert read_move(view.legal[0].text[1:], view, say) == view.legal[0]
    game = giving()
    view = game.view(game.actor)
    target = int(view.legal[0].text[1:])
    for entry in (f">{target}", str(target), game.players[target].lower()):
        assert read_move(entry, view, say) == Move(f">{target}")


@pytest.mark.parametrize("entry", ["7X2", "7 x 2", "7х2", "7×2"])  # one of them Cyrillic
def test_several_cards_may_be_typed_in_many_ways(entry):
    game = Game(edition("mini", copies=4, face_up="dealt"), players=2, deck=deck_with_two_sevens())
    assert read_move(entry, game.view(game.actor), Texts("ru")) == Move("7x2")


def deck_with_two_sevens():
    rest = list(edition("mini", copies=4).full_deck)
    for _ in range(4):
        rest.remove("7")
    return [*rest[:12], "7", "7", "7", "7", *rest[12:]]


def test_a_wrong_card_is_told_why():
    game = choosing()
    missing = next(kind for kind in "GFTB" if kind not in game.view(0).hand)
    answer = read_move(missing, game.view(0), Texts("en"))
    assert answer.startswith("Your hand has too few of")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_command_has_a_letter_and_a_word(language):
    say = Texts(language)
    plain, typist = table(EDITIONS["mini"], seed=1, language=language)
    view = plain.game.view(0)
    for name in set(LETTERS.values()) - {"quit"}:
        typist.written.clear()
        plain._show(plain._commands[say(f"play_word_{name}")], view)
        assert typist.written
    with pytest.raises(Quit):
        plain._show("quit", view)


def test_help_explains_every_legal_move_and_every_karma_card(karma, tmp_path):
    answer = karma("play", "--seed", 7, "--record", tmp_path / "games.jsonl", stdin="?\n")
    for move in Game(EDITIONS["classic"], players=4, seed=7).legal:
        assert f"\n{move}: lay " in answer.out
    for name in ("Give", "Five", "Table", "Bottoms"):
        assert f"\n{name}: " in answer.out


@pytest.mark.parametrize("name", EDITIONS)
def test_a_whole_game_by_pipe(karma, tmp_path, name):
    """Every move there is, again and again: what does not fit is refused, and the game ends."""
    path = tmp_path / "deep" / "games.jsonl"
    answer = karma(
        *("play", "--plain", "--edition", name, "--players", 2, "--seed", 3, "--record", path),
        *("--bots", "greedy", "--name", "Ana"),
        stdin="\n".join(EVERY_MOVE * 300),
    )
    assert answer.code == 0, answer.err
    assert "The game is over" in answer.out
    record = Record.loads(path.read_text())
    game = record.replay()
    assert game.over
    assert record.players == ("Ana", "greedy")
    assert record.rules == edition(name, stall_limit=80)
    assert record.extra["seed"] == 3 and "date" in record.extra


def test_the_end_of_input_keeps_the_record(karma, tmp_path):
    path = tmp_path / "games.jsonl"
    move = Game(EDITIONS["classic"], players=4, seed=7).legal[0]
    answer = karma("play", "--seed", 7, "--record", path, stdin=f"{move}\n")
    assert answer.code == 0
    assert f"Stopped before the end.\nSaved as the last record in {path}\n" in answer.out
    assert answer.out.endswith("karma play --plain --resume\n")
    assert Record.loads(path.read_text()).moves == (move.text,)
    assert Record.loads(path.read_text()).result == {"loser": None, "places": []}


def test_an_interrupt_keeps_the_record(karma, tmp_path, monkeypatch):
    path = tmp_path / "games.jsonl"
    move = Game(EDITIONS["classic"], players=4, seed=7).legal[0]
    entries = iter([move.text])

    def type_or_interrupt(prompt):
        try:
            return next(entries)
        except StopIteration:
            raise KeyboardInterrupt from None

    monkeypatch.setattr("builtins.input", type_or_interrupt)
    answer = karma("play", "--plain", "--seed", 7, "--record", path)
    assert answer.code == 130
    assert len(path.read_text().splitlines()) == 1


def test_a_game_that_was_left_goes_on(karma, tmp_path, monkeypatch):
    """Input ends again and again; each time the game goes on from where it was."""
    monkeypatch.setattr(sys, "platform", "linux")
    path = tmp_path / "games.jsonl"
    begin = ("play", "--edition", "mini", "--players", 2, "--seed", 3, "--bots", "random")
    everything = "\n".join(EVERY_MOVE)
    answer = karma(*begin, "--record", path, stdin=everything)
    while "The game is over" not in answer.out:
        answer = karma("play", "--plain", "--resume", "--record", path, stdin=everything)
        assert answer.code == 0, answer.err
    *left, record = [Record.loads(line) for line in path.read_text().splitlines()]
    assert left and record.replay().over
    assert all(record.moves[: len(each.moves)] == each.moves for each in left)
    answer = karma("play", "--plain", "--resume")
    assert answer.code == 1
    assert answer.err.startswith("karma: there is no plain game to go on with")


def test_a_left_game_that_is_spoilt_is_one_line(karma, tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "platform", "linux")
    (tmp_path / "karma").mkdir()
    (tmp_path / "karma" / "plain.jsonl").write_text("half a li")
    answer = karma("play", "--plain", "--resume")
    assert answer.code == 1
    assert answer.err.startswith("karma: the game that was left cannot be read: not a line of JSON")
    assert answer.err.count("\n") == 1


def test_quitting_before_the_first_move_leaves_nothing(karma, tmp_path):
    path = tmp_path / "games.jsonl"
    answer = karma("play", "--record", path, "--lang", "ru", stdin="выход\n")
    assert answer.code == 0
    assert answer.out.endswith("Игра прервана.\n")
    assert not path.exists()


def test_records_go_to_the_users_own_folder(karma, tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "platform", "linux")
    move = Game(EDITIONS["classic"], players=4, seed=7).legal[0]
    karma("play", "--seed", 7, stdin=f"{move}\n")
    assert (tmp_path / "karma" / "games.jsonl").exists()


def test_a_record_that_cannot_be_saved_is_one_line(karma, tmp_path):
    (tmp_path / "file").write_text("")
    move = Game(EDITIONS["classic"], players=4, seed=7).legal[0]
    path = tmp_path / "file" / "games.jsonl"
    answer = karma("play", "--seed", 7, "--record", path, stdin=f"{move}\n")
    assert answer.code == 1
    assert answer.err.startswith("karma: the record cannot be saved: ")
    assert answer.err.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--players", "1"], "karma: this deck cannot seat 1 players; 2 to 6 can play\n"),
        (["--edition", "mini", "-p", "5"], "karma: this deck cannot seat 5 players; 2 to 4 can"),
        (["--players", "-3"], "karma: this deck cannot seat -3 players; 2 to 6 can play\n"),
        (["--players", "1000"], "karma: this deck cannot seat 1000 players; 2 to 6 can play\n"),
        (["--bots", "gready"], "karma: there is no bot 'gready'; there are random,"),
        (["--bots", ""], "karma: there is no bot ''; there are random,"),
        (["--edition", "maxi"], "karma: there is no edition 'maxi'; there are classic,"),
        (["--rule", "stall_limit=3"], "karma: stall_limit cannot be 3; it can be 0 or 10 to 1000"),
        (["--seed", "-1"], "karma: Invalid value for '--seed'"),
    ],
)
def test_wrong_usage_is_one_line(karma, arguments, complaint):
    answer = karma("play", *arguments)
    assert answer.code == 2
    assert answer.err.startswith(complaint)
    assert answer.err.count("\n") == 1


def test_as_many_sit_down_as_the_edition_seats(karma):
    assert "You, greedy, greedy 2. " in karma("play", "--edition", "online", stdin="q\n").out
    assert "You, greedy, greedy 2, greedy 3. " in karma("play", stdin="q\n").out


def test_a_long_preparation_is_told(monkeypatch):
    said = threading.Event()
    monkeypatch.setattr(sys.modules["karma.cli.play"], "PATIENCE", 0)
    monkeypatch.setattr("builtins.print", lambda text, **_: said.set())
    with preparing(Texts("en")):
        assert said.wait(timeout=60)


def test_bots_of_a_kind_are_told_apart():
    assert numbered(["greedy", "random", "greedy"]) == ["greedy", "random", "greedy 2"]
