"""Every screen: no serious finding of axe's, no overflow, every language, three themes."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from browser.guests import Guest, play_out
from karma.texts import LANGUAGES, Texts

AXE = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"
PHONE = {"width": 360, "height": 640}
DESK = {"width": 1280, "height": 800}


def findings(guest: Guest) -> list[str]:
    """What axe finds serious on the present screen."""
    # Playwright's own world is not under the page's policy, so the checker needs no hole in it.
    session = guest.context.new_cdp_session(guest.page)
    source = (
        AXE.read_text()
        + ";axe.run(document, {resultTypes: ['violations']})"
        + ".then(r => JSON.stringify(r.violations))"
    )
    answer = session.send(
        "Runtime.evaluate", {"expression": source, "awaitPromise": True, "returnByValue": True}
    )
    session.detach()
    return [
        f"{finding['id']}: {finding['nodes'][0]['html'][:200]}"
        for finding in json.loads(answer["result"]["value"])
        if finding["impact"] in ("serious", "critical")
    ]


def overflow(guest: Guest) -> int:
    """Pixels by which the page is wider than its window."""
    return guest.page.evaluate("document.documentElement.scrollWidth - innerWidth")


@pytest.mark.parametrize("locale", LANGUAGES)
@pytest.mark.parametrize("viewport", [PHONE, DESK], ids=["phone", "desk"])
def test_pages(invite: Any, locale: str, viewport: dict[str, int]) -> None:
    guest = invite(locale=locale, viewport=viewport)
    for path in (
        "/",
        "/new",
        "/learn",
        "/settings",
        "/profile",
        "/shared/nothing",
        "/rules",
        "/transfer",
        "/join/NONE-NONE",
        "/nowhere/x",
    ):
        guest.page.goto(path)
        guest.page.wait_for_selector("h1")
        guest.page.wait_for_timeout(300)
        assert findings(guest) == [], path
        assert overflow(guest) <= 0, path


@pytest.mark.parametrize("theme", ["light", "dark", "contrast", "forced colours"])
def test_a_game_in_every_theme(invite: Any, theme: str) -> None:
    forced = theme == "forced colours"
    guest = invite(forced_colors="active" if forced else "none")
    guest.page.goto("/settings")
    guest.page.locator("select").nth(1).select_option("auto" if forced else theme)
    guest.page.goto("/")
    guest.call_myself()
    guest.page.locator("button.primary").click()
    guest.page.wait_for_selector(".game.turn")
    assert findings(guest) == []
    play_out([guest])
    expect(guest.page.locator(".scene")).to_have_count(0)  # what fades has no contrast of its own
    assert findings(guest) == []
    guest.page.locator(".actions .primary").click()
    guest.page.wait_for_selector(".places li")
    assert findings(guest) == []
    game = guest.page.url.rstrip("/") + "/game/1"
    guest.page.goto(f"{game}/fair")
    guest.page.wait_for_selector(".verdict.good")
    assert findings(guest) == []
    guest.page.goto(game)
    guest.page.wait_for_selector(".board")
    assert findings(guest) == []
    assert overflow(guest) <= 0


@pytest.mark.parametrize("viewport", [(320, 568), (360, 640), (740, 360), (844, 390)])
def test_a_phone_offers_to_play_before_one_scrolls(invite: Any, viewport: tuple[int, int]) -> None:
    width, height = viewport
    guest = invite(viewport={"width": width, "height": height})
    guest.page.goto("/")
    expect(guest.page.locator(".start .primary")).to_be_in_viewport(ratio=1)


def test_language_changes_without_a_reload(invite: Any) -> None:
    guest = invite()
    loaded = []
    guest.page.on("request", lambda request: loaded.append(request.url.rpartition("/")[2]))
    guest.page.goto("/settings")
    guest.page.wait_for_selector("h1")
    texts = [name for name in loaded if re.match(f"({'|'.join(LANGUAGES)})-", name)]
    assert [name[:2] for name in texts] == ["en"]
    guest.page.evaluate("window.kept = true")
    for language in LANGUAGES[::-1]:
        guest.page.locator("select").first.select_option(language)
        title = Texts(language)("web_menu_settings")
        guest.page.get_by_role("heading", name=title, exact=True).wait_for()
        assert guest.page.evaluate("window.kept && document.documentElement.lang") == language


def test_sets_as_they_lie_are_one_tap_away(invite: Any) -> None:
    guest = invite()
    guest.page.goto("/new")
    guest.page.get_by_role("button", name=Texts("en")("preset_top")).click()
    guest.page.locator("form button.primary").click()
    guest.page.wait_for_url("**/table/*")
    guest.page.goto(guest.page.url.replace("/table/", "/rules/"))
    guest.page.get_by_text("topmost 3 cards of the pile").wait_for()
