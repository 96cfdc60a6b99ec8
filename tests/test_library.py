"""The face of the library: what `import karma` shows, and what wrong arguments are told."""

import copy
import inspect
import pickle
import subprocess
import sys
import types
from pathlib import Path

import numpy as np
import pytest

import karma

PUBLIC = sorted(name for name in dir(karma) if not name.startswith("_"))


def test_everything_public_is_listed_and_nothing_else():
    import karma.arena
    import karma.simulation  # what was imported is not to show up

    assert PUBLIC == sorted(karma.__all__) == sorted(karma._HOMES)
    assert not [name for name in PUBLIC if isinstance(getattr(karma, name), types.ModuleType)]
    assert {"Event", "Played", "simulate", "read", "write", "Game", "View"} <= set(PUBLIC)
    with pytest.raises(AttributeError, match="no attribute 'nope'"):
        karma.nope  # noqa: B018


def test_a_star_import_brings_the_public_names():
    script = "from karma import *; print(*sorted(n for n in globals() if n[0] != '_'))"
    told = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert told.stdout.split() == PUBLIC


def test_the_version_is_the_packages():
    from importlib.metadata import version

    assert karma.__version__ == version("karma")
    assert "__version__" in dir(karma)


def test_help_tells_of_every_name():
    told = subprocess.run(
        [sys.executable, "-c", "import karma; help(karma)"], capture_output=True, text=True
    ).stdout
    for name in PUBLIC:
        assert name in told


def test_a_type_checker_sees_what_there_is_and_what_not(tmp_path: Path):
    script = tmp_path / "newcomer.py"
    script.write_text(
        "import karma\n"
        "from karma import *\n"
        "reveal_type(Record.loads)\n"
        "game = karma.Game('mini', players=2, seed=1)\n"
        "reveal_type(karma.simulate('mini', ['greedy', 'greedy'])[0].moves)\n"
        "reveal_type(karma.__version__)\n"
        "karma.nope\n"
    )
    told = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", str(script)],
        capture_output=True,
        text=True,
        cwd=Path(__file__).parent.parent,
    ).stdout
    assert 'Revealed type is "int"' in told.replace("builtins.", "")
    assert 'Revealed type is "str"' in told.replace("builtins.", "")
    assert 'Module has no attribute "nope"' in told
    assert "Found 1 error" in told


def members(value):
    for name, member in vars(value).items():
        if not name.startswith("_") and (callable(member) or inspect.isdatadescriptor(member)):
            yield name, member


@pytest.mark.parametrize("name", PUBLIC)
def test_what_is_public_says_what_it_is(name):
    value = getattr(karma, name)
    if not inspect.isclass(value):
        assert not callable(value) or value.__doc__
        return
    assert value.__doc__
    for member, what in members(value):
        if type(what).__name__ not in ("member_descriptor", "_tuplegetter"):
            assert inspect.getdoc(what), f"{name}.{member}"


# ---- copies -------------------------------------------------------------------------------------


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, karma.Game.copy])
def test_a_copy_goes_its_own_way(copied):
    game = karma.Game("mini", players=2, seed=7)
    game.push("^12")
    before = game.position()
    other = copied(game)
    assert other == game
    other.push("^5")
    other.pop()
    other.pop()
    assert game.position() == before
    assert len(game.moves) == 1
    assert copied(game).position() == before


def test_a_record_is_a_value():
    record = karma.Record.of(karma.Game("mini", players=2, seed=7))
    again = karma.Record.loads(record.dumps())
    assert hash(record) == hash(again)
    assert {record: 1}[again] == 1
    assert pickle.loads(pickle.dumps(record)) == record


def test_records_are_written_and_read(tmp_path: Path):
    records = [karma.Record.of(karma.Game("mini", seed=seed)) for seed in range(3)]
    karma.write(tmp_path / "games.jsonl", records)
    assert list(karma.read(tmp_path / "games.jsonl")) == records
    (tmp_path / "bad.jsonl").write_text(records[0].dumps() + "\n{}\n")
    with pytest.raises(karma.RecordError, match="line 2: the version"):
        list(karma.read(str(tmp_path / "bad.jsonl")))


# ---- what is given ------------------------------------------------------------------------------


def test_an_edition_may_be_named():
    assert karma.Game("classic", players=3, seed=1) == karma.Game(karma.CLASSIC, 3, seed=1)
    with pytest.raises(karma.RulesError, match="there is no edition 'clasic'; there are classic"):
        karma.Game("clasic")
    with pytest.raises(TypeError, match=r"rules cannot be 3; they can be karma.MINI, 'mini'"):
        karma.Game(3)


