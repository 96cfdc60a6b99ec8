"""A real server, a real browser, and people in it, for `make browser`; other runs pass it over."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, sync_playwright

from browser.guests import Guest
from karma.server.static_files import FOLDER

START_SECONDS = 900  # the first start compiles the rules
TEST_SECONDS = 900  # a whole game on a busy machine
HERE = Path(__file__).parent


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Only who asks for these tests by name has a browser and a built table."""
    asked = any("browser" in str(argument) for argument in config.args)
    return None if asked else True


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The first test is not to pay for the server's start."""
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.timeout(TEST_SECONDS, func_only=True))


class Server:
    """A server as a process of its own, which can be killed and started again."""

    def __init__(self, data: Path, pace: float = 0.02, *options: str) -> None:
        self._pace = pace
        self._options = options
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.data = data
        self.address = f"http://127.0.0.1:{self.port}"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start and wait until it answers."""
        karma = Path(sys.executable).with_name("karma")
        options = [
            "--port",
            str(self.port),
            "--data",
            str(self.data),
            "--pace",
            str(self._pace),
            "--no-limits",
            *self._options,
        ]
        self._process = subprocess.Popen(
            [str(karma), "serve", *options], stdout=subprocess.DEVNULL, start_new_session=True
        )
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline:
            try:
                with urllib.request.urlopen(f"{self.address}/api/health", timeout=2):
                    return
            except (urllib.error.URLError, OSError):
                time.sleep(0.1)
        raise TimeoutError("the server did not start")

    def kill(self) -> None:
        """Stop it as a power cut would."""
        if self._process is not None:
            os.killpg(self._process.pid, signal.SIGKILL)  # with the processes that think
            self._process.wait()
            self._process = None


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The server, with the browser table built into it."""
    assert (FOLDER / "index.html").exists(), "build the browser table first: make web"
    server = Server(tmp_path_factory.mktemp("data"))
    server.start()
    yield server
    server.kill()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Debian's chromium."""
    path = shutil.which("chromium") or shutil.which("chromium-browser")
    assert path is not None, "there is no chromium: make services"
    with sync_playwright() as playwright:
        yield playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])


@pytest.fixture
def invite(server: Server, browser: Browser) -> Iterator[Any]:
    """Makes guests, each in a context of its own; at the end none may have complained."""
    contexts: list[BrowserContext] = []
    guests: list[Guest] = []

    def make(kind: type[Guest] = Guest, name: str = "Ana", **options: Any) -> Guest:
        options.setdefault("viewport", {"width": 360, "height": 640})
        options.setdefault("locale", "en-GB")
        context = browser.new_context(base_url=server.address, **options)
        contexts.append(context)
        guest = kind(context, name, server.address)
        guests.append(guest)
        return guest

    yield make
    complaints = [complaint for guest in guests for complaint in guest.complaints]
    for context in contexts:
        context.close()
    assert complaints == []
