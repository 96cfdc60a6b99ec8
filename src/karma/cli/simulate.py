"""`karma simulate`: many games of one line-up, and what happened in them."""

from contextlib import ExitStack
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from karma.cli.cluster import RayOption, on_cluster
from karma.cli.errors import Failure, Misuse
from karma.cli.options import EditionOption, RuleOption, parse_bots, parse_rules

if TYPE_CHECKING:
    from collections.abc import Callable

    from karma.record import Record
    from karma.simulation.results import GameResult


class Format(StrEnum):
    """How the rows of games are written."""

    CSV = "csv"
    JSONL = "jsonl"


def simulate(
    edition: EditionOption = "classic",
    players: Annotated[int, typer.Option(help="How many play.")] = 2,
    games: Annotated[int, typer.Option(min=1, help="How many games.")] = 1000,
    bots: Annotated[
        str, typer.Option(metavar="BOT,…", help="Bots by seat; repeated in turn if fewer.")
    ] = "greedy",
    seed: Annotated[int, typer.Option(help="The same seed gives the same games.")] = 0,
    rule: RuleOption = None,
    records: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the games' records here.")
    ] = None,
    limit: Annotated[int, typer.Option(min=1, help="Moves until a game is unfinished.")] = 3000,
    threads: Annotated[int, typer.Option(min=0, help="0: one for each core.")] = 0,
    ray: RayOption = None,
    each: Annotated[
        Format | None, typer.Option(help="Print a row for each game, as games are done.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Play many games between bots, and count what happens in them."""
    import json as json_format

    from karma.cli.progress import bar
    from karma.editions import RulesError
    from karma.simulation import simulate as play

    rules = parse_rules(edition, rule)
    names = parse_bots(bots)
    try:
        rules.check_players(players)
    except RulesError as error:
        raise Misuse(str(error)) from None
    if len(names) > players:
        raise Misuse(f"{len(names)} bots for {players} players; give at most one for each seat")
    if each is not None and json:
        raise Misuse("--each prints rows, --json one object; give one of them")
    with ExitStack() as stack:
        write = None
        if records is not None:
            try:
                file = stack.enter_context(open(records, "w", encoding="utf-8"))
            except OSError as error:
                raise Failure(f"cannot write {records}: {error.strerror}") from None

            def write(batch: "list[Record]") -> None:
                file.writelines(record.dumps() + "\n" for record in batch)

        executor = stack.enter_context(on_cluster(ray))
        progress = stack.enter_context(bar("games", games))
        results = play(
            rules,
            [names[seat % len(names)] for seat in range(players)],
            games,
            seed=seed,
            limit=limit,
            each=None if each is None else row_printer(each),
            threads=threads or (None if executor is None else executor.cores),
            records=write,
            progress=progress,
            executor=executor,
        )
    if json:
        print(json_format.dumps(results.summary(), ensure_ascii=False))
    elif each is None:
        _print(results.summary(), str(rules), games)


def row_printer(form: Format) -> "Callable[[list[GameResult]], None]":
    """A function that prints rows as they come: lines of CSV after a heading, or of JSON."""
    import csv
    import json
    import sys

    from karma.simulation.results import GameResult

    write = csv.writer(sys.stdout, lineterminator="\n").writerow
    if form is Format.CSV:
        write(GameResult._fields)

    def print_rows(rows: "list[GameResult]") -> None:
        for row in rows:
            if form is Format.CSV:
                write(row)
            else:
                print(json.dumps(row._asdict()))
        sys.stdout.flush()

    return print_rows


def _print(summary: dict[str, Any], rules: str, asked: int) -> None:
    from rich.console import Console
    from rich.table import Table

    stopped = "" if summary["games"] == asked else f" of {asked:,}, stopped"
    table = Table(title=f"{summary['games']:,} games{stopped}: {rules}")
    for name in ("seat", "bot", "losses", "share", "95 %"):
        table.add_column(name, justify="left" if name == "bot" else "right")
    for row in summary["rows"]:
        between = f"{100 * row['low']:.1f}–{100 * row['high']:.1f} %"
        share = f"{100 * row['share']:.1f} %"
        number = row["failures"]["number"]
        bot = f"{row['bot']} (failed {number:,}×)" if number else row["bot"]
        table.add_row(str(row["seat"]), bot, f"{row['losses']:,}", share, between)
    console = Console(emoji=False, markup=False)  # :Shark: is a bot's name
    console.print(table)
    for row in summary["rows"]:
        if first := row["failures"]["first"]:
            console.print(
                f"{row['bot']} failed {row['failures']['number']:,}×, first in game "
                f"{first['game']} at ply {first['ply']}: {first['reason']}; greedy moved in its "
                "place",
                highlight=False,
                soft_wrap=True,
            )
    moves = summary["moves"]
    console.print(
        f"moves a game: {moves['mean']:.1f} (5–95 %: {moves['5%']:.0f}–{moves['95%']:.0f})",
        f"sets {summary['sets']:.2f}, pick-ups {summary['pick_ups']:.2f}, "
        f"gives {summary['gives']:.2f}, comebacks {summary['comebacks']:.3f} a game",
        f"stalled {100 * summary['stalled']:.2f} %, unfinished {100 * summary['unfinished']:.2f} %",
        sep="\n",
        highlight=False,
    )
