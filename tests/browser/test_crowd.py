"""Small windows in hard moments: everything visible, nothing over anything."""

from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from playwright.sync_api import expect

from browser.guests import Guest
from browser.test_honesty import quick_game

Welcome = dict[str, Any]

KINDS = [*map(str, range(1, 17)), "G", "F", "T", "B"]


def crowd(welcome: Welcome, seats: int = 12) -> None:
    """Many seats, a hand of thirty, and a last move to tell."""
    hand = sorted(KINDS + KINDS[4:14], key=KINDS.index)
    names = [f"Player number {seat}" for seat in range(seats)]
    view = welcome["view"]
    view |= {
        "players": names,
        "phase": "play",
        "actor": 0,
        "hand": hand,
        "legal": ["9", "9x2", "16", "G", "P"],
        "hand_sizes": [30] + [17] * (seats - 1),
        "known": [[] for _ in names],
        "face_up": [["9", "16", "G"]] * seats,
        "face_down": [[True] * 3] * seats,
        "pile": KINDS * 2,
        "must_play": {"at_least": 9},
        "draw_pile": 99,
        "removed": KINDS,
    }
    base = welcome["seats"][0]
    welcome["seats"] = [
        base
        | {"seat": seat, "name": name, "bot": "greedy" if seat % 3 else None, "host": seat == 0}
        for seat, name in enumerate(names)
    ]
    welcome["counts"] |= {"in_a_row": 2, "makes_set": 3}
    played = {"event": "played", "seat": 3, "kind": "B", "count": 2, "source": "hand"}
    welcome["missed"] = [
        {"version": 1, "at": 0, "game": 1, "ply": 1, "events": [played], "notices": []}
    ]


def giving(welcome: Welcome) -> None:
    """A pile to give to one of three."""
    crowd(welcome, seats=4)
    welcome["view"] |= {"phase": "give", "legal": [">1", ">2", ">3"], "must_play": None}


def from_the_table(welcome: Welcome) -> None:
    """Nothing in hand, and face-up cards that fit."""
    me = welcome["you"]["seat"]
    view = welcome["view"]
    view |= {"phase": "play", "actor": me, "hand": [], "legal": ["9", "16", "G", "P"]}
    view |= {"source": "face_up", "must_play": {"at_least": 9}, "pile": ["9"], "draw_pile": 0}
    view["face_up"][me] = ["9", "16", "G"]


def show(guest: Guest, change: Callable[[Welcome], None]) -> None:
    """A game whose moment is as the change makes it; nothing happens in it any more."""

    def through(socket: Any) -> None:
        server = socket.connect_to_server()

        def from_server(message: str | bytes) -> None:
            content = msgspec.json.decode(message)
            if content["type"] == "welcome" and content["view"] is not None:
                change(content)
                socket.send(msgspec.json.encode(content).decode())
            elif content["type"] in ("beat", "ack"):
                socket.send(message)

        server.on_message(from_server)

    quick_game(guest)
    guest.page.wait_for_selector(".game.turn")
    guest.page.route_web_socket("**/socket", through)
    guest.page.reload()
    guest.page.wait_for_selector(".game")
    guest.page.wait_for_function("document.getAnimations().length === 0")


@pytest.mark.parametrize("viewport", [(360, 640), (320, 568)], ids=["small", "smallest"])
def test_everything_is_visible_and_nothing_overlaps(invite: Any, viewport: tuple[int, int]) -> None:
    width, height = viewport
    guest = invite(viewport={"width": width, "height": height})
    show(guest, crowd)
    page = guest.page
    for place in ("html", "main"):
        assert page.locator(place).evaluate("place => place.scrollHeight <= place.clientHeight")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    groups = {
        "seats": page.locator(".seat"),
        "hand": page.locator(".hand .stack"),
        "own": page.locator(".slots .up"),
        "tools": page.locator(".bar button"),
        "actions": page.locator(".actions button"),
        "pile": page.locator(".pile-button"),
        "self": page.locator(".me"),
    }
    boxes = []
    for name, group in groups.items():
        assert group.count() > 0, name
        for index in range(group.count()):
            box = group.nth(index).bounding_box()
            assert box is not None
            assert box["x"] >= -0.5 and box["x"] + box["width"] <= width + 0.5, name
            assert box["y"] >= -0.5 and box["y"] + box["height"] <= height + 0.5, name
            assert min(box["width"], box["height"]) >= 43.5 or name == "own", (name, box)
            boxes.append((f"{name} {index}", box))
    assert groups["seats"].count() == 11 and groups["hand"].count() == 20
    raised = 8  # a playable card may rise over the edge of what lies above
    for index, (name, a) in enumerate(boxes):
        for other, b in boxes[index + 1 :]:
            across = min(a["x"] + a["width"], b["x"] + b["width"]) - max(a["x"], b["x"])
            down = min(a["y"] + a["height"], b["y"] + b["height"]) - max(a["y"], b["y"])
            slack = raised if "hand" in name or "hand" in other else 1
            assert across <= 1 or down <= slack, (name, other)


@pytest.mark.parametrize("viewport", [(740, 360), (640, 400)], ids=["phone on its side", "zoom"])
def test_a_low_window_has_the_table_visible_at_once(invite: Any, viewport: tuple[int, int]) -> None:
    width, height = viewport
    guest = invite(viewport={"width": width, "height": height})
    quick_game(guest)
    guest.page.wait_for_selector(".game.turn")
    for place in (".seat", ".pile-button", ".me", ".hand .stack", ".actions .primary"):
        for box in (item.bounding_box() for item in guest.page.locator(place).all()):
            assert box is not None and box["y"] >= 0 and box["y"] + box["height"] <= height, place


def test_twelve_seats_on_a_phone_on_its_side_leave_room_for_the_last_move(invite: Any) -> None:
    guest = invite(viewport={"width": 844, "height": 390})
    show(guest, crowd)
    last = guest.page.locator(".latest")
    expect(last).to_have_text("Player number 3 plays Bottoms, 2 cards at once.")
    expect(last).to_be_in_viewport(ratio=1)
    told, actions = last.bounding_box(), guest.page.locator(".actions").bounding_box()
    assert told is not None and actions is not None
    assert told["y"] + told["height"] <= actions["y"]  # and not under what one can do


def test_raised_table_cards_stay_below_the_bar(invite: Any) -> None:
    guest = invite(viewport={"width": 844, "height": 390})
    show(guest, from_the_table)
    bar = guest.page.locator("header.bar").bounding_box()
    cards = guest.page.locator(".slots .up.open")
    assert bar is not None and cards.count() == 3
    for box in (card.bounding_box() for card in cards.all()):
        assert box is not None and box["y"] >= bar["y"] + bar["height"]


@pytest.mark.parametrize("language", ["en-GB", "de-DE", "es-ES", "ru-RU"])
def test_the_smallest_phone_asks_whom_to_give_to_in_two_lines(invite: Any, language: str) -> None:
    guest = invite(viewport={"width": 320, "height": 568}, locale=language)
    show(guest, giving)
    question = guest.page.locator(".state strong")
    line = "place => parseFloat(getComputedStyle(place).lineHeight)"
    assert question.evaluate("place => place.clientHeight") <= 2.1 * question.evaluate(line)
    for button in guest.page.locator(".actions button").all():
        expect(button).to_be_in_viewport(ratio=1)
