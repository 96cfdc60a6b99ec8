"""What a player meets at the table: talk, keys, focus, notes, clocks, motion."""

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from browser.guests import PATIENCE, Guest, TypingGuest, play_out
from browser.test_company import path, seated
from browser.test_honesty import quick_game


def say(guest: Guest, line: str) -> None:
    """Write to the table."""
    guest.page.get_by_role("button", name=re.compile("^Say something")).click()
    guest.page.locator("dialog input[maxlength='300']").fill(line)
    guest.page.locator("dialog input[maxlength='300']").press("Enter")
    guest.page.locator("dialog .said li", has_text=line).wait_for()
    guest.page.keyboard.press("Escape")


def test_talk_shows_the_newest_line_and_counts_what_was_not_read(invite: Any) -> None:
    host, friend, _ = seated(invite)
    long = "a line that is long enough to need more than one row of a small phone, and then some"
    for line in ("one", "two", "three", "four", "five", "six", long):
        say(friend, line)
    expect(host.page.locator(".unread")).to_have_text("7")
    bubble = host.page.locator(".said", has_text=long)
    bubble.wait_for()
    assert bubble.evaluate("element => element.scrollHeight <= element.clientHeight + 1")
    host.page.get_by_role("button", name="Say something, 7 unread").click()
    last = host.page.locator("dialog .said li").last
    expect(last).to_contain_text(long)
    expect(last).to_be_in_viewport(ratio=0.9)
    expect(host.page.locator(".unread")).to_have_count(0)
    host.page.locator("dialog").get_by_role("button", name="Oops").click()
    expect(host.page.locator("dialog")).to_have_count(0)  # said, and back at the table


def test_rules_and_settings_keep_the_table_connected(invite: Any) -> None:
    host, friend, _ = seated(invite)
    for entry in ("Rules of this table", "Settings"):
        host.page.get_by_role("button", name="Menu").click()
        host.page.get_by_role("link", name=entry).click()
        host.page.get_by_role("button", name="Back").wait_for()
        friend.page.wait_for_timeout(500)
        assert friend.page.locator(".seat.away").count() == 0
        host.page.keyboard.press("s")  # a key of the table, which is not in sight
        host.page.get_by_role("button", name="Back").click()
        host.page.wait_for_selector(".game:not(.stale)")
        assert host.page.locator("dialog, .note").count() == 0


def test_the_keyboard_stays_at_the_table(invite: Any) -> None:
    guest = invite(TypingGuest)
    quick_game(guest)
    guest.page.wait_for_selector(".game.turn")
    guest.move()
    for _ in range(2):
        guest.page.wait_for_selector(".game.turn:not([data-busy])")
        guest.move()
        guest.page.wait_for_function("document.activeElement.closest('.game') !== null")
    guest.page.locator(".bar button").first.focus()
    for _ in range(10):
        guest.type("Tab")
        if guest.page.evaluate("document.activeElement.closest('.slots') !== null"):
            break
    else:
        raise AssertionError("the table cards are far away")
    guest.page.locator(".bar button").first.focus()
    guest.type("t")
    assert guest.page.evaluate("document.activeElement.closest('.slots') !== null")


def test_keys_work_on_a_keyboard_of_another_alphabet(invite: Any) -> None:
    guest = invite()
    quick_game(guest)
    guest.page.wait_for_selector(".game.turn")
    guest.page.dispatch_event("body", "keydown", {"key": "ы", "code": "KeyS", "bubbles": True})
    expect(guest.page.locator(".note")).to_contain_text("Your turn")


def test_mute_is_remembered(invite: Any) -> None:
    host, friend, _ = seated(invite)
    host.page.locator(".seat").click()
    host.page.get_by_role("button", name="Mute").click()
    host.page.get_by_role("button", name="Hear again").wait_for()
    host.page.keyboard.press("Escape")
    host.page.locator(".seat").click()
    host.page.get_by_role("button", name="Hear again").wait_for()
    host.page.keyboard.press("Escape")
    say(friend, "nobody hears this")
    assert host.page.locator(".said, .unread").count() == 0


