"""`karma play` in plain text: whole games by pipe, nonsense at every prompt, the record kept."""

import itertools
import os
import subprocess
import sys
import threading

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from karma import EDITIONS, Game, Move, Record, edition
from karma.cli.loop_thread import LoopThread
from karma.cli.plain_input import LETTERS, commands, move_texts, read_move
from karma.cli.plain_table import PlainTable, Quit
from karma.cli.play import preparing
from karma.moves import ALL
from karma.texts import LANGUAGES, Texts
from karma.tui.home import Home, Plan
from karma.tui.local_tables import LocalTables

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

    def __init__(self, seed):
        self.rng = np.random.default_rng(seed)
        self.table = None
        self.written = []
        self.entries = self._entries()

    def _entries(self):
        commands = [letter for letter in LETTERS if letter not in "qhu"]
        for turn in itertools.count():
            yield NONSENSE[turn % len(NONSENSE)]
            yield commands[turn % len(commands)]
            legal = self.table.mirror.view.legal
            text = legal[self.rng.integers(len(legal))].text
            yield text.lower() if turn % 2 else text

    def read(self):
        return next(self.entries)


@pytest.fixture
def sit(tmp_path):
    """Sits down at a table with bots, by lines of text."""
    with LoopThread() as loop:

        def make(rules, seed, language="en", typist=None, bots=2):
            home = Home(tmp_path / "home")
            tables = LocalTables(home)
            plan = Plan(rules.edition, {**rules.overrides, "stall_limit": 100}, "Ana")
            plan.bots, plan.seed = ["greedy"] * bots, seed
            connection = loop.run(tables.begin(plan))
            typist = typist or Typist(seed)
            typist.table = PlainTable(
                connection, loop, Texts(language), read=typist.read, write=typist.written.append
            )
            return typist, home

        yield make


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("rules", RULES, ids=str)
def test_whole_games_with_nonsense_at_every_prompt(sit, rules, language):
    typist, home = sit(rules, seed=11, language=language)
    typist.table.play()
    (record,) = home.records()
    assert record.replay().over
    assert record.players == ("Ana", "greedy", "greedy 2")
    assert not any("{" in line for line in typist.written)


@pytest.mark.parametrize("entry", NONSENSE)
@pytest.mark.parametrize("language", LANGUAGES)
def test_nonsense_gets_one_line_that_says_what_is_possible(entry, language):
    view = Game(EDITIONS["mini"], players=2, seed=7).view(0)
    answer = read_move(entry, view, Texts(language))
    assert isinstance(answer, str)
    assert "\n" not in answer and len(answer) < 200


@given(
    rules=st.sampled_from(RULES),
    seed=st.integers(0, 2**32),
    language=st.sampled_from(LANGUAGES),
)
@settings(max_examples=30, deadline=None)
def test_every_legal_text_is_the_move_however_it_is_typed(rules, seed, language):
    """No command is in the way of a move, in either case."""
    say, rng = Texts(language), np.random.default_rng(seed)
    typed = commands(say)
    game = Game(rules.replace(stall_limit=60), players=3, seed=seed)
    while not game.over:
        view = game.view(game.actor)
        for move in view.legal:
            for text in (move.text, move.text.lower()):
                assert text.lower() not in typed
                assert read_move(text, view, say) == move
        game.push(view.legal[rng.integers(len(view.legal))])


def test_a_table_card_is_played_by_its_letter(karma, tmp_path):
    answer = karma(
        *("play", "--plain", "--edition", "mini", "--players", 2, "--seed", 2),
        *("--record", tmp_path / "games.jsonl"),
        stdin="T\nq\n",
    )
    assert "Your hand: 2 4 13 15 G T.\n> T\n" in answer.out
    assert "Your hand: 2 4 13 15 G.\n> q\n" in answer.out


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


def test_moves_are_listed_as_a_person_would():
    moves = [Move(text) for text in ("^G", "^10", "^7", "^16")]
    assert move_texts(moves) == "^7, ^10, ^16, ^G"


def test_a_wrong_card_is_told_why():
    game = choosing()
    missing = next(kind for kind in "GFTB" if kind not in game.view(0).hand)
    answer = read_move(missing, game.view(0), Texts("en"))
    assert answer.startswith("You have no")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_command_has_a_letter_and_a_word(sit, language):
    say = Texts(language)
    words = [say(f"play_word_{name}") for name in LETTERS.values()]
    assert len(set(words)) == len(words)
    answers = []

    class Asker:
        def __init__(self):
            self.written = []

        entries = iter(
            entry
            for letter, name in LETTERS.items()
            for entry in (letter, letter.upper(), say(f"play_word_{name}"), name)
            if name not in ("quit", "menu", "hint", "undo")
        )

        def read(self):
            answers.append(tuple(self.written))
            self.written.clear()
            return next(self.entries, "q")

    asker, _ = sit(EDITIONS["mini"], seed=1, language=language, typist=Asker())
    with pytest.raises(Quit):
        asker.table.play()
    shown = answers[1:]
    assert all(shown)
    for n in range(0, len(shown), 4):
        assert len(set(shown[n : n + 4])) == 1


