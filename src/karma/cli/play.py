"""`karma play`: a game against bots, in the terminal."""

import sys
from collections import Counter
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from threading import Timer
from typing import TYPE_CHECKING, Annotated

import typer

from karma.cli.errors import Misuse, Refusal
from karma.cli.options import (
    EditionOption,
    Language,
    LanguageOption,
    RuleOption,
    parse_rules,
    split_bots,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from karma.bots import Bot
    from karma.game import Game
    from karma.messages import Texts

QUIET_TURNS = 40  # for each player, after which a game that goes round ends


def play(
    edition: EditionOption = "classic",
    players: Annotated[
        int, typer.Option("--players", "-p", metavar="N", help="How many sit down, you included.")
    ] = 4,
    rule: RuleOption = None,
    bots: Annotated[
        str, typer.Option(metavar="NAME,…", help="The others, in turn around the table.")
    ] = "greedy",
    name: Annotated[str | None, typer.Option(metavar="NAME", help="Your name.")] = None,
    seed: Annotated[
        int | None, typer.Option(metavar="N", min=0, help="Deal the same cards again.")
    ] = None,
    record: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Where to keep the record of the game.")
    ] = None,
    plain: Annotated[bool, typer.Option("--plain", help="Plain lines of text.")] = False,
    lang: LanguageOption = Language.en,
) -> None:
    """Play a game against bots."""
    from karma.messages import Texts

    say = Texts(lang)
    with preparing(say):
        game, others = seat_everybody(
            edition, rule, players, split_bots(bots), name or say("text_you"), seed
        )
    play_plain(game, others, say, record or default_file())


def seat_everybody(
    edition: str,
    changes: "Sequence[str] | None",
    players: int,
    bots: "Sequence[str]",
    name: str,
    seed: int | None,
) -> "tuple[Game, dict[int, Bot]]":
    """The game and the bots by seat; the person has seat 0."""
    from karma.bots import make_bot
    from karma.game import Game

    rules = parse_rules(edition, changes)
    if not any(change.partition("=")[0].strip() == "stall_limit" for change in changes or ()):
        rules = rules.replace(stall_limit=QUIET_TURNS * max(players, 1))
    kinds = [bots[(seat - 1) % len(bots)] for seat in range(1, players)]
    try:
        game = Game(rules, players=[name, *numbered(kinds)], seed=seed)
        others = {
            seat: make_bot(kind, seed=(game.seed or 0) + seat)
            for seat, kind in enumerate(kinds, start=1)
        }
    except ValueError as error:
        raise Misuse(str(error)) from None
    warm_up(game, set(kinds))
    return game, others


def warm_up(game: "Game", kinds: "set[str]") -> None:
    """Has each kind of bot decide in another deal: whatever has to be compiled then is."""
    from karma.bots import make_bot
    from karma.game import Game

    other = Game(game.rules, players=len(game.players), seed=0)
    assert other.actor is not None
    for kind in kinds:
        make_bot(kind).choose(other.view(other.actor))
    other.push(other.legal_moves[0])


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
def preparing(say: "Texts", after: float = 3.0) -> "Iterator[None]":
    """A word on standard error if what follows takes long, as compiling for the first time does."""
    word = Timer(after, lambda: print(say("play_preparing"), file=sys.stderr, flush=True))
    word.daemon = True
    word.start()
    try:
        yield
    finally:
        word.cancel()
