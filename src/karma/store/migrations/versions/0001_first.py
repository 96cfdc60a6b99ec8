"""The first schema: logs, finished games, listings, players and their tokens."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

MILLISECONDS = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    """Makes the tables."""
    op.create_table(
        "events",
        sa.Column("tbl", sa.Text, primary_key=True),
        sa.Column("seq", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("body", sa.LargeBinary, nullable=False),
        sa.Column("hash", sa.LargeBinary, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "games",
        sa.Column("tbl", sa.Text, primary_key=True),
        sa.Column("game", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("edition", sa.Text, nullable=False),
        sa.Column("players", sa.Text, nullable=False),  # names, and public ids of the people
        sa.Column("loser", sa.Integer),
        sa.Column("places", sa.Text, nullable=False),
        sa.Column("plies", sa.Integer, nullable=False),
        sa.Column("complete", sa.Boolean, nullable=False),
        sa.Column("rated", sa.Boolean, nullable=False),
        sa.Column("ended", MILLISECONDS, nullable=False),
        sa.Column("record", sa.Text, nullable=False),
    )
    op.create_index("games_by_edition", "games", ["edition", "ended"])
    op.create_table(
        "tables",
        sa.Column("tbl", sa.Text, primary_key=True),
        sa.Column("phase", sa.Text, nullable=False),
        sa.Column("public", sa.Boolean, nullable=False),
        sa.Column("clock", sa.Text, nullable=False),
        sa.Column("invite", sa.Text, nullable=False, unique=True),
        sa.Column("touched", MILLISECONDS, nullable=False),
        sa.Column("listing", sa.Text, nullable=False),
    )
    op.create_index("tables_by_phase", "tables", ["phase", "public"])
    op.create_table(
        "parts",
        sa.Column("player", sa.Text, primary_key=True),
        sa.Column("tbl", sa.Text, primary_key=True),
        sa.Column("seat", sa.Integer),
    )
    op.create_index("parts_by_table", "parts", ["tbl"])
    op.create_table(
        "players",
        sa.Column("player", sa.Text, primary_key=True),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("email", sa.Text),
        sa.Column("made", MILLISECONDS, nullable=False),
    )
    op.create_table(
        "tokens",
        sa.Column("hash", sa.LargeBinary, primary_key=True),
        sa.Column("player", sa.Text, nullable=False),
    )
    op.create_table(
        "ratings",
        sa.Column("player", sa.Text, primary_key=True),
        sa.Column("edition", sa.Text, primary_key=True),
        sa.Column("played", sa.Integer, nullable=False),
        sa.Column("lost", sa.Integer, nullable=False),
        sa.Column("rated", sa.Integer, nullable=False),
        sa.Column("mu", sa.Float),
        sa.Column("sigma", sa.Float),
    )
