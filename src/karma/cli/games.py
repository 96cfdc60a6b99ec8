"""`karma games`: what a server has kept, for its operator; works while the server runs."""

import json
import sys
from collections.abc import Coroutine, Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from karma.cli.errors import Failure

if TYPE_CHECKING:
    from karma.store.location import Archive
    from karma.store.ports import KeptGame

games = typer.Typer(
    help="What a server has kept: list, export, verify, backup, move, repair, close."
)

Data = Annotated[
    Path, typer.Option("--data", envvar="KARMA_DATA", help="The server's data folder.")
]
Database = Annotated[
    str | None,
    typer.Option(
        "--database", envvar="KARMA_DATABASE", help="The server's database instead of its folder."
    ),
]
T = TypeVar("T")
FOLDER = Path("karma-data")


@contextmanager
def _opened(folder: Path, database: str | None) -> Iterator["Archive"]:
    """What a server has kept, to read; what is wrong with it becomes a line."""
    from karma.store import StoreError
    from karma.store.location import open_archive
    from karma.store.sqlite import FILE

    if database is None and not (folder / FILE).is_file():
        raise Failure(f"there is no {folder / FILE}; --data names the folder of a server")
    try:
        with closing(open_archive(folder, database)) as archive:
            yield archive
    except StoreError as error:
        raise Failure(str(error)) from None


def _result(reading: Coroutine[Any, Any, T]) -> T:
    """What a reading of the archive gives."""
    import asyncio

    return asyncio.run(reading)


@games.command("list")
def list_games(data: Data = FOLDER, database: Database = None) -> None:
    """List the finished games, the newest last."""
    with _opened(data, database) as archive:
        kept = _result(archive.games.all())
    for game in kept:
        when = datetime.fromtimestamp(game.ended / 1000, UTC).strftime("%Y-%m-%d %H:%M")
        names = ", ".join(game.players)
        print(
            f"{when}  {game.table} {game.game:3}  {game.edition:12} {game.plies:5}  {names}:"
            f" {_end(game)}"
        )


def _end(game: "KeptGame") -> str:
    """Who lost, or why nobody did."""
    if not game.complete:
        return "given up"
    return "stalled" if game.loser is None else game.players[game.loser]


@games.command()
def export(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="Where to write; - for standard output.")
    ] = Path("-"),
    data: Data = FOLDER,
    database: Database = None,
    table: Annotated[str | None, typer.Option(help="The games of one table only.")] = None,
    log: Annotated[
        bool, typer.Option("--log", help="Everything that is kept of the table, as it is kept.")
    ] = False,
) -> None:
    """Write the records of finished games, one a line; or a table's log, of a stopped one too."""
    if log and table is None:
        raise Failure("--log writes the log of one table; --table names it")
    with _opened(data, database) as archive:
        if table is not None and log:
            lines = [line.decode() + "\n" for line in _result(archive.log.read(table))]
        else:
            lines = [record + "\n" for _, record in _result(archive.games.records(table))]
    if log and not lines:
        raise Failure(f"there is no table {table}")
    if table is not None and not lines:
        raise Failure(f"table {table} has no finished game; karma games list shows those that have")
    if str(file) == "-":
        sys.stdout.writelines(lines)
        return
    try:
        with file.open("w", encoding="utf-8") as out:
            out.writelines(lines)
    except OSError as error:
        raise Failure(f"cannot write {file}: {error.strerror}") from None
    print(f"{len(lines)} {'entries' if log else 'games'} written to {file}")


@games.command()
def verify(data: Data = FOLDER, database: Database = None) -> None:
    """Check every log's chain, every finished game's moves and deal, and that they agree."""
    with _opened(data, database) as archive:
        wrong = _result(_verify(archive))
    raise typer.Exit(1 if wrong else 0)


async def _verify(archive: "Archive") -> int:
    """Tells what is wrong, table by table, and in how many places."""
    faults = [
        (table, f"entry {number} is not what was written")
        for table, number in await archive.log.broken_links()
    ]
    faults += [
        (table, f"the newest entries are missing: there were {number}")
        for table, number in await archive.log.cut_off()
    ]
    broken = {table for table, _ in faults}
    tables = await archive.log.tables()
    for table in tables:
        if table not in broken:
            faults += [(table, fault) for fault in await _faults(archive, table)]
    for table, fault in faults:
        print(f"table {table}: {fault}", file=sys.stderr)
    count = len(await archive.games.all())
    print(f"{len(tables)} tables, {count} finished games, {len(faults)} wrong")
    return len(faults)


