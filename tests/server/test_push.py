"""Web Push: who is told, what is sent, what nobody else can read, and where a server never goes."""

import asyncio
import datetime
import socket
import ssl
import time
from pathlib import Path
from typing import Any

import httpx
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from py_vapid import Vapid02

from databases import address_for, rows_in
from karma.clock import WallClock
from karma.refusals import Refusal
from karma.server import push, push_sender
from karma.server.push_services import Destination, PushServices, is_public
from karma.server.settings import ServerSettings, WrongSetting
from karma.store.ports import KeptSubscription
from karma.store.sqlite import FILE
from push_service import Browser, PushService, push_service
from serving import Served, serving
from stranger import Stranger


@pytest.fixture(autouse=True)
def begin_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody is waited for at the start of a game; a slow machine is waited for."""
    monkeypatch.setattr("karma.table.requests.game.SECONDS_TO_COME", 0)
    monkeypatch.setattr(push_sender, "SECONDS", 120)


async def subscribe(who: Stranger, endpoint: str, keys: Any) -> httpx.Response:
    body = {"endpoint": endpoint, "keys": keys}
    return await who.http.put("/api/player/subscription", json=body, headers=who.bearer)


async def until(holds: Any) -> None:
    while not holds():
        await asyncio.sleep(0.02)


async def open_for_days(who: Stranger) -> None:
    """A table at which it is this person's turn, who is not there."""
    await who.open(bots=1, start=True, edition="mini", clock="days")


async def subscribed(served: Served, service: PushService, browser: Browser) -> Stranger:
    ana = await Stranger(served.address, "Ana").come()
    assert (await subscribe(ana, service.endpoint(), browser.keys)).status_code == 204
    return ana


async def test_a_browser_is_told_of_the_turn_and_it_alone_can_read_it(tmp_path: Path) -> None:
    browser = Browser()
    with push_service() as service, serving(tmp_path, push=service.address) as served:
        ana = await subscribed(served, service, browser)
        about = await ana.get("/api/about")
        assert "push" in about["notices"]
        await open_for_days(ana)
        await until(lambda: served.app.state.push.told["sent"])
        (message,) = service.delivered
        note = {"code": "your_turn", "table": ana.table, "people": []}
        assert browser.read(message.body) == note
        assert ana.table.encode() not in message.body and ana.table not in str(message.headers)
        assert message.path == "/push/browser"
        assert message.headers["content-encoding"] == "aes128gcm"
        assert int(message.headers["ttl"]) > 0
        signed = message.headers["authorization"]
        assert Vapid02.verify(signed) and signed.endswith(f"k={about['push_key']}")
        assert message.claims["aud"] == service.address
        assert time.time() < message.claims["exp"] <= time.time() + 86_400


async def test_nobody_is_told_who_did_not_ask_or_is_there_or_plays_by_the_minute(
    tmp_path: Path,
) -> None:
    browser = Browser()
    with push_service() as service, serving(tmp_path, push=service.address) as served:
        bo = await Stranger(served.address, "Bo").come()
        await open_for_days(bo)
        ana = await subscribed(served, service, browser)
        await ana.open(bots=1, start=True, edition="mini")
        await ana.open(bots=1, edition="mini", clock="days")
        await ana.connect()
        assert (await ana.ask("start"))["type"] == "ack"
        await ana.read_until(lambda: bool(ana.state.get("view", {}).get("legal")))
        assert not service.delivered and not served.app.state.push.told["sent"]
        gone = {"endpoint": service.endpoint()}
        answer = await ana.http.put("/api/player/subscription", json=gone, headers=ana.bearer)
        assert answer.status_code == 204
        assert (await ana.get("/api/player/export"))["subscriptions"] == []
        await ana.go()


