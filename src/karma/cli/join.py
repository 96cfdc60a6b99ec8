"""`karma join`: a seat at a table on a server, in the terminal."""

from typing import Annotated

import typer

from karma.cli.errors import Failure, Misuse
from karma.cli.options import MaybeLanguage, SpeedOption, on_terminal, run_app


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
    speed: SpeedOption = None,
    lang: MaybeLanguage = None,
) -> None:
    """Join friends at a server's table, or go back to the seat you have there."""
    from karma.tui.server import Address

    try:
        address = Address.parse(url)
    except ValueError as error:
        raise Misuse(str(error)) from None
    if not on_terminal():
        raise Failure("karma join needs a terminal; programs speak docs/protocol.md")
    from karma.tui.app import KarmaApp

    run_app(KarmaApp(address=address, name=name, spectate=watch, speed=speed, language=lang))
