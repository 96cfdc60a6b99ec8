"""Guests: people at the table, each with a way of their own to see and to act.

All of them look only at what is on the screen; none knows a rule. A guest is asked to move when the
table says that it is their turn.
"""

import re
from typing import Any

from playwright.sync_api import BrowserContext, Locator, Page, expect

PATIENCE = 60_000
FOREIGN = "a request left the server's address: "


class Guest:
    """Somebody with a mouse or a finger."""

    def __init__(self, context: BrowserContext, name: str, address: str) -> None:
        self.name = name
        self.address = address
        self.context = context
        self.complaints: list[str] = []
        context.set_default_timeout(PATIENCE)
        context.add_init_script(
            "addEventListener('securitypolicyviolation', (event) =>"
            " console.error('CSP: ' + event.violatedDirective + ' ' + event.blockedURI))"
        )
        self.page = self.open_page()

    def open_page(self) -> Page:
        """Another tab of this person's."""
        page = self.context.new_page()
        page.on("pageerror", lambda error: self.complaints.append(f"{self.name}: {error}"))
        page.on("console", lambda message: self._listen(message.type, message.text))
        page.on("request", lambda request: self._watch(request.url))
        return page

    def _listen(self, kind: str, text: str) -> None:
        harmless = "ERR_" in text or "WebSocket" in text or "Failed to load resource" in text
        if kind == "error" and not harmless:
            self.complaints.append(f"{self.name}: {text}")

    def _watch(self, url: str) -> None:
        if not url.startswith((self.address, self.address.replace("http", "ws"), "blob:")):
            self.complaints.append(FOREIGN + url)

    # ---- coming and going -----------------------------------------------------------------------

    def call_myself(self) -> None:
        """Write the name where a name is asked for."""
        self.page.locator("input[name=name]").first.fill(self.name)

    def open_table(self, edition: str, clock: str = "none") -> str:
        """Open a table of an edition; returns the way for friends."""
        self.page.goto("/new")
        self.call_myself()
        self.page.locator("input[type=radio]").nth(
            ["classic", "alternative", "mini", "online"].index(edition)
        ).check()
        self.page.locator("select:has(option[value=relaxed])").select_option(clock)
        self.page.locator("form button.primary").click()
        self.page.wait_for_url("**/table/*")
        address = self.page.locator(".address")
        return address.inner_text().partition(self.address)[2] or address.inner_text()

    def join(self, way: str) -> None:
        """Follow an invitation and sit down."""
        self.page.goto(re.sub(r"^https?://[^/]+", "", way))
        self.call_myself()
        self.page.locator("form button.primary").click()
        self.page.wait_for_url("**/table/*")

    def start(self, seats: int) -> None:
        """Begin when everybody is there."""
        expect(self.page.locator(".seats li")).to_have_count(seats, timeout=PATIENCE)
        self.page.locator("button.primary.big").click()

    # ---- the game -------------------------------------------------------------------------------

    @property
    def over(self) -> bool:
        return self.page.locator(".game[data-phase=over]").count() > 0

    @property
    def my_turn(self) -> bool:
        return self.page.locator(".game.turn:not([data-busy])").count() > 0

    @property
    def moment(self) -> str | None:
        """What distinguishes this decision from the next one."""
        return self.page.locator(".game").get_attribute("data-moment")

    @property
    def phase(self) -> str | None:
        return self.page.locator(".game").get_attribute("data-phase")

    def move(self) -> None:
        """Decide, act, and wait until the table has moved on."""
        moment = self.moment
        {"choose": self.choose, "give": self.give, "draw": self.draw}.get(
            self.phase or "", self.play
        )()
        expect(self.page.locator(f".game.turn[data-moment='{moment}']")).to_have_count(
            0, timeout=PATIENCE
        )

    def choose(self) -> None:
        cards = self.page.locator(".hand button")
        index = 0
        while self.page.locator(".actions .primary[aria-disabled=true]").count() > 0:
            self.press(cards.nth(index % cards.count()))
            index += 1
        self.press(self.page.locator(".actions .primary"))

    def give(self) -> None:
        self.press(self.page.locator(".seat.target").first)

    def draw(self) -> None:
        self.press(self.page.locator(".actions .primary"))

    def play(self) -> None:
        for place in (".hand button.open", ".slots .up.open"):
            cards = self.page.locator(place)
            if cards.count() > 0:
                self.press(cards.first)
                self.press(self.page.locator(".actions .primary"))
                return
        blind = self.page.locator(".slots .down.open")
        if blind.count() > 0:
            self.press(blind.first)
        else:
            self.press(self.page.locator(".actions .buttons .button").first)

    def press(self, target: Locator) -> None:
        target.click()


