"""Profiles: how people are drawn, which games they played, and where they want to be told."""

import json

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Adds what is new, and looks up who played the games that are kept."""
    op.add_column("players", sa.Column("face", sa.Integer))
    op.add_column("players", sa.Column("colour", sa.Integer))
    played = op.create_table(
        "played",
        sa.Column("player", sa.Text, primary_key=True),
        sa.Column("tbl", sa.Text, primary_key=True),
        sa.Column("game", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("seat", sa.Integer, nullable=False),
    )
    op.create_index("played_by_table", "played", ["tbl"])
    op.create_table(
        "subscriptions",
        sa.Column("endpoint", sa.Text, primary_key=True),
        sa.Column("player", sa.Text, nullable=False),
        sa.Column("keys", sa.Text, nullable=False),
    )
    op.create_index("subscriptions_by_player", "subscriptions", ["player"])
    rows = op.get_bind().execute(sa.text("SELECT tbl, game, players FROM games")).all()
    there = [
        {"player": player, "tbl": table, "game": game, "seat": seat}
        for table, game, players in rows
        for seat, player in enumerate(json.loads(players)[1])
        if player is not None
    ]
    if there:
        op.get_bind().execute(sa.insert(played), there)
