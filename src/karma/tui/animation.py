"""Cards seen on their way. They carry nothing: the table shows the truth already."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.text import Text
from textual.geometry import Offset
from textual.widgets import Static

from karma.events import Event, Gave, PickedUp, Played, TurnedOver
from karma.tui.cards import chip

if TYPE_CHECKING:
    from karma.tui.palette import Palette
    from karma.tui.table import TableScreen

SHARE = 0.35  # of the time for which a move is shown
LONGEST = 0.35


class FlyingCard(Static):
    """A card in the air."""

    DEFAULT_CSS = """
    FlyingCard { layer: flight; width: auto; height: 1; background: $surface; text-style: bold; }
    """


def take_off(told: Sequence[Event], table: TableScreen, pace: float, palette: Palette) -> None:
    """Sends the first card of what happened on its way."""
    pile = table.pile.region.offset + Offset(12, 2)
    start: Offset | None
    end: Offset | None
    for event in told:
        match event:
            case Played(seat=seat, kind=kind, count=count):
                label = chip(kind) if count == 1 else f"{chip(kind)}×{count}"
                colour, start, end = palette.colour(kind), _seat(table, seat), pile
            case TurnedOver(seat=seat, kind=kind):
                label, colour = chip(kind), palette.colour(kind)
                start, end = _seat(table, seat), pile
            case PickedUp(seat=seat, count=count) | Gave(to=seat, count=count) if count:
                label, colour = f"▒▒×{count}", palette.accent
                start, end = pile, _seat(table, seat)
            case _:
                continue
        if start is None or end is None:
            return
        flight = FlyingCard(Text(f" {label} ", style=colour))
        flight.styles.offset = start
        table.mount(flight)
        duration = min(LONGEST, pace * SHARE)
        flight.animate("offset", end, duration=duration, on_complete=flight.remove)
        return


def _seat(table: TableScreen, seat: int) -> Offset | None:
    """Where a seat's cards are: in the hand, if it is yours."""
    if table.shown is not None and table.shown.seat == seat and table.hand.region.height:
        return table.hand.region.offset + Offset(table.hand.region.width // 3, 1)
    for spot in table.seats.spots():
        if spot.seat == seat:
            return table.seats.region.offset + Offset(spot.x + 12, spot.y)
    return None