class TypingGuest(Guest):
    """Somebody with a keyboard and nothing else: every act is a key, from wherever the focus is."""

    def type(self, key: str) -> None:
        self.page.keyboard.press(key)

    def reach(self, selector: str) -> None:
        """Go on by Tab until the focus is where it should be."""
        for _ in range(80):
            self.type("Tab")
            if self.page.evaluate(
                "(selector) => document.activeElement.matches(selector)", selector
            ):
                return
        raise AssertionError(f"the keyboard does not reach {selector}")

    def choose(self) -> None:
        self.type("h")
        for _ in range(12):
            if self.page.locator(".actions .primary[aria-disabled=true]").count() == 0:
                break
            self.type("Enter")
            self.type("ArrowRight")
        self.reach(".actions .primary")
        self.type("Enter")

    def give(self) -> None:
        self.reach(".seat.target, .actions .primary")
        self.type("Enter")

    def draw(self) -> None:
        self.reach(".actions .primary")
        self.type("Enter")

    def play(self) -> None:
        if self.page.locator(".hand button.open").count() > 0:
            self.type("h")
            self.type("Enter")
            self.type("Enter")
        elif self.page.locator(".slots .open").count() > 0:
            self.reach(".slots .open")
            self.type("Enter")
            if self.page.locator(".slots .chosen").count() > 0:
                self.type("Enter")
        else:
            self.type("u")


class ListeningGuest(Guest):
    """Somebody who hears the table: reads and acts by the accessibility tree alone."""

    def button(self, name: str) -> Locator:
        return self.page.get_by_role("button", name=re.compile(name))

    @property
    def heard(self) -> str:
        return self.page.get_by_role("main").aria_snapshot()

    def choose(self) -> None:
        hand = self.page.get_by_role("group", name=re.compile("^Your hand")).get_by_role("button")
        index = 0
        while "Ready" not in self.heard:
            hand.nth(index % hand.count()).click()
            index += 1
        self.button("^Lay them face up$").click()

    def give(self) -> None:
        self.button("^Give the pile to ").first.click()

    def draw(self) -> None:
        self.button("^Draw$").click()

    def play(self) -> None:
        playable = self.button(r", playable")
        if playable.count() > 0:
            name = playable.first.text_content() or ""
            playable.first.click()
            if not name.startswith("Face-down"):
                self.button(r"^Play ").last.click()
        else:
            self.button(r"^(Pick up \d|Pass$)").first.click()


def play_out(guests: list[Guest], most_moves: int = 3000, on_move: Any = None) -> int:
    """Let everybody play until the game is over; returns how many moves that took."""
    moves = 0
    idle = 0
    while not all(guest.over for guest in guests):
        acted = False
        for guest in guests:
            if guest.my_turn:
                guest.move()
                acted = True
                moves += 1
                if on_move is not None:
                    on_move(moves)
                assert moves < most_moves, "the game does not end"
        idle = 0 if acted else idle + 1
        if not acted:
            guests[0].page.wait_for_timeout(30)
        assert idle < 3000, "nobody can move"
    return moves
