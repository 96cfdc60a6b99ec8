"""The narrow parts of the screen: the log, the moves to click on, the keys."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap

from rich.cells import cell_len
from rich.style import Style
from textual import events
from textual.message import Message

from karma.tui.canvas import Canvas, fit
from karma.tui.keys import Key
from karma.tui.offers import Offer
from karma.tui.widget import CanvasWidget

KEPT_LINES = 2000


class Log(CanvasWidget):
    """What happened, the latest at the bottom; the last move stands out until the next one."""

    def __init__(self) -> None:
        super().__init__(id="log")
        self.lines: list[str] = []
        self.fresh = 0

    def add(self, lines: Sequence[str]) -> None:
        """Adds what happened last."""
        if lines:
            self.lines = [*self.lines, *lines][-KEPT_LINES:]
            self.fresh = len(lines)
            self.refresh()

    def replace(self, lines: Sequence[str], fresh: int = 0) -> None:
        """Shows other lines, of which the last few are fresh."""
        self.lines, self.fresh = list(lines), fresh
        self.refresh()

    def draw(self, canvas: Canvas) -> None:
        fresh = Style(color=self.palette.text)
        old = Style(color=self.palette.quiet)
        rows: list[tuple[str, Style]] = []
        for number, line in enumerate(reversed(self.lines)):
            style = fresh if number < self.fresh else old
            mark = "• " if number < self.fresh else "  "
            pieces = wrap(line, max(10, canvas.width - 3)) or [""]
            pieces = [(mark if i == 0 else "  ") + piece for i, piece in enumerate(pieces)]
            rows = [(piece, style) for piece in pieces] + rows
            if len(rows) >= canvas.height:
                break
        for y, (row, style) in enumerate(rows[-canvas.height :]):
            canvas.put(0, y, row, style)


class OfferBar(CanvasWidget):
    """A line of offers; those that do not fit are left off, so the first matter most."""

    class Taken(Message):
        """An offer was clicked."""

        def __init__(self, offer: Offer) -> None:
            super().__init__()
            self.offer = offer

    def __init__(self) -> None:
        super().__init__(id="offers")
        self.offers: Sequence[Offer] = ()

    def show(self, offers: Sequence[Offer]) -> None:
        """Shows other offers."""
        self.offers = offers
        self.refresh()

    def places(self) -> list[tuple[int, int, Offer]]:
        """The first column of each offer, the one after its last, and the offer."""
        x, places = 1, []
        for offer in self.offers:
            end = x + cell_len(offer.label) + 4
            if end > self.size.width:
                break
            places.append((x, end, offer))
            x = end + 1
        return places

    def draw(self, canvas: Canvas) -> None:
        for x, _, offer in self.places():
            style = Style(color=self.palette.accent, bold=offer.strong, reverse=offer.strong)
            canvas.put(x, 0, f"[ {offer.label} ]", style)

    def on_click(self, event: events.Click) -> None:
        for start, end, offer in self.places():
            if start <= event.x < end:
                self.post_message(self.Taken(offer))


class KeyBar(CanvasWidget):
    """The keys that do something here; each can be clicked too."""

    def __init__(self) -> None:
        super().__init__(id="keys")
        self.keys: Sequence[Key] = ()

    def show(self, keys: Sequence[Key]) -> None:
        """Shows keys: the name of each, what it does, and its action."""
        self.keys = keys
        self.refresh()

    def places(self) -> list[tuple[int, int, str, str, str]]:
        """Columns, key, text and action, for those that fit; the last two always do."""
        shown = list(self.keys)
        while len(shown) > 2 and sum(map(_key_width, shown)) > self.size.width - 1:
            del shown[-3]
        x, places = 0, []
        for key, text, action in shown:
            end = x + _key_width((key, text, action))
            places.append((x, end, key, text, action))
            x = end
        return places

    def draw(self, canvas: Canvas) -> None:
        for x, _, key, text, _ in self.places():
            end = canvas.put(x, 0, f" {key} ", Style(color=self.palette.accent, bold=True))
            canvas.put(end, 0, text, Style(color=self.palette.quiet))

    async def on_click(self, event: events.Click) -> None:
        for start, end, _, _, action in self.places():
            if start <= event.x < end:
                await self.screen.run_action(action)


def _key_width(key: Key) -> int:
    return cell_len(key[0]) + cell_len(key[1]) + 3


class Bar(CanvasWidget):
    """A line of text in one style: whose turn it is, or a word about the last thing done."""

    def __init__(self, name: str) -> None:
        super().__init__(id=name)
        self.left = ""
        self.right = ""
        self.style = Style()

    def show(self, left: str, style: Style, right: str = "") -> None:
        """Shows another text."""
        self.left, self.right, self.style = left, right, style
        self.refresh()

    def draw(self, canvas: Canvas) -> None:
        room = canvas.width - cell_len(self.right) - 2
        canvas.put(0, 0, " " + fit(self.left, max(0, room)) + self.right + " ", self.style)
