"""The database's schema: brought up to date by migrations before anybody writes."""

from pathlib import Path

from alembic import command
from alembic.config import Config
from sqlalchemy import create_engine
from sqlalchemy.pool import NullPool

MIGRATIONS = Path(__file__).with_name("migrations")


def migrate(path: Path) -> None:
    """Makes the database, or brings an older one up to this version."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    engine = create_engine(f"sqlite:///{path}", poolclass=NullPool)
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "head")