def test_players_are_a_number_or_names():
    with pytest.raises(TypeError, match=r"players cannot be 'Ana'; they can be 2, or \['Ana', "):
        karma.Game("mini", players="Ana")
    with pytest.raises(TypeError, match="names are texts"):
        karma.Game("mini", players=["Ana", 3])
    with pytest.raises(TypeError, match=r"players cannot be 2.5; they can be 2, or"):
        karma.Game("mini", players=2.5)
    assert karma.Game("mini", players=np.int64(3)).players == ("seat 0", "seat 1", "seat 2")


def test_a_seed_is_a_number_or_a_generator():
    expected = karma.Game("mini", seed=3)
    assert karma.Game("mini", seed=np.int64(3)) == expected
    assert type(karma.Game("mini", seed=np.uint8(3)).seed) is int
    one, two = (karma.Game("mini", seed=np.random.default_rng(5)) for _ in range(2))
    assert one == two
    assert karma.Game("mini", seed=one.seed) == one
    generator = np.random.default_rng(5)
    assert karma.Game("mini", seed=generator) != karma.Game("mini", seed=generator)
    with pytest.raises(TypeError, match=r"the seed cannot be 'x'; it is a number or a generator"):
        karma.Game("mini", seed="x")
    with pytest.raises(ValueError, match="the seed is -1; it has to be 0 or more"):
        karma.Game("mini", seed=-1)
    assert '"seed": 3' in karma.Record.of(karma.Game("mini", seed=np.int64(3))).dumps()


def test_a_text_is_not_the_value_that_it_names():
    with pytest.raises(karma.RulesError, match="set_size cannot be '3'; it can be 2 to 4"):
        karma.edition("mini", set_size="3")
    with pytest.raises(karma.RulesError, match="karma_sets cannot be 'true'; it can be true or"):
        karma.MINI.replace(karma_sets="true")


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (dict.clear, "not a view: it has no 'edition'"),
        (lambda data: data.pop("run"), "not a view: it has no 'run'"),
        (lambda data: data.update(phase="sleep"), "not a view: phase cannot be 'sleep'"),
        (lambda data: data.update(legal=["7x9"]), "not a view: '7x9' is not a move"),
        (lambda data: data.update(hand=["17"]), "not a view: there is no card '17'"),
        (lambda data: data.update(players=3), "not a view: "),
        (lambda data: data.update(ply="x"), "not a view: "),
        (lambda data: data.update(known=[]), "not a view: "),
    ],
)
def test_what_is_no_view_says_so(change, reason):
    data = karma.Game("mini", seed=7).view(0).json()
    change(data)
    with pytest.raises(ValueError, match=reason):
        karma.View.parse(data)


@pytest.mark.parametrize(
    "name", ["random", "greedy", "steady", "careful", "sharp", "net", "master"]
)
def test_a_bot_is_given_the_view_of_who_decides(name):
    game, bot = karma.Game("mini", seed=7), karma.make_bot(name)
    with pytest.raises(karma.BotError, match=r"seat 1 does not decide now; .* view of seat 0"):
        bot.choose(game.view(1))
    with pytest.raises(karma.BotError, match="the audience does not decide now"):
        bot.choose(game.view(None))
    greedy = karma.make_bot("greedy")
    while not game.over:
        game.push(greedy.choose(game.view(game.actor)))
    with pytest.raises(karma.BotError, match="the game is over"):
        bot.choose(game.view(0))


def test_many_moves_at_once_are_the_same_as_one_by_one():
    game, bot = karma.Game("classic", players=3, seed=7), karma.make_bot("greedy")
    while not game.over:
        game.push(bot.choose(game.view(game.actor)))
    again = karma.Game("classic", players=3, seed=7)
    again.push_all(map(str, game.moves))
    assert again == game
    assert again.position() == game.position()
    for _ in range(10):
        assert again.pop() == game.pop()
        assert again.position() == game.position()
        assert again.legal == game.legal
    with pytest.raises(karma.IllegalMove, match="is not legal"):
        again.push_all([str(again.legal[0]), "^7"])
    assert again.ply == game.ply + 1
    with pytest.raises(karma.InvalidMove, match="'7x9' is not a move"):
        again.push_all(["7x9"])
    assert again.ply == game.ply + 1
