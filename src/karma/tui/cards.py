"""The cards, drawn in character cells.

A card is six cells wide and four high, so that its edge has sixteen cells: **the ring**. A number
fills as many of them with a heavy line as it is worth, clockwise from the corner, and reads by
digit, by arc and by colour. A karma card has an outline of its own and its letter:

    7          Give       Five       Table      Bottoms
    ┏━━━━┓     ╔════╗     ╔════╗     ╔════╗     ╔══▲═╗
    │7   ┃     ║G  ─▶     ║F ≤5║     ║T   ║     ║B ┃ ║
    │   7│     ║  ──▶     ╚╗  ╔╝     ╚════╝     ║  ┃ ║
    ╰────╯     ╚════╝      ╚══╝      ▀▀▀▀▀▀     ╚══╹═╝
"""

from __future__ import annotations

from karma.cards import KARMA_CARDS
from karma.tui.canvas import Canvas
from karma.tui.palette import Palette

WIDTH, HEIGHT = 6, 4
CHIP = 3

RING: tuple[tuple[int, int], ...] = (
    *((x, 0) for x in range(6)),
    (5, 1),
    (5, 2),
    *((x, 3) for x in range(5, -1, -1)),
    (0, 2),
    (0, 1),
)
_LIGHT = ("╭────╮", "│    │", "│    │", "╰────╯")
_HEAVY = ("┏━━━━┓", "┃    ┃", "┃    ┃", "┗━━━━┛")
_KARMA = {
    "G": ("╔════╗", "║   ─▶", "║  ──▶", "╚════╝"),
    "F": ("╔════╗", "║  ≤5║", "╚╗  ╔╝", " ╚══╝ "),
    "T": ("╔════╗", "║    ║", "╚════╝", "▀▀▀▀▀▀"),
    "B": ("╔══▲═╗", "║  ┃ ║", "║  ┃ ║", "╚══╹═╝"),
}
_BACK = ("╭────╮", "│╭╮╭╮│", "│╰╯╰╯│", "╰────╯")
_BADGE = {"F": (2, 2), "T": (3, 1)}
_BARS = "▁▂▃▄▅▆▇█"
_EMBLEMS = {"G": "▶", "F": "▼", "T": "▀", "B": "▲"}


def draw_card(
    canvas: Canvas,
    x: int,
    y: int,
    kind: str,
    palette: Palette,
    *,
    count: int = 1,
    dim: bool = False,
    covered: bool = False,
) -> None:
    """Draws a card, or a stack of identical ones; of a covered one only the left half is seen."""
    edge, label = palette.card(kind, dim=dim), palette.label(kind, dim=dim)
    rows = _KARMA.get(kind, _LIGHT)
    for line, row in enumerate(rows):
        canvas.put(x, y + line, row, edge)
    if kind not in KARMA_CARDS:
        for column, line in RING[: int(kind)]:
            canvas.put(x + column, y + line, _HEAVY[line][column], edge)
        if count == 1:
            canvas.put(x + 5 - len(kind), y + 2, kind, edge)
    canvas.put(x + 1, y + 1, kind, label)
    if count > 1:
        column, line = (1, 2) if covered else _BADGE.get(kind, (1, 2))
        canvas.put(x + column, y + line, f"×{count}", label)


def draw_back(canvas: Canvas, x: int, y: int, palette: Palette, label: str = "") -> None:
    """Draws a face-down card, with a label if it can be chosen."""
    style = palette.card(None)
    for line, row in enumerate(_BACK):
        canvas.put(x, y + line, row, style)
    if label:
        canvas.put(x + 1, y + 1, label, palette.label("1"))


def chip(kind: str | None) -> str:
    """A card in three cells: a number and how high it is, or a letter and its emblem.

    >>> chip("7"), chip("16"), chip("G"), chip(None)
    (' 7▄', '16█', ' G▶', ' ?░')
    """
    if kind is None:
        return " ?░"
    if kind in KARMA_CARDS:
        return f" {kind}{_EMBLEMS[kind]}"
    return f"{kind:>2}{_BARS[(int(kind) - 1) // 2]}"


def put_chips(
    canvas: Canvas,
    x: int,
    y: int,
    kinds: tuple[str | None, ...],
    palette: Palette,
    *,
    gap: int = 1,
    limit: int | None = None,
) -> int:
    """Writes cards as chips, and returns the column after them; `limit` is the last column."""
    for number, kind in enumerate(kinds):
        left = len(kinds) - number
        if limit is not None and x + CHIP > limit and left:
            return canvas.put(x, y, f"+{left}", palette.card(None))
        x = canvas.put(x, y, chip(kind), palette.label(kind)) + gap
    return x
