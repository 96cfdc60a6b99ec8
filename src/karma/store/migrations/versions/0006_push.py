"""Push: the browsers to be told, each with its keys, and the server's own key."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Makes the subscriptions anew, which nothing has used so far, and a place for keys."""
    op.drop_table("subscriptions")
    op.create_table(
        "subscriptions",
        sa.Column("endpoint", sa.Text, primary_key=True),
        sa.Column("player", sa.Text, nullable=False),
        sa.Column("p256dh", sa.Text, nullable=False),
        sa.Column("auth", sa.Text, nullable=False),
        sa.Column("made", sa.BigInteger().with_variant(sa.Integer, "sqlite"), nullable=False),
    )
    op.create_index("subscriptions_by_player", "subscriptions", ["player"])
    op.create_table(
        "keys",
        sa.Column("name", sa.Text, primary_key=True),
        sa.Column("secret", sa.Text, nullable=False),
        sa.Column("public", sa.Text, nullable=False),
    )
