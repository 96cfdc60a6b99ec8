"""A seat at a server's table, in the terminal."""

import asyncio

import pytest
from textual.widgets import Select

from karma.table.log import deal
from karma.tui.home import TOKENS
from karma.tui.house_rules import HouseRules
from karma.tui.pages import Choices, Writing
from karma.tui.play import PlayScreen
from karma.tui.server import Address, Server
from keyboard import play_out, table_of, until, your_turn
from serving import serving
from stranger import Stranger

SIZE = (80, 24)


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("data")) as served:
        yield served


@pytest.mark.parametrize(
    ("url", "address"),
    [
        ("http://host:8000/join/K7QM-3XPA", Address("http://host:8000", invite="K7QM-3XPA")),
        ("host:8000/join/k7qm3xpa", Address("http://host:8000", invite="k7qm3xpa")),
        ("https://host/table/abc", Address("https://host", table="abc")),
        ("http://host:8000/", Address("http://host:8000")),
    ],
)
def test_addresses(url, address):
    assert Address.parse(url) == address


@pytest.mark.parametrize("url", ["", "http://", "ftp://host/join/x", "http://host/play/x"])
def test_other_texts_are_no_addresses(url):
    with pytest.raises(ValueError, match="is not a table's address"):
        Address.parse(url)


async def test_a_game_with_a_stranger(open_app, home, server):
    bo = await Stranger(server.address, "Bo").come()
    host = await bo.open(edition="mini", memory_aid=False)
    await host.connect()
    app = open_app(address=Address(server.address, invite=host.invite), name="Ana")
    async with app.run_test(size=SIZE) as pilot:
        await until(pilot, lambda: isinstance(app.screen, PlayScreen))
        await until(pilot, lambda: "Bo, Ana" in table_of(app).prompt.left)
        assert app.memory_aid and not table_of(app).memory_aid  # the host wants cards remembered
        await host.ask("start")
        playing = asyncio.create_task(host.play())
        await your_turn(app, pilot)
        assert table_of(app).shown.players == ("Bo", "Ana")
        await table_of(app).connection._socket.close()  # as if the network went away
        await until(pilot, lambda: table_of(app).connection.away is None)
        await play_out(app, pilot)
        await playing
    assert (home.folder / TOKENS).stat().st_mode & 0o77 == 0
    record = await host.get(f"/api/tables/{host.table}/games/1")
    assert [part["missing"] for part in record["fair"]["seats"]] == [False, False]
    await host.go()


async def test_who_is_left_out_of_a_deal_is_asked_before_anything_is_played(
    open_app, server, monkeypatch
):
    monkeypatch.setattr(deal, "SECONDS", 2)  # for seeds; promises are waited for as ever
    fits = deal.Deal.fits
    monkeypatch.setattr(
        deal.Deal, "fits", lambda self, seat, seed: seat == 0 and fits(self, seat, seed)
    )
    host = await (await Stranger(server.address, "Bo").come()).open(edition="online")
    await host.connect()
    app = open_app(address=Address(server.address, invite=host.invite), name="Ana")
    async with app.run_test(size=SIZE) as pilot:
        await until(pilot, lambda: isinstance(app.screen, PlayScreen))
        await until(pilot, lambda: "Bo, Ana" in table_of(app).prompt.left)
        await host.ask("start")
        told = asyncio.create_task(host.play(lambda _: _notices(host, "seed_left_out")))
        await until(pilot, lambda: isinstance(app.screen, Choices))
        await told
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(app.screen, PlayScreen))
        table = table_of(app)
        await host.ask("pause")
        await until(pilot, lambda: table.mirror.table.paused and table._waiting.empty())
        await host.ask("resume")
        await until(pilot, lambda: not table.mirror.table.paused and table._waiting.empty())
        assert app.screen is table  # news do not ask again
        assert table.connection.left_out and not table.yours
        await pilot.press("enter")  # which would play a card, and asks again
        await until(pilot, lambda: isinstance(app.screen, Choices))
        await pilot.press("down", "enter")
        playing = asyncio.create_task(host.play())
        await play_out(app, pilot)
        await playing
    await host.go()


def _notices(who, code):
    return [note for step in who.happened for note in step["notices"] if note["code"] == code]


async def come(app, pilot):
    """Waits for the lobby."""
    await until(pilot, lambda: isinstance(app.screen, PlayScreen))
    await until(pilot, lambda: "greedy, Ana" in table_of(app).prompt.left)


async def test_the_seat_is_still_yours_after_quitting(open_app, server):
    host = await (await Stranger(server.address, "Bo").come()).open(edition="mini", bots=1)
    address = Address(server.address, invite=host.invite)
    for _ in range(2):
        app = open_app(address=address, name="Ana")
        async with app.run_test(size=SIZE) as pilot:
            await come(app, pilot)
            assert table_of(app).mirror.you.seat == 2
            await pilot.press("q")
            await pilot.pause()
        assert "Your seat stays yours" in app.return_value
    await host.http.aclose()


async def test_a_name_given_on_return_counts(open_app, server):
    host = await (await Stranger(server.address, "Bo").come()).open(edition="mini", bots=1)
    address = Address(server.address, invite=host.invite)
    for name, shown in (("Ana", "greedy, Ana"), ("Eva", "greedy, Eva"), (None, "greedy, Eva")):
        app = open_app(address=address, name=name)
        async with app.run_test(size=SIZE) as pilot:
            await until(pilot, lambda app=app: isinstance(app.screen, PlayScreen))
            await until(pilot, lambda app=app, s=shown: s in table_of(app).prompt.left)
            await pilot.press("q")
            await pilot.pause()
    await host.http.aclose()


