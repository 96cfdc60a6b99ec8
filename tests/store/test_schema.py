"""The schema: migrations end at exactly what is defined."""

from pathlib import Path

from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import create_engine
from sqlalchemy.pool import NullPool

from karma.clock import WallClock
from karma.store.schema import METADATA
from karma.store.sqlite import SqliteStore


def test_migrations_end_at_the_schema_as_it_is_defined(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path, WallClock())
    with create_engine(f"sqlite:///{store.path}", poolclass=NullPool).connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, METADATA) == []
    store.close()
