"""`karma bots`: who can be played against, how strong each is, and what it costs."""

from typing import Annotated

import typer


def bots(
    json: Annotated[bool, typer.Option("--json", help="Print a JSON list.")] = False,
) -> None:
    """List the bots: what they do, how strong they are, and how long they think."""
    import json as json_format

    from karma.bots.registry import BOTS, PROCESS, installed
    from karma.bots.strength import measured

    known = measured()
    rows = [
        {
            "name": entry.name,
            "version": entry.version,
            "level": entry.level,
            "summary": entry.summary,
            "options": dict(entry.options),
            "strength": known.get(entry.name, {}).get("strength"),
            "milliseconds": known.get(entry.name, {}).get("milliseconds"),
        }
        for entry in (*BOTS.values(), *installed().values())
    ]
    if json:
        print(json_format.dumps(rows))
        return
    for row in rows:
        level = "-" if row["level"] is None else str(row["level"])
        strength = "" if row["strength"] is None else f"{row['strength']:.0f}"
        cost = "" if row["milliseconds"] is None else f"{row['milliseconds']:.3g} ms"
        print(f"{level:>2}  {row['name']:<10} {strength:>5} {cost:>9}  {row['summary']}")
    print(f" -  {PROCESS}:COMMAND{'':>10}  a program that speaks JSON lines")
    print("Strength: classic for two, greedy = 1000; milliseconds a move. Options, as in")
    print("expert:rollouts=500, are listed by --json.")
