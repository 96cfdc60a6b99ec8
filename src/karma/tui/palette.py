"""The colours of the table: a hue for every number, a few for everything else.

Nothing is told by colour alone, so a palette can be swapped: `TRUE` for terminals with millions of
colours, `ANSI` for the sixteen that every terminal has, in the shades its owner chose.
"""

from colorsys import hls_to_rgb
from dataclasses import dataclass

from rich.style import Style

from karma.cards import KARMA_CARDS


@dataclass(frozen=True)
class Palette:
    """Colours by what they are for, as names that Rich understands."""

    numbers: tuple[str, ...]
    karma: str
    text: str
    quiet: str
    accent: str
    turn: Style
    cursor: str
    good: str
    bad: str

    def colour(self, kind: str | None) -> str:
        """The colour of a card; None is a card that is not seen."""
        if kind is None:
            return self.quiet
        return self.karma if kind in KARMA_CARDS else self.numbers[int(kind) - 1]

    def card(self, kind: str | None, *, dim: bool = False) -> Style:
        """The style of a card's outline."""
        return Style(color=self.quiet if dim else self.colour(kind))

    def label(self, kind: str | None, *, dim: bool = False) -> Style:
        """The style of what is written on a card."""
        return Style(color=self.quiet if dim else self.colour(kind), bold=not dim)


def _hue(value: int) -> str:
    """From cool (1) to hot (16)."""
    hue = (205 - 200 * (value - 1) / 15) / 360
    red, green, blue = hls_to_rgb(hue, 0.68 if value < 4 or value > 13 else 0.62, 0.72)
    return f"#{int(red * 255):02x}{int(green * 255):02x}{int(blue * 255):02x}"


TRUE = Palette(
    numbers=tuple(_hue(value) for value in range(1, 17)),
    karma="#d9a6ff",
    text="#e8e3d9",
    quiet="#8d877c",
    accent="#f2c879",
    turn=Style(color="#1d1a16", bgcolor="#f2c879", bold=True),
    cursor="#ffffff",
    good="#8fd694",
    bad="#ff9d8a",
)

ANSI = Palette(
    numbers=(
        *("bright_blue",) * 3,
        *("bright_cyan",) * 3,
        *("bright_green",) * 4,
        *("bright_yellow",) * 3,
        *("bright_red",) * 3,
    ),
    karma="bright_magenta",
    text="default",
    quiet="white",
    accent="bright_yellow",
    turn=Style(color="black", bgcolor="yellow", bold=True),
    cursor="bright_white",
    good="bright_green",
    bad="bright_red",
)
