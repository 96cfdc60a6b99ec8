"""The schema: what is kept, defined once, for every database.

Migrations (`migrations/versions`) bring databases of older versions to exactly this.
"""

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Float,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
)

METADATA = MetaData()
MILLISECONDS = BigInteger().with_variant(Integer, "sqlite")
"""Since 1970."""

EVENTS = Table(
    "events",
    METADATA,
    Column("tbl", Text, primary_key=True),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("body", LargeBinary, nullable=False),
    Column("hash", LargeBinary, nullable=False),
    sqlite_with_rowid=False,
)
"""The logs' entries; the key is what makes a second writer of a table fail."""

HEADS = Table(
    "heads",
    METADATA,
    Column("tbl", Text, primary_key=True),
    Column("seq", Integer, nullable=False),
    Column("hash", LargeBinary, nullable=False),
    sqlite_with_rowid=False,
)
"""The last entry of each log, apart from it: entries that were cut off at the end are missed."""

GAMES = Table(
    "games",
    METADATA,
    Column("tbl", Text, primary_key=True),
    Column("game", Integer, primary_key=True, autoincrement=False),
    Column("edition", Text, nullable=False),
    Column("players", Text, nullable=False),  # names, and public ids of the people, as JSON
    Column("loser", Integer),
    Column("places", Text, nullable=False),
    Column("plies", Integer, nullable=False),
    Column("complete", Boolean, nullable=False),
    Column("rated", Boolean, nullable=False),
    Column("ended", MILLISECONDS, nullable=False),
    Column("record", Text, nullable=False),
    Index("games_by_edition", "edition", "ended"),
)

TABLES = Table(
    "tables",
    METADATA,
    Column("tbl", Text, primary_key=True),
    Column("phase", Text, nullable=False),
    Column("public", Boolean, nullable=False),
    Column("clock", Text, nullable=False),
    Column("invite", Text, nullable=False, unique=True),
    Column("touched", MILLISECONDS, nullable=False),
    Column("listing", Text, nullable=False),
    Index("tables_by_phase", "phase", "public"),
)

PARTS = Table(
    "parts",
    METADATA,
    Column("player", Text, primary_key=True),
    Column("tbl", Text, primary_key=True),
    Column("seat", Integer),
    Index("parts_by_table", "tbl"),
)
"""Who has a part at which table: a seat, or none for those who watch."""

PLAYERS = Table(
    "players",
    METADATA,
    Column("player", Text, primary_key=True),
    Column("name", Text, nullable=False),
    Column("email", Text),
    Column("face", Integer),
    Column("colour", Integer),
    Column("made", MILLISECONDS, nullable=False),
)

PLAYED = Table(
    "played",
    METADATA,
    Column("player", Text, primary_key=True),
    Column("tbl", Text, primary_key=True),
    Column("game", Integer, primary_key=True, autoincrement=False),
    Column("seat", Integer, nullable=False),
    Index("played_by_table", "tbl"),
)
"""Who played which finished game."""

SUBSCRIPTIONS = Table(
    "subscriptions",
    METADATA,
    Column("endpoint", Text, primary_key=True),
    Column("player", Text, nullable=False),
    Column("p256dh", Text, nullable=False),
    Column("auth", Text, nullable=False),
    Column("made", MILLISECONDS, nullable=False),
    Index("subscriptions_by_player", "player"),
)
"""The browsers that want to be told when it is their player's turn, and the keys to do it with."""

KEYS = Table(
    "keys",
    METADATA,
    Column("name", Text, primary_key=True),
    Column("secret", Text, nullable=False),
    Column("public", Text, nullable=False),
)
"""The server's own keys, made once."""

TOKENS = Table(
    "tokens",
    METADATA,
    Column("hash", LargeBinary, primary_key=True),
    Column("player", Text, nullable=False),
)

RATINGS = Table(
    "ratings",
    METADATA,
    Column("player", Text, primary_key=True),
    Column("edition", Text, primary_key=True),
    Column("played", Integer, nullable=False),
    Column("lost", Integer, nullable=False),
    Column("rated", Integer, nullable=False),
    Column("mu", Float),
    Column("sigma", Float),
)

WORKERS = Table(
    "workers",
    METADATA,
    Column("worker", Text, primary_key=True),
    Column("expires", MILLISECONDS, nullable=False),
)
"""The processes that serve from this database; one that has not renewed its row in time is gone."""

LEASES = Table(
    "leases",
    METADATA,
    Column("tbl", Text, primary_key=True),
    Column("owner", Text, nullable=False),
    Column("epoch", Integer, nullable=False),
    Index("leases_by_owner", "owner"),
)
"""Whose clocks and bots a table has: those of one worker. A lease ends with its owner's row."""

PRESENCE = Table(
    "presence",
    METADATA,
    Column("tbl", Text, primary_key=True),
    Column("player", Text, primary_key=True),
    Column("worker", Text, nullable=False),
    Index("presence_by_worker", "worker"),
)
"""Through which worker each person is connected to a table."""

SAID = Table(
    "said",
    METADATA,
    Column("id", Text, primary_key=True),
    Column("tbl", Text, nullable=False),
    Column("worker", Text, nullable=False),
    Column("at", MILLISECONDS, nullable=False),
    Column("body", LargeBinary, nullable=False),
    Index("said_by_table", "tbl", "at"),
)
"""What people said in the last minute, for the workers that have yet to pass it on."""

CODES = Table(
    "codes",
    METADATA,
    Column("hash", LargeBinary, primary_key=True),
    Column("tbl", Text, nullable=False),
    Column("seat", Integer, nullable=False),
    Column("owner", Text, nullable=False),
    Column("expires", MILLISECONDS, nullable=False),
)
"""The one-time codes by which another device takes over a seat."""
REVIEWS = Table(
    "reviews",
    METADATA,
    Column("tbl", Text, primary_key=True),
    Column("game", Integer, primary_key=True, autoincrement=False),
    Column("judge", Text, nullable=False),
    Column("review", Text),  # as it is shown; none while only the luck was counted
)

LUCK = Table(
    "luck",
    METADATA,
    Column("player", Text, primary_key=True),
    Column("edition", Text, primary_key=True),
    Column("games", Integer, nullable=False),
    Column("luck", Float, nullable=False),
    Column("squares", Float, nullable=False),
)
"""What chance has given people: the sum over their games, and the sum of its squares."""