async def _faults(archive: "Archive", table: str) -> list[str]:
    """What is wrong with a table's log and the games it ended."""
    from karma import fair
    from karma.record import Record
    from karma.table.log.envelope import decode
    from karma.table.log.state import TableState

    state, ended = TableState(table), {}
    for number, body in enumerate(await archive.log.read(table), start=1):
        try:
            _, finished = state.apply(decode(body))
        except Exception as error:
            return [f"entry {number} cannot be replayed: {type(error).__name__}"]
        if finished is not None:
            ended[finished.game] = finished.record
    faults = []
    kept = dict(await archive.games.records(table))
    for game, line in kept.items():
        record = Record.loads(line)
        if game not in ended or ended[game].dumps() != line:
            faults.append(f"game {game} is not the one that the log gives")
        try:
            record.replay()
            if "fair" in record.extra:
                fair.check(record)
        except ValueError as error:
            faults.append(f"game {game}: {error}")
    return faults + [f"game {game} was not kept" for game in ended if game not in kept]


@games.command()
def backup(
    target: Annotated[Path, typer.Argument(metavar="FOLDER", help="A new data folder.")],
    data: Data = FOLDER,
    database: Database = None,
) -> None:
    """Copy everything into a new data folder, while the server plays on."""
    with _opened(data, database) as archive:
        copy = archive.backup(target)
    print(f"kept in {copy}")


@games.command()
def move(
    source: Annotated[
        str, typer.Argument(metavar="FROM", help="A data folder, or postgresql://user@host/name.")
    ],
    target: Annotated[
        str, typer.Argument(metavar="TO", help="The other of them: a database, or a new folder.")
    ],
) -> None:
    """Copy everything from a folder into an empty database, or back; stop the servers first."""
    from karma.store import StoreError
    from karma.store.location import SCHEME, copy_to_database
    from karma.store.sqlite import FILE

    if source.startswith(SCHEME) == target.startswith(SCHEME):
        raise Failure("one of the two has to be a folder, the other a postgresql:// address")
    if source.startswith(SCHEME):
        with _opened(FOLDER, source) as archive:
            if number := archive.workers():
                raise Failure(f"{number} workers serve from there; stop them first")
            print(f"kept in {archive.backup(Path(target))}; karma serve --data {target} uses it")
        return
    if not (Path(source) / FILE).is_file():
        raise Failure(f"there is no {Path(source) / FILE}; give the folder of a server")
    try:
        counts = copy_to_database(Path(source), target)
    except StoreError as error:
        raise Failure(str(error)) from None
    told = f"{counts['tables']} tables, {counts['games']} games, {counts['players']} people"
    print(f"{told} moved; karma serve --database uses them. The folder is as it was.")


@games.command()
def repair(
    backup: Annotated[Path, typer.Argument(metavar="BACKUP", help="A folder made by backup.")],
    data: Data = FOLDER,
) -> None:
    """Write a damaged file anew, damaged tables as the backup has them; stop the server first."""
    from karma.store import StoreError
    from karma.store.sqlite import mend

    try:
        told = mend(data, backup)
    except StoreError as error:
        raise Failure(str(error)) from None
    for table in told.restored:
        print(f"table {table}: as it was in the backup")
    for table in told.lost:
        print(f"table {table}: damaged, and not in the backup", file=sys.stderr)
    print(
        f"{len(told.kept)} tables are as they were, {len(told.restored)} restored,"
        f" {len(told.lost)} lost"
    )
    raise typer.Exit(1 if told.lost else 0)


@games.command()
def close(
    table: Annotated[str, typer.Argument(metavar="TABLE", help="The table's id.")],
    data: Data = FOLDER,
    server: Annotated[
        str, typer.Option(help="The running server, on this machine.")
    ] = "http://127.0.0.1:8000",
) -> None:
    """Close a table of the running server."""
    import urllib.error
    import urllib.request

    from karma.server.operator import TOKEN_FILE

    try:
        token = (data / TOKEN_FILE).read_text().strip()
    except OSError:
        raise Failure(f"there is no {data / TOKEN_FILE}; has a server run there?") from None
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
        raise Failure(f"the server answered {code}") from None
    except OSError as error:
        raise Failure(f"cannot reach {server}: {error}") from None
