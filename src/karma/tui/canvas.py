"""Canvas: a grid of character cells to draw cards on, one over another."""

from __future__ import annotations

from rich.cells import cell_len
from rich.style import Style
from rich.text import Text

NO_STYLE = Style()


class Canvas:
    """Cells with a character and a style each; what falls outside is cut off."""

    def __init__(self, width: int, height: int) -> None:
        self.width = width
        self.height = height
        self._cells = [[(" ", NO_STYLE)] * width for _ in range(height)]

    def put(self, x: int, y: int, text: str, style: Style = NO_STYLE) -> int:
        """Writes a text from a cell on, and returns the column after it."""
        if not 0 <= y < self.height:
            return x + cell_len(text)
        row = self._cells[y]
        for character in text:
            width = cell_len(character)
            if x >= 0 and x + width <= self.width:
                if width == 0:
                    continue
                row[x] = (character, style)
                if width == 2:
                    row[x + 1] = ("", style)
            x += width
        return x

    def text(self) -> Text:
        """What was drawn."""
        text = Text(no_wrap=True, end="")
        for y, row in enumerate(self._cells):
            if y:
                text.append("\n")
            start = 0
            for x in range(1, len(row) + 1):
                if x == len(row) or row[x][1] is not row[start][1]:
                    text.append("".join(cell for cell, _ in row[start:x]), row[start][1])
                    start = x
        return text


def fit(text: str, width: int) -> str:
    """A text cut or filled up to a width in cells."""
    if cell_len(text) > width:
        kept = ""
        for character in text:
            if cell_len(kept + character) > width - 1:
                break
            kept += character
        text = kept + "…" if width > 0 else ""
    return text + " " * (width - cell_len(text))
