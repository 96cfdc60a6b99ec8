"""The heads of the logs, apart from them; addresses that nobody has confirmed are forgotten."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Makes the table, and takes the logs as they are."""
    op.create_table(
        "heads",
        sa.Column("tbl", sa.Text, primary_key=True),
        sa.Column("seq", sa.Integer, nullable=False),
        sa.Column("hash", sa.LargeBinary, nullable=False),
        sqlite_with_rowid=False,
    )
    op.execute("UPDATE players SET email = NULL")  # none of them was confirmed
    op.execute(
        "INSERT INTO heads (tbl, seq, hash) SELECT tbl, seq, hash FROM events AS newest"
        " WHERE seq = (SELECT max(seq) FROM events WHERE events.tbl = newest.tbl)"
    )
