"""Photographs the browser table for README and docs: a game in light and dark, on a phone, moving.

`make pictures` does it, with those of the terminal. A guest plays a real game against bots on
a real server, so the pictures show what there is; no two runs play the same game.
"""

import base64
import io
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import Browser, sync_playwright

from browser.conftest import Server
from browser.guests import Guest

WIDE, PHONE = {"width": 1280, "height": 800}, {"width": 390, "height": 844}
BOTS = 3
MOVES = 80  # until the table is as full as it gets
MOVING_SECONDS = 16
MOVING_BYTES = 900_000
LONGEST, SHORTEST = 1200, 90  # a frame of the moving picture, in milliseconds
SHAPES = ((720, 192), (720, 96), (640, 64), (560, 32))  # width and colours, the best first


def sit_down(browser: Browser, address: str, viewport: Any) -> Guest:
    """A guest at a table of their own, with bots, and the cards dealt."""
    context = browser.new_context(base_url=address, viewport=viewport, locale="en-GB")
    guest = Guest(context, "Ana", address)
    guest.page.goto("/new")
    guest.call_myself()
    for _ in range(BOTS):
        guest.page.get_by_role("button", name="Add a bot").click()
    guest.page.locator("form button.primary").click()
    guest.page.wait_for_url("**/table/*")
    guest.start(BOTS + 1)
    wait_for_turn(guest)
    return guest


def wait_for_turn(guest: Guest) -> None:
    guest.page.wait_for_selector(".game.turn:not([data-busy]), .game[data-phase=over]")


def full(guest: Guest) -> bool:
    """Is there something to see: a pile, and a hand to choose from?"""
    pile = guest.page.locator(".pile").first.inner_text() + (
        guest.page.locator(".pile").first.get_attribute("aria-label") or ""
    )
    numbers = [int(word) for word in pile.replace(",", " ").split() if word.isdigit()]
    return guest.page.locator(".hand button").count() >= 5 and max(numbers, default=0) >= 4


def play_on(guest: Guest) -> bool:
    """Plays until there is something to see; not every game has it."""
    for _ in range(MOVES):
        wait_for_turn(guest)
        if guest.over:
            return False
        if guest.phase == "play" and full(guest):
            return True
        guest.move()
    return False


def sit_down_well(browser: Browser, address: str, viewport: Any) -> Guest:
    """A guest at a table where there is something to see."""
    while True:
        guest = sit_down(browser, address, viewport)
        if play_on(guest):
            return guest
        guest.context.close()


def photograph(guest: Guest, path: Path, scheme: Any) -> None:
    """The page as it is, in the colours of a device that is light or dark."""
    guest.page.emulate_media(color_scheme=scheme)
    guest.page.wait_for_timeout(700)  # for what still flies
    image = Image.open(io.BytesIO(guest.page.screenshot()))
    image.convert("RGB").quantize(256, dither=Image.Dither.NONE).save(path, optimize=True)


class Film:
    """What the page shows while it is played, each frame with its moment in seconds."""

    def __init__(self, guest: Guest) -> None:
        self.frames: list[tuple[float, Image.Image]] = []
        self._session = guest.context.new_cdp_session(guest.page)
        self._session.on("Page.screencastFrame", self._keep)
        options = {"format": "png", "maxWidth": SHAPES[0][0], "everyNthFrame": 2}
        self._session.send("Page.startScreencast", options)

    def _keep(self, frame: Any) -> None:
        image = Image.open(io.BytesIO(base64.b64decode(frame["data"]))).convert("RGB")
        self.frames.append((frame["metadata"]["timestamp"], image))
        self._session.send("Page.screencastFrameAck", {"sessionId": frame["sessionId"]})

    def cut(self) -> tuple[list[Image.Image], list[int]]:
        """The frames without waiting and without too many of them, and how long each is shown."""
        kept = [self.frames[0]]
        for frame in self.frames[1:]:
            if 1000 * (frame[0] - kept[-1][0]) >= SHORTEST and frame[1] != kept[-1][1]:
                kept.append(frame)
        times = [min(LONGEST, round(1000 * (b[0] - a[0]))) for a, b in pairwise(kept)]
        times.append(2 * LONGEST)
        last = 0
        while last < len(times) - 1 and sum(times[: last + 1]) < 1000 * MOVING_SECONDS:
            last += 1
        return [image for _, image in kept[: last + 1]], times[: last + 1]

    def save(self, path: Path) -> None:
        """A moving picture as large as its limit allows."""
        images, times = self.cut()
        for width, colours in SHAPES:
            height = round(images[0].height * width / images[0].width)
            small = [image.resize((width, height), Image.Resampling.LANCZOS) for image in images]
            sheet = Image.new("RGB", (width, 3 * height))
            for row, image in enumerate((small[0], small[len(small) // 2], small[-1])):
                sheet.paste(image, (0, row * height))
            palette = sheet.quantize(colours, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)
            first, *rest = (
                image.quantize(palette=palette, dither=Image.Dither.NONE) for image in small
            )
            first.save(path, save_all=True, append_images=rest, duration=times, loop=0)
            if path.stat().st_size < MOVING_BYTES:
                return
        raise ValueError(f"{path} has {path.stat().st_size} bytes and is still too large")


def film(guest: Guest, path: Path) -> None:
    """The beginning of a game, at the speed of a person."""
    moving = Film(guest)
    cards = guest.page.locator(".hand button")
    for index in (-1, -2, -3):
        guest.page.wait_for_timeout(500)
        cards.nth(cards.count() + index).click()
    guest.page.wait_for_timeout(500)
    guest.page.locator(".actions .primary").click()
    for _ in range(5):
        wait_for_turn(guest)
        guest.page.wait_for_timeout(700)
        guest.move()
    guest.page.wait_for_timeout(1500)
    moving.save(path)


def draw_all(folder: Path) -> None:
    """All pictures of the browser table."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    assert chromium is not None, "there is no chromium: make services"
    folder.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        with serving(pace=0.8) as address:
            film(sit_down(browser, address, WIDE), folder / "browser.gif")
        with serving(pace=0.05) as address:  # nobody waits for the bots of a game that is not shown
            guest = sit_down_well(browser, address, WIDE)
            photograph(guest, folder / "browser-light.png", "light")
            photograph(guest, folder / "browser-dark.png", "dark")
            guest = sit_down_well(browser, address, PHONE)
            photograph(guest, folder / "browser-phone.png", "light")
        browser.close()


@contextmanager
def serving(pace: float) -> Iterator[str]:
    """A server of one's own, and its address."""
    with tempfile.TemporaryDirectory() as data:
        server = Server(Path(data), pace=pace)
        server.start()
        try:
            yield server.address
        finally:
            server.kill()


if __name__ == "__main__":
    draw_all(Path(sys.argv[1]))
