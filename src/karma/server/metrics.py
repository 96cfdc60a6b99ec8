"""Metrics: off by default, and for the machine itself only."""

from collections.abc import Iterator
from contextlib import contextmanager

from karma.server.access import Access
from karma.server.settings import ServerSettings


@contextmanager
def serve_metrics(settings: ServerSettings, access: Access) -> Iterator[None]:
    """Serves the numbers on the loopback address while the server runs, if the operator wants."""
    if settings.metrics_port is None:
        yield
        return
    from prometheus_client import CollectorRegistry, Gauge, start_http_server

    registry = CollectorRegistry()
    numbers = {
        "karma_tables": ("Tables in memory", lambda: len(access.tables.live)),
        "karma_sockets": ("Connected sockets", lambda: access.sockets),
        "karma_policy_reports": ("Reports of browsers", lambda: access.csp_reports),
    }
    for name, (what, value) in numbers.items():
        Gauge(name, what, registry=registry).set_function(value)
    server, thread = start_http_server(settings.metrics_port, "127.0.0.1", registry)
    try:
        yield
    finally:
        server.shutdown()
        thread.join()
