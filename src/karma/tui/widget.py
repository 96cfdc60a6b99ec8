"""CanvasWidget: a widget drawn on a canvas, in the application's palette and language."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from rich.text import Text
from textual.widget import Widget

from karma.texts import Texts
from karma.tui.canvas import Canvas
from karma.tui.palette import Palette

if TYPE_CHECKING:
    from karma.tui.app import KarmaApp


class CanvasWidget(Widget):
    """A widget that fills its region by drawing."""

    @property
    def karma(self) -> KarmaApp:
        return cast("KarmaApp", self.app)

    @property
    def palette(self) -> Palette:
        return self.karma.palette

    @property
    def say(self) -> Texts:
        return self.karma.say

    def render(self) -> Text:
        canvas = Canvas(self.size.width, self.size.height)
        self.draw(canvas)
        return canvas.text()

    def draw(self, canvas: Canvas) -> None:
        """Puts what the widget shows onto the canvas."""
        raise NotImplementedError