def test_a_table_and_a_move_of_a_seat_ask_for_no_name(invite: Any) -> None:
    guest = invite()
    guest.page.goto("/new")
    guest.page.locator("form button.primary").click()
    guest.page.wait_for_url("**/table/*")
    expect(guest.page.locator(".seats")).to_contain_text("Guest")
    guest.page.goto("/transfer")
    guest.page.wait_for_selector("form")
    assert guest.page.locator("input[name=name]").count() == 0


def test_a_fourth_card_is_explained_beside_the_hand_and_not_over_it(invite: Any) -> None:
    guest = invite(viewport={"width": 390, "height": 844})
    quick_game(guest)
    guest.page.wait_for_selector(".game.turn[data-phase=choose]")
    cards = guest.page.locator(".hand button")
    pressed = 0
    for index in range(cards.count()):
        if guest.page.locator(".hand .chosen").count() < cards.count():
            cards.nth(index).click()
            pressed += 1
        if guest.page.locator(".note").count() > 0:
            break
    note = guest.page.locator(".note").bounding_box()
    hand = guest.page.locator(".hand").bounding_box()
    assert note is not None and hand is not None
    assert note["y"] + note["height"] <= hand["y"] + 1
    assert guest.page.locator("[data-pointed]").count() == 1


def test_ones_own_name_asks_before_it_picks_up(invite: Any) -> None:
    guest = invite()
    quick_game(guest)
    while True:
        guest.page.wait_for_selector(".game.turn:not([data-busy]), .game[data-phase=over]")
        assert not guest.over, "no pile to pick up in a whole game"
        if guest.page.get_by_role("button", name=re.compile(r"^Pick up \d")).count() > 0:
            break
        guest.move()
    guest.page.locator(".me").click()
    dialog = guest.page.get_by_role("dialog", name="Pick up the pile?")
    dialog.get_by_label("Do not ask again").check()
    moment = guest.moment
    dialog.get_by_role("button", name="Cancel").click()
    assert guest.moment == moment
    guest.page.locator(".me").click()
    expect(guest.page.locator(f".game.turn[data-moment='{moment}']")).to_have_count(0)


def test_the_first_card_is_seen_once_while_it_flies(invite: Any) -> None:
    guest = invite()
    guest.page.goto("/settings")
    guest.page.locator("select").nth(2).select_option("slow")
    quick_game(guest)
    guest.page.evaluate(
        "() => { window.twice = null; const look = () => {"
        " const lying = document.querySelectorAll('.lie');"
        " if (window.twice === null && document.querySelector('.ghost') && lying.length === 1)"
        " window.twice = getComputedStyle(lying[0]).opacity !== '0';"
        " requestAnimationFrame(look); }; look(); }"
    )
    while guest.page.evaluate("window.twice") is None:
        if guest.my_turn:
            guest.move()
        guest.page.wait_for_timeout(20)
    assert guest.page.evaluate("window.twice") is False


@pytest.mark.parametrize("kind", ["G", "T"])
def test_emblems_are_seen_in_forced_colours(invite: Any, kind: str) -> None:
    guest = invite(forced_colors="active")
    guest.page.goto("/rules")
    guest.page.wait_for_selector(".karma")
    face, solid = guest.page.evaluate(
        "(kind) => { const card = document.querySelector(`.emblem.${kind}`).closest('svg');"
        " return ['.face', '.emblem .solid'].map((part) =>"
        " getComputedStyle(card.querySelector(part)).fill); }",
        kind,
    )
    assert face != solid


def test_the_smallest_phone_says_live_in_words(invite: Any) -> None:
    guest = invite(viewport={"width": 320, "height": 640})
    quick_game(guest)
    box = guest.page.locator(".connection .text").bounding_box()
    assert box is not None and box["width"] > 12
    assert guest.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_somebody_called_as_a_level_keeps_the_name(invite: Any) -> None:
    host, friend = invite(name="Ana", locale="ru-RU"), invite(name="master")
    friend.join(path(host.open_table("mini")))
    expect(host.page.locator(".seats")).to_contain_text("master")


def test_whoever_is_missed_is_named_and_anybody_may_ask_for_a_bot(invite: Any) -> None:
    host, friend, way = seated(invite)
    third = invite(name="Cy")
    third.page.goto(path(way))
    host.context.set_offline(True)
    state = friend.page.locator(".state")
    if friend.my_turn:
        friend.choose()
    expect(state).to_contain_text("Ana has not been connected for", timeout=20_000)
    expect(state).to_contain_text("A bot plays for them in")
    friend.page.get_by_role("button", name="Let a bot play for them").click(timeout=40_000)
    expect(state).not_to_contain_text("Ana has not been connected")
    host.context.set_offline(False)
    host.page.wait_for_selector(".game:not(.stale)")  # and has the seat again


