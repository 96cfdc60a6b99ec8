"""The seats: everybody at the table in turn order, with what everybody knows of their cards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rich.style import Style
from textual import events
from textual.message import Message

from karma.texts import Texts
from karma.tui.canvas import Canvas, fit
from karma.tui.cards import CHIP, HEIGHT, WIDTH, draw_back, draw_card, put_chips
from karma.tui.widget import CanvasWidget
from karma.view import View

LARGE = HEIGHT + 2  # rows of a seat whose cards are drawn
COLUMN = 52  # the least width of a column of seats, when there are several


@dataclass(frozen=True)
class Sitter:
    """What a seat shows beside its cards."""

    note: str = ""  # a bot's level, or why a bot covers
    away: bool = False


@dataclass(frozen=True)
class Spot:
    """Where a seat is drawn."""

    seat: int
    x: int
    y: int
    width: int
    height: int


class Seats(CanvasWidget):
    """All seats, from the one after yours around to you."""

    class Picked(Message):
        """A seat was clicked."""

        def __init__(self, seat: int) -> None:
            super().__init__()
            self.seat = seat

    def __init__(self) -> None:
        super().__init__(id="seats")
        self.view: View | None = None
        self.sitters: Sequence[Sitter] = ()
        self.hands: Sequence[Sequence[str]] | None = None
        self.marked: int | None = None
        self._known = True

    def show(
        self,
        view: View,
        *,
        sitters: Sequence[Sitter] = (),
        hands: Sequence[Sequence[str]] | None = None,
        marked: int | None = None,
        known: bool = True,
    ) -> None:
        """Shows a view; `marked` is the seat pointed at.

        `hands` are shown open, in a replay; what is `known` of them where that is wanted.
        """
        self.view, self.sitters, self.hands, self.marked = view, sitters, hands, marked
        self._known = known
        self.refresh()

    def mark(self, seat: int | None) -> None:
        """Points at another seat."""
        self.marked = seat
        self.refresh()

    def spots(self) -> list[Spot]:
        """Where the seats are drawn: as large as they fit."""
        if self.view is None:
            return []
        number = len(self.view.players)
        first = 0 if self.view.seat is None else self.view.seat + 1
        width, height = self.size
        columns, rows = _grid(number, width, height)
        spot_width, spot_height = width // columns, max(1, min(LARGE, height // max(1, rows)))
        return [
            Spot(
                (first + i) % number,
                i // rows * spot_width,
                i % rows * spot_height,
                spot_width - (1 if columns > 1 else 0),
                spot_height,
            )
            for i in range(number)
        ]

    def at(self, x: int, y: int) -> int | None:
        """The seat drawn at a cell."""
        for spot in self.spots():
            across = spot.x <= x < spot.x + spot.width
            if across and spot.y <= y < spot.y + spot.height:
                return spot.seat
        return None

    def on_click(self, event: events.Click) -> None:
        seat = self.at(event.x, event.y)
        if seat is not None:
            self.post_message(self.Picked(seat))

    # ---- drawing --------------------------------------------------------------------------------

    def draw(self, canvas: Canvas) -> None:
        for spot in self.spots():
            self._draw_seat(canvas, spot)

    def _draw_seat(self, canvas: Canvas, spot: Spot) -> None:
        assert self.view is not None
        out = spot.seat in self.view.places
        if spot.height == 1:
            x = self._draw_name(canvas, spot, min(max(10, spot.width - 30), 16))
            if out:
                self._draw_place(canvas, x, spot.y, spot.seat)
                return
            x = self._draw_table(canvas, x, spot)
            self._draw_hand(canvas, x + 1, spot.y, spot)
            return
        x = self._draw_name(canvas, spot, min(18, spot.width - 8))
        if out:
            self._draw_place(canvas, spot.x + 2, spot.y + 1, spot.seat)
            return
        if self.sitters and spot.width > 34:
            note = fit(self.sitters[spot.seat].note, spot.width - x + spot.x).rstrip()
            canvas.put(x, spot.y, note, Style(color=self.palette.quiet, italic=True))
        if spot.height >= LARGE and spot.width >= 30:
            x = self._draw_cards(canvas, spot)
            self._draw_hand(canvas, x + 1, spot.y + 2, spot)
            return
        x = self._draw_table(canvas, spot.x + 2, spot, row=1)
        if spot.height == 2:
            self._draw_hand(canvas, x + 1, spot.y + 1, spot)
        else:
            self._draw_hand(canvas, spot.x + 2, spot.y + 2, spot)

    def _draw_name(self, canvas: Canvas, spot: Spot, width: int) -> int:
        """The marker, the name and the size of the hand."""
        view, palette = self.view, self.palette
        assert view is not None
        name = view.players[spot.seat]
        if spot.seat == view.seat:
            name = your_name(name, self.say)
        sitter = self.sitters[spot.seat] if self.sitters else Sitter()
        style = Style(color=palette.quiet if sitter.away else palette.text)
        marker = "  "
        if spot.seat == view.actor:
            style, marker = palette.turn, "▶ "
        if spot.seat == self.marked:
            style, marker = Style(color=palette.accent, reverse=True, bold=True), "→ "
        if spot.seat == view.loser:
            style, marker = Style(color=palette.bad, bold=True), "✗ "
        x = canvas.put(spot.x, spot.y, marker + fit(name, width), style)
        if spot.seat in view.places:
            return x + 1
        size = f"{view.hand_sizes[spot.seat]:>3}▯"
        return canvas.put(x, spot.y, size, Style(color=palette.text, bold=True)) + 1

    def _draw_place(self, canvas: Canvas, x: int, y: int, seat: int) -> None:
        assert self.view is not None
        place = self.view.places.index(seat) + 1
        text = self.say("seat_out", place=place)
        canvas.put(x, y, text, Style(color=self.palette.good, bold=True))

    def _draw_table(self, canvas: Canvas, x: int, spot: Spot, row: int = 0) -> int:
        """The face-up cards as chips, and a mark for each face-down one."""
        assert self.view is not None
        y = spot.y + row
        end = put_chips(canvas, x, y, self.view.face_up[spot.seat], self.palette)
        end = max(end, x + 3 * (CHIP + 1))
        pips = "".join("▮" if there else "·" for there in self.view.face_down[spot.seat])
        return canvas.put(end, y, pips, self.palette.card(None)) + 1

    def _draw_cards(self, canvas: Canvas, spot: Spot) -> int:
        """The table cards in full: face-up ones, or, when those are gone, backs."""
        assert self.view is not None
        x, face_up = spot.x + 2, self.view.face_up[spot.seat]
        for kind in face_up:
            if kind is None:
                draw_back(canvas, x, spot.y + 1, self.palette, "?")
            else:
                draw_card(canvas, x, spot.y + 1, kind, self.palette)
            x += WIDTH
        covered = [there for there in self.view.face_down[spot.seat] if there]
        if not face_up:
            for _ in covered:
                draw_back(canvas, x, spot.y + 1, self.palette)
                x += WIDTH
        elif covered:
            x = canvas.put(x + 1, spot.y + 1, "▮" * len(covered), self.palette.card(None))
        return max(x, spot.x + 2 + 3 * WIDTH + 4)

    def _draw_hand(self, canvas: Canvas, x: int, y: int, spot: Spot) -> None:
        """What is known of the hand, or, with open hands, all of it."""
        assert self.view is not None
        limit = spot.x + spot.width - 2
        cards: Sequence[str] = ()
        if self.hands is not None:
            cards = self.hands[spot.seat]
        elif spot.seat != self.view.seat and self._known:
            cards = self.view.known[spot.seat]
        if cards and x + CHIP + 2 <= limit:
            x = canvas.put(x, y, "▯" if self.hands is not None else "◦", self.palette.card(None))
            put_chips(canvas, x, y, tuple(cards), self.palette, gap=0, limit=limit)


def your_name(name: str, say: Texts) -> str:
    """Your own name among the others."""
    return say("tui_you", name=name)


def _grid(number: int, width: int, height: int) -> tuple[int, int]:
    """Columns and rows of seats: side by side where there is room, but no row of one or two."""
    columns = max(1, min(width // COLUMN, -(-number // 3)))
    while (columns + 1) * COLUMN <= width and height // _rows(number, columns) < LARGE:
        columns += 1
    return columns, _rows(number, columns)


def _rows(number: int, columns: int) -> int:
    return -(-number // columns)
