"""For operators: numbers that matter, who is not let in, copies by the clock."""

import asyncio
import json
import re
import socket
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import httpx
import pytest
import yaml
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.parser import text_string_to_metric_families
from typer.testing import CliRunner

from karma.cli.games import games
from karma.clock import WallClock
from karma.server.backups import Backups
from karma.server.bans import Bans
from karma.server.metrics import ServerMetrics
from karma.server.operator import TOKEN_FILE
from karma.server.settings import ServerSettings, WrongSetting
from karma.store.sqlite import SqliteStore
from serving import serving
from stranger import Stranger
from wire import dial, get


async def test_the_numbers_tell_what_matters(tmp_path: Path) -> None:
    with serving(tmp_path) as served:
        ana = await (await Stranger(served.address, "Ana").come()).open(edition="mini")
        await ana.connect()
        assert (await ana.ask("say", phrase="hello"))["type"] == "ack"
        assert (await ana.http.get("/api/player")).status_code == 401
        registry = CollectorRegistry()
        settings = served.access.settings
        served.access.tables.shares.add(3)  # as thinkers elsewhere do
        registry.register(
            ServerMetrics(
                settings, served.access, served.app.state.connections, served.app.state.push
            )
        )
        lines = generate_latest(registry).decode().splitlines()
        numbers = dict(line.rsplit(" ", 1) for line in lines if not line.startswith("#"))
        assert float(numbers["karma_tables"]) == 1 == float(numbers["karma_sockets"])
        assert float(numbers["karma_action_seconds_count"]) == 1
        assert float(numbers['karma_refused_total{why="unknown_token"}']) == 1
        assert float(numbers["karma_store_failing"]) == 0 < float(numbers["karma_disk_free_bytes"])
        assert float(numbers["karma_connections"]) >= 2
        assert float(numbers["karma_thinkers"]) == 3


