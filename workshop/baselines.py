"""Measures what each seat of the printed tables may expect before the cards are dealt.

``python -m workshop.baselines 20000`` values so many deals of each table and writes
`src/karma/review/baselines.json`. A table that was measured with as many deals, by the judge of
today, is not measured again: the command can be stopped and goes on where it was.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from karma.review.baseline import measure, rollouts
from karma.review.values import judge_for
from workshop.coefficients import tables

FILE = Path(__file__).parent.parent / "src" / "karma" / "review" / "baselines.json"
ORIGIN = "python -m workshop.baselines; the deals of the seeds from 0 on, the last seat has dealt"


def main() -> None:
    """Measure every table that is missing, and write the file after each."""
    number = int(sys.argv[1])
    kept: dict[str, Any] = {}
    if FILE.exists():
        kept = json.loads(FILE.read_text(encoding="utf-8"))["tables"]
    for name, rules, players in tables():
        judge = judge_for(rules, players, rollouts(players), seed=0).name
        before = kept.get(name, {})
        if before.get("judge") == judge and before.get("deals") == number:
            continue
        found = measure(rules, players, number)
        kept[name] = {
            "judge": judge,
            "deals": number,
            "values": [round(float(value), 6) for value in found.values],
            "errors": [round(float(error), 6) for error in found.errors],
        }
        print(name, kept[name], flush=True)
        FILE.write_text(json.dumps({"origin": ORIGIN, "tables": kept}, indent=1) + "\n")


if __name__ == "__main__":
    main()