def test_a_hint_has_a_reason_and_taking_back_is_asked_for(karma, tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "platform", "linux")
    path = tmp_path / "games.jsonl"
    begin = ("play", "--edition", "mini", "--players", 2, "--seed", 2, "--record", path)
    answer = karma(*begin, stdin="h\nT\n15\nG\n2\nu\nv\nu\nu\n" + "\n".join(EVERY_MOVE * 99))
    assert "face up: good cards on the table are for the end" in answer.out
    assert answer.out.count("Once more u: take back.") == 1
    assert "A move was taken back; the game is practice now." in answer.out
    assert Record.loads(path.read_text()).extra["practice"] is True


def test_help_explains_every_legal_move_and_every_karma_card(karma, tmp_path):
    answer = karma("play", "--seed", 7, "--record", tmp_path / "games.jsonl", stdin="?\n")
    for move in Game(EDITIONS["classic"], players=4, seed=7).legal:
        assert f"\n{move}: lay " in answer.out
    for name in ("Give", "Five", "Table", "Bottoms"):
        assert f" ({name}): " in answer.out


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


CHOICE = ["play", "--edition", "mini", "--players", 2, "--seed", 2]


def test_the_end_of_input_keeps_the_game(karma, tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "platform", "linux")
    answer = karma(*CHOICE, stdin="T\n")
    assert answer.code == 0
    assert "Stopped before the end." in answer.out
    assert answer.out.endswith("karma play --plain --resume\n")
    assert not (tmp_path / "karma" / "games.jsonl").exists()
    answer = karma("play", "--plain", "--resume", stdin="15\n")
    assert "Your hand: 2 4 13 15 G.\n> 15\n" in answer.out


def test_an_interrupt_keeps_the_game(karma, tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "platform", "linux")
    entries = iter(["T"])

    def type_or_interrupt(prompt):
        try:
            return next(entries)
        except StopIteration:
            raise KeyboardInterrupt from None

    monkeypatch.setattr("builtins.input", type_or_interrupt)
    answer = karma(*CHOICE, "--plain")
    assert answer.code == 130
    monkeypatch.undo()
    assert (tmp_path / "karma" / "table.jsonl").exists()


def test_a_game_that_was_left_goes_on_and_is_recorded_once(karma, tmp_path, monkeypatch):
    """Input ends again and again; each time the game goes on from where it was."""
    monkeypatch.setattr(sys, "platform", "linux")
    path = tmp_path / "games.jsonl"
    begin = ("play", "--edition", "mini", "--players", 2, "--seed", 3, "--bots", "random")
    everything = "\n".join(EVERY_MOVE)
    answer = karma(*begin, "--record", path, stdin=everything)
    while "The game is over" not in answer.out:
        answer = karma("play", "--plain", "--resume", "--record", path, stdin=everything)
        assert answer.code == 0, answer.err
    (line,) = path.read_text().splitlines()
    record = Record.loads(line)
    assert record.replay().over
    assert record.extra["seed"] == 3
    assert record.deck == Game(EDITIONS["mini"], 2, seed=3).deck
    answer = karma("play", "--plain", "--resume")
    assert answer.code == 1
    assert answer.err.startswith("karma: there is no game to go on with")


def test_a_game_that_was_left_is_never_put_away_by_a_pipe(karma, tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "platform", "linux")
    path = tmp_path / "games.jsonl"
    karma(*CHOICE, "--record", path, stdin="T\n")
    answer = karma(*CHOICE, "--record", path, stdin="T\n15\nG\n2\n")
    assert "Another game is kept for karma play --resume; this one is not." in answer.out
    assert f"Saved as the last record in {path}" in answer.out
    assert len(path.read_text().splitlines()) == 1
    assert "Your hand: 2 4 13 15 G.\n" in karma("play", "--plain", "--resume", stdin="").out


def test_a_left_game_that_is_spoilt_is_one_line(karma, tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "platform", "linux")
    (tmp_path / "karma").mkdir()
    (tmp_path / "karma" / "table.jsonl").write_text("half a li\n")
    answer = karma("play", "--plain", "--resume")
    assert answer.code == 1
    assert answer.err.startswith("karma: there is no game to go on with")
    assert answer.err.count("\n") == 1


def test_without_a_home_nothing_is_kept_and_that_is_said_once(karma, tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "platform", "linux")
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "file"))
    answer = karma(*CHOICE, stdin="T\n")
    assert answer.code == 0
    assert answer.out.count("nothing is kept") == 1
    assert "Saved" not in answer.out and "--resume" not in answer.out


