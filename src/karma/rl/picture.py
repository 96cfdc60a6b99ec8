"""A view drawn plainly, as an RGB picture: what a video of a learner shows."""

from __future__ import annotations

from typing import Any

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from karma.view import View

CARD_WIDTH, CARD_HEIGHT, GAP, MARGIN = 30, 42, 6, 16
ROW = CARD_HEIGHT + 34
WIDTH = 760
TABLE, PAPER, INK, BACK, KARMA_CARD, TURN = (
    (31, 84, 66),
    (250, 247, 240),
    (28, 28, 28),
    (93, 110, 140),
    (240, 200, 96),
    (255, 222, 120),
)
Picture = Any  # an array of height by width by 3, of bytes


def draw(view: View) -> Picture:
    """The table as a seat sees it: the pile first, then the own cards, then the others'."""
    seats = len(view.players)
    image = Image.new("RGB", (WIDTH, 2 * MARGIN + ROW * (1 + seats)), TABLE)
    pen = ImageDraw.Draw(image)
    _row(pen, 0, f"pile {len(view.pile)}, draw pile {view.draw_pile}", view.pile, False)
    first = view.seat or 0
    for turn in range(seats):
        seat = (first + turn) % seats
        cards: list[str | None] = list(view.known[seat])
        if seat == view.seat and view.hand is not None:
            cards = list(view.hand)
        cards += [None] * (view.hand_sizes[seat] - len(cards))
        title = f"{view.players[seat]}: hand {view.hand_sizes[seat]}"
        _row(pen, 1 + turn, title, cards, seat == view.actor)
        table = [*view.face_up[seat], *(None for there in view.face_down[seat] if there)]
        _cards(pen, WIDTH - MARGIN - 6 * (CARD_WIDTH + GAP), MARGIN + ROW * (1 + turn) + 22, table)
    return np.asarray(image)


def _row(pen: Any, row: int, title: str, cards: Any, acts: bool) -> None:
    top = MARGIN + ROW * row
    pen.text((MARGIN, top), title, TURN if acts else PAPER, font=ImageFont.load_default(14))
    room = WIDTH - 3 * MARGIN - 6 * (CARD_WIDTH + GAP)
    _cards(pen, MARGIN, top + 22, cards, room)


def _cards(pen: Any, left: int, top: int, cards: Any, room: int = WIDTH) -> None:
    """Draws cards in a row, closer together where there are many; None is the back of one."""
    apart = min(CARD_WIDTH + GAP, (room - CARD_WIDTH) // max(1, len(cards)))
    font = ImageFont.load_default(15)
    for i, kind in enumerate(cards):
        box = (left + apart * i, top, left + apart * i + CARD_WIDTH, top + CARD_HEIGHT)
        paper = BACK if kind is None else PAPER if kind.isdigit() else KARMA_CARD
        pen.rounded_rectangle(box, 4, paper, INK)
        if kind is not None:
            pen.text((box[0] + 5, top + 4), kind, INK, font=font)
