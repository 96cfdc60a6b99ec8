"""Tracing: each request followed through its table, into the log or to an OpenTelemetry collector.

A trace's id is made of the table, the player and the request's own id, so that whoever has these
finds its lines. There are ids, numbers and times in it, and never a card.
"""

import hashlib
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Protocol

import structlog

from karma.server.settings import INTO_LOG, ServerSettings, WrongSetting, flag
from karma.table.trace import NoTrace, SpanName, Trace

SPAN_PATH = "/v1/traces"

log = structlog.get_logger()
_current: ContextVar[str | None] = ContextVar("trace", default=None)


class ServerTrace(Trace, Protocol):
    """A trace that has an end."""

    def close(self) -> None:
        """Sends what waits."""


def trace_id(ids: dict[str, str | int]) -> str:
    """The id of a request's trace, 32 digits."""
    text = " ".join(str(ids[name]) for name in ("table", "player", "request"))
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def make_trace(settings: ServerSettings) -> ServerTrace:
    """The trace that the settings ask for."""
    if settings.tracing is None:
        return Untraced()
    if settings.tracing == INTO_LOG:
        return LogTrace()
    try:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    except ImportError:
        raise WrongSetting(
            f"{flag('tracing')} needs an extra: pip install 'karma[tracing]'"
        ) from None
    return CollectorTrace(OTLPSpanExporter(settings.tracing.rstrip("/") + SPAN_PATH))


class Untraced(NoTrace):
    """No trace."""

    def close(self) -> None:
        """There is nothing to send."""


class LogTrace:
    """A line of the log for each span."""

    @contextmanager
    def span(self, name: SpanName, **ids: str | int) -> Iterator[None]:
        outer = _current.get()
        trace = trace_id(ids) if name == "request" else outer
        token = _current.set(trace)
        began = time.perf_counter()
        try:
            yield
        finally:
            _current.reset(token)
            milliseconds = round((time.perf_counter() - began) * 1000, 3)
            log.info(name, trace=trace, **ids, milliseconds=milliseconds)

    def close(self) -> None:
        """Every line is written already."""


class CollectorTrace:
    """Spans of OpenTelemetry, sent by a thread of its own."""

    def __init__(self, exporter: Any) -> None:
        from opentelemetry.sdk.resources import Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor

        self._provider = TracerProvider(
            resource=Resource.create({"service.name": "karma"}), shutdown_on_exit=False
        )
        self._provider.add_span_processor(BatchSpanProcessor(exporter))
        self._tracer = self._provider.get_tracer("karma")

    @contextmanager
    def span(self, name: SpanName, **ids: str | int) -> Iterator[None]:
        attributes = {f"karma.{key}": value for key, value in ids.items()}
        parent = _beginning(trace_id(ids)) if name == "request" else None
        with self._tracer.start_as_current_span(
            name, context=parent, attributes=attributes, record_exception=False
        ):
            yield

    def close(self) -> None:
        self._provider.shutdown()


def _beginning(trace: str) -> Any:
    """A context in which the next span belongs to a trace of this id."""
    from opentelemetry.trace import (
        NonRecordingSpan,
        SpanContext,
        TraceFlags,
        set_span_in_context,
    )

    number = int(trace, 16)
    sampled = TraceFlags(TraceFlags.SAMPLED)
    context = SpanContext(number, number >> 64 or 1, is_remote=True, trace_flags=sampled)
    return set_span_in_context(NonRecordingSpan(context))
