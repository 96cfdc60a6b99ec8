"""TableLog: the entries of one table in the store, and the state after them.

What is new is applied to a copy of the state, which takes its place when the store has the entries.
If the store does not take them, nothing has happened.
"""

import asyncio
from collections import deque

import msgspec
from msgspec import UNSET, UnsetType

from karma.clock import Clock
from karma.protocol.state import Happening
from karma.refusals import Refusal
from karma.store import Conflict, Finished, Listing, LogPort, StoreError
from karma.table.log.entry import Entry
from karma.table.log.envelope import Envelope, decode, encode
from karma.table.log.host import Closed
from karma.table.log.state import TableState

AT_ONCE = 200
"""So many entries of a long log are applied before others have their turn."""
ANOTHER_TIME = 1000
"""Milliseconds by which two clocks may differ and still tell the same time."""


class BrokenLog(Exception):
    """A log that cannot be gone on with: an entry does not apply."""


class Behind(Exception):
    """Another process has added to the log: first it has to be caught up with."""


class TableLog:
    """What is true of a table, and the only way to add to it."""

    def __init__(self, table: str, store: LogPort, remembered: int) -> None:
        self.state = TableState(table, steps=deque(maxlen=remembered))
        self._store = store
        self._listed: Listing | None = None

    async def replay(self) -> bool:
        """Applies what the store has of the table; False if it has nothing."""
        lines = await self._store.read(self.state.id)
        try:
            for number, line in enumerate(lines, start=1):
                self.state.apply(decode(line))
                if not number % AT_ONCE:
                    await asyncio.sleep(0)  # a long log keeps nobody else waiting
        except Exception as error:
            if _ends(lines[-1]):
                self.state.phase = "closed"
            raise BrokenLog(f"entry {self.state.version} of {self.state.id}") from error
        return bool(lines)

    async def catch_up(self) -> list[Happening]:
        """Applies what other processes have added; tells what happened."""
        try:
            lines = await self._store.read(self.state.id, self.state.version)
        except StoreError:
            raise Refusal("not_stored") from None
        if not lines:
            return []
        after = self.state.copy()
        try:
            happened = [after.apply(decode(line))[0] for line in lines]
        except Exception as error:
            raise BrokenLog(f"entry {after.version} of {after.id}") from error
        self.state, self._listed = after, after.listing()  # as the others keep it
        return happened

    async def close_broken(self, clock: Clock) -> None:
        """Has a log that cannot be gone on with end, behind whatever is wrong in it."""
        lines = await self._store.read(self.state.id)
        (end,) = _envelopes([Closed()], clock, None)
        closed = msgspec.structs.replace(self.state.listing(), phase="closed")
        await self._store.append(self.state.id, len(lines), [encode(end)], [], closed)
        self.state.phase = "closed"

    async def append(
        self, new: list[Entry], clock: Clock, asked: tuple[str, str] | None
    ) -> tuple[list[Happening], list[Finished]]:
        """Stores entries, then applies them; tells what happened and the games that ended by it."""
        envelopes = _envelopes(new, clock, asked)
        after = self.state.copy()
        try:
            steps = [after.apply(envelope) for envelope in envelopes]
        except Exception as error:
            raise BrokenLog(f"entry {after.version} of {after.id}") from error
        finished = [game for _, game in steps if game is not None]
        await self._store_entries(envelopes, finished, after.listing())
        self.state = after
        return [happening for happening, _ in steps], finished

    async def _store_entries(
        self, envelopes: list[Envelope], finished: list[Finished], listed: Listing
    ) -> None:
        """Has the store take entries and what they change of the lists, or refuses."""
        kept = self._listed
        news = listed if listed != kept else None
        parts_changed = kept is None or kept.players != listed.players
        lines = [encode(envelope) for envelope in envelopes]
        try:
            await self._store.append(
                self.state.id, self.state.version, lines, finished, news, parts_changed
            )
        except Conflict as error:
            raise Behind(str(error)) from None
        except StoreError:
            raise Refusal("not_stored") from None
        self._listed = listed


def _ends(line: bytes) -> bool:
    """Is this entry the end of its table?"""
    try:
        return isinstance(decode(line).entry, Closed)
    except msgspec.MsgspecError:
        return False


def _envelopes(new: list[Entry], clock: Clock, asked: tuple[str, str] | None) -> list[Envelope]:
    """The entries as they are kept; the last of them names who asked for all, by which request."""
    player, request = asked or (None, None)
    at, date = _times(clock)
    last = Envelope(at=at, entry=new[-1], player=player, action=request, date=date)
    return [*(Envelope(at=at, entry=entry, date=date) for entry in new[:-1]), last]


def _times(clock: Clock) -> tuple[int, int | UnsetType]:
    """The time for waiting, and the one to show if it is another."""
    at, date = clock.now(), clock.date()
    return at, date if abs(date - at) >= ANOTHER_TIME else UNSET
