"""A picture of a reviewed game: each seat's chance not to lose, move by move."""

from __future__ import annotations

from io import BytesIO

from karma.review.ledger import Review


def draw(found: Review) -> bytes:
    """The chances over the game, as a PNG."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8, 4), layout="constrained")
    axes = figure.subplots()
    for seat, name in enumerate(found.names):
        values = [100 * ply.values[seat] for ply in found.plies]
        if found.result is not None:
            values.append(100 * found.result[seat])
        axes.plot(values, label=name)
    axes.set(xlabel="move", ylabel="chance not to lose, %", ylim=(-2, 102))
    axes.legend(loc="lower left")
    axes.grid(alpha=0.3)
    out = BytesIO()
    figure.savefig(out, format="png", dpi=120, metadata={"Software": None})
    return out.getvalue()
