"""Metrics: off by default, and for the machine itself only."""

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from karma.server.access import Access
from karma.server.connections import Connections
from karma.server.push import Push
from karma.server.settings import ServerSettings, WrongSetting, flag


class ServerMetrics:
    """The numbers of a running server, taken when somebody asks."""

    def __init__(
        self, settings: ServerSettings, access: Access, connections: Connections, push: Push
    ) -> None:
        self._settings = settings
        self._push = push
        self._access = access
        self._connections = connections

    def collect(self) -> Iterator[Any]:
        """Every number there is, in the words of Prometheus."""
        from prometheus_client.core import (
            CounterMetricFamily,
            GaugeMetricFamily,
            HistogramMetricFamily,
        )

        access, tables, shares = self._access, self._access.tables, self._access.tables.shares
        gauges: dict[str, tuple[str, float]] = {
            "karma_tables": ("Tables in memory", len(tables.live)),
            "karma_sockets": ("Connected sockets", access.sockets),
            "karma_connections": ("Open connections, sockets among them", len(self._connections)),
            "karma_unread_bytes": ("Bytes that wait to be read", self._connections.unread),
            "karma_bots_wait_seconds": ("How long a bot waits for its turn, about", shares.seconds),
            "karma_thinkers": ("Processes elsewhere that think for bots", shares.elsewhere),
            "karma_store_failing": ("Whether the last write failed", tables.store.failing),
            "karma_damaged_tables": ("Tables that are damaged", len(tables.damaged)),
            "karma_disk_free_bytes": (
                "Room on the disk",
                shutil.disk_usage(self._settings.data).free,
            ),
        }
        for name, (what, value) in gauges.items():
            yield GaugeMetricFamily(name, what, value=float(value))
        counters = {
            "karma_store_errors": ("Writes that failed", tables.store.errors),
            "karma_policy_reports": ("Reports of browsers", access.csp_reports),
        }
        for name, (what, value) in counters.items():
            yield CounterMetricFamily(name, what, value=float(value))
        waiting = GaugeMetricFamily("karma_bots_waiting", "Bots that wait", labels=["level"])
        for level, number in shares.queue.items():
            waiting.add_metric([level], float(number))
        yield waiting
        refused = CounterMetricFamily("karma_refused", "What was refused", labels=["why"])
        for why, number in (access.refused + self._connections.refused).items():
            refused.add_metric([why], float(number))
        yield refused
        pushes = CounterMetricFamily("karma_pushes", "Messages to browsers", labels=["fate"])
        for fate, number in self._push.told.items():
            pushes.add_metric([fate], float(number))
        yield pushes
        waits = access.waits
        yield HistogramMetricFamily(
            "karma_action_seconds",
            "From a request's arrival to its answer",
            buckets=[(str(most), number) for most, number in waits.buckets()],
            sum_value=waits.total,
        )


@contextmanager
def serve_metrics(
    settings: ServerSettings,
) -> Iterator[Callable[[Access, Connections, Push], None]]:
    """Serves the numbers on the loopback address while the server runs, if the operator wants.

    Gives what is to be called with the server when it is ready; its port is had, or not, at once.
    """
    if settings.metrics_port is None:
        yield lambda access, connections, push: None
        return
    from prometheus_client import CollectorRegistry, start_http_server

    registry = CollectorRegistry()
    try:
        server, thread = start_http_server(settings.metrics_port, "127.0.0.1", registry)
    except OSError as error:
        raise WrongSetting(
            f"{flag('metrics_port')} {settings.metrics_port} cannot be had: {error.strerror};"
            " choose another"
        ) from None
    try:
        yield lambda access, connections, push: registry.register(
            ServerMetrics(settings, access, connections, push)
        )
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
