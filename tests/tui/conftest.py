"""An application with a home of its own, without animation."""

import pytest

from karma.tui.app import KarmaApp
from karma.tui.home import Home, Plan


@pytest.fixture
def home(tmp_path):
    return Home(tmp_path / "home")


@pytest.fixture
def open_app(home):
    """Makes an application; a second one has the same home."""

    def make(plan=None, **options):
        options = {"speed": "off", "language": "en", "colours": 256, **options}
        return KarmaApp(home, plan=plan, **options)

    return make


@pytest.fixture
def mini():
    return Plan("mini", {}, "Ana", ["greedy"], 7)
