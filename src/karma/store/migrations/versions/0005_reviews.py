"""Reviews of games, and the luck that people have received."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Makes the tables; what was played before is valued when there is time."""
    op.create_table(
        "reviews",
        sa.Column("tbl", sa.Text, primary_key=True),
        sa.Column("game", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("judge", sa.Text, nullable=False),
        sa.Column("review", sa.Text),
    )
    op.create_table(
        "luck",
        sa.Column("player", sa.Text, primary_key=True),
        sa.Column("edition", sa.Text, primary_key=True),
        sa.Column("games", sa.Integer, nullable=False),
        sa.Column("luck", sa.Float, nullable=False),
        sa.Column("squares", sa.Float, nullable=False),
    )
