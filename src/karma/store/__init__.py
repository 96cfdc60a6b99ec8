"""The store: where tables' logs, and what else a server keeps, last; `ports` is the whole of it.

`(table, number)` is the key of an entry: of two writers of one table the second fails, whatever the
database. An entry is kept for good when `append` returns, and not before.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from msgspec import Struct

from karma.record import Record


class StoreError(Exception):
    """The store cannot write or read at the moment; nothing of the request was kept."""


class Damaged(StoreError):
    """What is kept is not what was written: it is shown to nobody, and nothing is added to it."""


class Conflict(StoreError):
    """Somebody else has written to this table: whoever sees this is not its owner any more."""


@dataclass(frozen=True)
class Finished:
    """A game that has ended, as it is kept: its record, and who sat where."""

    game: int
    record: Record
    players: tuple[str | None, ...]
    """The public ids of the people, by seat; None for bots."""
    rated: bool
    complete: bool
    """False for a game that was given up."""


class Listing(Struct, frozen=True):
    """What is known of a table without replaying its log: for lists, invites and wake-ups."""

    phase: str
    public: bool
    edition: str
    rules: Mapping[str, bool | int | str]
    clock: str
    invite: str
    names: tuple[str, ...]
    players: tuple[tuple[str, int | None], ...]
    """The public ids of the people here, with their seats; None for those who watch."""
    asked: tuple[str, ...]
    """The public ids of those whose decision the table waits for."""
    most_players: int
    spectators: bool


class LogPort(Protocol):
    """A log for each table."""

    async def append(
        self,
        table: str,
        after: int,
        entries: Sequence[bytes],
        finished: Sequence[Finished] = (),
        listing: Listing | None = None,
        parts_changed: bool = True,
    ) -> None:
        """Keeps entries after the first `after` ones, and what they changed; all or nothing.

        `parts_changed` says whether others may have a part at the table than before.
        """

    async def read(self, table: str, after: int = 0) -> list[bytes]:
        """The entries of a table after the first `after` ones, in order."""
