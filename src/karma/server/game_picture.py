"""The picture of a finished game, to be shared: the places, and the piles that went around."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from karma.events import Gave, PickedUp
from karma.protocol.state import Portrait
from karma.record import Record
from karma.server.drawing import GOLD, INK, LINE, SOFT, Drawing, hue_of, oklch
from karma.texts import Texts

WIDTH, HEIGHT = 1200, 630
MOST_ARROWS = 8
MIDDLE, RADIUS = (330.0, 335.0), 190.0


@dataclass(frozen=True)
class Participant:
    """Somebody who played, as they are shown."""

    name: str
    portrait: Portrait


@dataclass(frozen=True)
class Story:
    """What is told of a game."""

    edition: str
    order: tuple[int, ...]
    """The seats by their places, the loser last."""
    loser: int | None
    gifts: tuple[tuple[int, int, int], ...]
    """Who gave whom how many cards in all, the most first."""
    biggest: tuple[int, int] | None
    """The seat that picked up the most cards at once, and how many."""


def tell(record: Record) -> Story:
    """Replays a game for its story."""
    gifts: Counter[tuple[int, int]] = Counter()
    biggest: tuple[int, int] | None = None
    game = record.deal()
    for move in record.moves:
        for event in game.push(move):
            if isinstance(event, Gave):
                gifts[event.seat, event.to] += event.count
            elif isinstance(event, PickedUp) and event.count > (biggest[1] if biggest else 0):
                biggest = event.seat, event.count
    loser, places = record.result["loser"], record.result["places"]
    left = [seat for seat in range(len(record.players)) if seat not in places and seat != loser]
    order = [seat for seat in places if seat != loser] + left
    return Story(
        edition=record.rules.edition,
        order=(*order, *([loser] if loser is not None else [])),
        loser=loser,
        gifts=tuple((giver, to, count) for (giver, to), count in gifts.most_common()),
        biggest=biggest,
    )


def describe(story: Story, participants: Sequence[Participant], say: Texts) -> str:
    """The picture in words, for who does not see it."""
    places = ", ".join(
        f"{place}. {participants[seat].name}"
        + (f" ({say('web_lost')})" if seat == story.loser else "")
        for place, seat in enumerate(story.order, 1)
    )
    return ". ".join([places, *_lines(story, participants, say)])


def invite(story: Story, participants: Sequence[Participant], say: Texts) -> str:
    """A text to go with the picture, which does not tell how it ended."""
    names = ", ".join(participant.name for participant in participants)
    edition = say(f"edition_{story.edition}")
    return say("share_text", names=names, app=say("web_app_name"), edition=edition)


def _lines(story: Story, participants: Sequence[Participant], say: Texts) -> list[str]:
    def cards(count: int) -> str:
        return say("count_cards", count=count)

    lines = []
    for giver, to, count in story.gifts[:2]:
        names = {"from": participants[giver].name, "to": participants[to].name}
        lines.append(say("web_story_gift", **names, cards=cards(count)))
    if story.biggest is not None:
        seat, count = story.biggest
        lines.append(say("web_story_biggest", name=participants[seat].name, cards=cards(count)))
    return lines


def draw(story: Story, participants: Sequence[Participant], say: Texts) -> bytes:
    """The picture: a ring of those who played, arrows for what they gave, and the places."""
    drawing = Drawing(WIDTH, HEIGHT)
    drawing.text((60, 84), say("web_app_name"), 46)
    drawing.text((1140, 84), say(f"edition_{story.edition}"), 30, SOFT, anchor="r")
    for number in range(16):
        hue = 245 + number / 15 * 165
        turn = (number * 22.5 - 82, (number + 1) * 22.5 - 98)
        drawing.arc(MIDDLE, 62, turn, oklch(0.62, 0.17, hue), 13)
    _draw_gifts(drawing, story, participants)
    size = 104 if len(participants) <= 6 else 76
    for seat, participant in enumerate(participants):
        drawing.face(
            _at(seat, len(participants)),
            size,
            seat,
            participant.portrait,
            _initial(participant.name),
        )
    _draw_places(drawing, story, participants, say)
    for row, line in enumerate(_lines(story, participants, say)[-2:]):
        drawing.text((60, 585 + row * 32 - 16), line, 22, SOFT, most=1080)
    return drawing.png()


def _at(seat: int, players: int, radius: float = RADIUS) -> tuple[float, float]:
    angle = 2 * math.pi * seat / players - math.pi / 2
    return MIDDLE[0] + radius * 1.15 * math.cos(angle), MIDDLE[1] + radius * 0.9 * math.sin(angle)


def _draw_gifts(drawing: Drawing, story: Story, participants: Sequence[Participant]) -> None:
    """Each gift as an arrow that bends, so that two who gave each other are seen to."""
    for giver, to, count in reversed(story.gifts[:MOST_ARROWS]):
        (x0, y0), (x1, y1) = _at(giver, len(participants)), _at(to, len(participants))
        length = math.hypot(x1 - x0, y1 - y0)
        dx, dy = (x1 - x0) / length, (y1 - y0) / length
        bend = 0.16 * length
        corner = ((x0 + x1) / 2 - dy * bend, (y0 + y1) / 2 + dx * bend)
        points = []
        for step in range(9, 33):  # from beside the one face to beside the other
            part = 0.12 + (step - 9) / 23 * 0.7
            a, b, c = (1 - part) ** 2, 2 * part * (1 - part), part**2
            points.append((a * x0 + b * corner[0] + c * x1, a * y0 + b * corner[1] + c * y1))
        colour = oklch(0.6, 0.15, hue_of(giver, participants[giver].portrait))
        drawing.arrow(points, colour, min(16.0, 3 + count * 0.8))


def _draw_places(
    drawing: Drawing, story: Story, participants: Sequence[Participant], say: Texts
) -> None:
    drawing.panel((650, 125, 1140, 530))
    step = min(84.0, 380 / len(story.order))
    top = 327.5 - step * len(story.order) / 2
    for row, seat in enumerate(story.order):
        y, radius = top + step * (row + 0.5), min(28.0, step * 0.4)
        lost, participant = seat == story.loser, participants[seat]
        drawing.disc((700, y), radius, INK if lost else GOLD)
        number = LINE if lost else INK
        drawing.text((700, y + radius * 0.42), str(row + 1), radius * 1.2, number, anchor="m")
        drawing.face((768, y), radius * 2.2, seat, participant.portrait, _initial(participant.name))
        up = radius * 0.15 if lost else -radius * 0.4
        drawing.text((812, y - up), participant.name, radius * 1.15, most=310)
        if lost:
            drawing.text((812, y + radius * 0.8), say("web_lost"), radius * 0.75, SOFT)


def _initial(name: str) -> str:
    return name.strip()[:1].upper() or "?"
