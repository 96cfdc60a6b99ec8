"""The review in a browser: from the end of a game in one tap, and a mistake tried again."""

from typing import Any

import pytest
from playwright.sync_api import expect

from browser.guests import Guest, play_out
from browser.test_honesty import quick_game
from browser.test_screens import findings, overflow
from karma.review.rehearsal import rehearse

PATIENCE = 800_000  # a review is made at the lowest priority


@pytest.fixture(scope="module", autouse=True)
def compiled() -> None:
    """What a review needs is compiled once for all: the server's processes find it."""
    rehearse()


def test_a_game_is_reviewed_in_one_tap_and_its_mistakes_tried_again(invite: Any) -> None:
    guest: Guest = invite()
    quick_game(guest)
    play_out([guest])
    page = guest.page
    page.locator(".actions .primary").click()
    page.get_by_role("link", name="Review").click()
    page.wait_for_selector("section ul.mistakes", state="attached", timeout=PATIENCE)
    expect(page.locator(".sum")).to_contain_text("luck")
    assert findings(guest) == [] and overflow(guest) <= 0
    # Every line of the ledger is a number, and the first and all parts make the last, rounded.
    numbers = [
        int(text.replace("−", "-").replace("+", ""))
        for text in page.locator("td.number").all_inner_texts()
    ]
    assert len(numbers) == 8
    assert abs(sum(numbers[:-1]) - numbers[-1]) <= 4
    page.locator("input[type=range]").fill("5")
    assert page.url.endswith("&ply=5")
    # Who has made a mistake may try again; of others the page says that they made none.
    for seat in ("0", "1"):
        page.locator("select").select_option(seat)
        again = page.get_by_role("button", name="Try again")
        if again.count() == 0:
            expect(page.get_by_text("No decision was clearly a mistake.")).to_be_visible()
            continue
        again.first.click()
        mistake = page.locator("li.panel").first
        expect(mistake.locator(".moves button").first).to_be_visible()
        assert mistake.locator(".answer").count() == 0, "the answer is not given away"
        assert findings(guest) == [] and overflow(guest) <= 0
        mistake.locator(".moves button").first.click()
        expect(mistake.get_by_role("status")).not_to_be_empty()
        if mistake.locator(".answer").count() == 0:
            mistake.get_by_role("button", name="Show the answer").click()
        expect(mistake.locator(".answer")).to_contain_text("Better:")
    page.get_by_role("link", name="See it in the replay").first.click()
    expect(page.get_by_role("heading", name="Replay")).to_be_visible()
