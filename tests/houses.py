"""Houses: the databases that a load is measured on, and what each has to do for an action."""

from pathlib import Path
from typing import Any

import processes
from databases import Postgres
from servers import Redis


class OnSqlite:
    """A file in a folder: the server does its work itself."""

    name = "SQLite"

    def __init__(self, folder: Path) -> None:
        self.flags = ["--data", str(folder)]

    def figures(self) -> dict[str, float]:
        """What the database has had to do so far."""
        return {}

    def end(self) -> None:
        """Nothing is left behind."""


class OnPostgres:
    """A PostgreSQL and a Redis of its own, and so many workers."""

    def __init__(self, folder: Path, workers: int) -> None:
        self.name = f"PostgreSQL, {workers} worker{'s' * (workers > 1)}"
        self.folder = folder
        counted = "shared_preload_libraries=pg_stat_statements"
        self._postgres = Postgres("max_connections=200", counted)
        self._database = self._postgres.make("karma")
        self._statistics = self._postgres.address("postgres")
        self._ask("CREATE EXTENSION pg_stat_statements")
        self._redis = Redis()
        self.flags = ["--data", str(folder), "--workers", str(workers)]
        self.flags += ["--database", self._database, "--redis", self._redis.address]

    def _ask(self, statement: str) -> Any:
        import psycopg

        with psycopg.connect(self._statistics, autocommit=True) as connection:
            answer = connection.execute(statement)  # type: ignore[call-overload]
            return answer.fetchone() if answer.description else None

    def figures(self) -> dict[str, float]:
        """What the database has had to do so far."""
        (statements,) = self._ask(
            "SELECT coalesce(sum(calls), 0)::bigint FROM pg_stat_statements AS s"
            " JOIN pg_database AS d ON d.oid = s.dbid WHERE datname = 'karma'"
        )
        postmaster = int((self._postgres.folder / "data" / "postmaster.pid").read_text().split()[0])
        everybody = [postmaster, *processes.children(postmaster)]
        return {
            "statements": float(statements),
            "cpu_of_postgres": processes.cpu(everybody),
            "cpu_of_redis": processes.cpu([self._redis.process.pid]),
        }

    def end(self) -> None:
        """Ends both."""
        self._redis.end()
        self._postgres.end()
