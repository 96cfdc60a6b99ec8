"""`karma replay`: step through a recorded game, or write its positions or views for programs."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, BinaryIO

import typer

from karma.cli.errors import Misuse, Refusal
from karma.cli.options import Language, MaybeLanguage, SpeedOption, on_terminal, run_app

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
    if positions:
        refused = write(file, position_lines)
    elif views:
        refused = write(file, view_lines)
    elif check:
        refused = check_records(file)
    else:
        step_through(file, game, seat, lang, plain=plain, speed=speed)
        return
    raise typer.Exit(1 if refused else 0)


# ---- for programs -------------------------------------------------------------------------------


def write(path: Path, lines: "Lines") -> int:
    """Writes the lines of each move of each game; tells how many records were refused."""
    refused = 0
    out = sys.stdout.buffer
    for answer in replayed(path, lines):
        if isinstance(answer, bytes):
            out.write(answer)
        else:
            refused += 1
            complain(answer)
    out.flush()
    return refused


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


def check_records(path: Path) -> int:
    """Names the records that break a rule, and tells how many those are."""
    games = refused = 0
    for answer in replayed(path, lambda number, game, move: b""):
        games += 1
        if not isinstance(answer, bytes):
            refused += 1
            complain(answer)
    print(f"{games} records, {refused} refused")
    return refused


def replayed(path: Path, lines: "Lines") -> "Iterator[bytes | RecordError]":
    """For each record its lines, or why it is refused: then none of its lines."""
    from karma.record import RecordError

    for number, line, record in records(path):
        try:
            yield record if isinstance(record, RecordError) else lines_of(record, number, lines)
        except RecordError as error:
            yield RecordError(error.reason, line=line, ply=error.ply)


def lines_of(record: "Record", number: int, lines: "Lines") -> bytes:
    """The lines before every move of a game, and after the last."""
    written: list[bytes] = []
    game = record.replay(lambda game, move: written.append(lines(number, game, move)))
    return b"".join([*written, lines(number, game, None)])


def records(path: Path) -> "Iterator[tuple[int, int, Record | RecordError]]":
    """The number of each game, its line in the file, and its record or what is wrong with it."""
    from karma.record import Record, RecordError

    game = 0
    with opened(path) as file:
        for line, content in enumerate(file, start=1):
            if not content.strip():
                continue
            try:
                yield game, line, Record.loads(content.decode())
            except UnicodeDecodeError:
                yield game, line, RecordError("not UTF-8", line=line)
            except RecordError as error:
                yield game, line, RecordError(error.reason, line=line, ply=error.ply)
            game += 1


@contextmanager
def opened(path: Path) -> Iterator[BinaryIO]:
    """A file to read, or standard input."""
    if str(path) == "-":
        yield sys.stdin.buffer
        return
    try:
        file = path.open("rb")
    except OSError as error:
        raise Refusal(f"{path} cannot be read: {error.strerror}") from None
    with file:
        yield file


def complain(error: "RecordError") -> None:
    print(f"karma: {error}", file=sys.stderr)


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
    from karma.cli.stepping import Stepping

    record = find(path, number)
    if seat is not None and seat >= len(record.players):
        raise Misuse(f"there is no seat {seat}; seats are 0 to {len(record.players) - 1}")
    if not plain and on_terminal():
        from karma.tui.app import KarmaApp

        run_app(KarmaApp(record=record, seat=seat, speed=speed, language=language))
        return
    stepping = Stepping(record, number, seat, language or Language.en)
    if sys.stdin.isatty() and sys.stdout.isatty():
        stepping.walk()
    else:
        stepping.tell()


def find(path: Path, wanted: int) -> "Record":
    """A game of a file, by its number."""
    from karma.record import RecordError

    games = 0
    for number, line, record in records(path):
        games = number + 1
        if number == wanted:
            try:
                if isinstance(record, RecordError):
                    raise record
                record.replay()
            except RecordError as error:
                raise Refusal(str(RecordError(error.reason, line=line, ply=error.ply))) from None
            return record
    raise Refusal(f"there is no game {wanted} in {path}; it has {games}, counted from 0")
