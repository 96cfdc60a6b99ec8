"""`karma replay`: step through a recorded game, or write its positions or views for programs."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, BinaryIO

import typer

from karma.cli.errors import Failure, Misuse
from karma.cli.options import MaybeLanguage, SpeedOption, on_terminal, run_app

if TYPE_CHECKING:
    from karma.game import Game
    from karma.moves import Move
    from karma.record import Record, RecordError

    Lines = Callable[[int, Game, Move | None], bytes]


def replay(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Records, one a line; - for stdin.")],
    positions: Annotated[
        bool, typer.Option("--positions", help="Write every position as a line of JSON.")
    ] = False,
    views: Annotated[
        bool, typer.Option("--views", help="Write every view of every seat as a line of JSON.")
    ] = False,
    check: Annotated[
        bool, typer.Option("--check", help="Only say which records break a rule.")
    ] = False,
    game: Annotated[
        int, typer.Option(metavar="N", min=0, help="The game to step through, from 0.")
    ] = 0,
    seat: Annotated[
        int | None, typer.Option(metavar="N", min=0, help="Whose eyes; the audience's if absent.")
    ] = None,
    plain: Annotated[bool, typer.Option("--plain", help="Plain lines of text.")] = False,
    speed: SpeedOption = None,
    lang: MaybeLanguage = None,
) -> None:
    """Step through a game from any seat's eyes: at a table in the terminal, or as plain text."""
    if positions + views + check > 1:
        raise Misuse("only one of --positions, --views and --check at a time")
    if not (positions or views or check):
        step_through(file, game, seat, lang, plain=plain, speed=speed)
        return
    lines = position_lines if positions else view_lines if views else no_lines
    games, refused = write(file, lines)
    if check:
        print(f"{games} records, {refused} refused")
    raise typer.Exit(1 if refused else 0)


# ---- for programs -------------------------------------------------------------------------------


def write(path: Path, lines: "Lines") -> tuple[int, int]:
    """Writes the lines of each move of each game; tells how many games, and how many refused."""
    games = refused = 0
    for answer in replayed(path, lines):
        games += 1
        if isinstance(answer, bytes):
            sys.stdout.buffer.write(answer)
        else:
            refused += 1
            print(f"karma: {answer}", file=sys.stderr)
    sys.stdout.buffer.flush()
    return games, refused


def no_lines(number: int, game: "Game", move: "Move | None") -> bytes:
    """Nothing, where records are only checked."""
    return b""


def position_lines(number: int, game: "Game", move: "Move | None") -> bytes:
    """The position of a game before a move, as the records page writes it."""
    import msgspec

    position = game.position()
    first = {key: position.pop(key) for key in ("ply", "phase", "actor", "legal")}
    made = None if move is None else move.text
    return msgspec.json.encode({"game": number, **first, "move": made, **position}) + b"\n"


def view_lines(number: int, game: "Game", move: "Move | None") -> bytes:
    """What each seat knows before a move, and then the audience."""
    import msgspec

    seats = (*range(len(game.players)), None)
    views = ({"game": number, **game.view(seat).json()} for seat in seats)
    return b"".join(msgspec.json.encode(view) + b"\n" for view in views)


def replayed(path: Path, lines: "Lines") -> "Iterator[bytes | RecordError]":
    """For each record its lines, or why it is refused: then none of its lines."""
    from karma.record import RecordError, numbered

    refused: list[RecordError] = []
    with opened(path) as file:
        for number, record in numbered(file, refused=refused.append):
            yield from refused
            refused.clear()
            try:
                yield lines_of(record, number, lines)
            except RecordError as error:
                yield error
    yield from refused


def lines_of(record: "Record", number: int, lines: "Lines") -> bytes:
    """The lines before every move of a game, and after the last."""
    written: list[bytes] = []
    game = record.replay(lambda game, move: written.append(lines(number, game, move)))
    return b"".join([*written, lines(number, game, None)])


@contextmanager
def opened(path: Path) -> Iterator[BinaryIO]:
    """A file to read, or standard input."""
    if str(path) == "-":
        yield sys.stdin.buffer
        return
    try:
        file = path.open("rb")
    except OSError as error:
        raise Failure(f"{path} cannot be read: {error.strerror}") from None
    with file:
        yield file


# ---- for people ---------------------------------------------------------------------------------


def step_through(
    path: Path,
    number: int,
    seat: int | None,
    language: str | None,
    *,
    plain: bool,
    speed: str | None,
) -> None:
    """One game, move by move: at the reader's pace on a terminal, in one go otherwise."""
    from karma.cli.plain_replay import PlainReplay

    record = find(path, number)
    if seat is not None and seat >= len(record.players):
        raise Misuse(f"there is no seat {seat}; seats are 0 to {len(record.players) - 1}")
    if not plain and on_terminal():
        from karma.tui.app import KarmaApp

        run_app(KarmaApp(record=record, seat=seat, speed=speed, language=language))
        return
    stepping = PlainReplay(record, number, seat, language or "en")
    if sys.stdin.isatty() and sys.stdout.isatty():
        stepping.walk()
    else:
        stepping.tell()


def find(path: Path, wanted: int) -> "Record":
    """A game of a file, by its number."""
    from karma.record import RecordError, numbered

    with opened(path) as file:
        lines = [line for line in file if line.strip()]
    if wanted >= len(lines):
        raise Failure(f"there is no game {wanted} in {path}; it has {len(lines)}, counted from 0")
    try:
        ((_, record),) = numbered([lines[wanted]])
        record.replay()
    except RecordError as error:
        raise Failure(f"game {wanted}: {RecordError(error.reason, ply=error.ply)}") from None
    return record
