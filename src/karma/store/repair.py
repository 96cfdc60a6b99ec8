"""Repair: a damaged file is written anew, damaged tables as a backup has them."""

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from karma.store import StoreError
from karma.store.chain import FIRST_HASH, chained
from karma.store.schema import EVENTS, HEADS, METADATA, TABLES

Rows = list[tuple[Any, ...]]
_CHAIN = (EVENTS, HEADS)
_OF_TABLES = [each for each in METADATA.sorted_tables if "tbl" in each.c and each not in _CHAIN]
"""What is kept of a table beside its log."""


@dataclass
class Repaired:
    """What became of the tables."""

    kept: list[str] = field(default_factory=list)
    restored: list[str] = field(default_factory=list)
    """Their newest entries are those of the backup."""
    lost: list[str] = field(default_factory=list)
    """Damaged, and not in the backup either."""


def repair(damaged: Path, backup: Path, into: sqlite3.Connection) -> Repaired:
    """Copies what is whole, and from the backup what is not, into an empty database."""
    told = Repaired()
    with closing(_open(damaged)) as ours, closing(_open(backup)) as theirs:
        for each in METADATA.sorted_tables:
            if "tbl" not in each.c:  # people and what is counted of them
                for source in (ours, theirs):
                    _insert(into, each.name, _rows(source, each.name))
        for table in sorted(_tables(ours) | _tables(theirs)):
            entries = _log(ours, table)
            source, fate = ours, told.kept
            if entries is None:
                entries, source, fate = _log(theirs, table), theirs, told.restored
            if entries is None:
                told.lost.append(table)
                continue
            fate.append(table)
            _insert(into, EVENTS.name, entries)
            _insert(into, HEADS.name, [(table, len(entries), entries[-1][3])])
            for each in _OF_TABLES:
                rows = _rows(source, each.name, table) or _rows(theirs, each.name, table)
                _insert(into, each.name, rows)
    return told


def _open(path: Path) -> sqlite3.Connection:
    if not path.is_file():
        raise StoreError(f"there is no {path}")
    return sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)


def _tables(source: sqlite3.Connection) -> set[str]:
    """The ids of all tables, from wherever they can still be read."""
    found: set[str] = set()
    for name in (EVENTS.name, HEADS.name, TABLES.name):
        for order in ("ASC", "DESC"):
            found |= {
                row[0] for row in _some(source, f"SELECT tbl FROM {name} ORDER BY tbl {order}")
            }
    return found


def _log(source: sqlite3.Connection, table: str) -> Rows | None:
    """A table's entries; None if there are none, or if they are not what was written."""
    ask = "SELECT tbl, seq, body, hash FROM events WHERE tbl = ? ORDER BY seq"
    try:
        rows = source.execute(ask, (table,)).fetchall()
        heads = _some(source, "SELECT seq, hash FROM heads WHERE tbl = ?", table)
    except sqlite3.Error:
        return None
    digest = FIRST_HASH
    for number, (_, seq, body, kept) in enumerate(rows, start=1):
        digest = chained(digest, table, number, body)
        if seq != number or digest != kept:
            return None
    whole = bool(rows) and (not heads or heads[0] == (len(rows), digest))
    return rows if whole else None


def _rows(source: sqlite3.Connection, name: str, table: str | None = None) -> Rows:
    """What can be read of a relation, from both of its ends."""
    columns = ", ".join(column.name for column in METADATA.tables[name].columns)
    where, values = ("", ()) if table is None else (" WHERE tbl = ?", (table,))
    ask = f"SELECT {columns} FROM {name}{where}"
    return list(
        dict.fromkeys(
            _some(source, ask, *values) + _some(source, f"{ask} ORDER BY 1 DESC", *values)
        )
    )


def _some(source: sqlite3.Connection, ask: str, *values: Any) -> Rows:
    """The rows of an answer, as far as it comes."""
    rows: Rows = []
    try:
        for row in source.execute(ask, values):
            rows.append(row)
    except sqlite3.Error:
        pass
    return rows


def _insert(into: sqlite3.Connection, name: str, rows: Sequence[tuple[Any, ...]]) -> None:
    columns = [column.name for column in METADATA.tables[name].columns]
    marks = ", ".join("?" * len(columns))
    into.executemany(f"INSERT OR IGNORE INTO {name} ({', '.join(columns)}) VALUES ({marks})", rows)