def test_nobody_is_called_you(karma, tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("LOGNAME", "ana")
    path = tmp_path / "games.jsonl"
    answer = karma(*CHOICE, "--record", path, stdin="\n".join(EVERY_MOVE * 99))
    assert Record.loads(path.read_text()).players == ("Ana", "greedy")
    assert "At the table: Ana, greedy." in answer.out


def test_quitting_before_the_first_move_leaves_no_record(karma, tmp_path):
    path = tmp_path / "games.jsonl"
    answer = karma("play", "--record", path, "--lang", "ru", stdin="выход\n")
    assert answer.code == 0
    assert "Игра прервана.\n" in answer.out
    assert not path.exists()


def test_records_go_to_the_users_own_folder(karma, tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "platform", "linux")
    karma(*CHOICE, stdin="\n".join(EVERY_MOVE * 99))
    assert (tmp_path / "karma" / "games.jsonl").exists()


def test_a_record_that_cannot_be_saved_is_one_line(karma, tmp_path):
    (tmp_path / "file").write_text("")
    path = tmp_path / "file" / "games.jsonl"
    answer = karma(*CHOICE, "--record", path, stdin="\n".join(EVERY_MOVE * 99))
    assert answer.code == 1
    assert answer.err.startswith("karma: the record cannot be saved: ")
    assert answer.err.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--players", "1"], "karma: this deck cannot seat 1 players; 2 to 6 can play\n"),
        (["--edition", "mini", "-p", "5"], "karma: this deck cannot seat 5 players; 2 to 4 can"),
        (["--players", "-3"], "karma: this deck cannot seat -3 players; 2 to 6 can play\n"),
        (
            ["-p", "8"],
            "karma: this deck cannot seat 8 players; 2 to 6 can play; -r decks=2 seats 8",
        ),
        (["--players", "1000"], "karma: this deck cannot seat 1000 players; 2 to 6 can play\n"),
        (["--bots", "gready"], "karma: there is no bot 'gready'; there are random,"),
        (["--bots", ""], "karma: '' names no bot; greedy would be one"),
        (["--level", 2, "--bots", "greedy"], "karma: --level says how strong all bots are and "),
        (
            ["--level", 10],
            "karma: Invalid value for '--level': Input should be less than or equal to 9",
        ),
        (["--style", "nervous"], "karma: --style needs a level; --level 2 would be one"),
        (["--level", 5, "--style", "nervous"], "karma: steady makes no mistakes to choose from; "),
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


def test_as_many_sit_down_as_the_edition_seats_or_as_bots_are_named(karma):
    name = ("--name", "Ana")
    three = karma("play", "--edition", "online", *name, stdin="q\n").out
    assert "At the table: Ana, greedy, greedy 2. " in three
    assert ": Ana, greedy, greedy 2, greedy 3. " in karma("play", *name, stdin="q\n").out
    assert ": Ana, steady. " in karma("play", "--bots", "steady", *name, stdin="q\n").out
    level = karma("play", "--level", 2, "--style", "nervous", *name, stdin="q\n").out
    assert level.count("casual:style=nervous") >= 3
    two = karma("play", "--bots", "steady,random", *name, stdin="q\n").out
    assert ": Ana, steady, random. " in two


def test_a_long_preparation_is_told(monkeypatch):
    said = threading.Event()
    monkeypatch.setattr(sys.modules["karma.cli.play"], "PATIENCE", 0)
    monkeypatch.setattr("builtins.print", lambda text, **_: said.set())
    with preparing(Texts("en")):
        assert said.wait(timeout=60)


FIRST_START = """
import sys
import karma.cli.play

command = sys.modules["karma.cli.play"]
command.on_terminal = lambda: True


def run_app(app):
    app._preparation.stop()  # what it starts is ended at once
    app._preparation.run()
    print(app._preparation._compiler is not None)


command.run_app = run_app
command.play()
"""

PREPARED = """
from karma.tui import preparation

preparation.warm_up = lambda plan: None
preparation.compile_game()
"""

FIRST_SCREEN = """
import asyncio
import sys
import karma.cli.play


async def show(app):
    app._preparation = None
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        heavy = {"numba", "numpy", "karma.core", "msgspec", "websockets"}
        print(type(app.screen).__name__, sorted(heavy & set(sys.modules)))


command = sys.modules["karma.cli.play"]
command.on_terminal = lambda: True
command.run_app = lambda app: asyncio.run(show(app))
command.play()
"""


def test_the_first_screen_does_not_wait_for_the_compiler(tmp_path):
    """Another process compiles beside it, until one of them has come to its end."""
    assert run(FIRST_START, tmp_path) == "True\n"
    assert run(FIRST_START, tmp_path) == "True\n"  # the first screen was left at once
    run(PREPARED, tmp_path)
    assert run(FIRST_START, tmp_path) == "False\n"


def test_the_first_screen_loads_nothing_of_what_only_a_game_needs(tmp_path):
    assert run(FIRST_SCREEN, tmp_path) == "SetupScreen []\n"


def run(script, folder):
    """What a script says where files are in a folder of their own."""
    fresh = {**os.environ, "XDG_CACHE_HOME": str(folder), "XDG_DATA_HOME": str(folder)}
    fresh.pop("NUMBA_DISABLE_JIT", None)
    command = [sys.executable, "-c", script]
    return subprocess.run(command, env=fresh, capture_output=True, text=True, check=True).stdout