def test_my_games_say_what_and_when_and_can_be_left(invite: Any) -> None:
    guest = invite()
    guest.open_table("mini")
    guest.page.goto("/")
    game = guest.page.locator(".list .game")
    expect(game).to_contain_text("Mini")
    expect(game).to_contain_text(re.compile(r"waiting for players · .*\d:\d\d"))
    guest.page.get_by_role("button", name="Leave this table for good").click()
    guest.page.get_by_role("button", name="Really leave?").click()
    expect(game).to_have_count(0)


def test_my_games_say_whom_they_wait_for_and_since_when(invite: Any) -> None:
    host, friend, _ = seated(invite)
    host.choose()
    host.page.goto("/")
    game = host.page.locator(".list .game")
    expect(game).to_contain_text(re.compile(r"Bo: to move since .*\d:\d\d"))
    friend.page.goto("/")
    expect(friend.page.locator(".list .game")).to_contain_text(re.compile(r"Your turn · .*\d:\d\d"))


def test_house_rules_stand_in_the_title(invite: Any) -> None:
    guest = invite(viewport={"width": 390, "height": 844})
    guest.page.goto("/new")
    guest.page.get_by_role("button", name="By eye: sets as they lie on top").click()
    guest.page.locator("form button.primary").click()
    guest.page.wait_for_url("**/table/*")
    guest.page.goto("/")
    expect(guest.page.locator(".list .game")).to_contain_text("Classic, house rules")


def test_the_next_game_is_one_tap_away(invite: Any) -> None:
    guest = invite()
    quick_game(guest)
    play_out([guest])
    guest.page.get_by_role("button", name="Another game").click()
    begun = guest.page.locator(".game[data-moment^='2.'][data-phase=choose]")
    expect(begun).to_have_count(1, timeout=120_000)


def test_the_end_is_shared_and_stands_in_the_profile(invite: Any) -> None:
    guest = invite()
    guest.page.goto("/profile")
    guest.page.get_by_role("radio", name="Face 3", exact=True).check(force=True)
    expect(guest.page.locator(".who .face path")).to_have_count(4)
    quick_game(guest)
    play_out([guest])
    guest.page.get_by_role("button", name="See how it went").click()
    guest.page.get_by_role("button", name="Share").click()
    picture = guest.page.locator("dialog img")
    expect(picture).to_have_attribute("alt", re.compile("has lost|1\\."), timeout=60_000)
    expect(picture).to_have_js_property("naturalWidth", 1200, timeout=60_000)
    guest.page.goto("/profile")
    expect(guest.page.get_by_text("Against bots alone")).to_be_visible()
    guest.page.get_by_role("link", name=re.compile("Mini")).first.click()
    expect(guest.page.get_by_role("heading", name="Replay")).to_be_visible()


def test_the_page_does_not_grow_from_game_to_game(invite: Any) -> None:
    guest = invite()
    quick_game(guest)
    session = guest.context.new_cdp_session(guest.page)
    nodes = []
    for number in range(2, 5):
        play_out([guest])
        guest.page.get_by_role("button", name="Another game").click()
        # A locator: handles that are waited for would themselves keep the old game's elements.
        begun = guest.page.locator(f".game[data-moment^='{number}.'][data-phase=choose]")
        expect(begun).to_have_count(1, timeout=120_000)
        guest.page.wait_for_timeout(1000)
        session.send("HeapProfiler.collectGarbage")
        nodes.append(session.send("Memory.getDOMCounters")["nodes"])
    assert nodes[-1] < nodes[0] * 1.1, nodes


