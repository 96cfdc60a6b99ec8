"""`karma games`: what a server has kept, for its operator; works while the server runs."""

import json
import sqlite3
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from karma.cli.errors import Refusal

games = typer.Typer(help="What a server has kept: list, export, verify, backup, close.")

Data = Annotated[
    Path, typer.Option("--data", envvar="KARMA_DATA", help="The server's data folder.")
]
FOLDER = Path("karma-data")


@contextmanager
def _opened(folder: Path) -> Iterator[sqlite3.Connection]:
    """A server's database, to read; what is wrong with it becomes a line."""
    from karma.store.sqlite import FILE

    path = folder / FILE
    if not path.is_file():
        raise Refusal(f"there is no {path}; --data names the folder of a server")
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as database:
        try:
            yield database
        except sqlite3.Error as error:
            raise Refusal(f"cannot read {path}: {error}") from None


@games.command("list")
def list_games(data: Data = FOLDER) -> None:
    """List the finished games, the newest last."""
    with _opened(data) as database:
        rows = database.execute(
            "SELECT tbl, game, edition, players, loser, plies, complete, ended FROM games"
            " ORDER BY ended"
        )
        for table, game, edition, players, loser, plies, complete, ended in rows:
            names, _ = json.loads(players)
            when = datetime.fromtimestamp(ended / 1000, UTC).strftime("%Y-%m-%d %H:%M")
            lost = "given up" if not complete else "stalled" if loser is None else names[loser]
            print(f"{when}  {table} {game:3}  {edition:12} {plies:5}  {', '.join(names)}: {lost}")


@games.command()
def export(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="Where to write; - for standard output.")
    ] = Path("-"),
    data: Data = FOLDER,
    table: Annotated[str | None, typer.Option(help="The games of one table only.")] = None,
) -> None:
    """Write the records of finished games, one a line."""
    with _opened(data) as database:
        rows = database.execute(
            "SELECT record FROM games WHERE ?1 IS NULL OR tbl = ?1 ORDER BY ended", (table,)
        )
        lines = [record + "\n" for (record,) in rows]
    if table is not None and not lines:
        raise Refusal(f"table {table} has no finished game; karma games list shows those that have")
    if str(file) == "-":
        sys.stdout.writelines(lines)
        return
    try:
        with file.open("w", encoding="utf-8") as out:
            out.writelines(lines)
    except OSError as error:
        raise Refusal(f"cannot write {file}: {error.strerror}") from None
    print(f"{len(lines)} games written to {file}")


@games.command()
def verify(data: Data = FOLDER) -> None:
    """Check every log's chain, every finished game's moves and deal, and that they agree."""
    from karma.store.chain import broken_links

    wrong = 0
    with _opened(data) as database:
        broken = list(broken_links(database))
        for table, number in broken:
            wrong += 1
            print(f"table {table}: entry {number} is not what was written", file=sys.stderr)
        skip = {table for table, _ in broken}
        tables = [row[0] for row in database.execute("SELECT DISTINCT tbl FROM events")]
        for table in tables:
            if table not in skip:
                for fault in _faults(database, table):
                    wrong += 1
                    print(f"table {table}: {fault}", file=sys.stderr)
        count = database.execute("SELECT count(*) FROM games").fetchone()[0]
    print(f"{len(tables)} tables, {count} finished games, {wrong} wrong")
    raise typer.Exit(1 if wrong else 0)


def _faults(database: sqlite3.Connection, table: str) -> list[str]:
    """What is wrong with a table's log and the games it ended."""
    from karma import fair
    from karma.record import Record
    from karma.table.log.entries import decode_line
    from karma.table.log.state import TableState

    state, ended = TableState(table), {}
    rows = database.execute("SELECT seq, body FROM events WHERE tbl = ? ORDER BY seq", (table,))
    for number, body in rows:
        try:
            finished = state.apply(decode_line(body)).finished
        except Exception as error:
            return [f"entry {number} cannot be replayed: {type(error).__name__}"]
        if finished is not None:
            ended[finished.game] = finished.record
    faults = []
    kept = database.execute("SELECT game, record FROM games WHERE tbl = ?", (table,)).fetchall()
    for game, line in kept:
        record = Record.loads(line)
        if game not in ended or ended[game].dumps() != line:
            faults.append(f"game {game} is not the one that the log gives")
        try:
            record.replay()
            if "fair" in record.extra:
                fair.check(record)
        except ValueError as error:
            faults.append(f"game {game}: {error}")
    faults += [f"game {g} was not kept" for g in ended if g not in {game for game, _ in kept}]
    return faults


@games.command()
def backup(
    target: Annotated[Path, typer.Argument(metavar="FOLDER", help="A new data folder.")],
    data: Data = FOLDER,
) -> None:
    """Copy everything into another data folder, while the server plays on."""
    from karma.store.sqlite import FILE

    copy = target / FILE
    if copy.exists():
        raise Refusal(f"{copy} exists; give a folder without one")
    with _opened(data) as database:
        try:
            target.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise Refusal(f"cannot use {target} as a folder: {error.strerror}") from None
        with closing(sqlite3.connect(copy)) as other:
            database.backup(other)
    print(f"kept in {copy}")


@games.command()
def close(
    table: Annotated[str, typer.Argument(metavar="TABLE", help="The table's id.")],
    data: Data = FOLDER,
    server: Annotated[
        str, typer.Option(help="The running server, on this machine.")
    ] = "http://127.0.0.1:8000",
) -> None:
    """Close a table of the running server."""
    from karma.server.operator import TOKEN_FILE

    try:
        token = (data / TOKEN_FILE).read_text().strip()
    except OSError:
        raise Refusal(f"there is no {data / TOKEN_FILE}; has a server run there?") from None
    request = urllib.request.Request(
        f"{server.rstrip('/')}/api/operator/tables/{table}/close",
        data=b"",
        headers={"authorization": f"Bearer {token}"},
        method="POST",
    )
    try:
        with urllib.request.urlopen(request, timeout=30):
            print(f"table {table} is closed")
    except urllib.error.HTTPError as error:
        code = json.load(error)["code"]
        raise Refusal(f"the server answered {code}") from None
    except OSError as error:
        raise Refusal(f"cannot reach {server}: {error}") from None
