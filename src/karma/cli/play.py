"""`karma play`: a game against bots, at a table in the terminal or in plain text."""

import sys
from contextlib import contextmanager
from pathlib import Path
from threading import Timer
from typing import TYPE_CHECKING, Annotated

import typer

from karma.cli.errors import Failure, Misuse
from karma.cli.options import (
    LevelOption,
    MaybeEdition,
    MaybeLanguage,
    RuleOption,
    SpeedOption,
    StyleOption,
    bots_at,
    on_terminal,
    parse_bots,
    parse_rules,
    run_app,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from karma.cli.loop_thread import LoopThread
    from karma.editions import Rules
    from karma.texts import Texts
    from karma.tui.home import Home, Plan
    from karma.tui.local_tables import LocalConnection, LocalTables

PATIENCE = 3.0  # seconds, after which a word is said on what takes so long
SEATS = 4  # as many sit down, if nothing else is said


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
    level: LevelOption = None,
    style: StyleOption = None,
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
    from karma.tui.home import Home
    from karma.tui.preparation import Preparation, warm_up

    home = Home(games=record)
    at_table = not plain and on_terminal()
    plan = None
    asked = edition, players, rule, bots, level, style, seed
    if not at_table or any(given is not None for given in asked):
        plan = plan_game(edition, players, rule, bots, seed, level=level, style=style)
        plan.name = name or home.player_name
    say = Texts(lang or "en")
    chooses = at_table and plan is None and not resume
    if not chooses:
        with preparing(say):
            warm_up(plan)
    if not at_table:
        assert plan is not None
        play_plain(home, plan, say, resume=resume)
        return
    from karma.tui.app import KarmaApp

    app = KarmaApp(
        home,
        plan=plan,
        resume=resume,
        name=name,
        speed=speed,
        language=lang,
        preparation=Preparation() if chooses else None,
    )
    run_app(app)


# ---- what the options say -----------------------------------------------------------------------


def plan_game(
    edition: str | None,
    players: int | None,
    changes: "Sequence[str] | None",
    bots: str | None,
    seed: int | None,
    *,
    level: int | None = None,
    style: str | None = None,
    people: int = 1,
) -> "Plan":
    """The game that the options ask for: as many seats as are named, or as bots are named."""
    from karma.tui.home import Plan

    rules = parse_rules(edition or "classic", changes)
    wanted = bots_at(level, style, bots)
    kinds = parse_bots("greedy" if wanted is None else wanted)
    if players is None and bots is not None:
        players = max(2, len(kinds) + people)
    seats = count_seats(rules, players)
    others = [kinds[seat % len(kinds)] for seat in range(seats - people)]
    return Plan(rules.edition, rules.overrides, "", others, seed)


def count_seats(rules: "Rules", players: int | None) -> int:
    """How many sit down: as many as asked for, or four if so many can."""
    seats = min(SEATS, rules.most_players) if players is None else players
    try:
        rules.check_players(seats)
    except ValueError as error:
        more = rules.replace(decks=2)
        helps = rules.decks < more.decks and 2 <= seats <= more.most_players
        raise Misuse(f"{error}; -r decks=2 seats {seats}" if helps else str(error)) from None
    return seats


# ---- plain text ---------------------------------------------------------------------------------


def play_plain(home: "Home", plan: "Plan", say: "Texts", *, resume: bool) -> None:
    """Play in plain lines; the game is kept at every move, and its record at its end."""
    from karma.cli.loop_thread import LoopThread
    from karma.cli.plain_table import PlainTable, Quit
    from karma.tui.local_tables import LocalTables

    tables = LocalTables(home)
    interrupted = False
    with LoopThread() as loop:
        try:
            connection = sit_down(loop, tables, home, plan, say, resume=resume)
            PlainTable(connection, loop, say).play()
        except Quit:
            print(say("play_stopped"))
        except (EOFError, KeyboardInterrupt) as stop:
            interrupted = isinstance(stop, KeyboardInterrupt)
            print("\n" + say("play_stopped"))
        leave(tables, home, say)
    home.release()
    if interrupted:
        raise typer.Exit(130)


def sit_down(
    loop: "LoopThread",
    tables: "LocalTables",
    home: "Home",
    plan: "Plan",
    say: "Texts",
    *,
    resume: bool,
) -> "LocalConnection":
    """A seat at the table that was left or at a new one; asks before the old one is put away."""
    if not home.writable:
        print(say("home_not_writable", folder=home.folder))
    names = loop.run(tables.left_players())
    keep = True
    if names and not resume:
        if sys.stdin.isatty():
            print(say("play_kept", names=", ".join(names)))
            resume = input("> ").strip().lower() != "n"
        else:
            keep = False
            print(say("play_not_kept"))
    if not resume:
        return loop.run(tables.begin(plan, keep=keep))
    connection = loop.run(tables.resume())
    if connection is None:
        raise Failure("there is no game to go on with; karma play begins one")
    return connection


def leave(tables: "LocalTables", home: "Home", say: "Texts") -> None:
    """Says what is kept of the game."""
    saved = tables.finished is not None
    if not tables.unfinished:
        if home.claim():
            home.forget()
    elif tables.kept:
        print(say("play_goes_on"))
    else:
        saved = tables.keep_unfinished()
    if tables.failure is not None:
        raise Failure(f"the record cannot be saved: {tables.failure}")
    if saved and home.keeps_games:
        print(say("play_saved", path=home.games))


# ---- getting ready ------------------------------------------------------------------------------


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
