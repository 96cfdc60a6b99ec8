"""Migration: the database's schema is brought up to date before anybody writes."""

from pathlib import Path

from sqlalchemy import Connection, inspect, text

MIGRATIONS = Path(__file__).with_name("migrations")


def migrate(connection: Connection) -> None:
    """Makes the schema, or brings an older one up to this version, in the caller's transaction."""
    newest = max(file.name[:4] for file in MIGRATIONS.glob("versions/[0-9]*.py"))
    if (_version(connection) or "") >= newest:
        # A quick start: the tools below take their time to load. A schema that a newer version made
        # will do too, for it is only ever added to: in an upgrade, old workers start beside new.
        return
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


def _version(connection: Connection) -> str | None:
    if not inspect(connection).has_table("alembic_version"):
        return None
    version: str | None = connection.scalar(text("SELECT version_num FROM alembic_version"))
    return version
