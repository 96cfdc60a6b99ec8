"""`karma play`: a game against bots, in the terminal."""

import sys
from collections import Counter
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from threading import Thread, Timer
from typing import TYPE_CHECKING, Annotated

import typer

from karma.cli.errors import Failure, Misuse
from karma.cli.options import (
    MaybeEdition,
    MaybeLanguage,
    RuleOption,
    SpeedOption,
    names_of,
    on_terminal,
    parse_bots,
    parse_rules,
    run_app,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from karma.bots import Bot
    from karma.editions import Rules
    from karma.game import Game
    from karma.record import Record
    from karma.texts import Texts
    from karma.tui.home import Home, Plan

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
    from karma.texts import Texts

    if not plain and on_terminal():
        plan = None
        if any(given is not None for given in (edition, players, rule, bots, name, seed)):
            plan = plan_game(edition, players, rule, bots, name, seed)
        sit_down(plan, resume=resume, speed=speed, lang=lang, games=record)
        return
    from karma.tui.home import Home

    say = Texts(lang or "en")
    home = Home(games=record)
    with preparing(say):
        if resume:
            game, kinds = go_on(home)
        else:
            edition = edition or "classic"
            seats = count_seats(parse_rules(edition, rule), players)
            kinds = in_turn(parse_bots("greedy" if bots is None else bots), seats - 1)
            names = [name or say("text_you"), *numbered(kinds)]
            game = deal_game(edition, rule, names, seed)
        seated = dict(enumerate(seat_bots(game, kinds, first=1), start=1))
        game.view(0)  # all that the first prompt needs
    # The rest is compiled while the player reads; a move waits until it is done.
    Thread(target=warm_up, args=(game, set(kinds))).start()
    play_plain(game, kinds, seated, say, home)


def plan_game(
    edition: str | None,
    players: int | None,
    changes: "Sequence[str] | None",
    bots: str | None,
    name: str | None,
    seed: int | None,
) -> "Plan":
    """What the options say about the game to be played."""
    from karma.tui.home import Plan

    rules = parse_rules(edition or "classic", changes)
    kinds = parse_bots("greedy" if bots is None else bots)
    others = in_turn(kinds, count_seats(rules, players) - 1)
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
    from karma.texts import Texts

    with preparing(Texts(lang or "en")):
        from karma.editions import CLASSIC
        from karma.game import Game

        warm_up(Game(CLASSIC, seed=0), {"greedy"})
        from karma.tui.app import KarmaApp
        from karma.tui.home import Home

    app = KarmaApp(Home(games=games), plan=plan, resume=resume, speed=speed, language=lang)
    run_app(app)


def count_seats(rules: "Rules", players: int | None) -> int:
    """How many sit down: as many as asked for, or four if so many can."""
    seats = min(4, rules.most_players) if players is None else players
    try:
        rules.check_players(seats)
    except ValueError as error:
        raise Misuse(str(error)) from None
    return seats


def deal_game(
    edition: str,
    changes: "Sequence[str] | None",
    names: "Sequence[str]",
    seed: int | None,
) -> "Game":
    """A game that ends even if it goes round and round, unless a rule given says otherwise."""
    from karma.game import Game

    rules = parse_rules(edition, changes)
    count_seats(rules, len(names))
    try:
        rules = rules.for_table(len(names), chosen=names_of(changes))
        return Game(rules, players=names, seed=seed)
    except ValueError as error:
        raise Misuse(str(error)) from None


def in_turn(kinds: "Sequence[str]", seats: int) -> list[str]:
    """The kinds of bots for so many seats, repeated in turn."""
    return [kinds[seat % len(kinds)] for seat in range(seats)]


def go_on(home: "Home") -> "tuple[Game, list[str]]":
    """The plain game that was left, and the kinds of bots in it."""
    from karma.record import RecordError

    try:
        record = home.left()
        if record is None:
            raise Failure("there is no plain game to go on with; karma play --plain begins one")
        return record.replay(), list(record.extra["bots"])
    except (RecordError, KeyError, TypeError) as error:
        raise Failure(f"the game that was left cannot be read: {error}") from None


def seat_bots(game: "Game", kinds: "Sequence[str]", first: int = 0) -> "list[Bot]":
    """A bot for each seat from the first one on, each with a seed of its own."""
    from karma.bots import make_bot

    try:
        return [
            make_bot(kind, seed=(game.seed or 0) + seat)
            for seat, kind in enumerate(kinds, start=first)
        ]
    except ValueError as error:
        raise Misuse(str(error)) from None


def warm_up(game: "Game", kinds: "set[str]") -> None:
    """Has each kind of bot decide in another deal: whatever has to be compiled then is."""
    from karma.bots import make_bot
    from karma.game import Game

    other = Game(game.rules, players=len(game.players), seed=0)
    assert other.actor is not None
    view = other.view(other.actor)
    other.push(other.legal[0])
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


def play_plain(
    game: "Game", kinds: "Sequence[str]", bots: "dict[int, Bot]", say: "Texts", home: "Home"
) -> None:
    """Play in plain lines; the game is kept at every move, and its record however it stops."""
    from karma.cli.plain_table import PlainGame, Quit

    def keep(game: "Game") -> None:
        with writing():
            home.keep_left(written(game, bots=kinds))

    interrupted = False
    try:
        PlainGame(game, bots, say, keep=keep).play()
        home.forget_left()
    except Quit:
        print(say("play_stopped"))
    except (EOFError, KeyboardInterrupt) as stop:
        interrupted = isinstance(stop, KeyboardInterrupt)
        print("\n" + say("play_stopped"))
    if game.moves:
        save(game, home)
        print(say("play_saved", path=home.games))
        if not game.over:
            print(say("play_goes_on"))
    if interrupted:
        raise typer.Exit(130)


def save(game: "Game", home: "Home") -> None:
    """Adds the record of a game to the others."""
    with writing():
        home.keep(written(game))


def written(game: "Game", **extra: "Any") -> "Record":
    """The record of a game, with today's date."""
    from karma.record import Record

    return Record.of(game, date=datetime.now(UTC).isoformat(timespec="seconds"), **extra)


@contextmanager
def writing() -> "Iterator[None]":
    """Says in a line that a file cannot be written."""
    try:
        yield
    except OSError as error:
        raise Failure(f"the record cannot be saved: {error}") from None


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
