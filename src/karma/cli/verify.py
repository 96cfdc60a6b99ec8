"""`karma verify`: deal recorded games again, and see that nobody chose the cards."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from karma.cli.replay import opened


def verify(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Records, one a line; - for stdin.")],
    accept_missing: Annotated[
        bool, typer.Option(help="Accept deals in which a promised seed was left out.")
    ] = False,
) -> None:
    """Check the fair deal of recorded games: every promise, and the deck that follows from them.

    The moves are checked too. Exit code 1 if anything is not as it should be. A seat that promised
    a seed and counts with zeros gave the operator a choice: of two decks, or four if two are so.
    """
    from karma.fair import FairDealError, check, without_seed
    from karma.record import RecordError, numbered

    wrong = games = 0

    def refuse(error: RecordError) -> None:
        nonlocal wrong
        wrong += 1
        print(f"{file}: {error}", file=sys.stderr)

    with opened(file) as lines:
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
            left_out, never = (
                [record.players[seat] for seat in seats] for seats in without_seed(record)
            )
            if left_out and not accept_missing:
                wrong += 1
                print(
                    f"{file}: game {number}: left out: the promised seeds of {', '.join(left_out)};"
                    f" the operator could choose among {2 ** len(left_out)} decks",
                    file=sys.stderr,
                )
                continue
            note = f" (promised, but left out: {', '.join(left_out)})" if left_out else ""
            note += f" (no seed promised by {', '.join(never)})" if never else ""
            print(f"game {number}: the deal is as promised{note}")
    print(f"{games} games, {wrong} wrong")
    raise typer.Exit(1 if wrong else 0)
