"""Two tabs, texts that would be more than text, addresses, hidden cards in storage."""

import json
import re
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

from playwright.sync_api import expect

from browser.guests import Guest, play_out
from karma.texts import Texts

ATTACK = "<img src=x onerror=alert(1)>"
PICTURES = "img:not([src^='/api/invites/'])"


def quick_game(guest: Guest) -> None:
    """A game against bots, from the start page."""
    guest.page.goto("/")
    guest.call_myself()
    guest.page.locator("button.primary").click()
    guest.page.wait_for_selector(".game")


def test_the_second_tab_takes_over_and_the_first_one_says_so(invite: Any) -> None:
    guest = invite()
    quick_game(guest)
    second = guest.open_page()
    second.goto(guest.page.url)
    second.wait_for_selector(".game")
    guest.page.get_by_role("button", name="Play here").click()
    guest.page.wait_for_selector(".game:not(.stale)")
    second.get_by_role("button", name="Play here").wait_for()


def test_names_and_chat_are_text(invite: Any) -> None:
    host = invite(name=ATTACK[:24])
    way = host.open_table("mini")
    friend = invite(name="Bo")
    friend.join(way)
    friend.page.locator("input[maxlength='300']").fill(ATTACK)
    friend.page.locator("input[maxlength='300']").press("Enter")
    host.page.locator(".said", has_text=ATTACK).wait_for()
    assert all(guest.page.locator(PICTURES).count() == 0 for guest in (host, friend))
    host.start(2)
    for guest in (host, friend):
        guest.page.wait_for_selector(".game")
        assert guest.page.locator(PICTURES).count() == 0


def test_no_card_of_a_game_in_progress_is_kept_by_the_browser(invite: Any) -> None:
    guest = invite()
    quick_game(guest)
    guest.page.wait_for_selector(".game.turn")
    kept = guest.page.evaluate(
        "async () => JSON.stringify([{...localStorage}, {...sessionStorage},"
        " (await Promise.all((await caches.keys()).map(async name =>"
        " (await (await caches.open(name)).keys()).map(request => request.url)))).flat()])"
    )
    local, session, urls = json.loads(kept)
    assert {key.rpartition(".")[0].split(".")[0] for key in [*local, *session]} <= {"karma"}
    texts = json.dumps([local, session])
    assert "legal" not in texts and "face_down" not in texts and "hand_sizes" not in texts
    assert not any("/socket" in url or url.endswith("/replay") for url in urls)


def test_who_is_left_out_of_a_deal_is_asked_before_anything_is_played(invite: Any) -> None:
    guest = invite()

    def lose_the_seed(socket: Any) -> None:
        server = socket.connect_to_server()
        socket.on_message(lambda text: None if '"reveal"' in text else server.send(text))

    guest.page.route_web_socket("**/socket", lose_the_seed)
    quick_game(guest)
    dialog = guest.page.get_by_role("alertdialog")
    expect(dialog).to_contain_text("Your part in the shuffle is missing")
    guest.page.keyboard.press("Escape")
    guest.page.keyboard.press("Escape")
    expect(dialog).to_be_visible()
    dialog.get_by_role("button", name="Play on").click()
    expect(dialog).to_have_count(0)
    play_out([guest])


def test_a_rematch_and_a_replay_link(invite: Any) -> None:
    guest = invite()
    quick_game(guest)
    play_out([guest])
    guest.page.locator(".actions .primary").click()
    table = guest.page.url
    guest.page.goto(f"{table}/game/1#ply=5")
    guest.page.wait_for_selector(".board")
    assert guest.page.locator(".count").last.inner_text().startswith("5/")
    guest.page.get_by_role("button", name="Forward").click()
    assert guest.page.url.endswith("#ply=6")
    for size in ({"width": 360, "height": 640}, {"width": 320, "height": 568}):
        guest.page.set_viewport_size(size)
        for control in guest.page.locator(".below :is(button, a, input)").all():
            expect(control).to_be_in_viewport(ratio=1)
    guest.page.goto(f"{table}/game/1#ply=9")  # another move's link, in the same tab
    expect(guest.page.locator(".count").last).to_contain_text("9/")
    guest.page.goto(table)
    guest.page.locator(".actions .primary").click()
    guest.page.get_by_text("The next game").click()
    guest.page.get_by_role("button", name="Change").click()
    guest.page.get_by_role("radio", name="Classic").first.check()
    guest.page.get_by_role("button", name="Save").click()
    expect(guest.page.locator("dialog")).to_have_count(0)
    guest.page.get_by_role("button", name="Another game").click()
    guest.page.wait_for_selector(".game.turn[data-phase=choose]")
    assert "Classic" in guest.page.locator("h1").inner_text()


def test_the_rules_stay_readable_offline(invite: Any) -> None:
    guest = invite()
    guest.page.goto("/rules")
    guest.page.wait_for_selector("article h2")
    while not guest.page.evaluate("navigator.serviceWorker.controller !== null"):
        guest.page.wait_for_timeout(100)
    with guest.page.expect_response("**/api/rules/**"):
        guest.page.reload()
    guest.page.wait_for_function(
        "async () => (await Promise.all((await caches.keys()).map(async name =>"
        " (await (await caches.open(name)).keys()).length))).filter(count => count > 0).length > 1"
    )
    guest.context.set_offline(True)
    guest.page.reload()
    guest.page.wait_for_selector("article h2")
    guest.context.set_offline(False)


def test_a_finished_game_can_be_replayed_offline_without_having_been_opened(invite: Any) -> None:
    guest = invite()
    quick_game(guest)
    while not guest.page.evaluate("navigator.serviceWorker.controller !== null"):
        guest.page.wait_for_timeout(100)
    play_out([guest])
    guest.page.locator(".actions .primary").click()
    guest.page.wait_for_selector(".places li")
    while not guest.page.evaluate("localStorage['karma.replays'] !== undefined"):
        guest.page.wait_for_timeout(100)
    guest.context.set_offline(True)
    guest.page.goto("/")
    guest.page.get_by_role("alert").wait_for()  # it says that nobody answers
    expect(guest.page.get_by_text(Texts("en")("web_public_unknown"))).to_be_visible()
    expect(guest.page.get_by_text(Texts("en")("web_public_none"))).to_have_count(0)
    replay = guest.page.locator("a[href*='/game/1']")
    expect(replay).to_contain_text(re.compile(r"Mini · .*\d:\d\d"))
    replay.click()
    guest.page.locator(".replay .hand button").first.wait_for()
    guest.context.set_offline(False)


def test_the_wheel_has_the_table(tmp_path: Path) -> None:
    root = Path(__file__).parents[2]
    build = [
        sys.executable,
        "-m",
        "build",
        "--wheel",
        "--no-isolation",
        "--outdir",
        str(tmp_path),
        str(root),
    ]
    subprocess.run(build, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    assert "karma/server/static/index.html" in names
    assert any(
        name.startswith("karma/server/static/assets/") and name.endswith(".js") for name in names
    )
