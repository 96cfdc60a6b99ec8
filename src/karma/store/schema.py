"""The database's schema: brought up to date by migrations before anybody writes."""

import sqlite3
from contextlib import closing
from pathlib import Path

MIGRATIONS = Path(__file__).with_name("migrations")


def migrate(path: Path) -> None:
    """Makes the database, or brings an older one up to this version."""
    if _version(path) == max(file.name[:4] for file in MIGRATIONS.glob("versions/[0-9]*.py")):
        return  # and a quick start: the tools below take a second to load
    from alembic import command
    from alembic.config import Config
    from sqlalchemy import create_engine
    from sqlalchemy.pool import NullPool

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    engine = create_engine(f"sqlite:///{path}", poolclass=NullPool)
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "head")


def _version(path: Path) -> str | None:
    if not path.exists():
        return None
    with closing(sqlite3.connect(path)) as database:
        try:
            row = database.execute("SELECT version_num FROM alembic_version").fetchone()
        except sqlite3.OperationalError:  # no such table: a database of ours that is empty yet
            return None
    return row[0] if row is not None else None
