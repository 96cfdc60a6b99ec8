"""Who sits where: watching, moving a seat, what the host may do."""

import re
from typing import Any

from playwright.sync_api import expect

from browser.guests import Guest


def path(address: str) -> str:
    return re.sub(r"^https?://[^/]+", "", address)


def seated(invite: Any, clock: str = "none") -> tuple[Guest, Guest, str]:
    """Two people at a table, the game begun, and the way in."""
    host, friend = invite(name="Ana"), invite(name="Bo")
    way = host.open_table("mini", clock)
    friend.join(way)
    host.start(2)
    for guest in (host, friend):
        guest.page.wait_for_selector(".game")
    return host, friend, way


def menu(guest: Guest, entry: str) -> None:
    """Open the table's menu and press an entry."""
    guest.page.get_by_role("button", name="Menu").click()
    guest.page.locator("dialog").get_by_role("button", name=entry, exact=True).click()


def test_a_watcher_sees_the_table_and_no_hand(invite: Any) -> None:
    _, _, way = seated(invite)
    watcher = invite(name="Cy")
    watcher.page.goto(path(way))
    watcher.call_myself()
    watcher.page.get_by_role("button", name="Watch").click()
    watcher.page.wait_for_selector(".game")
    assert watcher.page.locator(".seat").count() == 2
    assert watcher.page.locator(".hand").count() == 0
    assert "You are watching" in watcher.page.locator(".state").inner_text()


def test_a_pause_is_said_to_all_and_ended_by_the_host(invite: Any) -> None:
    host, friend, _ = seated(invite)
    menu(host, "Pause the game")
    expect(friend.page.locator(".state")).to_have_text("Paused")
    host.page.keyboard.press("Escape")
    host.page.get_by_role("button", name="Go on").click()
    friend.page.wait_for_selector(".game.turn")


def test_a_seat_moves_to_another_device(invite: Any) -> None:
    _, friend, _ = seated(invite)
    hand = friend.page.locator(".hand").inner_text()
    menu(friend, "Move my seat to another device")
    code = friend.page.locator("dialog .code").inner_text()
    other = invite(name="Bo's phone")
    other.page.goto("/transfer")
    other.page.get_by_label("Code").fill(code)
    other.page.get_by_role("button", name="Move the seat here").click()
    other.page.wait_for_selector(".game")
    assert other.page.locator(".hand").inner_text() == hand
    friend.page.get_by_text("Your seat has moved to another device").wait_for()


def test_the_host_hands_over_makes_a_new_link_and_sends_away(invite: Any) -> None:
    host, friend, way = seated(invite)
    host.page.locator(".seat").click()
    host.page.get_by_role("button", name="Make host").click()
    expect(host.page.locator("dialog")).to_have_count(0)
    menu(friend, "Invite")
    friend.page.get_by_role("button", name="Make a new invitation").click()
    expect(friend.page.locator("dialog .address")).not_to_contain_text(path(way))
    friend.page.keyboard.press("Escape")
    late = invite(name="Dee")
    late.page.goto(path(way))
    late.page.get_by_role("alert").wait_for()
    friend.page.locator(".seat").click()
    friend.page.get_by_role("button", name="Send away").click()
    friend.page.get_by_role("button", name="Really send").click()
    host.page.get_by_text("The host has sent you away").wait_for()


def test_the_host_lets_a_friend_into_a_running_game(invite: Any) -> None:
    host, friend, _ = seated(invite)
    host.page.locator(".seat").click()
    host.page.get_by_role("button", name="Send away").click()
    host.page.get_by_role("button", name="Really send").click()
    friend.page.get_by_text("The host has sent you away").wait_for()
    menu(host, "Invite")
    way = host.page.locator("dialog .address").inner_text()
    host.page.keyboard.press("Escape")
    late = invite(name="Dee")
    late.page.goto(path(way))
    late.page.get_by_text("A game is in progress").wait_for()
    expect(late.page.get_by_text("Take over a bot's seat")).to_have_count(0)
    host.page.locator(".seat").click()
    host.page.get_by_role("button", name="Offer this seat").click()
    expect(host.page.locator("dialog")).to_have_count(0)
    late.page.reload()
    late.call_myself()
    late.page.get_by_role("button", name="Bo", exact=True).click()
    late.page.wait_for_selector(".game")
    expect(late.page.locator(".hand")).to_have_count(1)
    expect(host.page.locator(".seat")).to_contain_text("Dee")
