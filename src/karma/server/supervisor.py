"""Supervisor: several workers on one port of this machine; one that ends is started anew.

Whoever connects is taken by any of them. To stop one (SIGTERM) is to drain it: its people come back
to the others, and what it looked after is theirs.
"""

import multiprocessing
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from multiprocessing.connection import wait
from multiprocessing.process import BaseProcess

from karma.clock import WallClock
from karma.server.operator import operator_token
from karma.server.settings import ServerSettings
from karma.store.location import open_store

AGAIN_SECONDS = 1.0
STOP_SECONDS = 15.0


def supervise(
    settings: ServerSettings, bound: socket.socket, ready: Callable[[ServerSettings], None]
) -> None:
    """Runs the workers until it is told to stop; calls `ready` when the first of them listens."""
    operator_token(settings.data)  # made once, and not by all of them
    open_store(settings.data, settings.database, WallClock()).close()  # says what is wrong in time
    context = multiprocessing.get_context("spawn")
    listening = context.Event()
    running: dict[int, BaseProcess] = {}

    def start(number: int) -> None:
        running[number] = context.Process(
            target=_work, args=(settings, bound, number, listening), name=f"worker {number}"
        )
        running[number].start()

    def stop(number: int, frame: object) -> None:
        sys.exit(0)

    signal.signal(signal.SIGTERM, stop)
    try:
        for number in range(settings.workers):
            start(number)
        while not listening.wait(0.1) and any(each.is_alive() for each in running.values()):
            pass
        if listening.is_set():
            ready(settings)
        while True:
            wait([each.sentinel for each in running.values()])
            time.sleep(AGAIN_SECONDS)
            for number, process in list(running.items()):
                if not process.is_alive():
                    start(number)
    except KeyboardInterrupt:
        pass
    finally:
        _end(list(running.values()))


def _end(processes: list[BaseProcess]) -> None:
    for each in processes:
        each.terminate()
    until = time.monotonic() + STOP_SECONDS
    for each in processes:
        each.join(max(0.0, until - time.monotonic()))
        if each.is_alive():
            each.kill()
            each.join()


def _work(
    settings: ServerSettings, bound: socket.socket, number: int, listening: threading.Event
) -> None:
    """One worker; it does not outlive its supervisor."""
    from karma.server.process import serve_on

    threading.Thread(target=_follow, daemon=True).start()
    if settings.metrics_port is not None:
        settings = replace(settings, metrics_port=settings.metrics_port + number)
    serve_on(bound, settings, lambda settled: listening.set())


def _follow() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os.kill(os.getpid(), signal.SIGTERM)