async def test_the_others_are_named_and_no_card_is(tmp_path: Path) -> None:
    browser = Browser()
    with push_service() as service, serving(tmp_path, push=service.address) as served:
        ana = await subscribed(served, service, browser)
        bo = await Stranger(served.address, "Bo").come()
        await ana.open(edition="mini", clock="days")
        await bo.join(ana)
        await bo.connect()
        await ana.connect()
        assert (await ana.ask("start"))["type"] == "ack"
        await ana.socket.close()
        await bo.read_until(lambda: not bo.state["seats"][0]["connected"])
        await bo.read_until(lambda: bool(bo.state.get("view", {}).get("legal")))
        await bo.play(lambda state: not state["view"]["legal"])
        await until(lambda: service.delivered)
        assert browser.read(service.delivered[0].body) == {
            "code": "your_turn",
            "table": ana.table,
            "people": ["Bo"],
        }
        await bo.go()


@pytest.mark.parametrize("status", [404, 410])
async def test_a_browser_that_is_gone_is_forgotten(tmp_path: Path, status: int) -> None:
    with push_service() as service, serving(tmp_path, push=service.address) as served:
        service.status = status
        ana = await subscribed(served, service, Browser())
        await open_for_days(ana)
        await until(lambda: served.app.state.push.told["gone"])
        assert (await ana.get("/api/player/export"))["subscriptions"] == []


async def test_a_service_that_refuses_is_told_the_next_time(tmp_path: Path) -> None:
    with push_service() as service, serving(tmp_path, push=service.address) as served:
        told = served.app.state.push.told
        service.status = 500
        ana = await subscribed(served, service, Browser())
        await open_for_days(ana)
        await until(lambda: told["refused"])
        service.status = 201
        await open_for_days(ana)
        await until(lambda: told["sent"])


@pytest.mark.parametrize("status", [301, 302, 307, 308])
async def test_nobody_is_sent_on_to_another_address(tmp_path: Path, status: int) -> None:
    with (
        push_service() as inside,
        push_service() as service,
        serving(tmp_path, push=service.address) as served,
    ):
        service.status, service.location = status, inside.endpoint()
        ana = await subscribed(served, service, Browser())
        await open_for_days(ana)
        await until(lambda: served.app.state.push.told["refused"])
        assert len(service.delivered) == 1 and not inside.delivered


