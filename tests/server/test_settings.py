"""Settings: one class, and the flags, the variables, the file and the page made from it."""

import re
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from karma.cli import app
from karma.cli.errors import Failure
from karma.server.settings import ServerSettings, WrongSetting, flag, settle, table, variable

PAGE = Path(__file__).parents[2] / "docs" / "server.md"


def test_the_page_has_every_setting_as_it_is() -> None:
    assert f"\n{table()}\n" in PAGE.read_text(encoding="utf-8")


def test_every_setting_is_a_flag() -> None:
    shown = CliRunner().invoke(app, ["serve", "--help"]).output
    for each in fields(ServerSettings):
        assert f"{flag(each.name)} " in shown or f"{flag(each.name)}/" in shown
        assert variable(each.name) in shown


def test_a_flag_is_stronger_than_the_environment_and_that_than_the_file(tmp_path: Path) -> None:
    file = tmp_path / "karma.toml"
    file.write_text('port = 1\npace = 1\nretention = 1\nlimits = false\ndata = "here"\n')
    environment = {"KARMA_PORT": "2", "KARMA_PACE": "0.5", "KARMA_WEBHOOK": ""}
    settled = settle({"port": "3", "host": None}, environment, file)
    assert (settled.port, settled.pace, settled.retention) == (3, 0.5, 1)
    assert (settled.limits, settled.data, settled.webhook) == (False, Path("here"), None)
    assert settled.host == ServerSettings().host
    assert settle({}, {}, None) == ServerSettings()


@pytest.mark.parametrize(
    ("flags", "environment", "text", "said"),
    [
        ({"port": "many"}, {}, "", "--port is 'many'; it has to be a whole number from 0 to 65535"),
        ({}, {"KARMA_PORT": "70000"}, "", "KARMA_PORT is '70000'; it has to be a whole number"),
        ({}, {"KARMA_LIMITS": "maybe"}, "", "KARMA_LIMITS is 'maybe'; it has to be yes or no"),
        ({}, {"KARMA_PACE": "nan"}, "", "KARMA_PACE is 'nan'; it has to be a number, 0 or more"),
        ({"public_url": "karma.org"}, {}, "", "--public-url is 'karma.org'; it has to begin with"),
        ({}, {}, "processes = 1.5", "processes in FILE is 1.5; it has to be a whole number, 1 or"),
        ({}, {}, "processes = true", "processes in FILE is True; it has to be a whole number"),
        ({}, {}, "host = 5", "host in FILE is 5; it has to be a text"),
        ({}, {}, "colour = 5", "FILE sets 'colour', which is none of host, port"),
        ({}, {}, "port 5", "FILE is not TOML"),
        ({}, {}, "port = " + "9" * 5000, "FILE is not TOML"),
        ({}, {}, "port = " + "[" * 20_000, "FILE is not TOML"),
        ({}, {}, "port = 0x" + "f" * 5000, "port in FILE is too large a number; it has to be a"),
        ({}, {}, f"host = {['x' * 5000]}", f"host in FILE is ['{'x' * 78}…; it has to be a text"),
        ({}, {}, "pace = inf", "pace in FILE is inf; it has to be a number, 0 or more, and"),
        ({}, {}, "retention = 99999999999999999999", "retention in FILE is 99999999999999999999;"),
        ({}, {}, 'data = "a\\u0000b"', r"data in FILE is 'a\x00b'; it has to be a text without"),
        ({}, {"KARMA_HOST": "\udcff"}, "", "KARMA_HOST is '\\udcff'; it has to be a text without"),
        ({}, {}, 'mail_from = "a\\nBcc: b@c.de"', r"mail_from in FILE is 'a\nBcc: b@c.de'; it has"),
        ({}, {}, "smtp = 'ftp://x'", "smtp in FILE is 'ftp://x'; it has to begin with smtp://"),
        (
            {"webhook": "file:///x"},
            {},
            "",
            "--webhook is 'file:///x'; it has to begin with http://",
        ),
        ({"tracing": "gopher://x"}, {}, "", "--tracing is 'gopher://x'; it has to begin with http"),
    ],
)
def test_a_wrong_value_is_said_with_where_it_comes_from(
    tmp_path: Path, flags: dict[str, str], environment: dict[str, str], text: str, said: str
) -> None:
    file = tmp_path / "karma.toml"
    file.write_text(text)
    with pytest.raises(WrongSetting) as told:
        settle(flags, environment, file)
    assert str(told.value).replace(str(file), "FILE").startswith(said)
    assert "\n" not in str(told.value)


def test_a_file_that_is_not_there_is_a_line(tmp_path: Path) -> None:
    told = CliRunner().invoke(app, ["serve", "--settings", str(tmp_path / "nowhere")])
    assert isinstance(told.exception, Failure) or told.exit_code
    assert "cannot read" in f"{told.output} {told.exception}"


def test_an_operator_names_bots_of_other_people() -> None:
    from karma.bots import registry

    wrong = Path(__file__).parents[1] / "bots" / "wrong.py"
    text = f"first={wrong}:First,fails={wrong}:Failing:how=1"
    try:
        settle({"bot": text}, {}, None).register_bots()
        assert registry.REGISTERED.keys() == {"first", "fails"}
        assert registry.REGISTERED["fails"].options == {"how": 1}
    finally:
        registry.REGISTERED.clear()


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("mine", "--bot: 'mine' is not NAME=./bot.py:MyBot"),
        ("mine=greedy", "--bot: greedy has a name already"),
        ("greedy=./bot.py:MyBot", "--bot: there is a bot greedy already"),
        ("mine=./nowhere.py:MyBot", "--bot: there is no file nowhere.py"),
    ],
)
def test_a_bot_that_cannot_be_named_is_one_line(text: str, reason: str) -> None:
    with pytest.raises(WrongSetting, match=re.escape(reason)):
        settle({"bot": text}, {}, None).register_bots()


@pytest.mark.parametrize("given", [{"workers": 2}, {"redis": "redis://127.0.0.1"}])
def test_several_processes_need_a_database(given: dict[str, Any]) -> None:
    with pytest.raises(WrongSetting, match="needs --database: a SQLite file has one process alone"):
        ServerSettings(**given).check()


@pytest.mark.parametrize(
    ("proxies", "reason"),
    [
        ("127.0.0.1,x", "'x' does not appear to be an IPv4 or IPv6 network"),
        ("10.0.0.1/8", "10.0.0.1/8 has host bits set"),
        ("10.0.0.0/99", "'10.0.0.0/99' does not appear"),
    ],
)
def test_what_is_no_proxy_is_said(proxies: str, reason: str) -> None:
    with pytest.raises(WrongSetting, match=f"--proxies: {re.escape(reason)}"):
        ServerSettings(proxies=proxies).check()
    ServerSettings(proxies="127.0.0.1, 10.0.0.0/8, ::1").check()
