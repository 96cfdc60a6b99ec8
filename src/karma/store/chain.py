"""The chain of a log: every entry carries the hash of the one before, so that a change shows."""

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

FIRST_HASH = bytes(32)


def chained(before: bytes, table: str, number: int, body: bytes) -> bytes:
    """The hash of an entry: of the one before it, its place, and itself."""
    name = table.encode()
    head = before + len(name).to_bytes(2, "big") + name + number.to_bytes(8, "big")
    return hashlib.sha256(head + body).digest()


def breaks(entries: Iterable[Sequence[Any]]) -> Iterator[tuple[str, int]]:
    """The entries, as table and number, at which a log is not what was written.

    Takes table, number, body and hash of all entries, those of a table together and in order.
    """
    table, expected, digest, told = None, 1, FIRST_HASH, False
    for tbl, seq, body, kept in entries:
        if tbl != table:
            table, expected, digest, told = tbl, 1, FIRST_HASH, False
        if not told and (seq != expected or chained(digest, tbl, seq, body) != kept):
            told = True  # what follows hangs on this one
            yield tbl, seq
        expected, digest = seq + 1, kept
