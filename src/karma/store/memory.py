"""Logs of one machine's own games: in memory, or in memory and a file of lines."""

from collections.abc import Sequence
from pathlib import Path

from karma.store import Conflict, Finished, Listing, StoreError


class MemoryLog:
    """Logs in memory, and the finished games beside them."""

    def __init__(self) -> None:
        self.logs: dict[str, list[bytes]] = {}
        self.finished: list[Finished] = []

    async def append(
        self,
        table: str,
        after: int,
        entries: Sequence[bytes],
        finished: Sequence[Finished] = (),
        listing: Listing | None = None,
        parts_changed: bool = True,
    ) -> None:
        """Keeps the entries; Conflict if others are there already."""
        log = self.logs.setdefault(table, [])
        if len(log) != after:
            raise Conflict(f"the log has {len(log)} entries, not {after}")
        self._keep(entries)
        log += entries
        self.finished += finished

    async def read(self, table: str, after: int = 0) -> list[bytes]:
        """The entries of a table after the first `after` ones."""
        return list(self.logs.get(table, ())[after:])

    def _keep(self, entries: Sequence[bytes]) -> None:
        """Makes the entries last longer than the process, where that is wanted."""


class FileLog(MemoryLog):
    """The log of one table, an entry a line, in a file that survives the program's end."""

    def __init__(self, path: Path, table: str) -> None:
        super().__init__()
        self._path = path
        try:
            text = path.read_bytes()
        except FileNotFoundError:
            text = b""
        except OSError as error:
            raise StoreError(f"cannot read {path}: {error.strerror}") from None
        whole = text[: text.rfind(b"\n") + 1]
        if whole != text:  # the program was killed in the middle of a line
            path.write_bytes(whole)
        self.logs[table] = whole.splitlines()

    def _keep(self, entries: Sequence[bytes]) -> None:
        try:
            with self._path.open("ab") as file:
                file.write(b"".join(entry + b"\n" for entry in entries))
        except OSError as error:
            raise StoreError(f"cannot write {self._path}: {error.strerror}") from None
