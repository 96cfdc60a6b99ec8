"""Drawing: pictures in the look of the browser table, with Pillow."""

import json
import math
from functools import cache
from importlib.util import find_spec
from itertools import groupby, pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from karma.protocol.state import Portrait
from karma.server.static_files import FOLDER

if TYPE_CHECKING:
    from PIL.ImageFont import FreeTypeFont

Colour = tuple[int, int, int]
Point = tuple[float, float]

PAPER: Colour = (244, 237, 224)
SURFACE: Colour = (255, 250, 241)
INK: Colour = (38, 35, 46)
SOFT: Colour = (92, 86, 102)
LINE: Colour = (205, 191, 168)
GOLD: Colour = (240, 160, 60)
SCALE = 2
"""Everything is drawn twice as large and made smaller at the end, so that edges are smooth."""
CURVE_STEPS = 12
_FACES = Path(__file__).parents[1] / "table" / "faces.json"


def oklch(lightness: float, chroma: float, hue: float) -> Colour:
    """A colour of CSS's `oklch()`, as the browser shows it.

    >>> oklch(1, 0, 0)
    (255, 255, 255)
    """
    a, b = chroma * math.cos(math.radians(hue)), chroma * math.sin(math.radians(hue))
    long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
    middle = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
    short = (lightness - 0.0894841775 * a - 1.2914855480 * b) ** 3
    red = 4.0767416621 * long - 3.3077115913 * middle + 0.2309699292 * short
    green = -1.2684380046 * long + 2.6097574011 * middle - 0.3413193965 * short
    blue = -0.0041960863 * long - 0.7034186147 * middle + 1.7076147010 * short
    return _byte(red), _byte(green), _byte(blue)


def _byte(linear: float) -> int:
    light = min(1.0, max(0.0, linear))
    curved = 12.92 * light if light <= 0.0031308 else 1.055 * light ** (1 / 2.4) - 0.055
    return round(255 * curved)


def hue_of(seat: int, portrait: Portrait) -> float:
    """The hue of a seat, or the one its person chose."""
    return (25 + seat * 137.5) % 360 if portrait.colour is None else 15 + portrait.colour * 30


class Drawing:
    """A sheet of paper to draw on, in pixels of the finished picture."""

    def __init__(self, width: int, height: int) -> None:
        from PIL import Image, ImageDraw

        self._size = width, height
        self._image = Image.new("RGB", (width * SCALE, height * SCALE), PAPER)
        self._pen: Any = ImageDraw.Draw(self._image)

    def png(self) -> bytes:
        """The picture."""
        from io import BytesIO

        from PIL.Image import Resampling

        file = BytesIO()
        self._image.resize(self._size, Resampling.LANCZOS).save(file, "PNG", optimize=True)
        return file.getvalue()

    def panel(self, box: tuple[float, float, float, float]) -> None:
        """A sheet with round corners."""
        self._pen.rounded_rectangle(
            [side * SCALE for side in box], 24 * SCALE, SURFACE, LINE, 2 * SCALE
        )

    def disc(self, middle: Point, radius: float, colour: Colour) -> None:
        """A filled circle."""
        x, y = middle
        box = [side * SCALE for side in (x - radius, y - radius, x + radius, y + radius)]
        self._pen.ellipse(box, colour)

    def arc(
        self, middle: Point, radius: float, turn: tuple[float, float], colour: Colour, width: float
    ) -> None:
        """A piece of a circle, from an angle to another, in degrees, with round ends."""
        x, y = middle
        outer = radius + width / 2
        box = [side * SCALE for side in (x - outer, y - outer, x + outer, y + outer)]
        self._pen.arc(box, *turn, colour, round(width * SCALE))
        for angle in map(math.radians, turn):
            end = (x + radius * math.cos(angle), y + radius * math.sin(angle))
            self.disc(end, width / 2, colour)

    def line(self, points: list[Point], colour: Colour, width: float) -> None:
        """A line through points, with round corners and ends."""
        scaled = [(x * SCALE, y * SCALE) for x, y in points]
        self._pen.line(scaled, colour, round(width * SCALE), joint="curve")
        for x, y in (points[0], points[-1]):
            self.disc((x, y), width / 2, colour)

    def arrow(self, points: list[Point], colour: Colour, width: float) -> None:
        """A line with a head at its end."""
        (x0, y0), (x1, y1) = points[-2], points[-1]
        angle, head = math.atan2(y1 - y0, x1 - x0), 9 + 1.6 * width
        self.line(points, colour, width)
        corners = [
            (x1 + head * 0.55 * math.cos(angle), y1 + head * 0.55 * math.sin(angle)),
            (x1 + head * math.cos(angle + 2.5), y1 + head * math.sin(angle + 2.5)),
            (x1 + head * math.cos(angle - 2.5), y1 + head * math.sin(angle - 2.5)),
        ]
        self._pen.polygon([(x * SCALE, y * SCALE) for x, y in corners], colour)

    def text(
        self,
        at: Point,
        text: str,
        size: float,
        colour: Colour = INK,
        *,
        anchor: Literal["l", "m", "r"] = "l",
        most: float | None = None,
    ) -> float:
        """Words of a size; cut off, with dots, where they are wider than `most`. Their width."""
        pixels = round(size * SCALE)
        while most is not None and _width(text, pixels) > most * SCALE and len(text) > 2:
            text = text.rstrip("…")[:-1].rstrip() + "…"
        width = _width(text, pixels)
        x = at[0] * SCALE - {"l": 0.0, "m": width / 2, "r": width}[anchor]
        for run, font in _runs(text, pixels):
            self._pen.text((x, at[1] * SCALE), run, colour, font=font, anchor="ls")
            x += font.getlength(run)
        return width / SCALE

    def face(self, middle: Point, size: float, seat: int, portrait: Portrait, initial: str) -> None:
        """Somebody's face in a ring of their colour, as the browser draws it in a box of 40."""
        unit, hue = size / 40, hue_of(seat, portrait)
        self.disc(middle, 16.5 * unit, oklch(0.88, 0.075, hue))
        self.arc(middle, 17.5 * unit, (-90, 210), oklch(0.6, 0.15, hue), 4 * unit)
        if portrait.face is None:
            at = (middle[0], middle[1] + 6.5 * unit)
            self.text(at, initial, 19 * unit, anchor="m")
            return
        for path in _paths(portrait.face):
            for points in path:
                placed = [
                    (middle[0] + (x - 20) * unit, middle[1] + (y - 20) * unit) for x, y in points
                ]
                self.line(placed, INK, 2.4 * unit)