def test_the_first_lesson_is_done_and_not_read(invite: Any) -> None:
    guest = invite(viewport={"width": 390, "height": 844})
    guest.page.goto("/learn")
    guest.page.locator("button.primary").click()
    expect(guest.page.locator(".lesson")).to_contain_text("1/18")
    guest.page.locator(".hand [data-kind='3']").click()
    expect(guest.page.locator(".note")).to_contain_text("Too low: 7 or higher")
    done = guest.page.get_by_text("That is all there is to it")
    for _ in range(18):
        moment, phase = guest.moment, guest.phase
        pointed = guest.page.locator("[data-pointed]")
        lesson = guest.page.locator(".lesson").bounding_box()
        assert lesson is not None
        for box in (place.bounding_box() for place in pointed.all()):
            assert box is not None and box["y"] >= lesson["y"] + lesson["height"] - 1
        {"give": guest.give, "choose": guest.choose}.get(phase or "", guest.play)()
        expect(guest.page.locator(f".game.turn[data-moment='{moment}']")).to_have_count(0)
        guest.page.wait_for_timeout(400)
        if moment == "1.17":
            break
    done.wait_for()
    guest.page.get_by_role("button", name="Begin a first game").wait_for()


def test_a_clock_is_loud_at_its_end_and_a_time_out_is_told_at_the_table(invite: Any) -> None:
    guests = seated(invite, clock="fast")[:2]
    for guest in guests:
        guest.choose()
    for guest in guests:
        guest.page.wait_for_selector(".game[data-phase=play]")
    slow, other = guests if guests[0].my_turn else guests[::-1]
    look = "clock => { const style = getComputedStyle(clock);"
    look += " return [style.backgroundColor, style.animationName, parseFloat(style.fontSize)]; }"
    clocks = [slow.page.locator(".me .clock"), other.page.locator(".seat .clock")]
    before = [clock.evaluate(look) for clock in clocks]
    for clock, (calm, moving, size) in zip(clocks, before, strict=True):
        assert moving == "none" and size >= 17
        expect(clock).to_have_class(re.compile("low"), timeout=30_000)
        expect(clock).not_to_have_css("background-color", calm)
        expect(clock).not_to_have_css("animation-name", "none")
    note = slow.page.locator(".note", has_text="You ran out of time")
    told = other.page.locator(".note", has_text=f"{slow.name} ran out of time")
    expect(note).to_be_visible(timeout=30_000)
    expect(told).to_be_visible()
    expect(other.page.locator(".seat[data-pointed]")).to_have_count(1)


def test_a_hint_is_told_beside_the_hand_and_points_at_its_card(invite: Any) -> None:
    guest = invite()
    quick_game(guest)
    guest.page.wait_for_selector(".game.turn")
    guest.move()
    guest.page.wait_for_selector(".game.turn[data-phase=play]")
    note = guest.page.locator(".note")
    while guest.page.locator("[data-pointed]").count() == 0:
        guest.page.get_by_role("button", name="Hint").click()
        expect(note).to_be_visible(timeout=PATIENCE)
        for covered in (".hand", ".slots"):
            told = note.bounding_box()
            cards = guest.page.locator(covered).bounding_box()
            assert told is not None and cards is not None
            assert told["y"] + told["height"] <= cards["y"] + 1


def test_a_pile_flies_as_its_own_cards_and_a_drawn_card_is_seen_when_it_lands(invite: Any) -> None:
    guest = invite()
    guest.page.goto("/settings")
    guest.page.locator("select").nth(2).select_option("slow")
    quick_game(guest)
    guest.page.evaluate(
        "() => { window.piles = []; window.draws = []; const seen = new Set(); const look = () => {"
        " const ghosts = [...document.querySelectorAll('.ghost')].filter((one) => !seen.has(one));"
        " ghosts.forEach((one) => seen.add(one));"
        " const faces = ghosts.map((one) => one.querySelector('.front text')?.textContent);"
        " const backs = ghosts.filter((one) => one.querySelector('.front .back')).length;"
        " const hidden = [...document.querySelectorAll('.hand .stack')]"
        ".filter((card) => getComputedStyle(card).opacity === '0').length;"
        " if (faces.filter(Boolean).length > 1) window.piles.push(faces.filter(Boolean));"
        " if (backs > 0) window.draws.push([backs, hidden]);"
        " requestAnimationFrame(look); }; look(); }"
    )
    while not guest.over:
        piles = guest.page.evaluate("window.piles")
        draws = guest.page.evaluate("window.draws")
        if any(len(set(pile)) > 1 for pile in piles) and any(hidden for _, hidden in draws):
            return
        if guest.my_turn:
            guest.move()
        guest.page.wait_for_timeout(20)
    raise AssertionError((piles, draws))
