"""`karma verify`: deal recorded games again, and see that nobody chose the cards."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from karma.cli.errors import Failure


def verify(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Records, one a line; - for stdin.")],
) -> None:
    """Check the fair deal of recorded games: every promise, and the deck that follows from them.

    The moves are checked too. Exit code 1 if anything is not as it should be.
    """
    from karma.fair import FairDealError, check
    from karma.record import RecordError, numbered

    wrong = games = 0

    def refuse(error: RecordError) -> None:
        nonlocal wrong
        wrong += 1
        print(f"{file}: {error}", file=sys.stderr)

    try:
        lines = sys.stdin if str(file) == "-" else file.open(encoding="utf-8")
    except OSError as error:
        raise Failure(f"cannot read {file}: {error.strerror}") from None
    with lines:
        for number, record in numbered(lines, refuse):
            games += 1
            try:
                record.replay()
                if "fair" not in record.extra:
                    print(f"game {number}: no fair deal")
                    continue
                check(record)
            except (RecordError, FairDealError) as error:
                wrong += 1
                print(f"{file}: game {number}: {error}", file=sys.stderr)
                continue
            zeros = [
                name
                for name, part in zip(record.players, record.extra["fair"]["seats"], strict=True)
                if not any(bytes.fromhex(part["seed"]))
            ]
            note = f" (no seed from {', '.join(zeros)})" if zeros else ""
            print(f"game {number}: the deal is as promised{note}")
    print(f"{games} games, {wrong} wrong")
    raise typer.Exit(1 if wrong else 0)