def test_a_port_for_numbers_that_is_taken_is_said_in_one_line(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        command = [sys.executable, "-m", "karma", "serve", "--port", "0", "--data", tmp_path]
        done = subprocess.run(
            [*command, "--metrics-port", port], capture_output=True, text=True, timeout=120
        )
    assert done.returncode == 1
    assert done.stderr.splitlines() == [
        f"karma: --metrics-port {port} cannot be had: Address already in use; choose another"
    ]


async def test_a_poisoned_table_is_exported_and_closed_and_stays_so(tmp_path: Path) -> None:
    with serving(tmp_path) as served:
        ana = await (await Stranger(served.address, "Ana").come()).open(edition="mini")
        table = ana.table
    store = SqliteStore(tmp_path, WallClock())
    version = len(await store.log.read(table))
    poison = b'{"at":1,"entry":{"entry":"made","seat":9,"moves":["1"],"by":"person"}}'
    await store.log.append(table, version, [poison])
    store.close()
    with serving(tmp_path) as served:
        url = f"{served.address}/api/tables/{table}"
        async with httpx.AsyncClient() as http:
            told = await asyncio.to_thread(
                CliRunner().invoke,
                games,
                ["export", "-", "--data", str(tmp_path), "--table", table, "--log"],
            )
            assert told.exit_code == 0
            assert told.output.splitlines()[version] == poison.decode()
            token = {"authorization": f"Bearer {(tmp_path / TOKEN_FILE).read_text().strip()}"}
            close = f"{served.address}/api/operator/tables/{table}/close"
            before = await http.post(f"{url}/join", json={}, headers=ana.bearer)
            assert (before.status_code, before.json()["code"]) == (503, "stopped")
            assert (await http.post(close, headers=token)).status_code == 204
            after = await http.post(f"{url}/join", json={}, headers=ana.bearer)
            assert (after.status_code, after.json()["code"]) == (410, "closed")
    with serving(tmp_path) as served:
        url = f"{served.address}/api/tables/{table}"
        async with httpx.AsyncClient() as http:
            after = await http.post(f"{url}/join", json={}, headers=ana.bearer)
            assert (after.status_code, after.json()["code"]) == (410, "closed")
            close = f"{served.address}/api/operator/tables/{table}/close"
            assert (await http.post(close, headers=token)).status_code == 204


PROMETHEUS = Path(__file__).parent.parent.parent / "docs" / "prometheus"


async def test_every_number_of_the_dashboard_and_the_alerts_is_served(tmp_path: Path) -> None:
    board = json.loads((PROMETHEUS / "dashboard.json").read_text())
    rules = yaml.safe_load((PROMETHEUS / "alerts.yml").read_text())["groups"][0]["rules"]
    asked = [target["expr"] for panel in board["panels"] for target in panel["targets"]]
    asked += [rule["expr"] for rule in rules]
    named = {name for expression in asked for name in re.findall(r"\bkarma_\w+", expression)}
    with serving(tmp_path) as served:
        ana = await (await Stranger(served.address, "Ana").come()).open(edition="mini")
        await ana.connect()
        await ana.http.get("/api/tables/nonsense")
        registry = CollectorRegistry()
        access, state = served.access, served.app.state
        registry.register(ServerMetrics(access.settings, access, state.connections, state.push))
        text = generate_latest(registry).decode()
    families = list(text_string_to_metric_families(text))
    shown = {sample.name for family in families for sample in family.samples}
    shown |= {family.name + "_total" * (family.type == "counter") for family in families}
    assert named <= shown and len(named) > 10
    every = {family.name for family in families}
    assert every <= {re.sub("_(total|bucket|count)$", "", name) for name in named}


async def test_who_is_banned_is_not_let_in(tmp_path: Path) -> None:
    banned = tmp_path / "banned"
    banned.write_text("192.0.2.0/24  # a network\n127.0.0.3\n")
    with serving(tmp_path / "data", banned=banned, proxies="127.0.0.1") as served:
        ana = await Stranger(served.address, "Ana").come()
        for address, status in (("192.0.2.7", 403), ("198.51.100.7", 200), ("unknown", 200)):
            answer = await ana.http.get("/api/health", headers={"x-forwarded-for": address})
            assert answer.status_code == status
        with closing(dial(served.address, "127.0.0.3")) as raw:
            raw.sendall(get("/api/health"))
            assert b" 503 " in await asyncio.to_thread(raw.recv, 4096)
        player = (await ana.get("/api/player"))["player"]
        banned.write_text(f"{player}\n")
        await served.access.look_at_bans()
        answer = await ana.http.get("/api/player", headers=ana.bearer)
        assert (answer.status_code, answer.json()["code"]) == (403, "not_allowed")
        banned.write_text("")
        await served.access.look_at_bans()
        assert (await ana.http.get("/api/player", headers=ana.bearer)).status_code == 200


def test_a_list_that_cannot_be_read_is_said(tmp_path: Path) -> None:
    with pytest.raises(WrongSetting, match=r"cannot read .*nowhere: No such file"):
        Bans(tmp_path / "nowhere")


class ClockAhead(WallClock):
    """The real time, some hours from now."""

    hours = 0.0

    def date(self) -> int:
        return super().date() + round(self.hours * 3_600_000)


async def test_copies_are_made_by_the_clock_and_the_oldest_deleted(tmp_path: Path) -> None:
    clock, folder = ClockAhead(), tmp_path / "copies"
    settings = ServerSettings(data=tmp_path / "data", backups=folder, backups_kept=2)
    (folder / "of somebody").mkdir(parents=True)
    store = SqliteStore(settings.data, clock)
    backups = Backups(settings, clock)
    made = []
    for hours in (0, 1, 25, 26, 50, 75):
        await store.log.append("a", hours and len(made), [b"%d" % hours])
        made.append(hours)
        clock.hours = hours
        await backups.keep()
    store.close()
    copies = sorted(each for each in folder.iterdir() if each.name != "of somebody")
    assert len(copies) == 2 and (folder / "of somebody").is_dir()
    assert [each.stat().st_mode & 0o777 for each in copies] == [0o700, 0o700]
    copy = SqliteStore(copies[-1], clock)
    assert await copy.log.read("a") == [b"%d" % hours for hours in made]
    copy.close()
