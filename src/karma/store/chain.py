"""The chain of a log: every entry carries the hash of the one before, so that a change shows."""

import hashlib
import sqlite3
from collections.abc import Iterator

FIRST_HASH = bytes(32)


def chained(before: bytes, table: str, number: int, body: bytes) -> bytes:
    """The hash of an entry: of the one before it, its place, and itself."""
    name = table.encode()
    head = before + len(name).to_bytes(2, "big") + name + number.to_bytes(8, "big")
    return hashlib.sha256(head + body).digest()


def last_link(database: sqlite3.Connection, table: str) -> tuple[int, bytes]:
    """The number and the hash of a table's last entry."""
    row = database.execute(
        "SELECT seq, hash FROM events WHERE tbl = ? ORDER BY seq DESC LIMIT 1", (table,)
    ).fetchone()
    return (0, FIRST_HASH) if row is None else (row[0], row[1])


def broken_links(database: sqlite3.Connection) -> Iterator[tuple[str, int]]:
    """The entries, as table and number, at which a log is not what was written."""
    table, expected, digest, told = None, 1, FIRST_HASH, False
    for tbl, seq, body, kept in database.execute(
        "SELECT tbl, seq, body, hash FROM events ORDER BY tbl, seq"
    ):
        if tbl != table:
            table, expected, digest, told = tbl, 1, FIRST_HASH, False
        if not told and (seq != expected or chained(digest, tbl, seq, body) != kept):
            told = True  # what follows hangs on this one
            yield tbl, seq
        expected, digest = seq + 1, kept
