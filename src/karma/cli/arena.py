"""`karma arena`: bot against bot, until it is clear who is stronger."""

from itertools import combinations, permutations
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from karma.cli.cluster import RayOption, on_cluster
from karma.cli.errors import Failure, Misuse
from karma.cli.options import EditionOption, RuleOption, names_of, parse_rules

if TYPE_CHECKING:
    from karma.arena import Pairing
    from karma.arena.results import ArenaResults


def arena(
    candidate: Annotated[str, typer.Argument(metavar="CANDIDATE", help="A bot.")],
    baselines: Annotated[
        list[str], typer.Argument(metavar="BASELINE…", help="One opponent, or several.")
    ],
    edition: EditionOption = "classic",
    players: Annotated[int, typer.Option(help="How many play.")] = 2,
    games: Annotated[int, typer.Option(min=1, help="Games for each pairing.")] = 400,
    seed: Annotated[int, typer.Option(help="The same seed gives the same games.")] = 0,
    rule: RuleOption = None,
    limit: Annotated[int, typer.Option(min=1, help="Moves until a game is unfinished.")] = 3000,
    milliseconds: Annotated[
        int | None, typer.Option(min=1, help="A limit for each move, for bots that know limits.")
    ] = None,
    mirror: Annotated[
        bool, typer.Option("--mirror", help="Also one baseline among candidates (3 or more play).")
    ] = False,
    sprt: Annotated[
        str | None,
        typer.Option(metavar="LOW,HIGH", help="Stop as soon as one of two scores is clear."),
    ] = None,
    luck: Annotated[
        bool, typer.Option("--luck", help="Measure luck too: scores without it are surer.")
    ] = False,
    results: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Keep the blocks here, and go on from here.")
    ] = None,
    report: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Write pictures and an HTML page here.")
    ] = None,
    workers: Annotated[int, typer.Option(min=0, help="0: one for each core.")] = 0,
    ray: RayOption = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Let a bot play a baseline, or several bots one another, in mirrored blocks.

    With one baseline, it fills all other seats. With several, every bot plays every other.
    """
    import json as json_format

    from karma.arena import ArenaResults, run
    from karma.arena.account import account
    from karma.arena.results import ResultsError
    from karma.arena.statistics import Sequential
    from karma.cli.progress import bar

    pairings = _pairings(
        [candidate, *baselines], edition, players, seed, rule, limit, milliseconds, mirror, luck
    )
    try:
        sequential = None if sprt is None else Sequential.parse(sprt)
    except ValueError as error:
        raise Misuse(str(error)) from None
    blocks = -(-games // players)
    try:
        kept = ArenaResults(results)
        with on_cluster(ray) as executor, bar("blocks", blocks * len(pairings)) as show:
            watch = _Watch(pairings, blocks, kept, show)
            run(
                pairings,
                blocks,
                kept,
                sequential=sequential,
                workers=workers or (None if executor is None else executor.cores),
                progress=watch,
                executor=executor,
            )
    except ResultsError as error:
        raise Failure(str(error)) from None
    told = account(pairings, kept, sequential)
    if report is not None and told["rows"]:
        from karma.arena.report import write

        try:
            page = write(report, told)
        except OSError as error:
            raise Failure(f"cannot write {report}: {error.strerror}") from None
        typer.echo(f"report: {page}", err=True)
    if json:
        print(json_format.dumps(told, ensure_ascii=False))
    else:
        _print(told)


def _pairings(
    bots: list[str],
    edition: str,
    players: int,
    seed: int,
    rule: list[str] | None,
    limit: int,
    milliseconds: int | None,
    mirror: bool,
    luck: bool,
) -> "list[Pairing]":
    from karma.arena.blocks import Pairing
    from karma.bots import BotError
    from karma.bots.registry import check
    from karma.editions import RulesError

    rules = parse_rules(edition, rule)
    try:
        rules.check_players(players)
        rules = rules.for_table(players, chosen=names_of(rule))
        for bot in bots:
            check(bot)
    except (RulesError, BotError) as error:
        raise Misuse(str(error)) from None
    if len(bots) == 2 and not mirror:
        pairs = [(bots[0], bots[1])]
    elif players == 2:
        pairs = list(combinations(dict.fromkeys(bots), 2))
    else:
        pairs = list(permutations(dict.fromkeys(bots), 2))
    return [Pairing(a, b, rules, players, seed, limit, milliseconds, luck) for a, b in pairs]


class _Watch:
    """Shows how far it is, and the running estimate of the pairing being played."""

    def __init__(
        self, pairings: "list[Pairing]", blocks: int, kept: "ArenaResults", show: Any
    ) -> None:
        self._before = {pairing: i * blocks for i, pairing in enumerate(pairings)}
        self._blocks = blocks
        self._kept = kept
        self._show = show
        self._done = 0

    def __call__(self, pairing: "Pairing", done: int) -> None:
        from karma.arena.statistics import row

        told = row(pairing, self._kept.of(pairing)[: self._blocks])
        note = f"{pairing.candidate} – {pairing.baseline}: {_percent(told)}"
        # The last blocks of a pairing come while the next has begun.
        self._done = max(self._done, self._before[pairing] + min(done, self._blocks))
        self._show(self._done, note)


def _percent(row: dict[str, Any]) -> str:
    return f"{100 * row['score']:.1f} % ({100 * row['low']:.1f}–{100 * row['high']:.1f})"


def _without_luck(row: dict[str, Any]) -> str:
    """The score without the luck, and how many games that saved."""
    told = row["adjusted"]
    as_good_as = round(row["games"] / told["variance_left"]) if told["variance_left"] else 0
    return (
        f"{row['candidate']} – {row['baseline']} without luck: {_percent(told)}, "
        f"as sure as {as_good_as:,} games with it"
    )


def _print(told: dict[str, Any]) -> None:
    from rich.console import Console
    from rich.table import Table

    from karma.arena.report import cell, failures, named, names

    console = Console(emoji=False, markup=False)  # :Shark: is a bot's name
    if not console.is_terminal:
        console.width = 120
    if not told["rows"]:
        console.print("no block was finished")
        return
    first = told["rows"][0]
    rules = "".join(f", {name}={value}" for name, value in first["rules"].items())
    title = f"{first['edition']}, {first['players']} players{rules}"
    unfinished = any(r["unfinished"] for r in told["rows"])
    table = Table(title=title)
    for name in ("candidate", "baseline"):
        table.add_column(name, overflow="fold")
    for name in ("games", "score", "95 %", "stalled", *(("unfinished",) * unfinished), "ms"):
        table.add_column(name, justify="right", no_wrap=True)
    for r in told["rows"]:
        table.add_row(
            named(r, "candidate"),
            named(r, "baseline"),
            f"{r['games']:,}",
            f"{100 * r['score']:.1f} %",
            f"{100 * r['low']:.1f}–{100 * r['high']:.1f}",
            f"{100 * r['stalled']:.1f} %",
            *((f"{100 * r['unfinished']:.1f} %",) * unfinished),
            f"{r['milliseconds']:.3g}",
        )
    console.print(table)
    for r in told["rows"]:
        if "adjusted" in r:
            console.print(_without_luck(r), highlight=False, soft_wrap=True)
    for line in failures(told["rows"]):
        console.print(line, highlight=False, soft_wrap=True)
    bots = names(told["rows"])
    if len(bots) > 2:
        cross = Table(title="share not lost by the bot on the left, %")
        for name in ("", *bots):
            cross.add_column(name, justify="right")
        for a in bots:
            cells = [cell(told["rows"], a, b) for b in bots]
            cross.add_row(a, *("" if c is None else f"{100 * c['score']:.1f}" for c in cells))
        console.print(cross)
        for bot in sorted(told["fit"]["bots"], key=lambda bot: -bot["strength"]):
            half = bot["high"] - bot["strength"]
            console.print(f"{bot['strength']:6.0f} ± {half:3.0f}  {bot['bot']}", highlight=False)
        console.print(f"residual {100 * told['fit']['residual']:.1f} points", highlight=False)
    for test in told.get("sprt", ()):
        low, high = test["claims"]
        verdict = {"upper": f"{high} is accepted", "lower": f"{low} is accepted"}
        console.print(
            f"{test['candidate']} – {test['baseline']}: "
            f"{verdict.get(test['verdict'], 'not decided')} "
            f"(log ratio {test['ratio']:.2f}, bounds ±{test['bound']:.2f})",
            highlight=False,
        )
