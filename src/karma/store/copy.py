"""Copy: everything that is kept, from one database into another, empty one of either kind."""

from sqlalchemy import Connection, func, insert, select

from karma.store import StoreError
from karma.store.schema import CODES, LEASES, METADATA, PRESENCE, SAID, WORKERS

OF_THE_MOMENT = (WORKERS, LEASES, PRESENCE, SAID, CODES)
KEPT = tuple(table for table in METADATA.tables.values() if table not in OF_THE_MOMENT)
ROWS = 1000


def copy_all(source: Connection, target: Connection) -> dict[str, int]:
    """Copies every row, in the caller's transactions; returns how many of what there were."""
    for table in KEPT:
        if target.execute(select(table).limit(1)).first() is not None:
            raise StoreError(f"there is something in it already: {table.name}")
    counts = {}
    for table in KEPT:
        columns = [column.name for column in table.c]
        found = source.execution_options(yield_per=ROWS).execute(select(table))
        for rows in found.partitions():
            target.execute(insert(table), [dict(zip(columns, row, strict=True)) for row in rows])
        counts[table.name] = source.scalar(select(func.count()).select_from(table)) or 0
        kept = target.scalar(select(func.count()).select_from(table))
        if kept != counts[table.name]:
            raise StoreError(f"{kept} of {counts[table.name]} rows of {table.name} were copied")
    return counts