async def test_a_wrong_invite_is_a_sentence(open_app, server):
    app = open_app(address=Address(server.address, invite="XXXX-XXXX"), name="Ana")
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause(0.5)
        await until(pilot, lambda: app.return_code == 1)


async def other_edition(app, pilot, name, options):
    """Another edition, and house rules on it, by the menu."""
    await pilot.press("m")
    await until(pilot, lambda: isinstance(app.screen, Choices))
    await pilot.press(*["down"] * app.screen.lines.index("Edition and house rules"), "enter")
    await until(pilot, lambda: isinstance(app.screen, Choices) and app.screen.lines[0] == "Classic")
    await pilot.press(*["down"] * app.screen.lines.index(name), "enter")
    await until(pilot, lambda: isinstance(app.screen, HouseRules))
    for option, value in options.items():
        app.screen.query_one(f"#{option}", Select).value = value
    await until(pilot, lambda: app.screen._options.items() >= options.items())
    await pilot.click("#ok")


async def choose(app, pilot, text):
    """Opens the table's menu and chooses a line of it."""
    table = table_of(app)
    await pilot.press("m")
    await until(pilot, lambda: isinstance(app.screen, Choices))
    assert text in app.screen.lines
    for _ in range(app.screen.lines.index(text)):
        await pilot.press("down")
    await pilot.press("enter")
    await until(pilot, lambda: app.screen is table or isinstance(app.screen, Writing))


async def test_a_table_is_opened_and_hosted_from_the_terminal(open_app, server):
    app = open_app(address=Address(server.address), name="Ana")
    async with app.run_test(size=SIZE) as pilot:
        await until(pilot, lambda: isinstance(app.screen, PlayScreen))
        await until(pilot, lambda: table_of(app).mirror.you is not None)
        table = table_of(app)
        guest = await Stranger(server.address, "Bo").come()
        guest.table, guest.invite = table.mirror.table.table, table.mirror.you.invite
        assert guest.invite in table.note.left
        await (await guest.join(guest)).connect()
        await until(pilot, lambda: len(table.mirror.seats) == 2)
        for level in ("greedy", "greedy"):
            seats = len(table.mirror.seats)
            await choose(app, pilot, f"Add a bot: {level}")
            await until(pilot, lambda seats=seats: len(table.mirror.seats) == seats + 1)
        await choose(app, pilot, "Take greedy 2 away")
        await until(pilot, lambda: len(table.mirror.seats) == 3)
        await other_edition(app, pilot, "Alternative", {"set_counts": "top", "set_effect": "clear"})
        await until(pilot, lambda: table.mirror.table.settings.edition == "alternative")
        assert table.mirror.table.settings.rules == {"set_counts": "top", "set_effect": "clear"}
        await other_edition(app, pilot, "Mini", {})  # which clears the pile without a house rule
        await until(pilot, lambda: table.mirror.table.settings.edition == "mini")
        assert table.mirror.table.settings.rules == {"set_counts": "top"}
        await choose(app, pilot, "Write to the others")
        await pilot.press(*"hi", "enter")
        await guest.read_until(lambda: '"said"' in guest.frames[-1])
        assert '"text":"hi"' in guest.frames[-1]
        await choose(app, pilot, "Deal")
        playing = asyncio.create_task(
            guest.play(lambda state: state["table"]["phase"] == "playing")
        )
        await until(pilot, lambda: table.mirror.table.phase == "playing")
        await playing
        await choose(app, pilot, "Pause")
        await until(pilot, lambda: table.mirror.table.paused)
        await choose(app, pilot, "Go on after the pause")
        await until(pilot, lambda: not table.mirror.table.paused)
        await guest.go()
        await until(pilot, lambda: table.seats.sitters[1].note == "not connected")
        await choose(app, pilot, "Send Bo away")
        await until(pilot, lambda: table.mirror.seats[1].bot is not None)
        await choose(app, pilot, "Offer the seat of greedy")
        await until(pilot, lambda: table.mirror.seats[2].offered)
        await choose(app, pilot, "Offer the seat of greedy no longer")
        await until(pilot, lambda: not table.mirror.seats[2].offered)
        await choose(app, pilot, "Offer the seat of greedy")
        friend = Address(server.address, invite=table.mirror.you.invite)
        eva = Server(server.address)
        await asyncio.to_thread(eva.introduce, "Eva")
        await asyncio.to_thread(eva.join, friend, spectate=False)
        await until(pilot, lambda: table.mirror.seats[2].name == "Eva")
        kim = await Stranger(server.address, "Kim").come()
        kim.table, kim.invite = table.mirror.table.table, table.mirror.you.invite
        await (await kim.join(kim, spectate=True)).connect()
        await until(pilot, lambda: table.mirror.table.watching == ["Kim"])
        await choose(app, pilot, "Send Kim away, who is watching")
        await until(pilot, lambda: table.mirror.table.watching == [])
        await choose(app, pilot, "Close the table")
        await until(pilot, lambda: table.mirror.table.phase == "closed")
