"""`karma review`: what was luck in a game, what was skill, and what would have been better."""

import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from karma.cli.errors import Failure, Misuse
from karma.cli.options import LanguageOption
from karma.cli.replay import opened

if TYPE_CHECKING:
    from karma.record import Record
    from karma.review.ledger import Review

FIRST_LOOK = 10
"""Worlds of the first look at a game, which tells how many more there is time for."""


def review(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Records, one a line; - for stdin.")],
    seat: Annotated[
        int | None, typer.Option(metavar="N", min=0, help="Only this seat; all if absent.")
    ] = None,
    worlds: Annotated[
        int, typer.Option(metavar="N", min=2, help="Worlds in which decisions are tried.")
    ] = 100,
    seed: Annotated[int, typer.Option(metavar="N", help="What the worlds are dealt from.")] = 1,
    seconds: Annotated[
        float | None, typer.Option(metavar="S", min=0, help="At most so long for a game.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a line.")] = False,
    detail: Annotated[
        bool, typer.Option("--detail", help="With --json: every card that chance showed.")
    ] = False,
    check: Annotated[
        bool, typer.Option("--check", help="Only see that all accounts add up, and luck is fair.")
    ] = False,
    picture: Annotated[
        Path | None, typer.Option(metavar="PNG", help="Draw each seat's chance over the game.")
    ] = None,
    lang: LanguageOption = "en",
) -> None:
    """Tell luck from skill in recorded games, and name the decisions that cost most."""
    if detail and not as_json:
        raise Misuse("--detail goes with --json")
    if check:
        _check(file, seed)
        return
    refused = reviewed = 0
    for number, record in _records(file):
        if record is None:
            refused += 1
            continue
        if seat is not None and seat >= len(record.players):
            raise Misuse(f"there is no seat {seat}; seats are 0 to {len(record.players) - 1}")
        seats = range(len(record.players)) if seat is None else (seat,)
        found = _review(record, number, seats, worlds, seed, seconds)
        reviewed += 1
        if as_json:
            _print_json(found, number, detail)
        else:
            _print_story(found, number, seats, lang)
        if picture is not None:
            _draw(
                found, picture if reviewed == 1 else picture.with_stem(f"{picture.stem}-{number}")
            )
    raise typer.Exit(1 if refused else 0)


def _records(path: Path) -> "Iterator[tuple[int, Record | None]]":
    """The records of a file by number; None for one that is refused, after saying why."""
    from karma.record import RecordError, numbered

    refused: list[RecordError] = []

    def complain() -> Iterator[tuple[int, None]]:
        for error in refused:
            print(f"karma: {error}", file=sys.stderr)
            yield -1, None
        refused.clear()

    some = False
    with opened(path) as file:
        for number, record in numbered(file, refused=refused.append):
            some = True
            yield from complain()
            try:
                record.replay()
            except RecordError as error:
                refused.append(error)
                yield from complain()
                continue
            yield number, record
    if not some and not refused:
        raise Failure(f"there is no game in {path}")
    yield from complain()


def _review(
    record: "Record",
    number: int,
    seats: Sequence[int],
    worlds: int,
    seed: int,
    seconds: float | None,
) -> "Review":
    """The ledger at once, then the decisions, in as many worlds as there is time for."""
    from karma.cli.progress import bar
    from karma.review.reviewer import account, judge_decisions

    began = time.monotonic()
    found = account(record, seed=seed)
    found.worlds = worlds
    choices = sum(ply.choice and ply.seat in seats for ply in found.plies)
    with bar(f"game {number}", choices) as update:

        def progress(done: int, total: int) -> None:
            update(done)

        try:
            if seconds is not None:
                found.worlds = min(worlds, FIRST_LOOK)
                looked = time.monotonic()
                judge_decisions(found, seats, progress)
                took = max(1e-3, time.monotonic() - looked)
                left = seconds - (time.monotonic() - began)
                reached = min(worlds, int(FIRST_LOOK * left / took))
                if reached <= found.worlds:
                    return found
                found.worlds = reached
            judge_decisions(found, seats, progress)
        except KeyboardInterrupt:
            print("karma: stopped; what there is follows", file=sys.stderr)
    return found


def _print_json(found: "Review", number: int, detail: bool) -> None:
    import msgspec

    from karma.review.coefficient import coefficient
    from karma.review.ledger import to_json

    b = coefficient(found.record.rules, found.players)
    data = to_json(found, number, b, detail=detail)
    sys.stdout.buffer.write(msgspec.json.encode(data) + b"\n")
    sys.stdout.buffer.flush()


def _print_story(found: "Review", number: int, seats: Sequence[int], lang: str) -> None:
    from karma.review.story import chance_line, story
    from karma.texts import Texts

    say = Texts(lang)
    players = ", ".join(found.names)
    print(say("review_title", game=number, players=players, judge=found.judge))
    width = max(map(len, found.names))
    for seat in seats:
        print(f"  {found.names[seat]:{width}} {chance_line(found, seat)}")
    for line in story(found, seats, say):
        print(line)


def _draw(found: "Review", path: Path) -> None:
    from karma.review.picture import draw

    try:
        path.write_bytes(draw(found))
    except OSError as error:
        raise Failure(f"cannot write {path}: {error.strerror}") from None


def _check(path: Path, seed: int) -> None:
    """Says whether the accounts of many games add up, and whether luck has mean zero."""
    from karma.cli.progress import bar
    from karma.review.audit import Audit
    from karma.review.reviewer import account

    audit = Audit()
    refused = 0
    with bar("games", 0) as update:
        try:
            for _, record in _records(path):
                if record is None:
                    refused += 1
                    continue
                audit.add(account(record, seed=seed))
                update(audit.games)
        except KeyboardInterrupt:
            print("karma: stopped; what there is follows", file=sys.stderr)
    for line in audit.lines():
        print(line)
    raise typer.Exit(1 if refused or not audit.sound else 0)
