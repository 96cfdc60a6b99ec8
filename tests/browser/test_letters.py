"""Letters about one's turn: an address is one's own when the code sent there has come back."""

import re
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, expect

from browser.conftest import Server
from browser.guests import Guest
from browser.test_screens import findings, overflow
from letters import post_office


def test_an_address_is_confirmed_by_the_code_that_was_sent(
    browser: Browser, tmp_path: Path
) -> None:
    with post_office() as (smtp, letters):
        server = Server(tmp_path, 0.02, "--smtp", smtp)
        server.start()
        try:
            context = browser.new_context(
                base_url=server.address, viewport={"width": 360, "height": 640}, locale="en-GB"
            )
            guest = Guest(context, "Ana", server.address)
            page = guest.page
            page.goto("/profile")
            page.locator("input[name=email]").fill("ana@home.example")
            page.get_by_role("button", name="Send the code").click()
            expect(page.get_by_text("on its way to ana@home.example")).to_be_visible()
            assert "To: ana@home.example" in letters[0] and len(letters) == 1
            page.locator("input[name=code]").fill("XXXX-XXXX")
            page.get_by_role("button", name="Confirm").click()
            expect(page.get_by_role("alert")).to_contain_text("code is unknown")
            assert findings(guest) == [] and overflow(guest) <= 0
            page.locator("input[name=code]").fill(letters[0][-1].lower())
            page.get_by_role("button", name="Confirm").click()
            confirmed = re.compile("your turn, ana@home.example is told")
            expect(page.get_by_text(confirmed)).to_be_visible()
            page.reload()
            expect(page.get_by_text(confirmed)).to_be_visible()
            page.get_by_role("button", name="No more e-mails").click()
            expect(page.locator("input[name=email]")).to_be_visible()
            assert findings(guest) == [] and overflow(guest) <= 0
            assert guest.complaints == []
            context.close()
        finally:
            server.kill()


def test_who_sends_no_letters_asks_for_no_address(invite: Any) -> None:
    guest = invite()
    guest.page.goto("/profile")
    guest.page.wait_for_selector("h1")
    guest.page.wait_for_load_state("networkidle")
    assert guest.page.locator("input[name=email]").count() == 0
