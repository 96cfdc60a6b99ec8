"""`karma bench`: how fast the engine is here."""

from typing import Annotated

import typer

from karma.cli.errors import Misuse


def bench(
    json: Annotated[bool, typer.Option("--json", help="Print a JSON list of rows.")] = False,
    only: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="Only this; may be repeated.")
    ] = None,
    seconds: Annotated[float, typer.Option(min=0.01, help="For each measurement.")] = 1.0,
) -> None:
    """Measure the engine: steps, views, worlds and records a second of processor time."""
    import json as json_format

    from karma import bench as benchmark

    names = only or list(benchmark.MEASUREMENTS)
    for name in names:
        if name not in benchmark.MEASUREMENTS:
            exist = ", ".join(benchmark.MEASUREMENTS)
            raise Misuse(f"there is no measurement {name!r}; there are {exist}")
    rows = []
    try:
        for row in benchmark.bench(names, seconds):
            rows.append(row)
            if not json:
                rules = "".join(f" {k}={v}" for k, v in row.get("rules", {}).items())
                table = f"{row['edition']}{rules}, {row['players']}" if "edition" in row else ""
                value = f"{row['value']:,.3f}" if row["unit"] == "s" else f"{row['value']:,.0f}"
                print(f"{row['name']:<18} {table:<20} {value:>14} {row['unit']}", flush=True)
    except KeyboardInterrupt:
        pass
    if json:
        print(json_format.dumps(rows))
