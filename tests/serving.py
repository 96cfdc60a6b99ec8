"""A server for tests: the real application on real sockets, in a thread of the test's process."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

from databases import store_in
from karma.clock import Clock, WallClock
from karma.server.app import make_app
from karma.server.process import make_server
from karma.server.settings import ServerSettings
from karma.store.sql_store import SqlStore
from karma.table import Inline
from karma.table.bots.pool import warm_up


class Served:
    """A running server, and what a test may look at behind its back."""

    def __init__(self, address: str, folder: Path, access: Any, store: SqlStore, app: Any) -> None:
        self.address = address
        self.folder = folder
        self.access = access
        self.store = store
        self.app = app


_warm_up = cache(warm_up)


@contextmanager
def serving(
    folder: Path, thinker: Any = None, clock: Clock | None = None, **settings: Any
) -> Iterator[Served]:
    """Serves from a folder until the test is done with it."""
    chosen = ServerSettings(**{"port": 0, "data": folder, "pace": 0.0, "limits": False, **settings})
    clock = clock or WallClock()
    _warm_up()  # as a server does at its start: compiling holds up everything else
    store = store_in(folder, clock)
    app = make_app(chosen, store, clock, thinker or Inline())
    server = make_server(chosen, app)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    try:
        while not server.started:
            assert thread.is_alive(), "the server did not start"
            time.sleep(0.01)
        port = server.servers[0].sockets[0].getsockname()[1]
        yield Served(f"http://127.0.0.1:{port}", folder, app.state.access, store, app)
    finally:
        server.should_exit = True
        thread.join(10)
        store.close()
