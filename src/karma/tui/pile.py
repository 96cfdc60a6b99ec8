"""The pile: its top card within the ring of numbers, of which those that may be played are lit."""

from __future__ import annotations

from rich.style import Style

from karma.text import must_text
from karma.tui.canvas import Canvas, fit
from karma.tui.cards import CHIP, WIDTH, draw_card, put_chips
from karma.tui.widget import CanvasWidget
from karma.view import View

RING_WIDTH, RING_HEIGHT = 28, 6
_TOP = [(4 + 4 * i, 0) for i in range(6)]
_RIGHT = [(26, 2), (26, 3)]
_BOTTOM = [(24 - 4 * i, 5) for i in range(6)]
_LEFT = [(1, 3), (1, 2)]
PLACES = (*_TOP, *_RIGHT, *_BOTTOM, *_LEFT)
"""Where the numbers 1 to 16 stand, clockwise, as on the edge of a card."""


class Pile(CanvasWidget):
    """The pile, the draw pile, and what the next card has to satisfy."""

    def __init__(self) -> None:
        super().__init__(id="pile")
        self.view: View | None = None

    def show(self, view: View) -> None:
        """Shows a view's pile."""
        self.view = view
        self.refresh()

    def draw(self, canvas: Canvas) -> None:
        if self.view is None:
            return
        left = max(0, (canvas.width - RING_WIDTH - 12) // 2) if canvas.width > 50 else 0
        self._draw_ring(canvas, left, self.view)
        self._draw_cards(canvas, left, self.view)
        self._draw_counts(canvas, left + RING_WIDTH + 1, self.view)
        if self.view.phase == "play":
            must = must_text(self.view, self.say)
            must = fit(must[0].upper() + must[1:], canvas.width - left - 1).rstrip()
            canvas.put(left + 1, RING_HEIGHT, must, Style(color=self.palette.accent, bold=True))
        if canvas.height > RING_HEIGHT + 1 and len(self.view.pile) > 1:
            self._draw_order(canvas, left + 1, RING_HEIGHT + 1, self.view)

    def _draw_ring(self, canvas: Canvas, left: int, view: View) -> None:
        for number, (x, y) in enumerate(PLACES, start=1):
            kind = str(number)
            if view.phase == "play" and view.fits(kind):
                canvas.put(left + x + 1 - len(kind) // 2, y, kind, self.palette.label(kind))
            else:
                canvas.put(left + x + 1, y, "·", self.palette.card(None))

    def _draw_cards(self, canvas: Canvas, left: int, view: View) -> None:
        """The top cards, fanned so that the last few are seen."""
        shown = view.pile[-4:]
        x = left + 14 - (WIDTH + 4 * (len(shown) - 1)) // 2
        for kind in shown[:-1]:
            draw_card(canvas, x, 1, kind, self.palette, dim=True)
            x += 4
        if shown:
            draw_card(canvas, x, 1, shown[-1], self.palette)
        else:
            text = fit(self.say("pile_empty"), 18).strip()
            canvas.put(left + 14 - len(text) // 2, 3, text, Style(color=self.palette.quiet))

    def _draw_counts(self, canvas: Canvas, x: int, view: View) -> None:
        quiet, bold = Style(color=self.palette.quiet), Style(color=self.palette.text, bold=True)
        rows = [
            ("tui_pile", str(len(view.pile))),
            ("tui_draw_pile", str(view.draw_pile)),
            ("tui_removed", str(len(view.removed))),
        ]
        for y, (key, number) in enumerate(rows):
            end = canvas.put(x, y, f"{number:>3} ", bold)
            canvas.put(end, y, fit(self.say(key), canvas.width - end), quiet)
        if (run := view.in_a_row) is not None:
            size, length = view.rules.set_size, run.length
            dots = "●" * min(length, size) + "○" * max(0, size - length)
            canvas.put(x + 1, 4, dots, self.palette.label(run.kind))
            canvas.put(x + 1, 5, fit(self.say("tui_run"), canvas.width - x - 1), quiet)

    def _draw_order(self, canvas: Canvas, x: int, y: int, view: View) -> None:
        """The pile from the top down, as far as it fits."""
        room = (canvas.width - x - 6) // (CHIP + 1)
        top_first = tuple(reversed(view.pile))
        end = put_chips(canvas, x, y, top_first[:room], self.palette)
        if len(top_first) > room:
            canvas.put(end, y, f"+{len(top_first) - room}", Style(color=self.palette.quiet))
