"""`karma play`: a game against bots, in the terminal."""

import sys
from collections import Counter
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from threading import Thread, Timer
from typing import TYPE_CHECKING, Annotated

import typer

from karma.cli.errors import Misuse, Refusal
from karma.cli.options import (
    Language,
    MaybeEdition,
    MaybeLanguage,
    RuleOption,
    SpeedOption,
    on_terminal,
    parse_rules,
    run_app,
    split_bots,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from karma.bots import Bot
    from karma.game import Game
    from karma.messages import Texts
    from karma.tui.home import Plan

QUIET_TURNS = 40  # for each player, after which a game that goes round ends
PATIENCE = 3.0  # seconds, after which a word is said on what takes so long


def play(
    edition: MaybeEdition = None,
    players: Annotated[
        int | None,
        typer.Option("--players", "-p", metavar="N", help="How many sit down, you included."),
    ] = None,
    rule: RuleOption = None,
    bots: Annotated[
        str | None, typer.Option(metavar="NAME,…", help="The others, in turn around the table.")
    ] = None,
    name: Annotated[str | None, typer.Option(metavar="NAME", help="Your name.")] = None,
    seed: Annotated[
        int | None, typer.Option(metavar="N", min=0, help="Deal the same cards again.")
    ] = None,
    record: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Where to keep the record of the game.")
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with the game that was left.")
    ] = False,
    plain: Annotated[bool, typer.Option("--plain", help="Plain lines of text.")] = False,
    speed: SpeedOption = None,
    lang: MaybeLanguage = None,
) -> None:
    """Play a game against bots: at a table in the terminal, or in plain text."""
    from karma.messages import Texts

    if not plain and on_terminal():
        plan = None
        if any(given is not None for given in (edition, players, rule, bots, name, seed)):
            plan = plan_game(edition, players, rule, bots, name, seed)
        sit_down(plan, resume=resume, speed=speed, lang=lang, games=record)
        return
    if resume:
        raise Misuse("--resume needs the table in the terminal, not plain text")
    say = Texts(lang or Language.en)
    with preparing(say):
        others = split_bots("greedy" if bots is None else bots)
        game, seated = seat_everybody(
            edition or "classic",
            rule,
            players,
            others,
            name or say("text_you"),
            seed,
        )
        game.view(0)  # all that the first prompt needs
    # The rest is compiled while the player reads; a move waits until it is done.
    Thread(target=warm_up, args=(game, set(others))).start()
    play_plain(game, seated, say, record or default_file())


def plan_game(
    edition: str | None,
    players: int | None,
    changes: "Sequence[str] | None",
    bots: str | None,
    name: str | None,
    seed: int | None,
) -> "Plan":
    """What the options say about the game to be played."""
    from karma.bots.registry import find
    from karma.tui.home import Plan

    rules = parse_rules(edition or "classic", changes)
    kinds = split_bots("greedy" if bots is None else bots)
    try:
        for kind in kinds:
            find(kind.partition(":")[0])
        number = min(4, rules.most_players) if players is None else players
        rules.check_players(number)
    except ValueError as error:
        raise Misuse(str(error)) from None
    others = [kinds[seat % len(kinds)] for seat in range(number - 1)]
    return Plan(rules.edition, rules.overrides, name or "", others, seed)


def sit_down(
    plan: "Plan | None",
    *,
    resume: bool,
    speed: str | None,
    lang: str | None,
    games: Path | None,
) -> None:
    """Play at the table in the terminal."""
    from karma.messages import Texts

    with preparing(Texts(lang or Language.en)):
        from karma.editions import CLASSIC
        from karma.game import Game

        warm_up(Game(CLASSIC, seed=0), {"greedy"})
        from karma.tui.app import KarmaApp
        from karma.tui.home import Home

    app = KarmaApp(Home(games=games), plan=plan, resume=resume, speed=speed, language=lang)
    run_app(app)


def seat_everybody(
    edition: str,
    changes: "Sequence[str] | None",
    players: int | None,
    bots: "Sequence[str]",
    name: str,
    seed: int | None,
) -> "tuple[Game, dict[int, Bot]]":
    """The game and the bots by seat; the person has seat 0."""
    from karma.bots import make_bot
    from karma.game import Game

    rules = parse_rules(edition, changes)
    players = min(4, rules.most_players) if players is None else players
    kinds = [bots[(seat - 1) % len(bots)] for seat in range(1, players)]
    try:
        rules.check_players(players)
        if not any(change.partition("=")[0].strip() == "stall_limit" for change in changes or ()):
            rules = rules.replace(stall_limit=QUIET_TURNS * players)
        game = Game(rules, players=[name, *numbered(kinds)], seed=seed)
        others = {
            seat: make_bot(kind, seed=(game.seed or 0) + seat)
            for seat, kind in enumerate(kinds, start=1)
        }
    except ValueError as error:
        raise Misuse(str(error)) from None
    return game, others


def warm_up(game: "Game", kinds: "set[str]") -> None:
    """Has each kind of bot decide in another deal: whatever has to be compiled then is."""
    from karma.bots import make_bot
    from karma.game import Game

    other = Game(game.rules, players=len(game.players), seed=0)
    assert other.actor is not None
    view = other.view(other.actor)
    other.push(other.legal_moves[0])
    for kind in kinds:
        with suppress(Exception):  # a bot that fails says so when it is asked in the game
            make_bot(kind).choose(view)


def numbered(names: "Sequence[str]") -> list[str]:
    """Names told apart: the second ``greedy`` is ``greedy 2``."""
    seen: Counter[str] = Counter()
    told = []
    for name in names:
        seen[name] += 1
        told.append(name if seen[name] == 1 else f"{name} {seen[name]}")
    return told


def play_plain(game: "Game", bots: "dict[int, Bot]", say: "Texts", path: Path) -> None:
    """Play in plain lines; the record is kept however the game stops."""
    from karma.cli.plain import PlainGame, Quit

    interrupted = False
    try:
        PlainGame(game, bots, say).play()
    except Quit:
        print(say("play_stopped"))
    except (EOFError, KeyboardInterrupt) as stop:
        interrupted = isinstance(stop, KeyboardInterrupt)
        print("\n" + say("play_stopped"))
    if game.moves:
        save(game, path)
        print(say("play_saved", path=path))
    if interrupted:
        raise typer.Exit(130)


def default_file() -> Path:
    """Where records go unless told otherwise."""
    from platformdirs import user_data_path

    return user_data_path("karma", appauthor=False) / "games.jsonl"


def save(game: "Game", path: Path) -> None:
    """Adds the record of a game to a file."""
    from karma.record import Record

    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        Record.of(game, date=datetime.now(UTC).isoformat(timespec="seconds")).dump(path)
    except OSError as error:
        raise Refusal(f"the record cannot be saved: {error}") from None


@contextmanager
def preparing(say: "Texts") -> "Iterator[None]":
    """A word on standard error if what follows takes long, as compiling for the first time does."""
    word = Timer(PATIENCE, lambda: print(say("play_preparing"), file=sys.stderr, flush=True))
    word.daemon = True
    word.start()
    try:
        yield
    finally:
        word.cancel()
