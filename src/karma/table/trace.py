"""Trace: the port by which somebody can follow a request through a table.

A span has ids and numbers alone: which table, which request, which entry. No card comes here.
"""

from contextlib import AbstractContextManager, nullcontext
from typing import Literal, Protocol

SpanName = Literal["request", "append", "tell"]


class Trace(Protocol):
    """Takes the spans of a table: a request, and in it the storing of entries and the telling."""

    def span(self, name: SpanName, **ids: str | int) -> AbstractContextManager[None]:
        """Something that begins now, and ends with the block."""


class NoTrace:
    """Nobody follows: one object for all spans, and nothing to do."""

    _NOTHING = nullcontext()

    def span(self, name: SpanName, **ids: str | int) -> AbstractContextManager[None]:
        return self._NOTHING
