"""What several processes on one database have to know of each other; codes for other devices."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"

MILLISECONDS = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    """Makes the tables."""
    op.create_table(
        "workers",
        sa.Column("worker", sa.Text, primary_key=True),
        sa.Column("expires", MILLISECONDS, nullable=False),
    )
    op.create_table(
        "leases",
        sa.Column("tbl", sa.Text, primary_key=True),
        sa.Column("owner", sa.Text, nullable=False),
        sa.Column("epoch", sa.Integer, nullable=False),
    )
    op.create_index("leases_by_owner", "leases", ["owner"])
    op.create_table(
        "presence",
        sa.Column("tbl", sa.Text, primary_key=True),
        sa.Column("player", sa.Text, primary_key=True),
        sa.Column("worker", sa.Text, nullable=False),
    )
    op.create_index("presence_by_worker", "presence", ["worker"])
    op.create_table(
        "said",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("tbl", sa.Text, nullable=False),
        sa.Column("worker", sa.Text, nullable=False),
        sa.Column("at", MILLISECONDS, nullable=False),
        sa.Column("body", sa.LargeBinary, nullable=False),
    )
    op.create_index("said_by_table", "said", ["tbl", "at"])
    op.create_table(
        "codes",
        sa.Column("hash", sa.LargeBinary, primary_key=True),
        sa.Column("tbl", sa.Text, nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("owner", sa.Text, nullable=False),
        sa.Column("expires", MILLISECONDS, nullable=False),
    )
