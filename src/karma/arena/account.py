"""What came of pairings, as one JSON object: what ``karma arena --json`` prints."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import version
from typing import Any

from karma.arena.blocks import Pairing
from karma.arena.results import ArenaResults
from karma.arena.statistics import Sequential, fit, row, scores_of
from karma.bots.registry import describe


def account(
    pairings: Sequence[Pairing], kept: ArenaResults, sequential: Sequential | None = None
) -> dict[str, Any]:
    """Rows of the pairings that were played, what played them, and the scale fitted to them."""
    played = [pairing for pairing in pairings if kept.of(pairing)]
    rows = [row(pairing, kept.of(pairing)) for pairing in played]
    bots = list(dict.fromkeys(bot for p in played for bot in (p.candidate, p.baseline)))
    told: dict[str, Any] = {
        "karma": version("karma"),
        "bots": {bot: describe(bot) for bot in bots},
        "limit": pairings[0].limit,
        "time_limit": pairings[0].milliseconds,
        "rows": rows,
    }
    if rows:
        anchor = "greedy" if "greedy" in bots else rows[0]["baseline"]
        told["fit"] = fit(rows, anchor).data()
    if sequential is not None:
        told["sprt"] = [
            {
                "candidate": pairing.candidate,
                "baseline": pairing.baseline,
                "claims": [sequential.lower, sequential.upper],
                "ratio": sequential.ratio(scores_of(kept.of(pairing))),
                "bound": sequential.bound,
                "verdict": sequential.verdict(scores_of(kept.of(pairing))),
            }
            for pairing in played
        ]
    return told
