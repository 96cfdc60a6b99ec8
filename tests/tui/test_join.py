"""A seat at a server's table, in the terminal."""

import asyncio

import pytest

from karma.tui.home import TOKENS
from karma.tui.play import PlayScreen
from karma.tui.remote import Address
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
    ],
)
def test_addresses(url, address):
    assert Address.parse(url) == address


@pytest.mark.parametrize("url", ["", "http://host", "ftp://host/join/x", "http://host/play/x"])
def test_other_texts_are_no_addresses(url):
    with pytest.raises(ValueError, match="is not a table's address"):
        Address.parse(url)


async def test_a_game_with_a_stranger(open_app, home, server):
    host = await (await Stranger(server.address, "Bo").come()).open(edition="mini")
    await host.connect()
    app = open_app(address=Address(server.address, invite=host.invite), name="Ana")
    async with app.run_test(size=SIZE) as pilot:
        await until(pilot, lambda: isinstance(app.screen, PlayScreen))
        await until(pilot, lambda: "Bo, Ana" in table_of(app).prompt.left)
        await host.ask("start")
        playing = asyncio.create_task(host.play())
        await your_turn(app, pilot)
        assert table_of(app).shown.players == ("Bo", "Ana")
        await table_of(app).line._socket.close()  # as if the network went away
        await until(pilot, lambda: table_of(app).line.away is None)
        await play_out(app, pilot)
        await playing
    assert (home.folder / TOKENS).stat().st_mode & 0o77 == 0
    record = await host.get(f"/api/tables/{host.table}/games/1")
    assert [part["missing"] for part in record["fair"]["seats"]] == [False, False]
    await host.go()


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


async def test_a_wrong_invite_is_a_sentence(open_app, server):
    app = open_app(address=Address(server.address, invite="XXXX-XXXX"), name="Ana")
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause(0.5)
        await until(pilot, lambda: app.return_code == 1)
