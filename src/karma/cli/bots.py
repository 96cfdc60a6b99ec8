"""`karma bots`: who can be played against, how strong each is, and what it costs."""

from typing import Annotated, Any

import typer


def bots(
    json: Annotated[bool, typer.Option("--json", help="Print a JSON list.")] = False,
) -> None:
    """List the bots: what they do, how strong they are, and how long they think."""
    import json as json_format

    from karma.bots.registry import BOTS, PROCESS, installed
    from karma.bots.strength import measured

    known = measured()
    rows: list[dict[str, Any]] = [
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
        cost = "" if row["milliseconds"] is None else _cost(row["milliseconds"])
        print(f"{level:>2}  {row['name']:<10} {strength:>5} {cost:>7}  {row['summary']}")
    print(f" -  {PROCESS}:COMMAND{'':>9}  a program that speaks JSON lines")
    print("Strength: classic for two, greedy = 1000; and the time of a move. Options, as in")
    print("expert:rollouts=500, are listed by --json.")


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