@pytest.mark.parametrize("name", ["127.0.0.1.nip.example", "foo.localhost", "router.home.arpa"])
async def test_a_name_that_leads_into_the_house_is_refused_when_it_is_looked_up(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def look_up(*_: Any, **__: Any) -> list[Any]:
        return [(0, 0, 0, "", ("::ffff:127.0.0.1", 443, 0, 0))]

    monkeypatch.setattr(asyncio.get_running_loop(), "getaddrinfo", look_up)
    services = PushServices("public")
    assert services.check(f"https://{name}/x") == f"https://{name}"
    with pytest.raises(Refusal):
        await services.find(f"https://{name}/x")


async def test_a_service_that_never_answers_is_let_go(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(push_sender, "SECONDS", 0.1)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"http://127.0.0.1:{silent.getsockname()[1]}"
        with serving(tmp_path, push=address) as served:
            ana = await Stranger(served.address, "Ana").come()
            assert (await subscribe(ana, f"{address}/x", Browser().keys)).is_success
            await open_for_days(ana)
            await until(lambda: served.app.state.push.told["failed"])
            assert (await ana.get("/api/player/export"))["subscriptions"] == [f"{address}/x"]


async def test_a_player_has_so_many_browsers_and_so_many_messages_a_day(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(push, "A_DAY", 3)
    with push_service() as service, serving(tmp_path, push=service.address) as served:
        ana = await Stranger(served.address, "Ana").come()
        for number in range(push.BROWSERS + 2):
            assert (await subscribe(ana, service.endpoint(str(number)), Browser().keys)).is_success
        kept = (await ana.get("/api/player/export"))["subscriptions"]
        assert len(kept) == push.BROWSERS and service.endpoint(str(push.BROWSERS + 1)) in kept
        for _ in range(4):
            await open_for_days(ana)
        told = served.app.state.push.told
        await until(lambda: told["sent"] == 3 * push.BROWSERS)
        assert told["dropped"] == 1
        await ana.http.delete("/api/player", headers=ana.bearer)
        assert rows_in(tmp_path, "SELECT * FROM subscriptions") == []


async def test_a_browser_is_one_players(tmp_path: Path) -> None:
    browser = Browser()
    with push_service() as service, serving(tmp_path, push=service.address) as served:
        ana = await subscribed(served, service, browser)
        bo = await subscribed(served, service, browser)
        assert (await ana.get("/api/player/export"))["subscriptions"] == []
        gone = {"endpoint": service.endpoint()}
        await ana.http.put("/api/player/subscription", json=gone, headers=ana.bearer)
        assert (await bo.get("/api/player/export"))["subscriptions"] == [service.endpoint()]


async def test_the_key_is_made_at_the_first_start_and_kept(tmp_path: Path) -> None:
    keys = []
    for _ in range(2):
        with serving(tmp_path) as served:
            about = await Stranger(served.address, "Ana").get("/api/about")
            keys.append(about["push_key"])
            assert rows_in(tmp_path, "SELECT name, public FROM keys") == [("push", keys[0])]
            (secret,) = rows_in(tmp_path, "SELECT secret FROM keys")[0]
            assert secret not in str(about)
    assert keys[0] == keys[1] and len(keys[0]) == 87
    if address_for(tmp_path) is None:
        assert (tmp_path / FILE).stat().st_mode & 0o077 == 0


async def test_an_operator_may_have_none_of_it(tmp_path: Path) -> None:
    with serving(tmp_path, push="none") as served:
        ana = await Stranger(served.address, "Ana").come()
        about = await ana.get("/api/about")
        assert about["push_key"] is None and "push" not in about["notices"]
        answer = await subscribe(ana, "https://push.example.org/x", Browser().keys)
        assert answer.json()["code"] == "bad_message"
        await open_for_days(ana)
        assert not served.app.state.push.told


@pytest.mark.parametrize(
    "endpoint",
    [
        "http://push.example.org/x",
        "https://localhost/x",
        "https://127.0.0.1/x",
        "https://10.0.0.1/x",
        "https://2130706433/x",
        "https://0x7f.1/x",
        "https://127.0x1/x",
        "https://0x7f000001/x",
        "https://0177.0.0.1/x",
        "https://127.1./x",
        "https://localhost./x",
        "https://[::ffff:127.0.0.1]/x",
        "https://①②⑦.⓪.⓪.①/x",
        "https://[::1]/x",
        "https://push.example.org:8443/x",
        "https://ana@push.example.org/x",
        "https://push.example.org:443x/",
        "ftp://push.example.org/x",
        "https:///x",
        "push.example.org",
        "https://push.example.org/ü",
        "https://push.example.org/x y",
        "",
    ],
)
async def test_what_is_no_push_service_is_refused(endpoint: str) -> None:
    services = PushServices("public")
    with pytest.raises(Refusal):
        services.check(endpoint)
    with pytest.raises(Refusal):
        await services.find(endpoint)


async def test_keys_that_are_none_are_refused(tmp_path: Path) -> None:
    right = Browser().keys
    with serving(tmp_path) as served:
        ana = await Stranger(served.address, "Ana").come()
        for wrong in (
            {"p256dh": "", "auth": right["auth"]},
            {"p256dh": right["p256dh"], "auth": "AAAA"},
            {"p256dh": "B" * 87, "auth": right["auth"]},
            {"p256dh": "ü" * 87, "auth": right["auth"]},
            {"p256dh": right["p256dh"]},
        ):
            answer = await subscribe(ana, "https://push.example.org/x", wrong)
            assert answer.json()["code"] == "bad_message"
        assert (await subscribe(ana, "https://push.example.org/x", right)).status_code == 204


@pytest.mark.parametrize(
    ("address", "public"),
    [
        ("93.184.215.14", True),
        ("2606:2800:21f:cb07:6820:80da:af6b:8b2c", True),
        ("127.0.0.1", False),
        ("10.1.2.3", False),
        ("172.16.0.1", False),
        ("192.168.1.1", False),
        ("169.254.169.254", False),
        ("100.64.0.1", False),
        ("0.0.0.0", False),
        ("224.0.0.1", False),
        ("255.255.255.255", False),
        ("::1", False),
        ("fe80::1%eth0", False),
        ("fd00::1", False),
        ("::ffff:127.0.0.1", False),
        ("::ffff:93.184.215.14", True),
        ("64:ff9b::7f00:1", False),
        ("2002:7f00:1::", False),
    ],
)
def test_which_addresses_are_public(address: str, public: bool) -> None:
    assert is_public(address) is public


async def test_a_name_is_looked_up_once_and_private_addresses_are_not_gone_to(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found = ["93.184.215.14"]

    async def look_up(*_: Any, **__: Any) -> list[Any]:
        return [(0, 0, 0, "", (address, 443)) for address in found]

    monkeypatch.setattr(asyncio.get_running_loop(), "getaddrinfo", look_up)
    services = PushServices("public")
    where = await services.find("https://push.example.org/x?y=1")
    assert where == Destination(
        "https://93.184.215.14/x?y=1", "push.example.org", "https://push.example.org"
    )
    found.append("127.0.0.1")
    with pytest.raises(Refusal):
        await services.find("https://push.example.org/x")


@pytest.mark.parametrize("name", ["push.example.org", "other.example.org"])
async def test_the_certificate_has_to_be_of_the_name_and_not_of_the_address(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    trusted = certificate("push.example.org", tmp_path)
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(trusted)
    client = httpx.AsyncClient(verify=ssl.create_default_context(cafile=trusted), trust_env=False)
    monkeypatch.setattr(push_sender, "make_client", lambda: client)
    browser = Browser()
    with push_service(tls) as service, serving(tmp_path / "data") as served:

        async def find(*_: Any) -> Destination:
            return Destination(service.endpoint(), name, f"https://{name}")

        sender = served.app.state.push
        monkeypatch.setattr(sender.services, "find", find)
        ana = await Stranger(served.address, "Ana").come()
        assert (await subscribe(ana, f"https://{name}/x", browser.keys)).is_success
        await open_for_days(ana)
        await until(lambda: sender.told.total())
        if name == "push.example.org":
            assert sender.told == {"sent": 1}
            (message,) = service.delivered
            assert message.headers["host"] == name
            assert browser.read(message.body)["code"] == "your_turn"
        else:
            assert sender.told == {"failed": 1} and not service.delivered


def certificate(name: str, folder: Path) -> Path:
    """A file with a certificate for a name, and its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    now = datetime.datetime.now(datetime.UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    path = folder / "certificate.pem"
    path.write_bytes(
        made.public_bytes(serialization.Encoding.PEM)
        + key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    return path


@pytest.mark.parametrize("wrong", ["everybody", "https://x/y", "ftp://x", "public,none", "http://"])
def test_a_wrong_setting_is_one_line(wrong: str) -> None:
    with pytest.raises(WrongSetting, match="--push"):
        ServerSettings(push=wrong).check()


async def test_a_full_queue_drops_what_comes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(push, "MOST_WAITING", 0)
    with serving(tmp_path) as served:
        store, settings = served.store, ServerSettings(data=tmp_path)
        sender = push.Push(settings, store.subscriptions, WallClock())
        browser = KeptSubscription("https://push.example.org/x", "ana", **Browser().keys)
        await sender.subscribe(browser)
        sender.tell("ana", {"code": "your_turn"}, topic="t")
        assert sender.told == {"dropped": 1}
        await sender.close()
