"""Four people, four ways of using the table, whole games of every edition."""

from typing import Any

import pytest

from browser.guests import Guest, ListeningGuest, TypingGuest, play_out
from karma.texts import Texts

RUSSIAN: dict[str, Any] = {
    "locale": "ru-RU",
    "viewport": {"width": 320, "height": 640},
    "reduced_motion": "reduce",
}

LOST = Texts("ru")("web_lost"), Texts("en")("web_lost")


def gather(
    invite: Any, edition: str, kinds: list[tuple[type[Guest], str, dict[str, Any]]]
) -> list[Guest]:
    """Everybody at one table, the game begun."""
    guests = [invite(kind, name, **options) for kind, name, options in kinds]
    way = guests[0].open_table(edition)
    for guest in guests[1:]:
        guest.join(way)
    guests[0].start(len(guests))
    for guest in guests:
        guest.page.wait_for_selector(".game")
    return guests


@pytest.mark.parametrize("edition", ["classic", "alternative", "mini", "online"])
def test_a_whole_game(invite: Any, edition: str) -> None:
    people: list[tuple[type[Guest], str, dict[str, Any]]] = [
        (TypingGuest, "Keys", {"viewport": {"width": 1280, "height": 800}}),
        (ListeningGuest, "Ears", {}),
        (Guest, "Наташа", RUSSIAN),
        (Guest, "Thumb", {"has_touch": True}),
    ]
    guests = gather(invite, edition, people[: 3 if edition == "online" else 4])
    assert play_out(guests) > 10
    for guest in guests:
        guest.page.locator(".actions .primary").click()
        guest.page.wait_for_selector(".places li")
        assert guest.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    shown = {guest.page.locator(".places").inner_text().replace(*LOST) for guest in guests}
    assert len(shown) == 1  # everybody sees the same end


def test_a_game_through_a_lost_network_and_a_killed_server(invite: Any, server: Any) -> None:
    guests = gather(
        invite, "mini", [(Guest, "Ana", {}), (Guest, "Bo", {}), (ListeningGuest, "Ears", {})]
    )
    dropping = guests[1]

    def trouble(moves: int) -> None:
        if moves == 8:
            dropping.context.set_offline(True)
            dropping.page.wait_for_selector(".game.stale [data-status=offline]", timeout=10_000)
            assert not dropping.my_turn  # what is not live is locked
            dropping.context.set_offline(False)
        if moves == 16:
            server.kill()
            for guest in guests:
                guest.page.wait_for_selector(".game.stale", timeout=10_000)
            server.start()
        if moves in (8, 16):
            for guest in guests:
                guest.page.wait_for_selector(".game:not(.stale)")

    play_out(guests, on_move=trouble)
    assert all(guest.over for guest in guests)
