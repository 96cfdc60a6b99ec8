"""Entry: one change of a table, and what it brings about.

Each kind of entry is a struct with what it does beside it, in `seats`, `games` or `host`; to define
one is to register it. A released entry is never changed, only added to with defaults: old logs must
replay for ever. Entries hold secrets (choices, the fair deal's secret); what players are told is
made by `clients.sight`.
"""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from karma.protocol.codes import NOTICES, NoticeCode, Parameter
from karma.protocol.state import Notice
from karma.store import Finished

if TYPE_CHECKING:
    from karma.table.log.state import TableState


@dataclass
class Step:
    """What one entry brings about."""

    at: int
    date: int
    """When that was, to show."""
    notices: list[Notice] = field(default_factory=list)
    events: list[Any] = field(default_factory=list)
    finished: Finished | None = None

    def notice(self, code: NoticeCode, **parameters: Parameter) -> None:
        """Tells that something happened at the table."""
        if tuple(parameters) != NOTICES[code]:
            raise TypeError(f"the notice {code} has {NOTICES[code]}, not {tuple(parameters)}")
        self.notices.append(Notice(code, parameters))

    def notice_of(
        self, state: "TableState", code: NoticeCode, seat: int, **parameters: Parameter
    ) -> None:
        """Tells that something happened to whoever sits in a seat."""
        self.notice(code, seat=seat, name=state.chairs[seat].name, **parameters)


class Entry(Struct, tag_field="entry", frozen=True, kw_only=True):
    """One change of a table."""

    def apply(self, state: "TableState", step: Step) -> None:
        """Changes the table's state, and tells what that brought about."""
        raise NotImplementedError
