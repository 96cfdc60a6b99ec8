"""`karma join`: a seat at a table on a server, in the terminal or in plain text."""

from typing import TYPE_CHECKING, Annotated

import typer

from karma.cli.errors import Failure, Misuse
from karma.cli.options import MaybeLanguage, SpeedOption, on_terminal, run_app

if TYPE_CHECKING:
    from karma.texts import Texts
    from karma.tui.server import Address


def join(
    url: Annotated[
        str,
        typer.Argument(
            metavar="URL",
            help="The link that you were given, …/join/CODE; a server alone opens a table there.",
        ),
    ],
    name: Annotated[str | None, typer.Option(metavar="NAME", help="Your name.")] = None,
    watch: Annotated[bool, typer.Option("--watch", help="Only watch.")] = False,
    plain: Annotated[bool, typer.Option("--plain", help="Plain lines of text.")] = False,
    speed: SpeedOption = None,
    lang: MaybeLanguage = None,
) -> None:
    """Join friends at a server's table, or go back to the seat you have there."""
    from karma.texts import Texts
    from karma.tui.server import Address

    try:
        address = Address.parse(url)
    except ValueError as error:
        raise Misuse(str(error)) from None
    if plain or not on_terminal():
        join_plain(address, name, Texts(lang or "en"), watch=watch)
        return
    from karma.tui.app import KarmaApp

    run_app(KarmaApp(address=address, name=name, spectate=watch, speed=speed, language=lang))


def join_plain(address: "Address", name: str | None, say: "Texts", *, watch: bool) -> None:
    """A seat at a server's table, by lines of text; it stays one's own."""
    from karma.cli.loop_thread import LoopThread
    from karma.cli.plain_table import PlainTable, Quit
    from karma.tui.home import Home
    from karma.tui.news import told_error
    from karma.tui.server import ServerConnection, ServerError, reach

    try:
        server, table = reach(address, Home(), name, spectate=watch)
    except ServerError as error:
        raise Failure(told_error(error.code, error.parameters, say)) from None

    async def connect() -> ServerConnection:
        return ServerConnection(server, table)

    interrupted = False
    with LoopThread() as loop:
        connection = loop.run(connect())
        try:
            PlainTable(connection, loop, say, far=address.server).play()
        except Quit:
            print(say("tui_goodbye_remote"))
        except (EOFError, KeyboardInterrupt) as stop:
            interrupted = isinstance(stop, KeyboardInterrupt)
            print("\n" + say("tui_goodbye_remote"))
        loop.run(connection.close())
    if interrupted:
        raise typer.Exit(130)
