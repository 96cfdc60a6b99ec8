"""A real server that kills itself at a marked point.

Called as `crashing_server.py PORT FOLDER POINT COUNT [DATABASE]`.

The points: `before_commit`, `after_commit` (and before the ack), `after_ack` (and before the others
are told), `never`. COUNT is how many times the point is passed unharmed.
"""

import os
import signal
import sys
from pathlib import Path
from typing import Any

from karma.clock import WallClock
from karma.server.app import make_app
from karma.server.outbox import SocketOutbox
from karma.server.process import make_server, set_up_logs
from karma.server.settings import ServerSettings
from karma.store.location import open_store
from karma.store.sql_store import KeptLog
from karma.table import Inline
from karma.table.bots.pool import warm_up

port, folder, point, left = int(sys.argv[1]), Path(sys.argv[2]), sys.argv[3], int(sys.argv[4])
database = sys.argv[5] if len(sys.argv) > 5 else None


def pass_by(here: str) -> None:
    """Dies at the marked point, the last time."""
    global left
    if here == point:
        left -= 1
        if left < 0:
            os.kill(os.getpid(), signal.SIGKILL)


append = KeptLog.append


async def crash_around(self: KeptLog, *arguments: Any) -> None:
    pass_by("before_commit")
    await append(self, *arguments)
    pass_by("after_commit")


send_text = SocketOutbox._transmit


async def transmit(self: SocketOutbox, text: bytes) -> None:
    await send_text(self, text)
    if text.startswith(b'{"type":"ack"'):
        pass_by("after_ack")


KeptLog.append = crash_around  # type: ignore[method-assign]
SocketOutbox._write = lambda self, text: False  # type: ignore[method-assign]
SocketOutbox._transmit = transmit  # type: ignore[method-assign]

if __name__ == "__main__":
    set_up_logs()
    warm_up()
    settings = ServerSettings(port=port, data=folder, pace=0.0, limits=False)
    store = open_store(folder, database, WallClock())
    make_server(settings, make_app(settings, store, WallClock(), Inline())).run()
