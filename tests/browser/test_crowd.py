"""Twelve seats and thirty cards on a small phone: everything visible, nothing over anything."""

from typing import Any

import msgspec
import pytest

KINDS = [*map(str, range(1, 17)), "G", "F", "T", "B"]


def crowd(welcome: dict[str, Any]) -> dict[str, Any]:
    """The same welcome with twelve seats and a hand of thirty."""
    seats = 12
    hand = sorted(KINDS + KINDS[4:14], key=KINDS.index)
    names = [f"Player number {seat}" for seat in range(seats)]
    view = welcome["view"]
    view |= {
        "players": names,
        "phase": "play",
        "actor": 0,
        "hand": hand,
        "legal": ["9", "9x2", "16", "G", "P"],
        "hand_sizes": [30] + [17] * 11,
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
    welcome["run"] = {"kind": "B", "length": 2}
    return welcome


@pytest.mark.parametrize("viewport", [(360, 640), (320, 568)], ids=["small", "smallest"])
def test_everything_is_visible_and_nothing_overlaps(invite: Any, viewport: tuple[int, int]) -> None:
    width, height = viewport
    guest = invite(viewport={"width": width, "height": height})

    def through(socket: Any) -> None:
        server = socket.connect_to_server()

        def from_server(message: str | bytes) -> None:
            content = msgspec.json.decode(message)
            if content["type"] == "welcome" and content["view"] is not None:
                socket.send(msgspec.json.encode(crowd(content)).decode())
            elif content["type"] in ("beat", "ack"):
                socket.send(message)

        server.on_message(from_server)

    guest.page.goto("/")
    guest.call_myself()
    guest.page.locator("button.primary").click()
    guest.page.wait_for_selector(".game")
    guest.page.route_web_socket("**/socket", through)
    guest.page.reload()
    guest.page.wait_for_selector(".board[data-others='11']")
    guest.page.wait_for_function("document.getAnimations().length === 0")
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
    guest.page.goto("/")
    guest.call_myself()
    guest.page.locator("button.primary").click()
    guest.page.wait_for_selector(".game.turn")
    for place in (".seat", ".pile-button", ".me", ".hand .stack", ".actions .primary"):
        for box in (item.bounding_box() for item in guest.page.locator(place).all()):
            assert box is not None and box["y"] >= 0 and box["y"] + box["height"] <= height, place