@cache
def _paths(face: int) -> list[list[list[Point]]]:
    drawn = json.loads(_FACES.read_text(encoding="utf-8"))
    eyes, mouth, hair = drawn["faces"][face]
    parts = ("eyes", eyes), ("mouths", mouth), ("hair", hair)
    return [_points(drawn[part][number]) for part, number in parts]


def _points(path: str) -> list[list[Point]]:
    """An SVG path as rows of points."""
    from fontTools.pens.recordingPen import DecomposingRecordingPen
    from fontTools.svgLib.path import parse_path

    pen = DecomposingRecordingPen({})
    parse_path(path, pen)
    rows: list[list[Point]] = []
    for command, points in pen.value:
        if command == "moveTo":
            rows.append([points[0]])
        elif command in ("qCurveTo", "curveTo"):
            rows[-1] += _curve([rows[-1][-1], *points])
        elif command == "closePath":
            rows[-1].append(rows[-1][0])
        elif command == "lineTo":
            rows[-1].append(points[0])
    return [row if len(row) > 1 else [row[0], row[0]] for row in rows]


def _curve(corners: list[Point]) -> list[Point]:
    """Points of a Bézier curve, of whatever degree (De Casteljau)."""
    found = []
    for step in range(1, CURVE_STEPS + 1):
        part, row = step / CURVE_STEPS, corners
        while len(row) > 1:
            row = [
                (a[0] + (b[0] - a[0]) * part, a[1] + (b[1] - a[1]) * part) for a, b in pairwise(row)
            ]
        found.append(row[0])
    return found


def _width(text: str, size: int) -> float:
    return sum(font.getlength(run) for run, font in _runs(text, size))


def _runs(text: str, size: int) -> list[tuple[str, "FreeTypeFont"]]:
    """A text in pieces, each with a font that has its letters."""
    return [("".join(run), _load_font(script, size)) for script, run in groupby(text, _script)]


def _script(char: str) -> str:
    """The file of the display face that has a letter; what none has is written plainly."""
    if " " <= char <= "~" or "\xa0" <= char <= "ÿ" or "–" <= char <= "…":
        return "latin"
    return "cyrillic" if "Ѐ" <= char <= "џ" else "plain"


@cache
def _load_font(script: str, size: int) -> "FreeTypeFont":
    from PIL import ImageFont

    for file in FOLDER.glob(f"assets/display-{script}-*.woff2"):
        return ImageFont.truetype(str(file), size)
    spec = find_spec("matplotlib")
    assert spec is not None and spec.submodule_search_locations
    fonts = Path(next(iter(spec.submodule_search_locations))) / "mpl-data" / "fonts" / "ttf"
    return ImageFont.truetype(str(fonts / "DejaVuSans-Bold.ttf"), size)
