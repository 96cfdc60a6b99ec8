"""`karma bots`: who can be played against, how strong each is, what it costs; and a new one."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from karma.cli.errors import Failure, Misuse
from karma.cli.options import MaybeEdition, RuleOption, names_of, parse_rules

if TYPE_CHECKING:
    from karma.bots.choice import Way
    from karma.editions import Rules

bots = typer.Typer(invoke_without_command=True)


@bots.callback()
def list_bots(
    context: typer.Context,
    edition: MaybeEdition = None,
    players: Annotated[int | None, typer.Option(min=2, help="How many play.")] = None,
    rule: RuleOption = None,
    json: Annotated[bool, typer.Option("--json", help="Print a JSON list.")] = False,
) -> None:
    """List the bots: what they do, how strong they are, and how long they think.

    With an edition, players or a rule, say how net and master play at that table.
    """
    if context.invoked_subcommand is not None:
        return
    if edition is not None or players is not None or rule:
        _print_ways(_table(edition or "classic", players or 2, rule), players or 2, json)
        return
    import json as json_format

    from karma.bots.registry import BOTS, PROCESS, hidden, installed
    from karma.bots.strength import strengths

    known = strengths().bots
    rows: list[dict[str, Any]] = [
        {
            "name": entry.name,
            "version": entry.version or None,
            "level": entry.level,
            "summary": entry.summary,
            "options": dict(entry.options),
            "strength": known[entry.name].strength if entry.name in known else None,
            "milliseconds": known[entry.name].milliseconds if entry.name in known else None,
        }
        for entry in (*BOTS.values(), *installed().values())
    ]
    for line in hidden():
        typer.echo(line, err=True)
    if json:
        print(json_format.dumps(rows))
        return
    for row in rows:
        level = "-" if row["level"] is None else str(row["level"])
        strength = "" if row["strength"] is None else f"{row['strength']:.0f}"
        cost = "" if row["milliseconds"] is None else _cost(row["milliseconds"])
        print(f"{level:>2}  {row['name']:<10} {strength:>5} {cost:>7}  {row['summary']}")
    print(f" -  FILE.py:CLASS{'':>11}  a class of your own in a file; karma bots new writes one")
    print(f" -  {PROCESS}:COMMAND{'':>9}  a program that speaks JSON lines")
    print("Strength: classic for two, greedy = 1000; and the time of a move. Options, as in")
    print("expert:rollouts=500, are listed by --json.")


def _table(edition: str, players: int, rule: list[str] | None) -> "Rules":
    from karma.editions import RulesError

    rules = parse_rules(edition, rule)
    try:
        rules.check_players(players)
        return rules.for_table(players, chosen=names_of(rule))
    except RulesError as error:
        raise Misuse(str(error)) from None


def _print_ways(rules: "Rules", players: int, json: bool) -> None:
    """How the bots that have networks play at a table."""
    import json as json_format

    import msgspec

    from karma.bots.choice import MASTER, NET, way_of

    ways = {bot: way_of(bot, rules, players) for bot in (NET, MASTER)}
    if json:
        print(json_format.dumps({b: msgspec.to_builtins(way._asdict()) for b, way in ways.items()}))
        return
    for bot, way in ways.items():
        print(f"{bot:<7} {_told(bot, way)}{_known(bot, way)}")


def _told(bot: str, way: "Way") -> str:
    if way.network is None:
        better = "is better" if way.known else "was shown to be better"
        how = "plays as expert" if bot == "net" else "searches as expert does, only deeper"
        return f"{how}, since no network {better} here"
    if bot == "net":
        weaker = way.known is not None and way.known.gain + way.known.error < 0
        slower = "; expert takes longer and is stronger" * weaker
        return f"makes the move that the network {way.network} likes best{slower}"
    return f"searches by the network {way.network}" + " and by quick games" * way.mixed


def _known(bot: str, way: "Way") -> str:
    """What was measured, if anything was: at the table itself, or by house rules."""
    known = way.known
    if known is None:
        return ""
    who = "its network " if bot == "net" and way.network is None else ""
    points = f"{100 * known.gain:+.1f} ± {100 * known.error:.1f} points"
    where = "" if known.crowd is None else " by house rules drawn at random"
    return f" ({who}{points} against expert, {known.games} games{where})"


@bots.command()
def new(
    name: Annotated[str, typer.Argument(metavar="NAME", help="How the bot is called.")],
    folder: Annotated[
        Path | None, typer.Argument(metavar="[FOLDER]", help="Where to; ./karma-NAME.")
    ] = None,
) -> None:
    """Write a package with a bot to start from, and a test that passes."""
    from karma.bots import BotError
    from karma.bots.package import write_package

    try:
        written = write_package(name, folder or Path(f"karma-{name}"))
    except BotError as error:
        raise Misuse(str(error)) from None
    except OSError as error:
        raise Failure(f"cannot write {folder or name}: {error.strerror}") from None
    for path in written:
        print(path)


def _cost(milliseconds: float) -> str:
    """The time of a move, as precise as it is of use.

    >>> _cost(0.00004), _cost(0.047), _cost(2.86), _cost(65.1)
    ('< 1 µs', '47 µs', '2.9 ms', '65 ms')
    """
    if milliseconds < 0.001:
        return "< 1 µs"
    if milliseconds < 1:
        return f"{1000 * milliseconds:.0f} µs"
    return f"{milliseconds:.1f} ms" if milliseconds < 10 else f"{milliseconds:.0f} ms"
